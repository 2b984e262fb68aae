package overlay

import (
	"cmp"
	"slices"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/sgr"
)

// A Snapshot is the state of a model at one moment, as far as a picture needs it. It is immutable.
type Snapshot struct {
	Layout
	Mode ScreenMode
	// Canvas means that only elements are shown, and not the program's screen.
	Canvas bool
	// Layers are the visible elements, from the lowest up: panels, then overlays.
	Layers []Layer
}

// A Layer is a visible element.
type Layer struct {
	ID string
	// Row and Col are the position of its upper left corner; parts may be outside the screen.
	Row, Col      int
	Width, Height int
	// Filled means that it covers its whole rectangle, in the colour Background.
	Filled     bool
	Background sgr.Color
	Lines      []cells.Row // its spans, from its first row down
	Writes     []Stroke    // above them, in order
}

// A Stroke is one row of text within a layer.
type Stroke struct {
	Row, Col int // in the layer
	Text     cells.Row
}

// Snapshot returns the current view: the same value as before if nothing has changed.
func (m *Model) Snapshot() *Snapshot {
	if m.seen != nil {
		return m.seen
	}
	layout, panels := m.layout(m.Mode())
	v := &Snapshot{Layout: layout, Mode: m.Mode(), Canvas: m.entered && !m.program}
	add := func(e *Element, row, col, width int) {
		d := e.draw(min(width, m.cols-min(col, 0)), min(e.Height, m.rows-min(row, 0)))
		v.Layers = append(v.Layers, Layer{
			ID: e.ID, Row: row, Col: col, Width: width, Height: e.Height,
			Filled: e.Background.Filled || e.Kind == Panel, Background: sgr.Color(e.Background.Color), Lines: d.lines, Writes: d.writes,
		})
	}
	for _, p := range panels {
		add(p.Element, p.row, 0, m.cols)
	}
	var overlays []*Element
	for _, e := range m.elements {
		onScreen := e.X < m.cols && e.Y < m.rows && e.X+e.Width > 0 && e.Y+e.Height > 0
		if e.Kind == Overlay && e.Mode == v.Mode && onScreen {
			overlays = append(overlays, e)
		}
	}
	slices.SortFunc(overlays, func(a, b *Element) int {
		return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.order, b.order))
	})
	for _, e := range overlays {
		add(e, e.Y, e.X, e.Width)
	}
	m.seen = v
	return v
}

// A drawing is the text of an element, laid out for a size.
type drawing struct {
	width, height int
	lines         []cells.Row
	writes        []Stroke
}

// draw lays out the text of e within width and height, or returns the drawing from the last view.
func (e *Element) draw(width, height int) *drawing {
	if d := e.drawn; d != nil && d.width == width && d.height == height {
		return d
	}
	d := &drawing{width: width, height: height}
	e.drawn = d
	d.lines = cells.Shape(e.Spans.pieces(), width, height)
	for _, w := range e.Writes {
		for i, row := range cells.Shape(w.pieces(), width-w.Col, height-w.Row) {
			d.writes = append(d.writes, Stroke{w.Row + i, w.Col, row})
		}
	}
	return d
}
