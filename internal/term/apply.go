package term

import (
	"context"
	"time"

	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	typedline "ui-mcp/internal/term/typed"
	"ui-mcp/internal/term/vt"
)

// apply gives the session's model an input, and does what that asks for. The error is the model's,
// or else the one of the first action that failed.
func (s *Session) apply(st *state, in core.Input) error {
	now := time.Now()
	actions, err := st.core.Apply(in, st.facts, now)
	s.publishStatus(st)
	for _, a := range actions {
		if failed := s.act(st, a, now); err == nil {
			err = failed
		}
	}
	return err
}

// bound returns f with the state of the session, for the executor.
func (s *Session) bound(f func(*state) error) func() error {
	return func() error { return f(s.st) }
}

// admit returns a function that makes a caller known and gives the session's model its input.
func (s *Session) admit(p *caller, begin func(id uint64) core.Input) func(*state) error {
	return func(st *state) error {
		st.waits++
		p.id = st.waits
		st.callers[p.id] = p
		return s.apply(st, begin(p.id))
	}
}

// applyRunning is apply for inputs that need the program.
func (s *Session) applyRunning(ctx context.Context, in core.Input) error {
	return s.doRunning(ctx, func(st *state) error { return s.apply(st, in) })
}

// post gives the session's model an input for which it never fails.
func (s *Session) post(in core.Input) { s.exec.Post(func() { _ = s.apply(s.st, in) }) }

// after runs f on the session's executor, once a time has passed.
func (s *Session) after(d time.Duration, f func(*state)) *time.Timer {
	return time.AfterFunc(d, func() { s.exec.Post(func() { f(s.st) }) })
}

// act carries out an action of the model. It must not call apply.
func (s *Session) act(st *state, a core.Action, now time.Time) error {
	switch a := a.(type) {
	case core.Changed:
		st.notify()
	case core.SetTimer:
		if d := a.At.Sub(now); st.timer != nil {
			st.timer.Reset(d)
		} else {
			st.timer = s.after(d, func(st *state) { _ = s.apply(st, core.Tick{}) }) // it never fails
		}
	case core.Write:
		s.enqueue(st, a, now)
	case core.Taken:
		s.o.How.Offers.Clear(a.N)
		st.line = typedline.Line{}
	case core.Answer:
		if p := st.callers[a.ID]; p != nil {
			delete(st.callers, a.ID)
			p.take(st, a.Result, a.Err)
		}
	case core.Begun:
		if p := st.callers[a.ID]; p != nil {
			p.begun()
		}
	case core.Listed:
		s.owner.Changed(s)
	case core.Reported:
		st.report(WatchState, Event{State: a.State, Reports: st.core.Reports})
	case core.Commanded:
		if a.Command.Ended {
			st.progress = vt.Progress{} // the command may have been killed
		}
		st.report(WatchCommands, Event{Command: a.Command})
	case core.Forget:
		st.term.SetMarkKey("")
	case core.Led:
		if about, ok := s.clients.About(st.core.Leader); ok {
			s.reportClient(st, clients.Leads, about)
		}
	case core.Resized:
		return s.change(st, func() error { return st.model.Resize(st.core.Cols, st.core.Rows) })
	}
	return nil
}
