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
	var f *render.Frame
	err := s.do(ctx, func(st *state) error {
		f = st.picture()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// NextPicture waits until there is a picture other than the caller's last one, which may be nil,
// and returns the newest, however many were missed. It may look the same. A caller that asks again
// at once gets a picture for each chunk of output, so it should draw first. When the program has
// ended, NextPicture returns the last picture once, and then an error of kind Gone.
func (s *Session) NextPicture(ctx context.Context, last *render.Frame) (*render.Frame, error) {
	var f *render.Frame
	err := s.await(ctx, func(st *state) (verdict, error) {
		f = st.picture()
		if f == last && st.status.exit != nil {
			return verdict{}, s.goneError(*st.status.exit)
		}
		return verdict{over: f != last}, nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}
