package keys

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/term/vt"
)

// codes are the codes of special keys that have one in the kitty protocol.
var codes = map[special]int{enter: 13, tab: 9, escape: 27, backspace: 127}

// firstHighFunction is the code of F13.
const firstHighFunction = 57376

// kitty encodes s in the kitty keyboard protocol, in which keys that are ambiguous in the legacy
// encoding have a sequence with key and modifiers. It returns nil if there is no encoding.
func kitty(s stroke, m Mode) []byte {
	all := m.Keys&vt.KeyAllAsEscapes != 0
	switch {
	case s.key == none:
		return kittyChar(s, all, m.Keys&vt.KeyAssociatedText != 0)
	case s.key == escape || codes[s.key] != 0 && (all || s.mods != 0):
		return csi(codes[s.key], s.mods, 'u')
	case codes[s.key] != 0:
		return legacy(s, m)
	case s.key >= f1+12:
		return csi(firstHighFunction+int(s.key-f1-12), s.mods, 'u')
	case s.key == f1+2: // its legacy form is also the cursor position report
		return csi(13, s.mods, '~')
	case s.mods == 0 && finals[s.key] != 0:
		return []byte{0x1b, '[', finals[s.key]}
	}
	return sequence(s, false)
}

func kittyChar(s stroke, all, text bool) []byte {
	r := s.char
	if unicode.IsUpper(r) {
		r, s.mods = unicode.ToLower(r), s.mods|shift
	}
	typed := r
	if s.mods&shift != 0 {
		typed = unicode.ToUpper(r)
	}
	if s.mods&(alt|control) == 0 && !all {
		if s.mods&shift != 0 && !unicode.IsLetter(r) && r != ' ' {
			return nil
		}
		return utf8.AppendRune(nil, typed)
	}
	b := csi(int(r), s.mods, 'u')
	if all && text && s.mods&(alt|control) == 0 {
		b = b[:len(b)-1]
		if s.mods == 0 {
			b = append(b, ';')
		}
		b = append(strconv.AppendInt(append(b, ';'), int64(typed), 10), 'u')
	}
	return b
}
