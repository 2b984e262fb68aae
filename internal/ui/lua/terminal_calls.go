package lua

import (
	"cmp"
	"context"
	"slices"
	"time"

	lua "github.com/yuin/gopher-lua"
)

const (
	// maxCalls and maxCallBytes bound what waits in a lane.
	maxCalls     = 1_000
	maxCallBytes = 4 << 20
	// callTimeout is how long an operation may take. A person may have to allow it, for which they
	// have 50 seconds.
	callTimeout = time.Minute
	// beginTimeout is how long what is typed after a command waits until the command has begun. It
	// may not begin for long, if another client's command has to end first.
	beginTimeout = 2 * time.Second
)

// A call is an operation on a terminal that a script has asked for.
type call struct {
	t            *terminal
	what, script string
	size         int           // of what is typed, in bytes
	creates      bool          // it creates the terminal
	patience     time.Duration // 0 means callTimeout
	// do carries it out, outside the VM's goroutine; do may not touch the VM.
	do func(context.Context, operate) error
	// done takes the outcome, on the VM's goroutine.
	done func(error)
	// over, if there is one, is called outside the VM's goroutine when the call has ended.
	over func()
	// run, if there is one, is the command that this call stands for among the inputs; do and done
	// are nil then. begun is closed when the command has begun, or will not.
	run   *call
	begun chan struct{}
}

// A lane carries out calls on one terminal in their order, without holding up the VM. It belongs to
// the VM's goroutine.
type lane struct {
	queue []*call
	size  int // of the queue, in bytes
	busy  bool
}

// add queues a call, and raises an error if too many wait.
func (n *lane) add(t *terminal, l *lua.LState, c *call) {
	c.t = t
	switch {
	case t.vm.opts.Background == nil:
		l.RaiseError("%s: nothing can run beside the session here", c.what)
	case len(n.queue) >= maxCalls:
		l.RaiseError("%s: %d calls wait for this terminal already: wait for some", c.what, maxCalls)
	case n.size+c.size > maxCallBytes:
		l.RaiseError("%s: more than %s wait to be typed already", c.what, size(maxCallBytes))
	}
	n.queue = append(n.queue, c)
	n.size += c.size
	n.start(t.vm)
}

// start carries out what is queued, unless the lane is busy.
func (n *lane) start(vm *VM) {
	if n.busy || len(n.queue) == 0 {
		return
	}
	if c := n.queue[0]; c.run != nil {
		n.take(1)
		n.begin(c)
		return
	}
	count := slices.IndexFunc(n.queue, func(c *call) bool { return c.run != nil })
	if count < 0 {
		count = len(n.queue)
	}
	batch := n.take(count)
	n.busy = true
	vm.opts.Background(func(ctx context.Context) func() {
		outcomes := make([]error, len(batch))
		for i, c := range batch {
			outcomes[i] = c.carryOut(ctx)
		}
		return func() {
			n.busy = false
			defer n.start(vm) // also if a callback panics
			for i, c := range batch {
				c.done(outcomes[i])
			}
		}
	})
}

// take removes calls from the head of the queue.
func (n *lane) take(count int) (batch []*call) {
	batch, n.queue = n.queue[:count:count], n.queue[count:]
	for _, c := range batch {
		n.size -= c.size
	}
	return batch
}

// begin starts a command in the lane for commands. The inputs that follow are meant for it, so they
// wait until it has begun. They do not wait for it to get its turn: they may be for the command
// before, such as the Ctrl-C that ends it.
func (n *lane) begin(c *call) {
	vm, runs := c.t.vm, &c.t.runs
	n.busy = true
	wait := !runs.busy
	runs.queue = append(runs.queue, c.run)
	runs.start(vm)
	vm.opts.Background(func(ctx context.Context) func() {
		if wait {
			timer := time.NewTimer(beginTimeout)
			defer timer.Stop()
			select {
			case <-c.begun:
			case <-timer.C:
			case <-ctx.Done():
			}
		}
		return func() {
			n.busy = false
			n.start(vm)
		}
	})
}

// carryOut carries out the call.
func (c *call) carryOut(ctx context.Context) error {
	if c.over != nil {
		defer c.over()
	}
	if !c.creates {
		if err := c.t.created(ctx); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.patience, callTimeout))
	defer cancel()
	return c.do(ctx, c.t.vm.operator(c.script))
}
