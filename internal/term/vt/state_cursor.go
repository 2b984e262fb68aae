package vt

import (
	"ui-mcp/internal/term/scrollback"
	"ui-mcp/internal/term/sgr"
)

// savedCursor saves a cursor. Margins and modes must be the initial ones, and are again afterwards;
// the screen is empty.
func (w *stateWriter) savedCursor(s savedCursor) {
	if s.origin {
		w.privateMode(ModeOrigin, true)
	}
	w.csi("", "H", s.y+1, s.x+1)
	if s.pending && s.x == w.t.cols-1 {
		w.add("x")
	}
	w.setPen(s.pen)
	s.sets.single = 0 // only printing would undo it
	w.setCharsets(s.sets)
	w.add("\x1b7")
	if s.origin {
		w.privateMode(ModeOrigin, false)
	}
	w.setCharsets(charsets{})
	w.setPen(scrollback.Pen{})
	w.csi("", "H")
	w.csi("", "J")
}

func (w *stateWriter) setPen(p scrollback.Pen) {
	if p.Link != w.pen.Link {
		w.osc("8;;" + w.t.links.uri(p.Link))
	}
	if on := p.Attr & sgr.Protected; on != w.pen.Attr&sgr.Protected {
		w.csi("", "\"q", int(on/sgr.Protected))
	}
	if p.Public() != w.pen.Public() {
		w.b = p.Public().AppendSGRFrom(w.b, w.pen.Public())
	}
	w.pen = p
}

func (w *stateWriter) setCharsets(s charsets) {
	for i := range s.g {
		if s.g[i] != w.sets.g[i] {
			w.add("\x1b" + "()*+"[i:i+1] + charsetNames[s.g[i]][:1])
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

// cursor sets the cursor, and the modes that matter for printing.
func (w *stateWriter) cursor() {
	t := w.t
	x, y := t.cur.x, t.cur.y
	if t.modes.Has(ModeOrigin) {
		w.top, w.left = t.top, t.left
		x, y = min(max(x, t.left), t.right), min(max(y, t.top), t.bottom)
	}
	w.lost()
	if before, ok := t.reprints(); ok {
		w.cell(t.scr.rows[y], y, before, before+1)
	} else {
		w.goTo(y, x)
	}
	w.setGraphemes(t.modes.Has(ModeGraphemes))
	if t.modes.Has(ModeInsert) {
		w.csi("", "h", 4)
	}
	w.setPen(t.cur.pen)
	w.setCharsets(t.cur.sets)
}

// reprints returns the column of the character before the cursor if printing it again leaves the
// cursor where it is: with its pending wrap, and so that the next character can join or repeat it.
func (t *Terminal) reprints() (x int, ok bool) {
	r, x, ok := t.before()
	if !ok || t.last == 0 && !t.cur.pending || t.modes.Has(ModeOrigin) && !(t.inMargins() && x >= t.left) {
		return 0, false
	}
	edge := t.cols
	if x <= t.right {
		edge = t.right + 1
	}
	edge = min(edge, r.size.Columns(t.cols))
	end := x + 1 + int(r.cells[x]&wide/wide)
	if t.cur.pending {
		return x, end == edge && t.cur.x == edge-1 && !r.wraps
	}
	return x, end < edge && t.cur.x == end
}
