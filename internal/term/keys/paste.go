package keys

import (
	"strings"
	"unicode"

	"ui-mcp/internal/term/vt"
)

// PasteStart and PasteEnd bracket text that a terminal pastes.
const PasteStart, PasteEnd = "\x1b[200~", "\x1b[201~"

// A Bracket is a paste in brackets, while it arrives: terminals and networks cut it anywhere.
type Bracket struct {
	Open    bool // its end is missing
	matched int  // bytes of the end that have arrived
}

// Find returns the number of bytes of data that belong to the paste, which must be open.
func (p *Bracket) Find(data []byte) int {
	for i, c := range data {
		if c != PasteEnd[p.matched] {
			p.matched = 0
		}
		if c == PasteEnd[p.matched] {
			p.matched++
		}
		if p.matched == len(PasteEnd) {
			*p = Bracket{}
			return i + 1
		}
	}
	return len(data)
}

// Paste returns the bytes of pasted text, in brackets if the program has asked for them. Line ends
// become carriage returns, as the Enter key sends. Tabs stay; all other control characters are
// dropped, because text with a closing bracket or with key codes could do anything.
func Paste(text string, m vt.Input) []byte {
	clean := strings.NewReplacer("\r\n", "\r", "\n", "\r").Replace(text)
	clean = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' && r != '\r' {
			return -1
		}
		return r
	}, clean)
	if m.Modes.Has(vt.ModeBracketedPaste) {
		return []byte(PasteStart + clean + PasteEnd)
	}
	return []byte(clean)
}
