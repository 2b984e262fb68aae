package vt

type row struct {
	cells []cell // one for each column
	used  int    // cells from here on count as empty, whatever they hold
	wraps bool   // the text continues in the next row
	size  LineSize
	mixed bool // some cells may not be narrow
	rich  bool // some cells may have a pen, or hold more than ASCII

	stamp   uint64 // the epoch at which this row last changed
	line    Line   // the row as of epoch lineAt, cached for snapshots
	lineAt  uint64
	hasLine bool
}

func newRow(cols int, stamp uint64) *row {
	return &row{cells: make([]cell, cols), stamp: stamp}
}

// reach makes the cells before column x count as used.
func (r *row) reach(x int) {
	if r.used < x {
		clear(r.cells[r.used:x])
		r.used = x
	}
}

// empty reports whether the row has nothing but empty cells in the default style, of single size,
// and does not wrap.
func (r *row) empty() bool {
	if r.size != SingleSize || r.wraps {
		return false
	}
	for _, c := range r.cells[:r.used] {
		if c&^filler != 0 {
			return false
		}
	}
	return true
}

// split clears the wide character that straddles the boundary between columns x-1 and x, if there
// is one: both of its columns become empty.
func (r *row) split(x int) {
	if !r.mixed || x <= 0 || x >= r.used || r.cells[x]&widthMask != tail {
		return
	}
	r.cells[x-1] &= penMask
	r.cells[x] &= penMask
}

// erase empties the columns from from up to but not including to.
func (r *row) erase(from, to int, blank cell) {
	if from >= to {
		return
	}
	r.split(from)
	r.split(to)
	if to == len(r.cells) {
		r.wraps = false
	}
	if blank == 0 && to >= r.used {
		r.used = min(r.used, from)
		return
	}
	r.reach(from)
	fill(r.cells[from:to], blank)
	r.used = max(r.used, to)
	r.rich = r.rich || blank != 0
}

func (r *row) clear(blank cell) {
	r.used, r.wraps, r.mixed, r.rich, r.size = 0, false, false, false, SingleSize
	if blank != 0 {
		fill(r.cells, blank)
		r.used, r.rich = len(r.cells), true
	}
}

// move copies the columns from from up to but not including to of src to column at, where they must
// fit. Source and destination may be the same row.
func (r *row) move(at int, src *row, from, to int) {
	if from >= to {
		return
	}
	src.split(from)
	src.split(to)
	src.reach(to)
	end := at + to - from
	r.reach(at)
	// Wide characters cut by the edges of the destination are cleared, but only after the copy,
	// because the source may overlap.
	head := r.mixed && at > 0 && at < r.used && r.cells[at]&widthMask == tail
	rest := r.mixed && end < r.used && r.cells[end]&widthMask == tail
	copy(r.cells[at:end], src.cells[from:to])
	if head {
		r.cells[at-1] &= penMask
	}
	if rest {
		r.cells[end] &= penMask
	}
	r.used = max(r.used, end)
	r.mixed = r.mixed || src.mixed
	r.rich = r.rich || src.rich
	if end == len(r.cells) {
		r.wraps = false
	}
}

// resize changes the number of columns without wrapping.
func (r *row) resize(cols int, stamp uint64) {
	if cols < len(r.cells) {
		r.split(cols)
		r.used = min(r.used, cols)
	}
	cells := make([]cell, cols)
	copy(cells, r.cells[:r.used])
	r.cells, r.wraps, r.stamp = cells, false, stamp
}
