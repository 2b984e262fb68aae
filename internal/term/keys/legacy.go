package keys

import (
	"slices"
	"strconv"
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

// modified encodes s as xterm does after modifyOtherKeys was set: keys with modifiers that have no
// sequence of their own get one with the character and the modifiers. On level 1 that is only for
// those which the legacy encoding cannot express, on level 2 for all but text. It returns nil if
// there is no encoding.
func modified(s stroke, m vt.Input) []byte {
	if s.mods&super != 0 {
		return nil
	}
	all := m.ModifyOtherKeys >= 2
	var code int
	var usual bool // the legacy encoding expresses it
	switch {
	case s.key == nil:
		r := s.char
		if unicode.IsUpper(r) {
			s.mods |= shift
		}
		if s.mods&shift != 0 {
			r = unicode.ToUpper(r)
		}
		if s.mods&^shift == 0 {
			return legacy(s, m)
		}
		code = int(r)
		_, ok := controlChar(r)
		usual = s.mods&control == 0 || ok && s.mods&shift == 0
	case slices.Contains([]string{"enter", "escape", "tab", "backspace"}, s.key.name):
		code = s.key.kitty
		usual = s.mods&^alt == 0 || s.key.name == "tab" && s.mods == shift || s.key.name == "backspace"
	default:
		return legacy(s, m)
	}
	if s.mods == 0 || usual && !all {
		return legacy(s, m)
	}
	b := strconv.AppendInt([]byte("\x1b[27;"), int64(s.mods)+1, 10)
	return append(strconv.AppendInt(append(b, ';'), int64(code), 10), '~')
}
