package overlay

import (
	"cmp"
	"slices"

	"ui-mcp/internal/fault"
)

// A Model is what one session shows beside its program, and who gets what
// persons type. One goroutine may use it at a time.
type Model struct {
	state
	captured bool                  // what persons type
	seen     *View                 // the present view, or nil when something changed
	drew     map[*Element]*drawing // what the elements of the last view look like
}

// state is what a batch changes wholly or not at all. Elements in it are
// replaced, never changed.
type state struct {
	cols, rows int
	elements   map[string]*Element
	made       map[Kind]uint64 // elements ever made
	order      uint64          // of the newest element
	topZ       int             // the Z for the next element that comes without
	text       int             // bytes of all elements

	program bool // the program shows its alternate screen
	entered bool // the alternate screen was asked for here

	focus    string
	revision uint64
}

// New returns a model of a screen of cols by rows, with nothing on it. A size
// that is not 1 to [MaxScreen] of each is an error of kind Invalid.
func New(cols, rows int) (*Model, error) {
	m := &Model{state: state{elements: map[string]*Element{}, made: map[Kind]uint64{}}}
	if err := m.Resize(cols, rows); err != nil {
		return nil, err
	}
	return m, nil
}

// Resize changes the size of the whole screen. The layout follows: see
// [Model.Layout].
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

// Revision counts changes of what shows, and of mode and focus.
func (m *Model) Revision() uint64 { return m.revision }

func (m *Model) changed() {
	m.revision++
	m.seen = nil
}

// Layout returns how the screen is divided now. When ProgramRows or Cols are not
// what they were, the program's terminal is to be resized: that may be so after
// every change of elements, size or mode.
func (m *Model) Layout() Layout {
	l, _ := m.layout(m.Mode())
	return l
}

// LayoutWith returns what Layout will be after [Model.SetProgramAlternate].
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
	return place(m.cols, m.rows, panels)
}

// List returns the elements of a kind that belong to the screen that shows:
// overlays from the lowest up, panels from the edge inwards, those at the top
// first.
func (m *Model) List(k Kind) []Element {
	mode, hidden := m.Mode(), m.Layout().Hidden
	list := []Element{}
	for _, e := range m.elements {
		if e.Kind == k && e.Mode == mode {
			list = append(list, e.shown(hidden))
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

// shown returns e with Visible set. A panel of the other screen counts as
// visible, since nothing is known against it.
func (e *Element) shown(hidden []string) Element {
	out := *e
	out.Visible = !slices.Contains(hidden, e.ID)
	return out
}

// Get returns an element of either screen, or an error of kind NotFound.
func (m *Model) Get(k Kind, id string) (Element, error) {
	e, err := m.find(k, id)
	if err != nil {
		return Element{}, err
	}
	return e.shown(m.Layout().Hidden), nil
}

// find returns the element with an ID, of the given kind unless that is "".
func (s *state) find(k Kind, id string) (*Element, error) {
	e, ok := s.elements[id]
	if !ok || k != "" && e.Kind != k {
		what := string(k)
		if k == "" {
			what = "overlay or panel"
		}
		return nil, fault.New(fault.NotFound, "no %s exists with id %.80q", what, id)
	}
	return e, nil
}
