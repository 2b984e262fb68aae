package vt

import (
	"unicode/utf8"
)

// savedCursor saves a cursor. Margins and modes must be the initial ones, and are again afterwards;
// the screen is empty.
func (w *stateWriter) savedCursor(s savedCursor) {
	marginal := s.pending && s.x < w.t.cols-1
	doubled := marginal && s.x == 0 // margins have two columns at least
	if doubled {
		marginal = false
		w.csi("", "H", s.y+1, 1)
		w.add("\x1b#6")
	}
	if marginal {
		w.privateMode(ModeLeftRightMargins, true)
		w.csi("", "s", 1, s.x+1)
	}
	if s.origin {
		w.privateMode(ModeOrigin, true)
	}
	w.csi("", "H", s.y+1, s.x+1)
	if s.pending {
		w.add("x")
	}
	if marginal {
		w.privateMode(ModeLeftRightMargins, false) // leaves the wrap pending
	}
	w.setPen(s.pen)
	w.setCharsets(s.sets)
	w.add("\x1b7")
	if s.origin {
		w.privateMode(ModeOrigin, false)
	}
	if s.sets.single != 0 {
		w.csi("", "H")
		w.add("x") // the only way to undo it
		w.sets.single = 0
	}
	w.setCharsets(charsets{})
	w.setPen(pen{})
	if doubled {
		w.csi("", "H", s.y+1, 1)
		w.add("\x1b#5")
	}
	w.csi("", "H")
	w.csi("", "J")
}

func (w *stateWriter) setPen(p pen) {
	if p.link != w.pen.link {
		key := ""
		if k := w.t.links.key(p.link); k != "" {
			key = "id=" + k
		}
		w.osc("8;" + key + ";" + w.t.links.uri(p.link))
	}
	if on := p.Attr & protected; on != w.pen.Attr&protected {
		w.csi("", "\"q", int(on/protected))
	}
	if p.public() != w.pen.public() {
		w.add("\x1b[")
		w.b = p.public().AppendSGR(w.b)
		w.add("m")
	}
	w.pen = p
}

func (w *stateWriter) setCharsets(s charsets) {
	for i := range s.g {
		if s.g[i] != w.sets.g[i] {
			w.add("\x1b" + "()*+"[i:i+1] + knownSets[s.g[i]].names[0])
		}
	}
	if s.gl != w.sets.gl {
		w.add([...]string{"\x0f", "\x0e", "\x1bn", "\x1bo"}[s.gl])
	}
	if s.single != w.sets.single {
		w.add([...]string{2: "\x1bN", 3: "\x1bO"}[s.single])
	}
	w.sets = s
}

// unplaceable reports whether the cursor is in a state that output can reach only by restoring a
// saved cursor: outside the margins in origin mode, or with a pending wrap that no character at its
// position would leave there.
func (t *Terminal) unplaceable() bool {
	if t.modes.Has(ModeOrigin) && !t.inMargins() {
		return true
	}
	if !t.cur.pending || t.reprints() {
		return false
	}
	return t.scr.rows[t.cur.y].wraps || t.cur.x != t.edge()-1 && (!t.fullWidth() || t.cur.x == 0)
}

// reprints reports whether the character before the cursor must be printed again, because the next
// one can join or repeat it. That cannot be done while inserting if it was narrow at first.
func (t *Terminal) reprints() bool {
	if t.last == 0 {
		return false
	}
	r, x, ok := t.before()
	if !ok {
		return false
	}
	c := r.cells[x]
	widened := c&wide != 0 && c&clusterFlag != 0 && classOf(t.clusters.base(c&contentMask))&classWidth == 1
	return !widened || !t.modes.Has(ModeInsert)
}

// startCursor returns the cursor before the text that cursor prints again.
func (t *Terminal) startCursor() cursor {
	c := t.cur
	if t.reprints() {
		_, c.x, _ = t.before()
		c.pending = false
	}
	return c
}

// cursor sets the cursor, and the modes that matter for printing.
func (w *stateWriter) cursor() {
	t := w.t
	start := t.startCursor()
	if t.modes.Has(ModeOrigin) {
		w.top, w.left = t.top, t.left
	}
	w.wraps = t.modes.Has(ModeWrap)
	w.lost()
	finish := func() {
		w.setGraphemes(t.modes.Has(ModeGraphemes))
		if t.modes.Has(ModeInsert) {
			w.csi("", "h", 4)
		}
		w.setPen(t.cur.pen)
		w.setCharsets(t.cur.sets)
	}
	switch {
	case t.unplaceable():
		if t.reprints() && t.modes.Has(ModeInsert) {
			// The cursor is outside the margins, where DECCRA reaches only without origin mode.
			top, left := w.top, w.left
			w.privateMode(ModeOrigin, false)
			w.top, w.left = 0, 0
			w.makeRoom(start)
			w.privateMode(ModeOrigin, true)
			w.top, w.left = top, left
		}
		w.add("\x1b8")
		w.pen, w.sets = t.cur.pen, t.cur.sets
		finish()
	case start.pending:
		marginal := t.cur.x != t.edge()-1
		if marginal {
			w.privateMode(ModeLeftRightMargins, true)
			w.csi("", "s", 1, t.cur.x+1)
		}
		w.pendingWrap()
		w.lineFeed() // nothing joins that character
		if marginal {
			w.privateMode(ModeLeftRightMargins, false)
			if t.modes.Has(ModeLeftRightMargins) {
				w.privateMode(ModeLeftRightMargins, true)
			}
		}
		finish()
	default:
		finish()
		if t.reprints() && t.modes.Has(ModeInsert) {
			w.makeRoom(start)
		}
		w.goTo(start.y, start.x)
	}
	if t.reprints() {
		w.lastCharacter()
	}
}

// pendingWrap prints the character under the cursor again, which leaves a wrap pending.
func (w *stateWriter) pendingWrap() {
	t := w.t
	y, x := t.cur.y, t.cur.x
	r := t.scr.rows[y]
	c := cell(0)
	if x < r.used {
		c = r.cells[x]
	}
	if c&widthMask == tail {
		x--
		c = r.cells[x]
	}
	p := t.pens.pens[c.pen()].pen
	w.goTo(y, x)
	if c&contentMask != 0 {
		w.setPen(p)
		w.print(c)
		return
	}
	if r.empty() {
		w.setPen(pen{})
		w.add(" ")
		w.csi("", "K", 2)
		return
	}
	w.setPen(p)
	w.add(" ")
	// Rectangles are emptied without moving the cursor.
	final := "$z"
	if p != (pen{Style: Style{BG: p.BG}}) { // a link counts, too
		final = "${"
	}
	from := min(x, r.used) // with the columns before it that are no part of the text either
	w.csi("", final, y-w.top+1, from-w.left+1, y-w.top+1, x-w.left+1)
}

// lastCharacter prints the last character again, so that what comes next can join or repeat it.
func (w *stateWriter) lastCharacter() {
	t := w.t
	r, x, _ := t.before()
	text := t.clusters.append(nil, r.cells[x]&contentMask)
	for _, c := range string(text) {
		w.input(c)
	}
	// The last character did not fit into the cell.
	if last, _ := utf8.DecodeLastRune(text); last != t.last && classOf(t.last)&classWidth == 0 {
		w.input(t.last)
	}
	if r.cells[x]&wide != 0 && !t.cur.pending && t.cur.x == x+1 {
		w.csi("", "b") // repeating it without room and DECAWM undid the pending wrap
	}
}

// makeRoom moves the text from the character at c on to the left, by as many columns as inserting
// that character again moves it to the right.
func (w *stateWriter) makeRoom(c cursor) {
	t := w.t
	at := t.scr.rows[c.y].cells[c.x]
	n := 1 + int(at&wide/wide)
	if c.x < t.left || c.x > t.right {
		return // it moves nothing there
	}
	if edge := t.right + 1; c.x+n < edge {
		y, x := c.y-w.top+1, c.x-w.left+1
		w.csi("", "$v", y, x+n, y, edge-w.left, 1, y, x, 1)
	}
}

// input writes a character that the character sets translate to c.
func (w *stateWriter) input(c rune) {
	t := w.t
	for g, shift := range [...]string{"", "\x1bN", "\x1bO"} {
		for b := rune(' '); b <= '~' && c < 0x80; b++ {
			sets := t.cur.sets
			if sets.single == 0 && g > 0 {
				sets.single = uint8(g + 1)
			}
			if sets.translate(b) == c {
				w.add(shift + string(b))
				return
			}
		}
	}
	w.add(string(c))
}
