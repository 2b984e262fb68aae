package vt

import (
	"slices"
	"strings"
)

// A charset is a set of 94 or 96 characters that stands in for ASCII: an index of knownSets.
type charset uint8

const (
	charsetASCII charset = iota
	charsetGraphics
	charsetSupplemental
)

// replacedChars are the characters that national sets replace.
const replacedChars = "#@[\\]^_`{|}~"

type knownSet struct {
	names    []string // final characters of its SCS sequences, with the intermediate if there is one
	national []rune   // what a national set has instead of replacedChars
}

var knownSets = [...]knownSet{
	charsetASCII:        {names: []string{"B"}},
	charsetGraphics:     {names: []string{"0", "2"}},
	charsetSupplemental: {names: []string{"<", "%5"}},
	{[]string{"A"}, []rune("£@[\\]^_`{|}~")},          // United Kingdom
	{[]string{"4"}, []rune("£¾ĳ½|^_`¨ƒ¼´")},           // Dutch
	{[]string{"C", "5"}, []rune("#@ÄÖÅÜ_éäöåü")},      // Finnish
	{[]string{"R", "f"}, []rune("£à°ç§^_`éùè¨")},      // French
	{[]string{"Q", "9"}, []rune("#àâçêî_ôéùèû")},      // French Canadian
	{[]string{"K"}, []rune("#§ÄÖÜ^_`äöüß")},           // German
	{[]string{"Y"}, []rune("£§°çé^_ùàòèì")},           // Italian
	{[]string{"E", "6", "`"}, []rune("#ÄÆØÅÜ_äæøåü")}, // Norwegian
	{[]string{"Z"}, []rune("£§¡Ñ¿^_`°ñç~")},           // Spanish
	{[]string{"H", "7"}, []rune("#ÉÄÖÅÜ_éäöåü")},      // Swedish
	{[]string{"="}, []rune("ùàéçêîèôäöüû")},           // Swiss
}

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
	switch set {
	case charsetASCII:
	case charsetGraphics:
		if r >= '_' && r <= '~' {
			return graphics[r-'_']
		}
	case charsetSupplemental:
		if r > ' ' && r <= '~' {
			return r + 0x80
		}
	default:
		if i := strings.IndexRune(replacedChars, r); i >= 0 {
			return knownSets[set].national[i]
		}
	}
	return r
}

// designate is SCS: it assigns the named set to G0 to G3. Unknown names mean ASCII.
func (t *Terminal) designate(g int, name string) {
	i := slices.IndexFunc(knownSets[:], func(s knownSet) bool { return slices.Contains(s.names, name) })
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
