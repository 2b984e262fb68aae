package keys

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/term/vt"
)

// legacy encodes s as xterm does by default, or returns nil if there is no encoding.
func legacy(s stroke, m vt.Input) []byte {
	if s.mods&super != 0 {
		return nil
	}
	if k := s.key; k != nil && k.keypad != 0 && s.mods&^alt == 0 && m.Modes.Has(vt.ModeAppKeypad) {
		return withAlt([]byte{0x1b, 'O', k.keypad}, s.mods)
	}
	if k := s.key; k != nil && k.as != (stroke{}) {
		s = stroke{s.mods | k.as.mods, k.as.key, k.as.char}
	}
	if s.key == nil {
		return legacyChar(s)
	}
	var b []byte
	switch s.key.name {
	case "enter":
		b = []byte("\r")
		if m.Modes.Has(vt.ModeLineFeed) {
			b = []byte("\r\n")
		}
	case "escape":
		b = []byte("\x1b")
	case "tab":
		b = []byte("\t")
		if s.mods&shift != 0 {
			b = []byte("\x1b[Z")
		}
	case "backspace":
		b = []byte("\x7f")
		if s.mods&control != 0 {
			b = []byte("\b")
		}
	default:
		return sequence(s, m.Modes.Has(vt.ModeAppCursor))
	}
	return withAlt(b, s.mods)
}

func legacyChar(s stroke) []byte {
	r := s.char
	if s.mods&shift != 0 {
		if !unicode.IsLetter(r) && r != ' ' {
			return nil // the resulting character depends on the keyboard layout
		}
		r = unicode.ToUpper(r)
	}
	if s.mods&control != 0 {
		c, ok := controlChar(r)
		if !ok {
			return nil
		}
		return withAlt([]byte{c}, s.mods)
	}
	return withAlt(utf8.AppendRune(nil, r), s.mods)
}

// controlChar returns the control character of a key with Ctrl, as in xterm.
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

// withAlt prefixes the bytes of a key with ESC if Alt is held.
func withAlt(b []byte, mods modifier) []byte {
	if mods&alt != 0 {
		return append([]byte{0x1b}, b...)
	}
	return b
}

// sequence returns the control sequence of a key, or nil if it has none.
func sequence(s stroke, application bool) []byte {
	switch k := s.key; {
	case k.number != 0:
		return kittyKey(k.number, s.mods, pressed, '~')
	case k.final == 0:
		return nil
	case s.mods == 0 && (application || k.final >= 'P'):
		return []byte{0x1b, 'O', k.final}
	default:
		return kittyKey(1, s.mods, pressed, k.final)
	}
}

// modified is legacy for a program that has set modifyOtherKeys: keys with modifiers that have no
// code of their own otherwise get one with the character and the modifiers.
func modified(s stroke, m vt.Input) []byte {
	usual, code := legacy(s, m), int(s.char)
	expressed := usual != nil || s.mods&^shift == 0
	if k := s.key; k != nil {
		code = k.kitty
		expressed = code == 0 || code > 127 || s.mods&^alt == 0 || k.name == "tab" && s.mods == shift || k.name == "backspace"
	}
	if expressed || s.mods&super != 0 {
		return usual
	}
	return fmt.Appendf(nil, "\x1b[27;%d;%d~", s.mods+1, code)
}
