package keys

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/term/vt"
)

// finals are the last bytes of the sequences of keys that have one of their own.
var finals = map[special]byte{
	up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F',
	f1: 'P', f1 + 1: 'Q', f1 + 2: 'R', f1 + 3: 'S',
}

// numbers are the first parameters of those that end in "~".
var numbers = map[special]int{
	insert: 2, deleteKey: 3, pageUp: 5, pageDown: 6,
	f1 + 4: 15, f1 + 5: 17, f1 + 6: 18, f1 + 7: 19, f1 + 8: 20, f1 + 9: 21, f1 + 10: 23, f1 + 11: 24,
}

// legacy is how terminals have always said it. Nil: they cannot.
func legacy(s stroke, m Mode) []byte {
	if s.key == none {
		return legacyChar(s)
	}
	if s.key >= f1+12 { // a keyboard has twelve; the others are those with shift
		s.key, s.mods = s.key-12, s.mods|shift
	}
	var b []byte
	switch s.key {
	case enter:
		b = []byte("\r")
	case escape:
		b = []byte("\x1b")
	case tab:
		b = []byte("\t")
		if s.mods&shift != 0 {
			b = []byte("\x1b[Z")
		}
	case backspace:
		b = []byte("\x7f")
		if s.mods&control != 0 {
			b = []byte("\b")
		}
	default:
		return sequence(s, m.Modes.Has(vt.ModeAppCursor))
	}
	return meta(b, s.mods)
}

func legacyChar(s stroke) []byte {
	r := s.char
	if s.mods&shift != 0 {
		if !unicode.IsLetter(r) {
			if r != ' ' {
				return nil // which character that gives depends on the keyboard
			}
		}
		r = unicode.ToUpper(r)
	}
	if s.mods&control != 0 {
		c, ok := controlChar(r)
		if !ok {
			return nil
		}
		return meta([]byte{c}, s.mods)
	}
	return meta(utf8.AppendRune(nil, r), s.mods)
}

// controlChar returns the control character of a key, as xterm has them.
func controlChar(r rune) (byte, bool) {
	switch {
	case r >= 'a' && r <= 'z' || r >= '@' && r <= '_':
		return byte(r) & 0x1f, true
	case r == ' ' || r == '2':
		return 0, true
	case r >= '3' && r <= '7':
		return byte(r) - '3' + 0x1b, true
	case r == '/':
		return 0x1f, true
	case r == '?' || r == '8':
		return 0x7f, true
	}
	return 0, false
}

// meta puts ESC before the bytes of a key that is pressed with Alt.
func meta(b []byte, mods modifier) []byte {
	if mods&alt != 0 {
		return append([]byte{0x1b}, b...)
	}
	return b
}

// sequence is the control sequence of a key that has one.
func sequence(s stroke, application bool) []byte {
	if n, ok := numbers[s.key]; ok {
		return csi(n, s.mods, '~')
	}
	final := finals[s.key]
	if s.mods != 0 {
		return csi(1, s.mods, final)
	}
	if application || s.key >= f1 {
		return []byte{0x1b, 'O', final}
	}
	return []byte{0x1b, '[', final}
}

// csi is CSI number ; modifiers final. Without modifiers there is no parameter
// for them.
func csi(number int, mods modifier, final byte) []byte {
	b := strconv.AppendInt([]byte("\x1b["), int64(number), 10)
	if mods != 0 {
		b = strconv.AppendInt(append(b, ';'), int64(mods)+1, 10)
	}
	return append(b, final)
}
