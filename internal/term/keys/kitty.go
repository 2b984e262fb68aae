package keys

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/term/vt"
)

// An eventType says what happened to a key, by its number in the kitty protocol.
type eventType int

const (
	pressed  eventType = 1
	released eventType = 3
)

// kitty encodes s in the kitty keyboard protocol: the press, and the release if the program wants
// it and the key is not reported as text. It returns nil if there is no encoding.
func kitty(s stroke, m vt.Input) []byte {
	b := kittyEvent(s, m, pressed)
	if b != nil && m.Keys&vt.KeyEventTypes != 0 {
		b = append(b, kittyEvent(s, m, released)...)
	}
	return b
}

// kittyEvent encodes one event. Keys that are ambiguous in the legacy encoding have a sequence with
// key and modifiers.
func kittyEvent(s stroke, m vt.Input, event eventType) []byte {
	all := m.Keys&vt.KeyAllAsEscapes != 0
	clear := all || m.Keys&vt.KeyDisambiguate != 0
	k := s.key
	if k == nil {
		return kittyChar(s, m, event)
	}
	switch {
	case k.modifies:
		if !all {
			return nil
		}
		if k.name == "super" && event == pressed {
			s.mods |= super
		}
		return kittyKey(k.kitty, s.mods, event, 'u')
	case k.name == "enter", k.name == "tab", k.name == "backspace":
		if all || clear && s.mods != 0 {
			return kittyKey(k.kitty, s.mods, event, 'u')
		}
	case clear && k.kitty != 0:
		return kittyKey(k.kitty, s.mods, event, 'u')
	case k.name == "f3": // its legacy form is also the cursor position report
		return kittyKey(13, s.mods, event, '~')
	case k.number != 0 && k.kitty == 0:
		return kittyKey(k.number, s.mods, event, '~')
	case k.final != 0 && (clear || event == released || k.name == "kpbegin"):
		return kittyKey(1, s.mods, event, k.final)
	}
	return typed(legacy(s, m), event)
}

// typed returns b for a press: keys in the legacy encoding have no releases.
func typed(b []byte, event eventType) []byte {
	if event == released {
		return nil
	}
	return b
}

// kittyKey returns CSI number ; modifiers : event final, without what has its default.
func kittyKey(number int, mods modifier, event eventType, final byte) []byte {
	if number == 1 && mods == 0 && event == pressed {
		return []byte{0x1b, '[', final}
	}
	b := strconv.AppendInt([]byte("\x1b["), int64(number), 10)
	return append(appendModifiers(b, mods, event), final)
}

// appendModifiers appends the second parameter, unless it has its default.
func appendModifiers(b []byte, mods modifier, event eventType) []byte {
	if mods == 0 && event == pressed {
		return b
	}
	b = strconv.AppendInt(append(b, ';'), int64(mods)+1, 10)
	if event != pressed {
		b = strconv.AppendInt(append(b, ':'), int64(event), 10)
	}
	return b
}

func kittyChar(s stroke, m vt.Input, event eventType) []byte {
	all := m.Keys&vt.KeyAllAsEscapes != 0
	r := s.char
	if unicode.IsUpper(r) {
		r, s.mods = unicode.ToLower(r), s.mods|shift
	}
	shifted := r
	if s.mods&shift != 0 {
		shifted = unicode.ToUpper(r)
	}
	text := s.mods&^shift == 0 // the key types it
	if text && !all {
		if s.mods&shift != 0 && !unicode.IsLetter(r) && r != ' ' {
			return nil
		}
		return typed(utf8.AppendRune(nil, shifted), event)
	}
	if !all && m.Keys&vt.KeyDisambiguate == 0 && s.mods&super == 0 {
		return typed(legacyChar(s), event)
	}
	b := strconv.AppendInt([]byte("\x1b["), int64(r), 10)
	if m.Keys&vt.KeyAlternates != 0 && shifted != r {
		b = strconv.AppendInt(append(b, ':'), int64(shifted), 10)
	}
	b = appendModifiers(b, s.mods, event)
	if all && text && m.Keys&vt.KeyAssociatedText != 0 && event == pressed {
		if s.mods == 0 {
			b = append(b, ';')
		}
		b = strconv.AppendInt(append(b, ';'), int64(shifted), 10)
	}
	return append(b, 'u')
}
