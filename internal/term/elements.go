package term

import (
	"context"

	"ui-mcp/internal/term/overlay"
)

// The methods in this file display overlays and panels with the program's screen: see package
// overlay for their rules and errors. After the program has ended, elements can still be read, and
// changes fail with kind Gone.

// ApplyElements carries out all operations on overlays and panels, or none: see
// [overlay.Model.Apply]. When it returns, the program's terminal has the size that panels leave it.
// The operations are kept: they must not be changed afterwards.
func (s *Session) ApplyElements(ctx context.Context, ops ...overlay.Op) ([]string, error) {
	var ids []string
	err := s.change(ctx, func(st *state) (err error) {
		ids, err = st.model.Apply(ops...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// Elements lists the overlays or panels of the visible screen: see [overlay.Model.List].
func (s *Session) Elements(ctx context.Context, k overlay.Kind) ([]overlay.Element, error) {
	return ask(ctx, s, func(m *overlay.Model) ([]overlay.Element, error) { return m.List(k), nil })
}

// Element returns an overlay or panel of either screen, or an error of kind NotFound.
func (s *Session) Element(ctx context.Context, k overlay.Kind, id string) (overlay.Element, error) {
	return ask(ctx, s, func(m *overlay.Model) (overlay.Element, error) { return m.Get(k, id) })
}

// ScreenMode returns which screen is visible.
func (s *Session) ScreenMode(ctx context.Context) (overlay.ScreenMode, error) {
	return ask(ctx, s, func(m *overlay.Model) (overlay.ScreenMode, error) { return m.Mode(), nil })
}

// EnterAltScreen shows an empty screen for elements: see [overlay.Model.EnterAlternate].
func (s *Session) EnterAltScreen(ctx context.Context) error {
	return s.change(ctx, func(st *state) error { return st.model.EnterAlternate() })
}

// ExitAltScreen undoes EnterAltScreen: see [overlay.Model.ExitAlternate].
func (s *Session) ExitAltScreen(ctx context.Context) error {
	return s.change(ctx, func(st *state) error { return st.model.ExitAlternate() })
}

// InputMode returns who gets the persons' input.
func (s *Session) InputMode(ctx context.Context) (overlay.InputMode, error) {
	return ask(ctx, s, func(m *overlay.Model) (overlay.InputMode, error) { return m.InputMode(), nil })
}

// CaptureInput keeps the persons' input from the program, until ReleaseInput or until a person
// types Ctrl+\. Watchers get it: see [WatchInput].
func (s *Session) CaptureInput(ctx context.Context) error {
	return s.changeInput(ctx, (*overlay.Model).Capture)
}

// ReleaseInput gives the persons' input to the program, and takes the focus away from elements.
func (s *Session) ReleaseInput(ctx context.Context) error {
	return s.changeInput(ctx, (*overlay.Model).Release)
}

func (s *Session) changeInput(ctx context.Context, f func(*overlay.Model)) error {
	return s.change(ctx, func(st *state) error {
		before := st.model.InputMode()
		f(st.model)
		if before != overlay.Captured && st.model.InputMode() == overlay.Captured {
			st.captured.clear()
		}
		st.publish(before, nil)
		return nil
	})
}

// Focus makes an element the target of the persons' input: see [overlay.Model.Focus].
func (s *Session) Focus(ctx context.Context, id string) error {
	return s.change(ctx, func(st *state) error { return st.model.Focus(id) })
}

// Unfocus removes the focus from elements.
func (s *Session) Unfocus(ctx context.Context) error {
	return s.change(ctx, func(st *state) error { st.model.Unfocus(); return nil })
}

// Focused returns the id of the element that has the focus, or "".
func (s *Session) Focused(ctx context.Context) (string, error) {
	return ask(ctx, s, func(m *overlay.Model) (string, error) { return m.Focused(), nil })
}

// ask returns an answer of the model, also for ended sessions.
func ask[T any](ctx context.Context, s *Session, f func(*overlay.Model) (T, error)) (T, error) {
	return read(ctx, s, func(st *state) (T, error) {
		if st.showsAlternate() != st.alternate {
			s.settleAlone(st)
			st.notify()
		}
		return f(st.model)
	})
}
