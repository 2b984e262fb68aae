package render

import (
	"slices"
	"strconv"

	"ui-mcp/internal/term/cells"
)

// scroll scrolls the terminal if that saves drawing most rows, and returns the resulting rows. Only
// the rows between panels move.
func (e *encoder) scroll(from, to *Frame) []cells.Row {
	top, bottom := to.Top, to.Rows-to.Bottom
	n := scrolledBy(from.Lines[top:bottom], to.Lines[top:bottom])
	if n == 0 {
		return from.Lines
	}
	margins := top > 0 || bottom < to.Rows
	if margins {
		e.margins(top, bottom)
	}
	e.move(top, 0)
	e.csi(n, 'M') // unlike scrolling, it leaves nothing in the terminal's own scrollback: see Display.Scroll
	if margins {
		e.out = append(e.out, "\x1b[r"...)
		e.home()
	}
	lines := slices.Clone(from.Lines)
	copy(lines[top:bottom], from.Lines[top+n:bottom])
	clear(lines[bottom-n : bottom])
	return lines
}

// margins makes only the rows from top to bottom-1 scroll (DECSTBM).
func (e *encoder) margins(top, bottom int) {
	e.out = append(e.out, "\x1b["...)
	e.out = strconv.AppendInt(e.out, int64(top+1), 10)
	e.out = append(e.out, ';')
	e.out = strconv.AppendInt(e.out, int64(bottom), 10)
	e.out = append(e.out, 'r')
	e.home()
}

// scrolledBy returns by how many rows the picture moved up: the number that puts the most rows in
// place, if it is at least two rows more than without scrolling and the rest costs less to draw.
func scrolledBy(from, to []cells.Row) int {
	best, most := 0, 1
	for y := range to {
		if from[y].Equal(to[y]) && to[y].Text != "" {
			most++
		}
	}
	for n := 1; n < len(to); n++ {
		if len(to)-n <= most {
			break
		}
		same := 0
		for y := range to[:len(to)-n] {
			if to[y].Text != "" && from[y+n].Equal(to[y]) {
				same++
			}
		}
		if same > most {
			best, most = n, same
		}
	}
	if best > 0 && drawCost(from[best:], to) >= drawCost(from, to) {
		return 0
	}
	return best
}

// drawCost estimates how many bytes it takes to draw rows over others. The rows that from lacks are
// empty.
func drawCost(from, to []cells.Row) int {
	cost := 0
	for y, r := range to {
		old := cells.Row{}
		if y < len(from) {
			old = from[y]
		}
		if old.Equal(r) {
			continue
		}
		n := min(len(old.Text), len(r.Text))
		cost += moveCost + len(r.Text) - n
		for i := range n {
			if old.Text[i] != r.Text[i] {
				cost++
			}
		}
	}
	return cost
}

// moveCost is about what it takes to go to a row.
const moveCost = 8
