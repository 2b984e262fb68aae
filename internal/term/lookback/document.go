package lookback

import (
	"slices"
	"sort"
	"strings"

	"ui-mcp/internal/term/vt"
)

// A document is the text of a terminal at one moment: its history, the primary screen, and below
// them the alternate screen if that was active. Its lines are rows, with the numbers that the
// terminal gave them.
type document struct {
	source  *vt.Terminal
	state   *vt.Snapshot // as of the moment
	first   uint64       // number of the oldest line
	history *vt.History  // the lines before rows
	top     uint64       // number of the first of rows
	rows    []vt.Line    // the primary screen, and then the alternate one
	primary int          // how many of them are the primary screen's
	marks   []vt.Mark    // for commands
}

// present returns the present text without its history and marks.
func present(s *vt.Terminal) *document {
	d := &document{source: s, state: s.Snapshot()}
	first, screen, end := s.Extent()
	d.first = first
	d.top, d.rows = s.Lines(screen, int(end-screen))
	var still []vt.Line
	used := filled(d.rows)
	if d.state.AltScreen() {
		still = d.state.Lines[:max(filled(d.state.Lines), d.state.Cursor.Row+1)]
	} else {
		used = max(used, d.state.Cursor.Row+1)
	}
	if d.primary = min(used, len(d.rows)); d.primary+len(still) == 0 && d.top == d.first {
		d.primary = 1 // there is always a line
	}
	d.rows = append(d.rows[:d.primary], still...)
	return d
}

// kept returns the present text, which output leaves as it is.
func kept(s *vt.Terminal) *document {
	d := present(s)
	d.history, d.marks = s.History(), s.Marks()
	return d
}

// filled returns the number of lines up to the last one that is not empty.
func filled(lines []vt.Line) int {
	n := len(lines)
	for n > 0 && lines[n-1].Text == "" {
		n--
	}
	return n
}

// stale reports whether lines have been wrapped again, so that the document must be taken again.
func (d *document) stale() bool { return d.source.Snapshot().Layout != d.state.Layout }

// news returns how many lines the terminal has that the document lacks.
func (d *document) news() uint64 {
	_, screen, _ := d.source.Extent()
	return screen - min(screen, d.top)
}

// end returns the number after the last line.
func (d *document) end() uint64 { return d.top + uint64(len(d.rows)) }

// lines returns up to n lines, and the number of the first one: from, or the oldest.
func (d *document) lines(from uint64, n int) (uint64, []vt.Line) {
	from = max(from, d.first)
	var list []vt.Line
	if from < d.top {
		from, list = d.history.Lines(from, int(min(uint64(n), d.top-from)))
	}
	if at := from + uint64(len(list)) - d.top; at < uint64(len(d.rows)) {
		rest := d.rows[at:]
		list = append(list, rest[:min(len(rest), n-len(list))]...)
	}
	return from, list
}

// line returns line n, which is empty if the document does not have it.
func (d *document) line(n uint64) vt.Line {
	if first, list := d.lines(n, 1); first == n && len(list) == 1 {
		return list[0]
	}
	return vt.Line{}
}

// A paragraph is the text of a line before it was wrapped.
type paragraph struct {
	first uint64 // number of its first row
	rows  []vt.Line
	text  string
	ends  []int // where in text each row ends

	// The cells of the row that cell was asked about last: matches come in order, and a row may
	// have many of them.
	indexed int // that row, or -1
	cells   []cellStart
}

// A cellStart says where a cell of a row begins.
type cellStart struct {
	offset     int // in the text of the row
	col, width int
}

// maxRows limits how many rows count as one paragraph, so that the cost of a page is bounded when a
// program writes without line ends.
const maxRows = 256

func join(first uint64, rows []vt.Line) paragraph {
	p := paragraph{first: first, rows: rows, indexed: -1}
	if len(rows) == 1 {
		p.text = rows[0].Plain()
		p.ends = []int{len(p.text)}
		return p
	}
	var b strings.Builder
	for i, r := range rows {
		if i < len(rows)-1 {
			b.WriteString(r.Text)
		} else {
			b.WriteString(r.Plain())
		}
		p.ends = append(p.ends, b.Len())
	}
	p.text = b.String()
	return p
}

// cell returns the position and the width of the character at an offset in the text.
func (p *paragraph) cell(offset int) (vt.Position, int) {
	row := min(sort.SearchInts(p.ends, offset+1), len(p.ends)-1)
	if row > 0 {
		offset -= p.ends[row-1]
	}
	if row != p.indexed {
		p.indexed, p.cells = row, p.cells[:0]
		at := 0
		for c := range p.rows[row].Cells() {
			p.cells = append(p.cells, cellStart{at, c.Col, c.Width})
			at += len(c.Text)
		}
	}
	i := sort.Search(len(p.cells), func(i int) bool { return p.cells[i].offset > offset }) - 1
	if i < 0 {
		return vt.Position{Line: p.first + uint64(row)}, 1
	}
	return vt.Position{Line: p.first + uint64(row), Col: p.cells[i].col}, p.cells[i].width
}

// within returns the range of the text that is in the rows from number first to before end.
func (p *paragraph) within(first, end uint64) (from, to int) {
	offset := func(n uint64) int { // where the row with the number begins
		if n <= p.first {
			return 0
		}
		return p.ends[min(n-p.first, uint64(len(p.ends)))-1]
	}
	return offset(first), offset(end)
}

// start returns the number of the first row of the paragraph to which a line belongs.
func (d *document) start(n uint64) uint64 {
	from := n - min(n, maxRows)
	from, rows := d.lines(from, int(n-from))
	for i, r := range slices.Backward(rows) {
		if !r.Wraps {
			return from + uint64(i) + 1
		}
	}
	return from
}

// split cuts lines, the first of which starts a paragraph, into paragraphs of at most that many
// rows. whole says that the last one ends with the lines; otherwise it may be left out.
func split(first uint64, lines []vt.Line, most int, whole bool) []paragraph {
	var list []paragraph
	start := 0
	for i, l := range lines {
		if !l.Wraps || i-start+1 == most || whole && i == len(lines)-1 {
			list = append(list, join(first+uint64(start), lines[start:i+1]))
			start = i + 1
		}
	}
	return list
}
