package term

import (
	"context"

	"ui-mcp/internal/fault"
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

// Scrollback returns up to n lines from a line's number on, also while the alternate screen is
// visible. It skips lines that are not kept any more.
func (s *Session) Scrollback(ctx context.Context, from uint64, n int) (Page, error) {
	return s.page(ctx, n, func(uint64, uint64) uint64 { return from })
}

// ScrollbackFromOldest is Scrollback with a position relative to the oldest kept line.
func (s *Session) ScrollbackFromOldest(ctx context.Context, offset uint64, n int) (Page, error) {
	return s.page(ctx, n, func(oldest, _ uint64) uint64 { return oldest + offset })
}

// ScrollbackBefore is Scrollback for the last n lines before a line's number. A number after the
// last line counts as the end.
func (s *Session) ScrollbackBefore(ctx context.Context, line uint64, n int) (Page, error) {
	p, err := s.page(ctx, n, func(oldest, end uint64) uint64 {
		return max(oldest, min(line, end)-min(uint64(n), min(line, end)))
	})
	if err == nil && p.First+uint64(len(p.Lines)) > line {
		p.Lines = p.Lines[:line-min(line, p.First)]
	}
	return p, err
}

// page returns up to n lines from the number that from returns for the oldest line and the end.
func (s *Session) page(ctx context.Context, n int, from func(oldest, end uint64) uint64) (Page, error) {
	if n < 0 {
		return Page{}, fault.New(fault.Invalid, "%d lines cannot be read", n)
	}
	return read(ctx, s, func(st *state) (p Page, _ error) {
		screen := st.snapshot()
		p.Oldest, p.Screen, p.End = st.term.Extent()
		p.Epoch, p.Layout = screen.Epoch, screen.Layout
		p.First, p.Lines = st.term.Lines(from(p.Oldest, p.End), n)
		return p, nil
	})
}

// Next waits until the screen differs from that of the given epoch, and returns the newest one,
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
