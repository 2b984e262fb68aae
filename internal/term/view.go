package term

import (
	"context"

	"ui-mcp/internal/term/render"
)

// picture composes what a person sees, when somebody asks. Rows that have not
// changed since somebody asked last are not made again.
func (st *state) picture() *render.Frame {
	return st.composer.Compose(st.term.Snapshot(), st.model.View())
}

// Picture returns what a person sees: the program's screen with panels around it
// and overlays above. It works for ended sessions, too. [Session.Screen] is the
// program's screen alone, and costs less.
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

// NextPicture waits until there is another picture than the last one that the
// caller had, or nil, and returns that: always the newest, however many were missed.
// It may look the same. Whoever asks again at once is told of each piece of output, so
// who draws should draw before. When the program has ended, the last picture is returned
// once, and then an error of kind Gone.
func (s *Session) NextPicture(ctx context.Context, last *render.Frame) (*render.Frame, error) {
	changed, end, err := s.subscribe(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	for {
		var f *render.Frame
		err := s.do(ctx, func(st *state) error {
			f = st.picture()
			if f == last && st.status.exit != nil {
				return s.goneError(*st.status.exit)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if f != last {
			return f, nil
		}
		if err := s.pause(ctx, changed, 0); err != nil {
			return nil, err
		}
	}
}
