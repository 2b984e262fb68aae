package overlay

import (
	"cmp"
	"slices"
)

// A Layout is the division of the screen's rows.
type Layout struct {
	Cols, Rows  int // of the screen
	Top, Bottom int // rows taken by panels
	// Hidden are the ids of the panels without room, in the order in which they get some.
	Hidden []string
}

// ProgramRows returns the number of the program's rows: at least one.
func (l Layout) ProgramRows() int { return l.Rows - l.Top - l.Bottom }

// divide divides the screen among panels, which it sorts by Z, highest first, and then by age. Each
// gets its rows, from the edge inward, if that leaves at least one row for the program. Otherwise
// it is hidden, and a smaller one after it may still fit.
func divide(cols, rows int, panels []*Element) (l Layout, visible []placed) {
	slices.SortFunc(panels, func(a, b *Element) int {
		return cmp.Or(cmp.Compare(b.Z, a.Z), cmp.Compare(a.order, b.order))
	})
	l = Layout{Cols: cols, Rows: rows}
	for _, p := range panels {
		if p.Height > l.ProgramRows()-1 {
			l.Hidden = append(l.Hidden, p.ID)
			continue
		}
		row := l.Top
		if p.Position == Top {
			l.Top += p.Height
		} else {
			l.Bottom += p.Height
			row = rows - l.Bottom
		}
		visible = append(visible, placed{p, row})
	}
	return l, visible
}

// A placed panel is a visible one, with its first row.
type placed struct {
	*Element
	row int
}
