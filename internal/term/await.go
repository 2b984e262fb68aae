package term

import (
	"context"
	"errors"
	"time"

	"ui-mcp/internal/executor"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
)

// A caller is a caller that waits for an answer of the session's model. The executor owns it.
type caller struct {
	id        uint64
	take      func(*state, core.Result, error)
	begun     func()                     // called when the command of a [core.Run] has begun, unless nil
	permitted func(*state, []byte) error // of a [core.Run]: see [core.System.Permitted]

	// When the caller of a [core.Run] has left: why its line was not typed; nil if it was.
	notTyped error
}

// awaitAnswer begins a wait of the session's model, and returns what take makes of its result, on
// the executor. An error is the model's, or the cause of ctx's end.
func awaitAnswer[R core.Result, T any](ctx context.Context, s *Session, begin func(id uint64) core.Input, take func(*state, R) T) (T, error) {
	return awaitAnswerFor(ctx, s, &caller{}, begin, take)
}

// awaitAnswerFor is awaitAnswer for a caller that is not known to the session yet.
func awaitAnswerFor[R core.Result, T any](ctx context.Context, s *Session, p *caller, begin func(id uint64) core.Input, take func(*state, R) T) (T, error) {
	type outcome struct {
		got T
		err error
	}
	over := make(chan outcome, 1)
	p.take = func(st *state, r core.Result, err error) {
		var o outcome
		if o.err = err; err == nil {
			o.got = take(st, r.(R))
		}
		over <- o
	}
	var none T
	if err := s.do(ctx, s.admit(p, begin)); err != nil {
		return none, err
	}
	select {
	case o := <-over:
		return o.got, o.err
	case <-ctx.Done():
	}
	s.exec.Post(func() {
		st := s.st
		delete(st.callers, p.id)
		p.notTyped = s.apply(st, core.Cancel{ID: p.id})
	})
	return none, context.Cause(ctx)
}

// value returns what a caller has put into a context for calls, by its type, or the zero value.
func value[T any](ctx context.Context) (v T) {
	v, _ = ctx.Value(key[T]{}).(T)
	return v
}

type key[T any] struct{}

// A verdict says how a wait goes on after a look at the session.
type verdict struct {
	over bool
	// again, if positive, is the time after which to look again even if nothing has changed.
	again time.Duration
}

// await calls look on the session's executor, at once and whenever its verdict may have changed,
// until the wait is over or look fails. If ctx ends first, the error is its cause.
func (s *Session) await(ctx context.Context, look func(*state) (verdict, error)) error {
	changed := make(chan struct{}, 1)
	subscribed := false
	defer func() {
		if subscribed {
			s.exec.Post(func() { delete(s.st.waiters, changed) })
		}
	}()
	for {
		var v verdict
		err := s.do(ctx, func(st *state) (err error) {
			if v, err = look(st); err != nil || v.over {
				return err
			}
			st.waiters[changed] = struct{}{}
			subscribed = true
			return nil
		})
		if err != nil || v.over {
			return err
		}
		if err := s.pause(ctx, changed, v.again); err != nil {
			return err
		}
	}
}

// awaitRunning is await for waits that fail with an error of kind Gone when the program has ended.
func (s *Session) awaitRunning(ctx context.Context, look func(*state) (verdict, error)) error {
	return s.await(ctx, func(st *state) (verdict, error) {
		if st.core.Exit != nil {
			return verdict{}, s.goneError(*st.core.Exit)
		}
		return look(st)
	})
}

// pause returns after d, or when there is a token in changed. It ignores a nil channel and a d that
// is not positive. An error is the cause of ctx's end.
func (s *Session) pause(ctx context.Context, changed <-chan struct{}, d time.Duration) error {
	var after <-chan time.Time
	if d > 0 {
		after = time.After(d)
	}
	select {
	case <-changed:
		return nil
	case <-after:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// within returns a context that ends after maxWait (0 means DefaultWait), but after MaxWait at the
// latest. Its cause is then of kind Timeout, with a message of the format, whose last verb is for
// the time. A negative time is a cause of kind Invalid at once. Until the caller calls cancel, the
// session is not abandoned.
func (s *Session) within(ctx context.Context, maxWait time.Duration, format string, args ...any) (context.Context, context.CancelFunc) {
	o, err := QuiesceOptions{MaxWait: maxWait}.Complete()
	if err != nil {
		ctx, cancel := context.WithCancelCause(ctx)
		cancel(err)
		return ctx, func() {}
	}
	leave := s.clients.Wait()
	ctx, cancel := context.WithTimeoutCause(ctx, o.MaxWait, fault.New(fault.Timeout, format, append(args, o.MaxWait.Truncate(time.Millisecond))...))
	return ctx, func() { cancel(); leave() }
}

// do runs f on the executor and returns its error: see [executor.Executor.Do]. f must not wait.
// After an error of ctx there is nothing to undo.
func (s *Session) do(ctx context.Context, f func(*state) error) error {
	err := s.exec.Do(ctx, s.bound(f))
	p, panicked := errors.AsType[*executor.PanicError](err)
	switch {
	case panicked:
		s.panicked(p)
		return fault.Wrap(fault.Internal, err, "session %q", s.Name())
	case errors.Is(err, executor.ErrClosed):
		return fault.New(fault.Gone, "session %q has been removed", s.Name())
	case errors.Is(err, context.DeadlineExceeded) && fault.KindOf(err) == fault.Internal:
		return fault.Wrap(fault.Timeout, err, "session %q is busy", s.Name())
	}
	return err
}

// doRunning is do for functions that need the program.
func (s *Session) doRunning(ctx context.Context, f func(*state) error) error {
	return s.do(ctx, func(st *state) error {
		if st.core.Exit != nil {
			return s.goneError(*st.core.Exit)
		}
		return f(st)
	})
}

// read returns what f returns on the session's executor, also of ended sessions, or the zero value
// with an error.
func read[T any](ctx context.Context, s *Session, f func(*state) (T, error)) (T, error) {
	var got T
	if err := s.do(ctx, func(st *state) (err error) {
		got, err = f(st)
		return err
	}); err != nil {
		return *new(T), err
	}
	return got, nil
}
