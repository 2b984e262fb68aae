package async

import (
	"context"
	"encoding/json"
	"fmt"
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

// ask carries out an operation for a script, and stores the answer in out.
func (lib *Library) ask(ctx context.Context, script, operation string, in map[string]any, out any) error {
	answer, err := lib.theTerminals().Do(ctx, script, operation, marshal(in), nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

// do is [Terminals.Do] for the terminal, once that has been created.
func (t *terminal) do(ctx context.Context, script, operation string, in map[string]any, begun func()) (answer []byte, err error) {
	if in["session"], err = t.created(ctx); err != nil {
		return nil, err
	}
	return t.lib.theTerminals().Do(ctx, script, operation, marshal(in), begun)
}

// read reads from the terminal, as plain text.
func (t *terminal) read(ctx context.Context, script, operation string, in map[string]any, out any) (err error) {
	in["format"] = "plain"
	if in["session"], err = t.created(ctx); err != nil {
		return err
	}
	return t.lib.ask(ctx, script, operation, in, out)
}

// marshal returns the input of an operation. The values are ours, so it cannot fail.
func marshal(in map[string]any) []byte {
	data, err := json.Marshal(in)
	if err != nil {
		panic(fmt.Sprintf("lua: the input of an operation on terminals: %v", err))
	}
	return data
}

// A call is work on a terminal that a script has asked for.
type call struct {
	size int // of the input, in bytes
	// turn, if there is one, is called on the VM's goroutine when the calls before have been
	// carried out. If it returns false, the call is left out.
	turn func() bool
	// work carries the call out, outside the VM's goroutine, and may not touch the VM. apply takes
	// the outcome, on the VM's goroutine.
	work func(context.Context) (apply func())
}

// A lane carries out calls in their order, without holding up the VM. It belongs to the VM's
// goroutine.
type lane struct {
	queue   []*call
	size    int // of the queue
	busy    bool
	combine bool      // outcomes may wait for the outcomes of the calls behind
	of      *terminal // that has to be created first; nil: none
}

// room raises an error if too many calls wait.
func (n *lane) room(l *lua.LState, what string, bytes int) {
	switch {
	case len(n.queue) >= maxCalls:
		l.RaiseError("%s: %d calls wait for this terminal already: wait for some", what, maxCalls)
	case n.size+bytes > maxCallBytes:
		l.RaiseError("%s: more than %d MiB wait to be typed already", what, maxCallBytes>>20)
	}
}

func (n *lane) add(lib *Library, c *call) {
	n.queue = append(n.queue, c)
	n.size += c.size
	n.start(lib)
}

// start carries out what is queued, unless the lane is busy.
func (n *lane) start(lib *Library) {
	if n.busy || len(n.queue) == 0 {
		return
	}
	count := 1
	for n.combine && count < len(n.queue) && n.queue[count].turn == nil {
		count++
	}
	batch := n.queue[:count:count]
	n.queue = n.queue[count:]
	for _, c := range batch {
		n.size -= c.size
	}
	if turn := batch[0].turn; turn != nil && !turn() {
		if batch = batch[1:]; len(batch) == 0 {
			n.start(lib)
			return
		}
	}
	n.busy = true
	lib.opts.Background(func(ctx context.Context) func() {
		outcomes := make([]func(), len(batch))
		for i, c := range batch {
			outcomes[i] = c.work(ctx)
		}
		return func() {
			n.busy = false
			defer n.start(lib) // also if a callback panics
			for _, apply := range outcomes {
				apply()
			}
		}
	})
}

// task returns the call of a task, whose time begins when the terminal, unless it is nil, has been
// created. The callback gets the result, unless dropped is true then.
func (lib *Library) task(t *terminal, what string, size int, limit time.Duration, callback *lua.LFunction, work task) (c *call, dropped *bool) {
	dropped = new(bool)
	return &call{size: size, work: func(ctx context.Context) func() {
		if t != nil {
			_, _ = t.created(ctx) // if it has not been, the task says so
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		result, err := work(ctx)
		return func() {
			var v lua.LValue
			if err == nil {
				v, err = result()
			}
			of := what
			if t != nil {
				of = "terminal " + t.now.Name + ": " + what
			}
			if !*dropped {
				lib.report(of, callback, v, err)
			}
		}
	}}, dropped
}

// queue carries out a task when the calls before it in a lane have been. Its outcome is not told if
// the file that is being loaded fails.
func (lib *Library) queue(l *lua.LState, n *lane, what string, size int, callback *lua.LFunction, work task) {
	n.room(l, what, size)
	c, dropped := lib.task(n.of, what, size, callTimeout, callback, work)
	n.add(lib, c)
	lib.vm.Did(func() { *dropped = true }, nil)
}

var runMethod = method{operation: "command.run", members: []string{"line"}, options: []string{"maxOutput", "timeout"}}

// terminalRun implements t:run(line, [options,] callback). Commands run one after another, each
// when what was typed before has been. What is typed later reaches the command.
func (lib *Library) terminalRun(l *lua.LState, t *terminal) int {
	in, size, _, callback := lib.input(l, "run", runMethod, 2)
	t.runs.room(l, "run", size)
	t.inputs.room(l, "run", size)
	in["format"] = "plain"
	if in["max_wait_ms"] == nil {
		in["max_wait_ms"] = defaultWait.Milliseconds()
	}
	if t.runs.busy || len(t.runs.queue) > 0 || slices.ContainsFunc(t.inputs.queue, func(c *call) bool { return c.turn != nil }) {
		in["at_prompt"] = true // it is not for the command that it has to wait for
	}
	script := lib.script(l)
	begun, begin := context.WithCancel(context.Background())
	gone, cancel := context.WithCancel(context.Background())
	run, dropped := lib.task(t, "run", size, defaultWait+waitMargin, callback, func(ctx context.Context) (func() (lua.LValue, error), error) {
		defer begin()
		defer cancel()
		ctx, stop := context.WithCancel(ctx)
		defer context.AfterFunc(gone, stop)()
		answer, err := t.do(ctx, script, runMethod.operation, in, begin)
		return func() (lua.LValue, error) { return lib.ran(answer) }, err
	})
	t.inputs.add(lib, &call{
		size: size,
		// What follows is meant for the command, so it waits until that has begun, but not until it
		// gets its turn: it may be for the command before, such as the Ctrl-C that ends it.
		turn: func() bool {
			wait := !t.runs.busy
			t.runs.add(lib, run)
			return wait
		},
		work: func(ctx context.Context) func() {
			ctx, stop := context.WithTimeout(ctx, beginTimeout)
			defer stop()
			select {
			case <-begun.Done():
			case <-ctx.Done():
			}
			return func() {}
		},
	})
	lib.vm.Did(func() { *dropped = true; cancel() }, nil)
	l.Push(lib.handle(func() {
		*dropped = true
		lib.vm.Did(func() { *dropped = false }, cancel)
	}))
	return 1
}

// ran returns the result of a command as scripts see it.
func (lib *Library) ran(answer []byte) (lua.LValue, error) {
	var got struct {
		State    string `json:"state"`
		NotRun   bool   `json:"not_run"`
		ExitCode *int   `json:"exit_code"`
		Duration int    `json:"duration_ms"`
		Output   string `json:"output"`
		Complete bool   `json:"complete"`
		Screen   *struct {
			Lines []string `json:"lines"`
		} `json:"screen"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return nil, err
	}
	result := map[string]any{"state": got.State, "output": got.Output, "complete": got.Complete}
	if got.NotRun {
		result["notRun"] = true
	}
	if got.ExitCode != nil {
		result["status"] = *got.ExitCode
	}
	if got.State == "done" {
		result["duration"] = got.Duration
	}
	if got.Screen != nil {
		result["screen"] = screenText(got.Screen.Lines)
	}
	return lib.value(result), nil
}
