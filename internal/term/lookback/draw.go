package lookback

import (
	"fmt"
	"strings"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// The styles of what is marked. These entries of the palette are the same on dark and light
// terminals.
var (
	matchStyle     = sgr.Style{FG: sgr.Indexed(16), BG: sgr.Indexed(220)}
	currentStyle   = sgr.Style{FG: sgr.Indexed(16), BG: sgr.Indexed(208), Attr: sgr.Bold} // the match at the cursor
	selectionStyle = sgr.Style{FG: sgr.Indexed(16), BG: sgr.Indexed(117)}
)

// Frame returns the picture: the text, and below it a row with the position. mode is the screen on
// which it appears. If nothing has changed, it returns the same value.
func (m *Model) Frame(mode overlay.ScreenMode) *render.Frame {
	m.refresh()
	if news := m.doc.news(); m.frame == nil || m.mode != mode || m.news != news {
		m.mode, m.news = mode, news
		m.frame = m.draw()
	}
	return m.frame
}

func (m *Model) draw() *render.Frame {
	first, lines := m.doc.lines(m.top.Line, m.height())
	screen := *m.doc.state
	screen.Cols = max(screen.Cols, m.cols)
	screen.Rows = m.height()
	screen.Lines = lines
	// The palette and the reverse video of the program apply to its history, too.
	f := render.Compose(&screen, &overlay.Snapshot{Layout: overlay.Layout{Cols: screen.Cols, Rows: screen.Rows}, Mode: m.mode})
	out := &render.Frame{
		Cols: m.cols, Rows: m.rows, Lines: make([]cells.Row, m.rows), Mode: m.mode,
		Reverse: f.Reverse, Foreground: f.Foreground, Background: f.Background, CursorColor: f.CursorColor,
		Title: f.Title, Cursor: vt.Cursor{Visible: true, Shape: vt.CursorBlock},
		Input: vt.Input{Modes: 1<<vt.ModeMouseButton | 1<<vt.ModeMouseSGR | 1<<vt.ModeBracketedPaste},
	}
	marks := m.marks(first, lines)
	var p cells.Painter
	for y, row := range f.Lines {
		for rest := marks[y]; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].style == rest[0].style && rest[n].from >= rest[n-1].to {
				n++
			}
			row = paint(&p, row, rest[:n], screen.Cols)
			rest = rest[n:]
		}
		if m.left > 0 || row.Columns() > m.cols {
			p.Reset(m.cols)
			p.Paint(row, -m.left, 0, m.cols, 0)
			row = p.Row()
		}
		out.Lines[y] = row
	}
	out.Cursor.Row = min(max(int(int64(m.cursor.Line)-int64(m.top.Line)), 0), m.height()-1)
	start, _ := cellOf(m.doc.line(m.cursor.Line), m.cursor.Col)
	out.Cursor.Col = min(max(start-m.left, 0), m.cols-1)
	if m.help != nil {
		m.drawHelp(out)
	}
	if m.rows > 1 {
		m.drawStatus(out)
	}
	return out
}

// A mark is the style of the columns from one up to, but not including, another.
type mark struct {
	from, to int
	style    sgr.Style
	fill     bool // blanks after the text are marked, too
}

func paint(p *cells.Painter, row cells.Row, marks []mark, cols int) cells.Row {
	style := marks[0].style
	marked := row.Restyled(func(s sgr.Style) sgr.Style {
		return sgr.Style{FG: style.FG, BG: style.BG, Attr: s.Attr&^sgr.Inverse | style.Attr}
	})
	p.Reset(cols)
	for _, m := range marks {
		if m.fill {
			p.Fill(m.from, m.to, style)
		}
	}
	p.Paint(row, 0, 0, cols, 0)
	for _, m := range marks {
		p.Paint(marked, 0, m.from, m.to, 0)
	}
	return p.Row()
}

// marks returns the marks of each visible row: the matches, and above them the selection.
func (m *Model) marks(first uint64, lines []vt.Line) [][]mark {
	marks := make([][]mark, m.height())
	add := func(r match, style sgr.Style, fill bool) {
		for n := max(r.from.Line, first); n <= r.to.Line && n < first+uint64(len(lines)); n++ {
			k := mark{0, m.doc.state.Cols, style, fill}
			if n == r.from.Line {
				k.from = r.from.Col
			}
			if n == r.to.Line {
				k.to = r.to.Col
			}
			list := marks[n-first]
			if last := len(list) - 1; last >= 0 && list[last].to == k.from && list[last].style == k.style && list[last].fill == k.fill {
				list[last].to = k.to
				continue
			}
			marks[n-first] = append(list, k)
		}
	}
	if m.search.pattern != nil {
		from := m.doc.start(first)
		// The paragraph at the end goes on below the view.
		from, rows := m.doc.lines(from, int(first-min(from, first))+len(lines)+maxRows)
		for _, p := range split(from, rows, maxRows, true) {
			if p.first >= first+uint64(len(lines)) {
				break
			}
			visible, end := p.within(first, first+uint64(len(lines)))
			for _, at := range m.search.pattern.FindAll(p.text) {
				if at[1] <= visible || at[0] >= end {
					continue
				}
				if r := p.match(at); m.found == nil || r != *m.found {
					add(r, matchStyle, false)
				}
			}
		}
	}
	if m.found != nil {
		add(*m.found, currentStyle, false)
	}
	if m.selecting != nothing {
		from, to := m.selected()
		add(match{from, to}, selectionStyle, true)
	}
	return marks
}

func (m *Model) messageStyle() sgr.Style {
	style := cells.Status
	style.Attr |= sgr.Bold
	return style
}

func (m *Model) drawStatus(f *render.Frame) {
	row := m.rows - 1
	if p := m.prompt; p != nil {
		sign := "/"
		if p.back {
			sign = "?"
		}
		note := m.message
		switch {
		case m.search.invalid:
			note = "not a regular expression yet"
		case m.search.running:
			note = "searching"
		}
		text := []cells.Piece{{Text: " " + sign + p.text, Style: m.messageStyle()}}
		typed, _ := cells.Measure(text)
		if over := typed + 1 - m.cols; over > 0 { // the end is where the person types
			var painter cells.Painter
			painter.Reset(m.cols)
			painter.Fill(0, m.cols, cells.Status)
			painter.Paint(cells.Text(text[0].Text, text[0].Style, typed), -over, 0, m.cols, 0)
			f.Lines[row] = painter.Row()
			f.Cursor.Row, f.Cursor.Col = row, m.cols-1
			return
		}
		f.Lines[row] = m.bar(text, note)
		f.Cursor.Row, f.Cursor.Col = row, typed
		return
	}
	f.Lines[row] = m.bar(m.status())
}

// status returns the texts of the last row at the left and at the right.
func (m *Model) status() ([]cells.Piece, string) {
	hint := "h help  q leave"
	if m.help != nil {
		return []cells.Piece{{Text: " Help", Style: m.messageStyle()}}, "j k scroll  any other key closes"
	}
	oldest := m.doc.first
	total := m.doc.end() - oldest
	percent := 100
	if span := m.lowest() - oldest; span > 0 && m.top.Line < m.lowest() {
		percent = int((max(m.top.Line, oldest) - oldest) * 100 / span)
	}
	number := max(m.cursor.Line, oldest) - oldest + 1
	text := fmt.Sprintf(" line %d of %d  %d%%", number, total, percent)
	more := "  %d new (G)"
	if m.cols < 50 {
		text = fmt.Sprintf(" %d/%d", number, total)
		more = " +%d"
	}
	if m.news > 0 {
		text += fmt.Sprintf(more, m.news)
	}
	list := []cells.Piece{{Text: text, Style: cells.Status}}
	note := m.message
	switch {
	case m.search.running:
		note = "searching for " + m.search.text
	case note != "":
	case m.count > 0:
		note = fmt.Sprint(m.count)
	case m.selecting != nothing:
		note = "selecting: y copies"
		if m.selecting == wholeLines {
			note = "selecting lines: y copies"
		}
	case m.search.pattern != nil:
		sign := "/"
		if m.search.back {
			sign = "?"
		}
		note = sign + m.search.text
	}
	if note != "" {
		list = append(list, cells.Piece{Text: "  " + note, Style: m.messageStyle()})
	}
	return list, hint
}

// bar returns a row of the status: text at the left, and if there is room, at the right.
func (m *Model) bar(left []cells.Piece, right string) cells.Row {
	const gap = 2
	hint := []cells.Piece{{Text: right + " ", Style: cells.Status}}
	used, _ := cells.Measure(left)
	if width, _ := cells.Measure(hint); right == "" || used+gap+width > m.cols {
		hint = nil
	}
	return cells.Bar(m.cols, cells.Status, left, hint)
}

var helpText = strings.Split(strings.TrimSuffix(`
 Move
   j k        a line (5j: five)
   d u        half a page
   f b        a page; also Space, PgDn PgUp
   g G        the oldest line, the newest
   42G        line 42
   arrows     the cursor; also 0 $ H M L
 Commands
   [ ]        the prompt above, below
   { }        the failed one above, below
   c          copy the command's output
 Search, with regular expressions
   / ?        down, up
   n N        the next match, the previous
   Capitals count if you type some.
 Copy
   v V        select characters, lines
   o          the other end
   y          copy
   Enter      copy and leave
 Leave
   q Escape
 The program runs on. G shows what is new.
`[1:], "\n"), "\n")

func (m *Model) openHelp(int) { m.help = new(0) }

// readHelp handles a key while the help is displayed.
func (m *Model) readHelp(key string) {
	by := 0
	switch key {
	case "j", "ArrowDown", "C-e", "C-n":
		by = 1
	case "k", "ArrowUp", "C-y", "C-p":
		by = -1
	case " ", "f", "d", "PageDown", "C-f", "C-d":
		by = m.height() - 1
	case "b", "u", "PageUp", "C-b", "C-u":
		by = 1 - m.height()
	default:
		m.help = nil
		return
	}
	*m.help = max(min(*m.help+by, len(helpText)-m.height()), 0)
}

func (m *Model) drawHelp(f *render.Frame) {
	f.Cursor.Visible = false
	for y := range m.height() {
		f.Lines[y] = cells.Row{}
		if i := *m.help + y; i < len(helpText) {
			style := sgr.Style{}
			if !strings.HasPrefix(helpText[i], "   ") {
				style.Attr = sgr.Bold
			}
			f.Lines[y] = cells.Text(helpText[i], style, m.cols)
		}
	}
}
