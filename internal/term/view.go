package term

import (
	"context"

	"ui-mcp/internal/term/render"
)

// picture composes what a person sees, on request. It reuses rows that have not changed since the
// last request.
func (st *state) picture() *render.Frame {
	return st.composer.Compose(st.term.Snapshot(), st.model.View())
}

// Picture returns what a person sees: the program's screen with panels around it and overlays
// above. It works for ended sessions, too. [Session.Screen] returns only the program's screen, and
// costs less.
func (s *Session) Picture(ctx context.Context) (*render.Frame, error) {
	return read(ctx, s, func(st *state) (*render.Frame, error) { return st.picture(), nil })
}
