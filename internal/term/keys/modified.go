package keys

import (
	"slices"
	"strconv"
	"unicode"
)

// modified encodes s as xterm does after modifyOtherKeys was set: keys with modifiers that have no
// sequence of their own get one with the character and the modifiers. On level 1 that is only for
// those which the legacy encoding cannot express, on level 2 for all but text. It returns nil if
// there is no encoding.
func modified(s stroke, m Mode) []byte {
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
