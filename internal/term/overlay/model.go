package overlay

import (
	"cmp"
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/cells"
)

// A Model has one session's elements, input mode and focus. It is not safe for concurrent use.
type Model struct {
	state
	captured bool      // the input mode is Captured
	seen     *Snapshot // the current view, or nil after a change
}

// state is what a batch changes atomically. Its elements are replaced, never modified but for their
// drawings.
type state struct {
	cols, rows int
	elements   map[string]*Element
	made       map[Kind]uint64 // number of elements ever created
	order      uint64          // of the newest element
	topZ       int             // the default Z of the next element
	text       int             // text of all elements, in bytes
	program    bool            // the program's alternate screen is active
	entered    bool            // EnterAlternate is in effect

	focus    string
	revision uint64
}

// New returns a model of a screen of cols by rows without elements. Each must be 1 to [MaxScreen],
// otherwise the error is of kind Invalid.
func New(cols, rows int) (*Model, error) {
	m := &Model{state: state{elements: map[string]*Element{}, made: map[Kind]uint64{}}}
	if err := m.Resize(cols, rows); err != nil {
		return nil, err
	}
	return m, nil
}

// Resize changes the size of the whole screen, and so the layout: see [Model.Layout].
func (m *Model) Resize(cols, rows int) error {
	if cols < 1 || rows < 1 || cols > MaxScreen || rows > MaxScreen {
		return fault.New(fault.Invalid, "a screen of %d columns and %d rows: give 1 to %d of each", cols, rows, MaxScreen)
	}
	if cols != m.cols || rows != m.rows {
		m.cols, m.rows = cols, rows
		m.changed()
	}
	return nil
}

// Revision counts changes of the view, the input mode and the focus.
func (m *Model) Revision() uint64 { return m.revision }

func (m *Model) changed() {
	m.revision++
	m.seen = nil
}

// Layout returns the current layout. Any change of elements, size or mode may change it. If
// ProgramRows or Cols have changed, the caller must resize the program's terminal.
func (m *Model) Layout() Layout {
	l, _ := m.layout(m.Mode())
	return l
}

// LayoutWith returns what Layout would return after SetProgramAlternate(alternate).
func (m *Model) LayoutWith(alternate bool) Layout {
	next := state{program: alternate, entered: m.entered}
	l, _ := m.layout(next.Mode())
	return l
}

func (m *Model) layout(mode ScreenMode) (Layout, []placed) {
	var panels []*Element
	for _, e := range m.elements {
		if e.Kind == Panel && e.Mode == mode {
			panels = append(panels, e)
		}
	}
	return divide(m.cols, m.rows, panels)
}

// List returns the active screen's elements of a kind: overlays from the lowest up, panels from the
// edge inward, those at the top first.
func (m *Model) List(k Kind) []Element {
	mode, hidden := m.Mode(), m.Layout().Hidden
	list := []Element{}
	for _, e := range m.elements {
		if e.Kind == k && e.Mode == mode {
			list = append(list, m.shown(e, hidden))
		}
	}
	slices.SortFunc(list, func(a, b Element) int {
		if k == Overlay {
			return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.order, b.order))
		}
		return cmp.Or(-cmp.Compare(a.Position, b.Position), cmp.Compare(b.Z, a.Z), cmp.Compare(a.order, b.order))
	})
	return list
}

// shown returns e with Visible and Clipped set. A panel of the inactive screen counts as visible.
func (m *Model) shown(e *Element, hidden []string) Element {
	out := *e
	out.Visible = !slices.Contains(hidden, e.ID)
	cols, rows := m.cols, e.Height
	if e.Kind == Overlay {
		cols, rows = min(e.Width, m.cols-e.X), min(e.Height, m.rows-e.Y)
	}
	wide, high := cells.Measure(e.Spans.pieces())
	out.Clipped = out.Visible && (wide > cols || high > rows || e.X < 0 || e.Y < 0) && wide > 0
	return out
}

// Get returns an element of either screen, or an error of kind NotFound.
func (m *Model) Get(k Kind, id string) (Element, error) {
	e, err := m.find(k, id)
	if err != nil {
		return Element{}, err
	}
	return m.shown(e, m.Layout().Hidden), nil
}

func (s *state) find(k Kind, id string) (*Element, error) {
	e, ok := s.elements[id]
	if !ok || e.Kind != k {
		detail := UnknownOverlay
		if k == Panel {
			detail = UnknownPanel
		}
		return nil, fault.With(detail, fault.New(fault.NotFound, "no %s exists with id %.80q", k, id))
	}
	return e, nil
}
