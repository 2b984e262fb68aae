package render

import (
	"slices"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A Frame is the picture of a session at one moment. It is immutable.
type Frame struct {
	Cols, Rows int
	Lines      []cells.Row // one for each row, from the top; read-only
	// Cursor is the program's cursor on the whole screen, invisible if an overlay covers it.
	Cursor vt.Cursor
	// Reverse means that text and background colours are swapped everywhere (DECSCNM).
	Reverse bool
	// Foreground, Background and CursorColor are the default colours that the program has set, or
	// 0. The program's part of Lines has the first two already.
	Foreground, Background, CursorColor sgr.Color
	// Top and Bottom are the numbers of rows taken by panels.
	Top, Bottom int
	// CutTop and CutLeft are the numbers of rows and columns cut off: see [Frame.Fit].
	CutTop, CutLeft int
	// Title is the program's title, and Input how it wants keys and mouse reported.
	Title string
	Input vt.Input
	// Mode is the active screen.
	Mode overlay.ScreenMode
}

// A Composer makes frames of one session. It keeps the last one, to reuse unchanged rows. The zero
// Composer is ready for use. It is not safe for concurrent use.
type Composer struct {
	screen  *vt.Snapshot
	view    *overlay.Snapshot
	frame   *Frame
	painter cells.Painter
}

// Compose returns the picture of a program's screen under a view. All screens must be of one
// terminal. A screen that has not yet been resized to the program's part of the view is cut or
// surrounded by blanks.
func (c *Composer) Compose(s *vt.Snapshot, v *overlay.Snapshot) *Frame {
	if s == c.screen && v == c.view {
		return c.frame
	}
	f := &Frame{
		Cols: v.Cols, Rows: v.Rows, Lines: make([]cells.Row, v.Rows),
		Reverse: s.Modes.Has(vt.ModeReverseScreen),
		Top:     v.Top, Bottom: v.Bottom, Mode: v.Mode,
		Title: s.Title, Input: inputOf(s),
	}
	fresh := c.view != v
	changed, scrolled := c.changed(s, v, fresh || s.Colors != c.screen.Colors)
	f.Foreground, f.Background = s.Colors.At(vt.PaletteForeground), s.Colors.At(vt.PaletteBackground)
	f.CursorColor = s.Colors.At(vt.PaletteCursor)
	for y := range f.Lines {
		row := y - v.Top
		ofProgram := row >= 0 && row < v.ProgramRows() && !v.Canvas
		switch from := y + scrolled; {
		case !fresh && !ofProgram:
			f.Lines[y] = c.frame.Lines[y]
			continue
		case changed == nil || changed[row] || from >= v.Top+v.ProgramRows():
		case scrolled == 0, len(touching(v, y)) == 0 && len(touching(v, from)) == 0:
			f.Lines[y] = c.frame.Lines[from]
			continue
		}
		var line vt.Line
		if ofProgram && row < len(s.Lines) {
			line = s.Lines[row]
		}
		f.Lines[y] = c.paint(line, s, y, v, ofProgram)
	}
	f.Cursor = cursor(s, v)
	f.Cursor.Col = min(f.Cursor.Col, f.Lines[f.Cursor.Row].Size.Columns(v.Cols)-1)
	c.screen, c.view, c.frame = s, v, f
	return f
}

// Rows returns lines of the history as the last frame would display them, cut to its width.
func (c *Composer) Rows(lines []vt.Line) []cells.Row {
	rows := make([]cells.Row, len(lines))
	for i, l := range lines {
		row := inPalette(c.screen.Colors, cells.FromLine(l))
		if row.Columns() > row.Size.Columns(c.frame.Cols) {
			c.painter.Reset(c.frame.Cols)
			c.painter.Paint(row, 0, 0, c.frame.Cols, 0)
			row = c.painter.Row()
		}
		rows[i] = row
	}
	return rows
}

// OfScreen returns the picture of a program's screen alone.
func OfScreen(s *vt.Snapshot) *Frame {
	mode := overlay.Primary
	if s.AltScreen() {
		mode = overlay.Alternate
	}
	return Compose(s, &overlay.Snapshot{Layout: overlay.Layout{Cols: s.Cols, Rows: s.Rows}, Mode: mode})
}

// Compose makes a single picture: see [Composer.Compose].
func Compose(s *vt.Snapshot, v *overlay.Snapshot) *Frame {
	var c Composer
	return c.Compose(s, v)
}

// touching returns the layers that touch row y of the screen, from the lowest up.
func touching(v *overlay.Snapshot, y int) (layers []*overlay.Layer) {
	for i := range v.Layers {
		if l := &v.Layers[i]; y >= l.Row && y < l.Row+l.Height {
			layers = append(layers, l)
		}
	}
	return layers
}

// changed returns which rows of the program's screen differ from the last frame, moved up by
// scrolled. Nil means all; all requests that.
func (c *Composer) changed(s *vt.Snapshot, v *overlay.Snapshot, all bool) (changed []bool, scrolled int) {
	if all || s.Cols != c.screen.Cols || s.Rows != c.screen.Rows {
		return nil, 0
	}
	d := s.Since(c.screen.Moment())
	if d.Reset {
		return nil, 0
	}
	changed = make([]bool, v.ProgramRows())
	for _, r := range d.Rows {
		if r.Row < len(changed) {
			changed[r.Row] = true
		}
	}
	return changed, d.Scrolled
}

// paint makes row y of the picture. line is the program's text there, if the row is one of the
// program's, on screen s. A line of double size becomes single where an element touches it, because
// elements are in the columns of the screen. Its hidden columns stay hidden.
func (c *Composer) paint(line vt.Line, s *vt.Snapshot, y int, v *overlay.Snapshot, ofProgram bool) cells.Row {
	row := inPalette(s.Colors, cells.FromLine(line))
	filled := ofProgram && s.Colors.At(vt.PaletteBackground) != 0
	visible := row.Size.Columns(min(s.Cols, v.Cols))
	layers := touching(v, y)
	if len(layers) == 0 && !filled && row.Columns() <= visible {
		return row
	}
	size := row.Size
	if len(layers) > 0 {
		size = vt.SingleSize
	}
	p := &c.painter
	p.Reset(v.Cols)
	if filled {
		p.Fill(0, size.Columns(v.Cols), sgr.Style{BG: s.Colors[vt.PaletteBackground]})
	}
	p.Paint(row, 0, 0, visible, 0)
	for _, l := range layers {
		paintLayer(p, l, y)
	}
	out := p.Row()
	out.Size = size
	return out
}

// Over returns the frame with a layer above everything else. The cursor is invisible, and the
// keyboard and mouse are as f's program wants them.
func (f *Frame) Over(l overlay.Layer) *Frame {
	out := *f
	out.Lines = slices.Clone(f.Lines)
	out.Cursor.Visible = false
	var p cells.Painter
	for y := max(l.Row, 0); y < min(l.Row+l.Height, f.Rows); y++ {
		p.Reset(f.Cols)
		p.Paint(f.Lines[y], 0, 0, f.Cols, 0)
		paintLayer(&p, &l, y)
		out.Lines[y] = p.Row()
	}
	return &out
}

// paintLayer paints the part of a layer in row y of the screen.
func paintLayer(p *cells.Painter, l *overlay.Layer, y int) {
	row, left, right := y-l.Row, l.Col, l.Col+l.Width
	if l.Filled {
		p.Fill(left, right, sgr.Style{BG: l.Background})
	}
	if row < len(l.Lines) {
		p.Paint(l.Lines[row], left, left, right, l.Background)
	}
	for i := range l.Writes {
		if w := &l.Writes[i]; w.Row == row {
			p.Paint(w.Text, left+w.Col, left, right, l.Background)
		}
	}
}

// cursor returns the program's cursor on the whole screen.
func cursor(s *vt.Snapshot, v *overlay.Snapshot) vt.Cursor {
	cur := s.Cursor
	cur.Visible = cur.Visible && !v.Canvas && cur.Row < v.ProgramRows() && cur.Col < v.Cols
	cur.Row = min(cur.Row, v.ProgramRows()-1) + v.Top
	cur.Col = min(cur.Col, v.Cols-1)
	for i := range v.Layers {
		cur.Visible = cur.Visible && !covers(&v.Layers[i], cur.Row, cur.Col)
	}
	return cur
}

// covers reports whether a layer hides the cell at a position.
func covers(l *overlay.Layer, y, x int) bool {
	row, col := y-l.Row, x-l.Col
	if row < 0 || row >= l.Height || col < 0 || col >= l.Width {
		return false
	}
	if l.Filled || row < len(l.Lines) && col < l.Lines[row].Columns() {
		return true
	}
	for _, w := range l.Writes {
		if w.Row == row && col >= w.Col && col < w.Col+w.Text.Columns() {
			return true
		}
	}
	return false
}

// Plain returns the rows as text, without trailing blanks.
func (f *Frame) Plain() []string {
	out := make([]string, len(f.Lines))
	for y, r := range f.Lines {
		out[y] = r.Plain()
	}
	return out
}
