package vt

// tabStops is a bit set of the columns with tab stops.
type tabStops []uint64

// reset sets a stop at every eighth column (DECST8C).
func (s *tabStops) reset(cols int) {
	*s = make(tabStops, (cols+63)/64)
	s.extend(0)
}

// extend sets a stop at every eighth column, starting at column from.
func (s *tabStops) extend(from int) {
	for x := (from + 7) &^ 7; x < 64*len(*s); x += 8 {
		s.set(x, x > 0)
	}
}

// resize makes room for cols columns. New columns get the default stops.
func (s *tabStops) resize(cols int) {
	have := 64 * len(*s)
	if cols > have {
		*s = append(*s, make(tabStops, (cols+63)/64-len(*s))...)
		s.extend(have)
	}
}

func (s tabStops) set(x int, on bool) {
	if on {
		s[x/64] |= 1 << (x % 64)
	} else {
		s[x/64] &^= 1 << (x % 64)
	}
}

func (s tabStops) has(x int) bool { return s[x/64]>>(x%64)&1 != 0 }

// tab moves right n tab stops (HT, CHT), at most to the right margin.
func (t *Terminal) tab(n int) {
	end := t.edge() - 1
	for ; n > 0 && t.cur.x < end; n-- {
		for t.cur.x++; t.cur.x < end && !t.tabs.has(t.cur.x); t.cur.x++ {
		}
	}
}

// backTab moves left n tab stops (CBT), at most to the left margin.
func (t *Terminal) backTab(n int) {
	t.cur.pending = false
	start := 0
	if t.modes.Has(ModeOrigin) {
		start = t.left
	}
	for ; n > 0 && t.cur.x > start; n-- {
		for t.cur.x--; t.cur.x > start && !t.tabs.has(t.cur.x); t.cur.x-- {
		}
	}
}

// clearTabs is TBC.
func (t *Terminal) clearTabs() {
	switch t.param(0, 0) {
	case 0:
		t.tabs.set(t.cur.x, false)
	case 3:
		clear(t.tabs)
	}
}

// controlTabs is CTC.
func (t *Terminal) controlTabs() {
	switch t.param(0, 0) {
	case 0:
		t.tabs.set(t.cur.x, true)
	case 2:
		t.tabs.set(t.cur.x, false)
	case 5:
		clear(t.tabs)
	}
}
