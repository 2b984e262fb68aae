package term

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/vt"
)

// Resize changes the size of the whole screen, in cells. The program's terminal gets what panels
// leave of it, and the program is notified when that changes.
func (s *Session) Resize(ctx context.Context, cols, rows int) error {
	if err := vt.CheckSize(cols, rows); err != nil {
		return err
	}
	return s.applyRunning(ctx, core.SetSize{Cols: cols, Rows: rows})
}

// Resize sets the size of the viewer's terminal, and then that of the session by its rule.
// [Session.Resize] overrides that until the rule applies again: when the leader types or is
// resized, or when there is another leader.
func (v *Viewer) Resize(ctx context.Context, cols, rows int) error {
	if err := vt.CheckSize(cols, rows); err != nil {
		return err
	}
	return v.session.do(ctx, func(st *state) error { return v.resize(st, cols, rows) })
}

// resize is Resize on the session's executor.
func (v *Viewer) resize(st *state, cols, rows int) error {
	v.fit(st, cols, rows)
	if v.o.Client.ReadOnly || !v.IsAttached() {
		return nil
	}
	t := &v.terminal
	return v.session.apply(st, core.Resize{Terminal: v.ID(), Cols: t.cols, Rows: t.rows, Follows: v.o.Follows, Rule: v.o.SizeRule})
}

// Lead makes a client the leader, as if it had typed. The error is of kind NotFound if there is no
// client of that name, and Precondition if its terminal cannot decide the size.
func (s *Session) Lead(ctx context.Context, client string) error {
	return s.doRunning(ctx, func(st *state) error {
		id, about, err := s.clients.Find(client)
		switch {
		case err != nil:
			return err
		case about.ReadOnly:
			return fault.New(fault.Precondition, "the client %q only looks, so it cannot lead", client)
		case !st.core.Knows(id):
			return fault.New(fault.Precondition, "the client %q has no terminal of its own whose size is known, so it cannot lead", client)
		}
		return s.apply(st, core.Lead{Terminal: id})
	})
}

// Lead is [Session.Lead] for the viewer. The error is of kind Gone if it is not attached.
func (v *Viewer) Lead(ctx context.Context) error {
	if !v.IsAttached() {
		return v.detachedError()
	}
	return v.session.Lead(ctx, v.ClientName())
}
