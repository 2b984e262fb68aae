package vt

// Resize changes the size. A new width rewraps the text of the primary screen and its history; the
// alternate screen is cut, because programs redraw it. Text of the primary screen is never lost:
// lines that no longer fit move to the history, and come back when there is room. A synchronized
// update ends. A size outside the limits is an error of kind Invalid.
func (t *Terminal) Resize(cols, rows int) error {
	if err := CheckSize(cols, rows); err != nil {
		return err
	}
	if cols == t.cols && rows == t.rows {
		return nil
	}
	t.frozen = nil
	t.modes.set(ModeSynchronized, false)
	cur := &t.cur
	if t.scr == &t.alternate {
		cur = &t.primary.saved.cursor
		t.resizeAlternate(cols, rows)
	}
	if cols == t.cols {
		t.resizeHeight(rows, cur)
	} else {
		t.reflow(cols, rows, cur)
	}
	t.cols, t.rows = cols, rows
	t.last = 0
	t.resetMargins()
	for _, c := range [...]*cursor{&t.cur, &t.primary.saved.cursor, &t.alternate.saved.cursor} {
		c.y = max(0, min(c.y, rows-1))
		if c.x >= cols {
			c.x = cols - 1
		}
		c.pending = c.pending && c.x == cols-1
	}
	t.updateDoubles() // a line of double size may have come back from the history
	t.clampToLine()
	t.redraw()
	if t.modes.Has(ModeResizeReports) {
		t.reportSize()
	}
	t.commit()
	return nil
}

// resizeAlternate cuts the active alternate screen so that the cursor's row stays on it.
func (t *Terminal) resizeAlternate(cols, rows int) {
	if over := t.cur.y - rows + 1; over > 0 {
		t.alternate.rows = t.alternate.rows[over:]
		t.cur.y -= over
	}
	t.alternate.crop(rows, cols, t.stamp)
	t.cur.pending = false
}

// content returns the number of rows up to the last one that is not empty.
func (s *screen) content() int {
	n := len(s.rows)
	for n > 0 && s.rows[n-1].empty() {
		n--
	}
	return n
}

// resizeHeight changes the height of the primary screen. cur is its cursor.
func (t *Terminal) resizeHeight(rows int, cur *cursor) {
	p := &t.primary
	used := max(p.content(), cur.y+1)
	down := 0 // rows by which the text moves down
	if over := used - rows; over > 0 {
		for _, r := range p.rows[:over] {
			t.remember(r)
		}
		p.rows = p.rows[over:]
		down = -over
	} else if room := rows - len(p.rows); room > 0 && used == len(p.rows) {
		down = min(room, t.history.Len())
		back := make([]*row, down, rows)
		for i := down - 1; i >= 0; i-- {
			back[i] = newRow(t.cols, t.stamp)
			t.unpack(back[i], t.history.Pop())
		}
		p.rows = append(back, p.rows...)
	}
	for _, c := range t.primaryCursors(cur) {
		c.y += down
	}
	p.crop(rows, t.cols, t.stamp)
}
