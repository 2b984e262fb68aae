package lookback

import (
	"slices"
	"sort"
	"strings"

	"ui-mcp/internal/term/vt"
)

// A Source is a terminal: see [vt.Terminal].
type Source interface {
	Extent() (first, screen, end uint64)
	Lines(from uint64, n int) (first uint64, lines []vt.Line)
	Snapshot() *vt.Snapshot
	Marks() []vt.Mark
	Track(*vt.Position)
	Untrack(*vt.Position)
}

// A document is the text of a terminal at one moment: its history, the primary screen, and below
// them the alternate screen if that was active. Its lines are rows, with the numbers that the
// terminal gives them.
type document struct {
	source Source
	state  *vt.Snapshot // as of the moment
	first  uint64       // number of the first line of screen
	screen []vt.Line    // the primary screen
	still  []vt.Line    // the alternate screen
}

// take takes the present text.
func (d *document) take() {
	_, screen, end := d.source.Extent()
	d.state = d.source.Snapshot()
	d.first, d.screen = d.source.Lines(screen, int(end-screen))
	used := filled(d.screen)
	d.still = nil
	if d.state.AltScreen() {
		d.still = d.state.Lines[:max(filled(d.state.Lines), d.state.Cursor.Row+1)]
	} else {
		used = max(used, d.state.Cursor.Row+1)
	}
	d.screen = d.screen[:min(used, len(d.screen))]
	if d.end() == d.oldest() { // there is always a line
		d.screen = make([]vt.Line, 1)
	}
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
	return screen - min(screen, d.first)
}

// oldest returns the number of the oldest line. Output may drop lines of the history.
func (d *document) oldest() uint64 {
	first, _, _ := d.source.Extent()
	return min(first, d.first)
}

// end returns the number after the last line.
func (d *document) end() uint64 { return d.first + uint64(len(d.screen)+len(d.still)) }

// lines returns up to n lines, and the number of the first one: from, or the oldest.
func (d *document) lines(from uint64, n int) (uint64, []vt.Line) {
	from = max(from, d.oldest())
	var list []vt.Line
	if from < d.first {
		from, list = d.source.Lines(from, int(min(uint64(n), d.first-from)))
	}
	for _, rest := range [...][]vt.Line{d.screen, d.still} {
		start := d.first
		if len(rest) > 0 && &rest[0] == firstOf(d.still) {
			start += uint64(len(d.screen))
		}
		at := from + uint64(len(list))
		if at >= start && at < start+uint64(len(rest)) && len(list) < n {
			rest = rest[at-start:]
			list = append(list, rest[:min(len(rest), n-len(list))]...)
		}
	}
	return from, list
}

func firstOf(lines []vt.Line) *vt.Line {
	if len(lines) == 0 {
		return nil
	}
	return &lines[0]
}

// line returns a line, or an empty one if it is not kept any more.
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

// join returns the paragraph of rows.
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

// split cuts lines, the first of which starts a paragraph, into paragraphs. whole says that the
// last one ends with the lines; otherwise it may be left out.
func split(first uint64, lines []vt.Line, whole bool) []paragraph {
	var list []paragraph
	start := 0
	for i, l := range lines {
		if !l.Wraps || i-start+1 == maxRows || whole && i == len(lines)-1 {
			list = append(list, join(first+uint64(start), lines[start:i+1]))
			start = i + 1
		}
	}
	return list
}
