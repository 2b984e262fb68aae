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
	maxMoves     = 4 // for each picture
	maxDistances = 4 // of which the best move is sought
	maxSame      = 8 // rows of the same text that are compared with a row
	minChanged   = 2 // rows that differ, for which a move may be worth it

	// About what it takes, in bytes, to go to a row, to change the style, to move rows, and to set
	// and reset the margins before and after that.
	goCost, styleCost, moveCost, marginsCost = 6, 5, 9, 11
)

// bestMove returns the move that saves the most bytes, if one does. below is the number of rows
// that the terminal has below these.
//
// It tries the distances by which the most rows of the new picture are away from where they are
// now. For each of them, it moves those rows that together gain the most: the contiguous part of
// the greatest sum (Kadane's algorithm), so that rows in between may have changed a little.
func bestMove(from, to []cells.Row, below int) (best move, ok bool) {
	changed := 0
	for y := range to {
		if !from[y].Equal(to[y]) {
			changed++
		}
	}
	if changed < minChanged {
		return move{}, false
	}
	stay := make([]int, len(to)) // what each row costs where nothing moves
	most := 0
	for i, by := range distances(from, to) {
		if i == 0 {
			for y := range to {
				stay[y] = rowCost(from[y], to[y])
			}
		}
		start, sum := 0, 0
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

// distances returns by how many rows the most rows have moved up, the most frequent number first. A
// negative number is for rows that have moved down.
func distances(from, to []cells.Row) []int {
	first := make(map[string]int, len(from)) // by text: the last row that has it, plus 1
	next := make([]int, len(from))           // the one before it that has the same, plus 1
	for y, r := range from {
		if r.Text != "" {
			next[y], first[r.Text] = first[r.Text], y+1
		}
	}
	votes := make([]int, 2*len(to)) // by distance, plus len(to)
	for y, r := range to {
		if r.Text == "" || from[y].Equal(r) {
			continue
		}
		at := first[r.Text]
		for range maxSame {
			if at == 0 {
				break
			}
			if from[at-1].Equal(r) {
				votes[at-1-y+len(to)]++
			}
			at = next[at-1]
		}
	}
	var list []int
	for len(list) < maxDistances {
		i := 0
		for j, n := range votes {
			if n > votes[i] {
				i = j
			}
		}
		if votes[i] == 0 {
			break
		}
		list, votes[i] = append(list, i-len(to)), 0
	}
	return list
}

// rowCost estimates how many bytes it takes to draw a row over another.
func rowCost(from, to cells.Row) int {
	if from.Equal(to) {
		return 0
	}
	same := 0 // where the first difference is
	n := min(len(from.Text), len(to.Text))
	for same < n && from.Text[same] == to.Text[same] {
		same++
	}
	cost, last := goCost, same
	if same == len(from.Text) && same == len(to.Text) { // only styles differ
		same, last, cost = 0, len(to.Text), cost+len(to.Text)/2
	}
	for i := same; i < n; i++ {
		if from.Text[i] != to.Text[i] {
			cost, last = cost+1, i+1
		}
	}
	if len(to.Text) > n {
		cost, last = cost+len(to.Text)-n, len(to.Text)
	}
	for _, s := range to.Spans {
		if s.End > same && s.Start < last {
			cost += styleCost
		}
	}
	return cost
}
