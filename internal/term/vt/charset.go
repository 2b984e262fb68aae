package vt

// A charset is a set of 94 or 96 graphic characters that stands in for ASCII.
type charset uint8

const (
	charsetASCII charset = iota
	charsetGraphics
	charsetSupplemental
	charsetUK
	charsetDutch
	charsetFinnish
	charsetFrench
	charsetCanadian
	charsetGerman
	charsetItalian
	charsetNorwegian
	charsetSpanish
	charsetSwedish
	charsetSwiss
)

// charsetNames maps the final characters of the sequences that designate a set (SCS), with their
// intermediate if they have one.
var charsetNames = map[string]charset{
	"B": charsetASCII, "0": charsetGraphics, "2": charsetGraphics, "<": charsetSupplemental, "%5": charsetSupplemental,
	"A": charsetUK, "4": charsetDutch, "C": charsetFinnish, "5": charsetFinnish,
	"R": charsetFrench, "f": charsetFrench, "Q": charsetCanadian, "9": charsetCanadian, "K": charsetGerman,
	"Y": charsetItalian, "E": charsetNorwegian, "6": charsetNorwegian, "`": charsetNorwegian,
	"Z": charsetSpanish, "H": charsetSwedish, "7": charsetSwedish, "=": charsetSwiss,
}

// replacedChars are the characters that national sets replace, in the order of the strings in
// nationalSets.
const replacedChars = "#@[\\]^_`{|}~"

// nationalSets are the national replacement character sets.
var nationalSets = map[charset][]rune{
	charsetUK:        []rune("£@[\\]^_`{|}~"),
	charsetDutch:     []rune("£¾ĳ½|^_`¨ƒ¼´"),
	charsetFinnish:   []rune("#@ÄÖÅÜ_éäöåü"),
	charsetFrench:    []rune("£à°ç§^_`éùè¨"),
	charsetCanadian:  []rune("#àâçêî_ôéùèû"),
	charsetGerman:    []rune("#§ÄÖÜ^_`äöüß"),
	charsetItalian:   []rune("£§°çé^_ùàòèì"),
	charsetNorwegian: []rune("#ÄÆØÅÜ_äæøåü"),
	charsetSpanish:   []rune("£§¡Ñ¿^_`°ñç~"),
	charsetSwedish:   []rune("#ÉÄÖÅÜ_éäöåü"),
	charsetSwiss:     []rune("ùàéçêîèôäöüû"),
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
		for i := range len(replacedChars) {
			if rune(replacedChars[i]) == r {
				return nationalSets[set][i]
			}
		}
	}
	return r
}

// designate is SCS: it assigns the named set to G0 to G3. Unknown names mean ASCII.
func (t *Terminal) designate(g int, name string) {
	t.cur.sets.g[g] = charsetNames[name]
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
