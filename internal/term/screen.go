package term

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
)

// Screen returns the program's screen. It works for ended sessions, too.
func (s *Session) Screen(ctx context.Context) (*vt.Snapshot, error) {
	return read(ctx, s, func(st *state) (*vt.Snapshot, error) { return st.snapshot(), nil })
}

// A Page is a part of the history and the primary screen.
type Page struct {
	Lines []vt.Line
	// First is the number of the first line; the next page starts at First plus the number of
	// lines. Numbers stay valid during output: see [vt.Terminal.Lines].
	First uint64
	// Oldest and End bound the readable lines; End is the number after the last line. The screen
	// starts at Screen.
	Oldest, Screen, End uint64
	Epoch, Layout       uint64
}

// PageOptions say which part to read: up to Lines lines from the number From on, or before the
// number Before, where a number after the last line counts as the end. Without either, it begins
// Offset lines after the oldest one. Lines that are not kept any more are skipped. With Trim, the
// blank rows at the end of the screen are left out.
type PageOptions struct {
	From, Before *uint64
	Offset       uint64
	Lines        int
	Trim         bool
}

// Scrollback reads the history and the primary screen, also while the alternate screen is visible.
func (s *Session) Scrollback(ctx context.Context, o PageOptions) (Page, error) {
	if o.Lines < 0 {
		return Page{}, fault.New(fault.Invalid, "%d lines cannot be read", o.Lines)
	}
	return read(ctx, s, func(st *state) (p Page, _ error) {
		screen := st.snapshot()
		p.Oldest, p.Screen, p.End = st.term.Extent()
		p.Epoch, p.Layout = screen.Epoch, screen.Layout
		from, end := p.Oldest+o.Offset, p.End
		if o.Trim {
			_, rows := st.term.Lines(p.Screen, int(p.End-p.Screen))
			for end > p.Screen && rows[end-p.Screen-1].Plain() == "" {
				end--
			}
		}
		switch {
		case o.From != nil:
			from = *o.From
		case o.Before != nil:
			end = min(*o.Before, end)
			from = max(p.Oldest, end-min(uint64(o.Lines), end))
		}
		p.First, p.Lines = st.term.Lines(from, o.Lines)
		if n := end - min(p.First, end); uint64(len(p.Lines)) > n {
			p.Lines = p.Lines[:n]
		}
		return p, nil
	})
}

// Next waits until the screen differs from the one of the given epoch, and returns the newest one,
// whatever was missed in between. So a slow caller skips pictures, and delays no one. When the
// program has ended, Next returns the last picture once, and then an error of kind Gone.
func (s *Session) Next(ctx context.Context, epoch uint64) (*vt.Snapshot, error) {
	var screen *vt.Snapshot
	err := s.await(ctx, func(st *state) (verdict, error) {
		screen = st.snapshot()
		if screen.Epoch == epoch && st.core.Exit != nil {
			return verdict{}, s.goneError(*st.core.Exit)
		}
		return verdict{over: screen.Epoch != epoch}, nil
	})
	if err != nil {
		return nil, err
	}
	return screen, nil
}

// picture composes what a person sees, and reuses rows that have not changed since the last call.
func (st *state) picture() *render.Frame {
	return st.composer.Compose(st.term.Snapshot(), st.model.Snapshot())
}

// Picture returns what a person sees: the program's screen with panels around it and overlays
// above, also of ended sessions. [Session.Screen] returns only the screen, and costs less.
func (s *Session) Picture(ctx context.Context) (*render.Frame, error) {
	return read(ctx, s, func(st *state) (*render.Frame, error) { return st.picture(), nil })
}
