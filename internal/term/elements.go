package term

import (
	"context"

	"ui-mcp/internal/term/overlay"
)

// ChangeElements calls f with the model of the overlays and panels that are displayed with the
// program's screen, which f may change, and of who gets the persons' input: see package overlay for
// its rules and errors. When it returns, the program's terminal has the size that panels leave it.
// f must not wait, nor keep the model. The error is f's, or of kind Gone after the program has
// ended.
func (s *Session) ChangeElements(ctx context.Context, f func(*overlay.Model) error) error {
	return s.doRunning(ctx, func(st *state) error {
		return s.change(st, func() error {
			before := st.model.InputMode()
			err := f(st.model)
			if before != overlay.Captured && st.model.InputMode() == overlay.Captured {
				st.captured.clear()
			}
			st.publish(before, nil)
			return err
		})
	})
}

// ReadElements returns what f reads of the model of overlays and panels, also after the program has
// ended. f must neither change nor keep the model, nor wait.
func ReadElements[T any](ctx context.Context, s *Session, f func(*overlay.Model) (T, error)) (T, error) {
	return read(ctx, s, func(st *state) (T, error) {
		if st.showsAlternate() != st.alternate {
			s.settleAlone(st)
			st.notify()
		}
		return f(st.model)
	})
}
