package ui

import (
	"cmp"
	"context"
	"fmt"
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
// No caller waits for such work, and it may cause more of it: a listener may publish to its own
// topic, an interval may be short. So it rests when it has worked for long, and the author is
// notified. Deferred functions run in the order in which they became due.
type later struct {
	exec *executor.Executor
	st   *state

	ctx    context.Context // ends with the session
	cancel context.CancelFunc
	wg     sync.WaitGroup // work under way

	most time.Duration // never changes, but in tests

	mu      sync.Mutex    // guards the fields below
	busy    time.Duration // by how much deferred work took longer than its pauses, lately
	ended   time.Time     // when it ended last
	resting bool          // a timer will continue with held
	held    []func()      // become due while it rests, or others wait, the oldest first
	calls   int           // calls of listeners that wait
	bytes   int           // of the values that these are to get
	full    bool          // calls were dropped, and the author is about to be notified
	fresh   bool          // a transaction that updates the pages is about to run
	closed  bool
}

// mostBusy is for how long deferred work may keep a session busy. Then it rests as long.
const mostBusy = 10 * time.Second

func newLater(exec *executor.Executor, st *state) *later {
	l := &later{exec: exec, st: st, most: mostBusy}
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
	if l.resting || len(l.held) > 0 {
		l.held = append(l.held, f)
		return
	}
	l.post(f, l.spent)
}

// next continues with the oldest function in held.
func (l *later) next() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.resting || len(l.held) == 0 {
		return
	}
	f := l.held[0]
	l.held[0] = nil
	l.held = l.held[1:]
	l.post(f, func(d time.Duration) {
		l.spent(d)
		l.next()
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

// busyLocked returns by how much deferred work takes longer than its pauses, now that it took d.
func (l *later) busyLocked(now time.Time, d time.Duration) time.Duration {
	pause := now.Sub(l.ended) - d
	l.busy, l.ended = max(l.busy-pause, 0)+d, now
	return l.busy
}

// spent records how long a deferred function took. It runs on the session's goroutine.
func (l *later) spent(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busyLocked(time.Now(), d) < l.most || l.resting || l.closed {
		return
	}
	l.busy, l.resting = 0, true
	time.AfterFunc(l.most, func() {
		l.mu.Lock()
		l.resting = false
		l.mu.Unlock()
		l.next()
	})
	last := cmp.Or(l.st.vm.LastCallback(), "unknown")
	l.post(func() {
		l.report(fmt.Sprintf("timers and listeners keep this session busy, so they rest for %v at a time. Look for an interval that is too short, or a listener that publishes to its own topic. The last function that ran is at %s", l.most, last))
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
}

func (l *later) wait() { l.wg.Wait() }
