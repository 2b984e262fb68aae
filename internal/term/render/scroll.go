package render

import (
	"fmt"
	"slices"

	"ui-mcp/internal/term/cells"
)

// scroll moves rows of the terminal up or down where that takes fewer bytes than to draw them, and
// returns the resulting rows. Only the rows between panels move.
func (e *encoder) scroll(from, to *Frame) []cells.Row {
	top, bottom := to.Top, to.Rows-to.Bottom
	lines := from.Lines
	for i := range maxMoves {
		m, ok := bestMove(lines[top:bottom], to.Lines[top:bottom], to.Rows-bottom)
		if !ok {
			break
		}
		if i == 0 {
			lines = slices.Clone(lines)
		}
		m.apply(lines[top:bottom])
		m.top, m.bottom = m.top+top, m.bottom+top
		e.moveRows(m)
	}
	return lines
}

// A move moves the rows from top up to but not including bottom up by a number of rows, or down by
// a negative one. Those at the edge are lost, and empty ones appear at the other.
type move struct{ top, bottom, by int }

func (m move) apply(rows []cells.Row) {
	rows = rows[m.top:m.bottom]
	if m.by > 0 {
		copy(rows, rows[m.by:])
		clear(rows[len(rows)-m.by:])
	} else {
		copy(rows[-m.by:], rows)
		clear(rows[:-m.by])
	}
}

// moveRows makes a move on the terminal. Inserting and deleting lines (IL, DL), unlike scrolling,
// leaves nothing in the terminal's own scrollback: see [Display.Draw].
func (e *encoder) moveRows(m move) {
	margins := m.bottom < e.rows
	if margins {
		e.margins(m.top, m.bottom)
	}
	e.move(m.top, 0)
	if m.by > 0 {
		e.csi(m.by, 'M')
	} else {
		e.csi(-m.by, 'L')
	}
	if margins {
		e.out = append(e.out, "\x1b[r"...)
		e.home()
	}
}

// margins makes only the rows from top to bottom-1 scroll (DECSTBM).
func (e *encoder) margins(top, bottom int) {
	e.out = fmt.Appendf(e.out, "\x1b[%d;%dr", top+1, bottom)
	e.home()
}

const (
	maxMoves    = 4   // for each picture
	maxDistance = 100 // rows
	maxSame     = 8   // rows of the same text that are compared with a row

	// About what it takes, in bytes, to go to a row, to change the style, to move rows, and to set
	// and reset the margins before and after that.
	goCost, styleCost, moveCost, marginsCost = 6, 5, 9, 11
)

// bestMove returns the move that saves the most bytes by the distance that most rows have moved, if
// one does. below is the number of rows that the terminal has below these. It moves those rows that
// together gain the most: the contiguous part of the greatest sum (Kadane's algorithm), so that
// rows in between may have changed a little.
func bestMove(from, to []cells.Row, below int) (best move, ok bool) {
	by := distance(from, to)
	if by == 0 {
		return move{}, false
	}
	stay := make([]int, len(to)) // what each row costs where nothing moves
	for y := range to {
		stay[y] = rowCost(from[y], to[y])
	}
	start, sum, most := 0, 0, 0
	for y := max(0, -by); y < min(len(to), len(to)-by); y++ {
		if sum <= 0 {
			start, sum = y, 0
		}
		if sum += stay[y] - rowCost(from[y+by], to[y]); sum <= most {
			continue
		}
		m := move{min(start, start+by), max(y, y+by) + 1, by}
		if gain := sum - m.loss(stay, to, below); gain > most {
			best, most = m, gain
		}
	}
	return best, most > 0
}

// loss returns what a move costs: the sequence, and the rows that become empty.
func (m move) loss(stay []int, to []cells.Row, below int) int {
	n := moveCost
	if m.bottom < len(to) || below > 0 {
		n += marginsCost
	}
	first, last := m.bottom-m.by, m.bottom
	if m.by < 0 {
		first, last = m.top, m.top-m.by
	}
	for y := first; y < last; y++ {
		n += rowCost(cells.Row{}, to[y]) - stay[y]
	}
	return n
}

// distance returns by how many rows most rows have moved up, or down if it is negative; 0: none.
func distance(from, to []cells.Row) int {
	votes, most := make([]int, 2*len(to)), len(to) // by distance, plus len(to)
	for y, r := range to {
		if r.Text == "" || from[y].Equal(r) {
			continue
		}
		same := 0
		for at := max(y-maxDistance, 0); at < min(y+maxDistance, len(from)) && same < maxSame; at++ {
			if from[at].Text != r.Text {
				continue
			}
			same++
			if i := at - y + len(to); from[at].Equal(r) {
				if votes[i]++; votes[i] > votes[most] {
					most = i
				}
			}
		}
	}
	return most - len(to)
}

// rowCost estimates how many bytes it takes to draw a row over another.
func rowCost(from, to cells.Row) int {
	if from.Equal(to) {
		return 0
	}
	n := min(len(from.Text), len(to.Text))
	first, cost := n, goCost+len(to.Text)-n
	for i := range n {
		if from.Text[i] != to.Text[i] {
			first, cost = min(first, i), cost+1
		}
	}
	if cost == goCost && len(from.Text) == n { // only styles differ
		first, cost = 0, cost+len(to.Text)/2
	}
	for _, s := range to.Spans {
		if s.End > first {
			cost += styleCost
		}
	}
	return cost
}
