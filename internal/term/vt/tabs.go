package vt

// tabStops has the columns with tab stops, those beyond the screen's included.
type tabStops [MaxSize]bool

// reset sets a stop at every eighth column (DECST8C).
func (s *tabStops) reset() {
	for x := range s {
		s[x] = x > 0 && x%8 == 0
	}
}

// tab moves right n tab stops (HT, CHT), at most to the right margin.
func (t *Terminal) tab(n int) {
	end := t.edge() - 1
	for ; n > 0 && t.cur.x < end; n-- {
		for t.cur.x++; t.cur.x < end && !t.tabs[t.cur.x]; t.cur.x++ {
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
		for t.cur.x--; t.cur.x > start && !t.tabs[t.cur.x]; t.cur.x-- {
		}
	}
}

// clearTabs is TBC.
func (t *Terminal) clearTabs() {
	switch t.param(0, 0) {
	case 0:
		t.tabs[t.cur.x] = false
	case 3:
		clear(t.tabs[:])
	}
}

// controlTabs is CTC.
func (t *Terminal) controlTabs() {
	switch t.param(0, 0) {
	case 0:
		t.tabs[t.cur.x] = true
	case 2:
		t.tabs[t.cur.x] = false
	case 5:
		clear(t.tabs[:])
	}
}
