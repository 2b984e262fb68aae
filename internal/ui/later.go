package ui

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/executor"
	"ui-mcp/internal/ui/problem"
)

// maxCalls and maxCallBytes bound the calls of listeners that wait in a session, and the values
// that they are to get. Listeners that publish to their own topic could double them again and
// again.
const (
	maxCalls     = 10_000
	maxCallBytes = 16 << 20
)

// later brings deferred work of scripts back to the session's goroutine: timers, calls of
// listeners, and the results of work on other goroutines.
//
// No caller waits for such work, and it may cause more of it: a listener may publish to
// its own topic, an interval may be short. So it is limited to a share of the time, and the author
// is notified. Deferred functions run in the order in which they became due.
type later struct {
	exec *executor.Executor
	st   *state

	ctx    context.Context // ends with the session
	cancel context.CancelFunc
	wg     sync.WaitGroup // work under way

	mu     sync.Mutex // guards the fields below
	pace   pace
	held   []func()    // become due while the session is slowed down, the oldest first
	wake   *time.Timer // continues with held, or nil
	calls  int         // calls of listeners that wait
	bytes  int         // of the values that these are to get
	full   bool        // calls were dropped, and the author is about to be notified
	fresh  bool        // a transaction that updates the pages is about to run
	slowed bool        // the author has been notified
	closed bool
}

func newLater(exec *executor.Executor, st *state) *later {
	l := &later{exec: exec, st: st, pace: pace{share: deferredShare, burst: deferredBurst}}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// refresh updates the pages. It may be called from any goroutine.
func (l *later) refresh() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.fresh {
		l.fresh = true
		l.post(func() { l.mu.Lock(); defer l.mu.Unlock(); l.fresh = false }, nil)
	}
}

// call is do for the call of a listener with a value of that many bytes. If too many wait, it is
// dropped; a single value may be as long as it is.
func (l *later) call(size int, f func()) {
	l.mu.Lock()
	full := "" // why it is dropped
	switch {
	case l.calls >= maxCalls:
		full = fmt.Sprintf("%d of them were waiting", maxCalls)
	case l.calls > 0 && l.bytes+size > maxCallBytes:
		full = fmt.Sprintf("those that were waiting had values of %d MiB", maxCallBytes>>20)
	default:
		l.calls++
		l.bytes += size
	}
	first := full != "" && !l.full
	l.full = l.full || full != ""
	l.mu.Unlock()
	switch {
	case first:
		l.post(func() {
			l.mu.Lock()
			l.full = false
			l.mu.Unlock()
			l.report("calls of listeners were dropped, since " + full + ": does a listener publish to its own topic, or something more than the session can take?")
		}, nil)
	case full == "":
		l.do(func() {
			l.mu.Lock()
			l.calls--
			l.bytes -= size
			l.mu.Unlock()
			f()
		})
	}
}

// do runs f in a transaction of its own. It may be called from any goroutine, including the
// session's. When the session has ended, f does not run.
func (l *later) do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.held) > 0 || l.pace.wait(time.Now()) > 0 {
		l.held = append(l.held, f)
		l.wakeLocked()
		return
	}
	l.post(f, l.spent)
}

// wakeLocked has held continued when the pace allows it.
func (l *later) wakeLocked() {
	if l.wake == nil && !l.closed {
		l.wake = time.AfterFunc(l.pace.wait(time.Now()), l.next)
	}
}

// next continues with the oldest function in held.
func (l *later) next() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wake = nil
	if len(l.held) == 0 || l.closed {
		return
	}
	f := l.held[0]
	l.held[0] = nil
	l.held = l.held[1:]
	l.post(f, func(d time.Duration) {
		l.spent(d)
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.held) > 0 {
			l.wakeLocked()
		}
	})
}

// post runs f in a transaction, and then done with how long that took, without reloading files,
// unless it is nil. done runs also after a panic.
func (l *later) post(f func(), done func(time.Duration)) {
	l.exec.Post(func() { l.transact(f, done) })
}

// transact does what post does at once, on the session's goroutine.
func (l *later) transact(f func(), done func(time.Duration)) {
	if l.ctx.Err() != nil {
		return
	}
	start := time.Now()
	defer func() {
		if done != nil {
			done(time.Since(start))
		}
	}()
	defer l.st.announce()
	defer func() { start = start.Add(l.st.finish()) }()
	disarm := l.st.vm.Arm()
	defer disarm()
	f()
}

// slowedDown is how the problem of a session starts that is slowed down.
const slowedDown = "timers and listeners keep this session busy, so they are slowed down"

// spent records how long a deferred function took, or 0 after other work, and what that means for
// the author. It runs on the session's goroutine.
func (l *later) spent(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	slow := l.pace.spend(now, d)
	if l.closed || slow == l.slowed || !slow && !l.pace.calm(now) {
		return
	}
	l.slowed = slow
	last := cmp.Or(l.st.vm.LastCallback(), "unknown")
	l.post(func() {
		if !slow {
			l.st.problems.list.Clear(func(p *problem.Problem) bool {
				return p.Kind == problem.Timer && strings.HasPrefix(p.Message, slowedDown)
			})
			return
		}
		l.report(fmt.Sprintf("%s: they may take a quarter of the time. Look for an interval that is too short, or a listener that publishes to its own topic. The last function that ran is at %s", slowedDown, last))
	}, nil)
}

// report records a problem of deferred work.
func (l *later) report(msg string) { l.st.add(problem.Problem{Kind: problem.Timer, Message: msg}, nil) }

// after is [async.Options.After].
func (l *later) after(d time.Duration, f func()) (cancel func()) {
	cancelled := false // touched by the session's goroutine only
	run := func() {
		if !cancelled {
			f()
		}
	}
	if d <= 0 {
		l.do(run)
		return func() { cancelled = true }
	}
	timer := time.AfterFunc(d, func() { l.do(run) })
	return func() {
		cancelled = true
		timer.Stop()
	}
}

// background is [async.Options.Background].
func (l *later) background(work func(context.Context) (apply func())) {
	l.wg.Go(func() {
		// A panic outside the session's goroutine would end the process.
		var apply func()
		if err := executor.Guard(func() error { apply = work(l.ctx); return nil }); err != nil {
			apply = func() { panic(err) } // there it is logged
		}
		l.do(apply)
	})
}

// close stops everything and cancels work in progress; wait then waits for that.
func (l *later) close() {
	l.cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed, l.held = true, nil
	if l.wake != nil {
		l.wake.Stop()
	}
}

func (l *later) wait() { l.wg.Wait() }
