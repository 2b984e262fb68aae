package ui

import (
	"context"
	"sync"
	"time"

	"ui-mcp/internal/executor"
)

// later brings deferred work of scripts back to the session's goroutine: timers, and the results of
// work on other goroutines.
type later struct {
	exec *executor.Executor
	st   *state

	ctx    context.Context // ends with the session
	cancel context.CancelFunc
	wg     sync.WaitGroup // work under way
}

func newLater(exec *executor.Executor, st *state) *later {
	l := &later{exec: exec, st: st}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// do runs f in a transaction of its own. It may be called from any goroutine, including the
// session's. When the session has ended, f does not run.
func (l *later) do(f func()) {
	l.exec.Post(func() {
		if l.ctx.Err() != nil {
			return
		}
		defer func() {
			l.st.flush()
			l.st.announce()
		}()
		disarm := l.st.vm.Arm()
		defer disarm()
		f()
	})
}

// after is [lua.Options.After].
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

// background is [lua.Options.Background].
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
func (l *later) close() { l.cancel() }

func (l *later) wait() { l.wg.Wait() }
