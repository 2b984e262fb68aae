package keys

import (
	"strings"
	"unicode"

	"ui-mcp/internal/term/vt"
)

// PasteStart and PasteEnd bracket text that a terminal pastes.
const PasteStart, PasteEnd = "\x1b[200~", "\x1b[201~"

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
