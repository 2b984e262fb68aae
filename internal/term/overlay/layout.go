package overlay

import (
	"cmp"
	"slices"
)

// A Layout says how the rows of the screen are divided.
type Layout struct {
	Cols, Rows  int // of the screen
	Top, Bottom int // rows that panels have there
	// Hidden are the ids of the panels that have no room, the ones that come
	// first when there is some before the others.
	Hidden []string
}

// ProgramRows returns how many rows the program has: at least one.
func (l Layout) ProgramRows() int { return l.Rows - l.Top - l.Bottom }

// place divides the screen among panels, which it sorts: those of the highest Z
// first, and the older of two first. Each is given its rows, outside in, when at
// least one row stays for the program; else it is hidden whole, and the next
// smaller one may still fit.
func place(cols, rows int, panels []*Element) (l Layout, shown []placed) {
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
		shown = append(shown, placed{p, row})
	}
	return l, shown
}

// A placed panel is one that shows, from a row on.
type placed struct {
	*Element
	row int
}
