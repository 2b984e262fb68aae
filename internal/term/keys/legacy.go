package keys

import (
	"strconv"
	"sync"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/term/vt"
)

// finals are the final bytes of the keys whose sequences differ in it.
var finals = map[special]byte{
	up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F',
	f1: 'P', f1 + 1: 'Q', f1 + 2: 'R', f1 + 3: 'S', keypadBegin: 'E',
}

// numbers are the first parameters of the keys whose sequences end in "~".
var numbers = map[special]int{
	insert: 2, deleteKey: 3, pageUp: 5, pageDown: 6, menu: 29,
	f1 + 4: 15, f1 + 5: 17, f1 + 6: 18, f1 + 7: 19, f1 + 8: 20, f1 + 9: 21, f1 + 10: 23, f1 + 11: 24,
}

// keypad has the keys of the keypad: the final character of the sequence that they send in
// application mode, or 0, and the key that they stand for otherwise.
var keypad = sync.OnceValue(func() map[special]struct {
	final byte
	as    stroke
} {
	type entry = struct {
		final byte
		as    stroke
	}
	m := map[special]entry{
		keypadDecimal: {'n', stroke{char: '.'}}, keypadDivide: {'o', stroke{char: '/'}}, keypadMultiply: {'j', stroke{char: '*'}},
		keypadSubtract: {'m', stroke{char: '-'}}, keypadAdd: {'k', stroke{char: '+'}}, keypadEnter: {'M', stroke{key: enter}},
		keypadEqual: {'X', stroke{char: '='}}, keypadSeparator: {'l', stroke{char: ','}},
		keypadLeft: {0, stroke{key: left}}, keypadRight: {0, stroke{key: right}}, keypadUp: {0, stroke{key: up}}, keypadDown: {0, stroke{key: down}},
		keypadPageUp: {0, stroke{key: pageUp}}, keypadPageDown: {0, stroke{key: pageDown}}, keypadHome: {0, stroke{key: home}},
		keypadEnd: {0, stroke{key: end}}, keypadInsert: {0, stroke{key: insert}}, keypadDelete: {0, stroke{key: deleteKey}},
	}
	for i := range special(10) {
		m[keypad0+i] = entry{'p' + byte(i), stroke{char: '0' + rune(i)}}
	}
	return m
})

// legacy encodes s as xterm does by default, or returns nil if there is no encoding.
func legacy(s stroke, m Mode) []byte {
	if s.mods&super != 0 {
		return nil
	}
	if k, ok := keypad()[s.key]; ok {
		if k.final != 0 && s.mods&^alt == 0 && m.Modes.Has(vt.ModeAppKeypad) {
			return meta([]byte{0x1b, 'O', k.final}, s.mods)
		}
		s.key, s.char = k.as.key, k.as.char
	}
	if s.key == none {
		return legacyChar(s)
	}
	if s.key >= f1+12 { // in xterm, F13 and up are F1 and up with shift
		s.key, s.mods = s.key-12, s.mods|shift
	}
	var b []byte
	switch s.key {
	case enter:
		b = []byte("\r")
		if m.Modes.Has(vt.ModeLineFeed) {
			b = []byte("\r\n")
		}
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
				return nil // the resulting character depends on the keyboard layout
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

// meta prefixes the bytes of a key with ESC if Alt is held.
func meta(b []byte, mods modifier) []byte {
	if mods&alt != 0 {
		return append([]byte{0x1b}, b...)
	}
	return b
}

// sequence returns the control sequence of a key in finals or numbers, or nil for other keys.
func sequence(s stroke, application bool) []byte {
	if n, ok := numbers[s.key]; ok {
		return csi(n, s.mods, '~')
	}
	final, ok := finals[s.key]
	if !ok {
		return nil
	}
	if s.mods != 0 {
		return csi(1, s.mods, final)
	}
	if application || s.key >= f1 {
		return []byte{0x1b, 'O', final}
	}
	return []byte{0x1b, '[', final}
}

// csi returns CSI number ; modifiers final, without the second parameter if there are no modifiers.
func csi(number int, mods modifier, final byte) []byte {
	b := strconv.AppendInt([]byte("\x1b["), int64(number), 10)
	if mods != 0 {
		b = strconv.AppendInt(append(b, ';'), int64(mods)+1, 10)
	}
	return append(b, final)
}
