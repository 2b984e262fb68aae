package vt

import (
	"slices"
	"strings"
)

// A charset is a set of 94 characters that stands in for ASCII.
type charset uint8

const (
	charsetASCII charset = iota
	charsetGraphics
	charsetSupplemental
)

// charsetNames are the final characters of the SCS sequences of each.
var charsetNames = [...]string{charsetASCII: "B", charsetGraphics: "02", charsetSupplemental: "<"}

// graphics is DEC Special Graphics, from U+005F on.
var graphics = []rune("\u00a0◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")

// charsets is the state of ISO 2022 code extension. GR is not used, because input is UTF-8.
type charsets struct {
	g      [4]charset
	gl     uint8 // which of g is in use
	single uint8 // which of g the next character comes from, or 0 (SS2, SS3)
}

// ascii reports whether no character is translated.
func (s *charsets) ascii() bool { return s.g[s.gl] == charsetASCII && s.single == 0 }

// translate returns the character that r, which must be ASCII, stands for.
func (s *charsets) translate(r rune) rune {
	set := s.g[s.gl]
	if s.single != 0 {
		set = s.g[s.single]
		s.single = 0
	}
	switch {
	case set == charsetGraphics && r >= '_' && r <= '~':
		return graphics[r-'_']
	case set == charsetSupplemental && r > ' ' && r <= '~':
		return r + 0x80
	}
	return r
}

// designate is SCS: it assigns the named set to G0 to G3. Unknown names mean ASCII.
func (t *Terminal) designate(g int, name byte) {
	i := slices.IndexFunc(charsetNames[:], func(names string) bool { return strings.IndexByte(names, name) >= 0 })
	t.cur.sets.g[g] = charset(max(i, 0))
	t.updateDirect()
}

// shiftTo is a locking shift of G0 to G3 into GL (SI, SO, LS2, LS3).
func (t *Terminal) shiftTo(g uint8) {
	t.cur.sets.gl = g
	t.updateDirect()
}

// shiftOnce is a single shift of G2 or G3 (SS2, SS3).
func (t *Terminal) shiftOnce(g uint8) {
	t.cur.sets.single = g
	t.updateDirect()
}

// updateDirect decides whether printable ASCII can go to the cells without translation, insertion
// or checks for wrapping.
func (t *Terminal) updateDirect() {
	t.direct = t.cur.sets.ascii() && t.modes.Has(ModeWrap) && !t.modes.Has(ModeInsert) && !t.doubles
}
