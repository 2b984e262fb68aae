package chooser

import (
	"cmp"
	"fmt"
	"strings"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// Frame returns the picture for a terminal of some size. Where there are few rows, what the person
// must know or edits goes before the list, and that before the rest.
func (m *Model) Frame(cols, rows int) *render.Frame {
	f := &render.Frame{Cols: cols, Rows: rows}
	bottom, cursor := m.bottom(cols)
	below := m.notices(cols, rows)
	if edits := m.edits(); len(below) < rows && (edits || rows > 1) {
		below = append(below, bottom)
		if edits && !m.busy {
			f.Cursor = vt.Cursor{Row: rows - 1, Col: min(cursor, cols-1), Visible: true}
		}
	}
	m.page = rows - len(below)
	if m.page > 1 {
		f.Lines = append(f.Lines, m.head(cols))
		m.page--
	}
	f.Lines = append(f.Lines, m.body(cols)...)
	for len(f.Lines) < rows-len(below) {
		f.Lines = append(f.Lines, cells.Row{})
	}
	f.Lines = append(f.Lines, below...)
	return f
}

func (m *Model) edits() bool { return m.shows == renaming || m.searching }

// maxNotice is how many rows tell the person something.
const maxNotice = 4

// notices returns the rows with what the person must know.
func (m *Model) notices(cols, rows int) []cells.Row {
	var out []cells.Row
	for _, line := range wrap(cmp.Or(m.notice, m.failure), cols-2) {
		if len(out) < min(maxNotice, rows) {
			out = append(out, columns(cols, m.loud(), column{1, cols, cells.Piece{Text: line, Style: m.loud()}}))
		}
	}
	return out
}

// wrap divides a text at blanks into lines of some width. A longer word has a line of its own.
func wrap(text string, cols int) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if n := len(lines); n > 0 && cells.Width(lines[n-1]+" "+word) <= cols {
			lines[n-1] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// body returns the rows between the first and the last one, at most page of them.
func (m *Model) body(cols int) []cells.Row {
	if m.shows == reading {
		lines := m.lines(cols - 2)
		m.scroll(len(lines), -1)
		var out []cells.Row
		for _, line := range lines[m.top:min(m.top+m.page, len(lines))] {
			out = append(out, cells.Text(" "+line, sgr.Style{}, cols))
		}
		return out
	}
	list := m.found()
	if len(list) == 0 {
		text := " No session matches."
		switch {
		case !m.listed:
			text = " Asking the server ..."
		case len(m.sessions) == 0:
			text = " No session runs."
		}
		return []cells.Row{cells.Text(text, sgr.Style{}, cols)}[:min(1, max(m.page, 0))]
	}
	at := indexOf(list, m.selected)
	m.scroll(len(list), at)
	name, state := widths(list, cols)
	var out []cells.Row
	for i, s := range list[m.top:min(m.top+m.page, len(list))] {
		out = append(out, m.session(s, cols, name, state, m.top+i == at))
	}
	return out
}

// scroll keeps a row of n on the page, and the page full.
func (m *Model) scroll(n, at int) {
	m.page = max(m.page, 0)
	if at >= 0 {
		m.top = min(max(m.top, at-m.page+1), at)
	}
	m.top = max(min(m.top, n-m.page), 0)
}

// widths returns how many columns the names and the states get: names at most half of the
// terminal, unless there is room for no more than them.
func widths(list []Session, cols int) (name, state int) {
	for _, s := range list {
		name, state = max(name, cells.Width(s.Name)), max(state, cells.Width(calls(s)))
	}
	if name+leftWidth+state+2 > cols {
		name = min(name, max(cols/2-leftWidth, 8))
	}
	return name, state
}

// leftWidth is the number of columns before a name: the digit, and the mark of the current session.
const leftWidth = 5

// calls returns the state of a session, or why it needs the person.
func calls(s Session) string {
	if s.Needs != "" {
		return " " + s.Needs + " "
	}
	return " " + s.State
}

func (m *Model) session(s Session, cols, name, state int, selected bool) cells.Row {
	style := sgr.Style{}
	if selected {
		style.Attr = sgr.Inverse
	}
	label, mark := m.digitOf(s), " "
	if s.ID == m.current.ID {
		mark, s.Needs = "*", "" // the person knows
	}
	needs := style
	if s.Needs != "" && !selected {
		needs = m.loud()
	}
	doing := s.Doing
	if s.Tags != "" {
		doing += "  " + s.Tags
	}
	return columns(cols, style,
		column{1, 1, cells.Piece{Text: label, Style: style}},
		column{3, 1, cells.Piece{Text: mark, Style: style}},
		column{leftWidth, name, cells.Piece{Text: s.Name, Style: style}},
		column{leftWidth + name + 1, state, cells.Piece{Text: calls(s), Style: needs}},
		column{leftWidth + name + state + 3, cols, cells.Piece{Text: doing, Style: style}})
}

// loud returns the style of what the person should notice.
func (m *Model) loud() sgr.Style {
	if m.plain {
		return sgr.Style{Attr: sgr.Bold}
	}
	return sgr.Style{FG: sgr.Indexed(16), BG: sgr.Indexed(220)}
}

// A column is text at a column of a row, cut to a width.
type column struct {
	at, width int
	cells.Piece
}

// columns returns a row with a background and what is in its columns.
func columns(cols int, background sgr.Style, list ...column) cells.Row {
	var p cells.Painter
	p.Reset(cols)
	p.Fill(0, cols, background)
	for _, c := range list {
		for _, r := range cells.Shape([]cells.Piece{c.Piece}, max(min(c.width, cols-c.at), 0), 1) {
			p.Paint(r, c.at, 0, cols, 0)
		}
	}
	return p.Row()
}

// lines returns the text that is read. Indented lines are a table: they are not wrapped.
func (m *Model) lines(cols int) []string {
	var out []string
	for _, line := range m.text {
		switch text := strings.TrimLeft(line, " "); {
		case line == "":
			out = append(out, "")
		case text != line:
			out = append(out, " "+text)
		default:
			out = append(out, wrap(line, cols)...)
		}
	}
	return out
}

// head returns the first row: what is displayed, and which part of it.
func (m *Model) head(cols int) cells.Row {
	title, part := "Sessions", ""
	switch {
	case m.shows == reading:
		title = "Keys"
	case len(m.found()) < len(m.sessions):
		part = fmt.Sprintf("%d of %d ", len(m.found()), len(m.sessions))
	case m.listed:
		part = fmt.Sprintf("%d ", len(m.sessions))
	}
	style := cells.Status
	return cells.Bar(cols, style, []cells.Piece{{Text: " " + title, Style: style}}, []cells.Piece{{Text: part, Style: style}})
}

// bottom returns the last row: what the person edits, with the column of the cursor, or what they
// can do.
func (m *Model) bottom(cols int) (r cells.Row, cursor int) {
	label, hints := "", []string{"Enter opens  type to search  Esc goes back", "type to search  Esc goes back", "Esc goes back", "Esc"}
	switch {
	case m.shows == renaming:
		label, hints = "Rename "+m.current.Name+" to: ", []string{"Enter renames  Esc goes back", "Esc goes back"}
		if cells.Width(label+m.field) > cols-3 {
			label = ""
		}
	case m.shows == reading:
		hints = []string{"arrows scroll  Esc goes back", "Esc goes back", "Esc"}
	case m.searching:
		label, hints = "Search: ", []string{"Enter opens  Esc goes back", "Esc goes back"}
		if cells.Width(label+m.field) > cols-3 {
			label = "/"
		}
	}
	if m.busy {
		hints = []string{"asking the server ..."}
	}
	left := " " + label
	if m.edits() {
		field := []rune(m.field)
		for len(field) > 0 && cells.Width(left+string(field)) > cols-2 { // its end stays visible
			field = field[1:]
		}
		left += string(field)
	}
	style, used := cells.Status, cells.Width(left)
	right := ""
	for _, h := range hints {
		if right == "" && used+cells.Width(h)+1 <= cols {
			right = h
		}
	}
	at := 1
	if m.edits() {
		at = cols - cells.Width(right) - 1
	}
	return columns(cols, style,
		column{0, cols, cells.Piece{Text: left, Style: style}},
		column{at, cols, cells.Piece{Text: right, Style: style}}), used
}
