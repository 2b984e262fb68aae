// Package keys has both directions of what is typed. It encodes named keys, pasted text and mouse
// events as the bytes that a program receives, each in the form that the program has asked for
// ([Encode], [Paste], [Mouse]), as xterm does, and in the kitty keyboard protocol if the program
// has enabled that. And it reads what a person's terminal sends: [Next] takes the first key off it,
// in any of these forms, and [Whole] says what is incomplete.
//
// A terminal sends more than keys. [ParseMouse] reads its reports of the mouse, a [Bracket] finds
// the end of a paste, wherever networks have cut it, and [Queries] takes out its replies to a
// program that another terminal has answered already.
//
// No state of a program or person is here: who gets a key, package overlay decides.
package keys

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/vt"
)

// A modifier is a set of modifier keys, encoded as in the parameter for them minus one. Only the
// kitty protocol has super and those after it: xterm has Meta's bit for super.
type modifier int

const (
	shift modifier = 1 << iota
	alt
	control
	super
	hyper
	meta
)

// modifiers maps names in lower case to modifiers. One-letter names need "-" after them, because
// "S+a" would be ambiguous.
var modifiers = map[string]modifier{
	"s": shift, "shift": shift,
	"m": alt, "a": alt, "alt": alt, "meta": alt, "option": alt,
	"c": control, "ctrl": control, "control": control, "^": control,
	"super": super, "win": super, "cmd": super, "command": super,
}

type stroke struct {
	mods modifier
	key  *special // nil for a character
	char rune     // the character, if the key has no name
}

// Encode returns the bytes of one key. A name is a single character ("a", "€") or that of a key in
// upper or lower case ("Enter", "PageUp", "F5", "KP0"), optionally with modifiers: C-c, M-x, S-Tab,
// C-M-Left, Super-a or Ctrl+Shift+F5. If the program wants releases reported, the bytes include
// that of the key. An unknown name, or a combination that terminals cannot express, is an error of
// kind Invalid.
func Encode(name string, m vt.Input) ([]byte, error) {
	s, err := parse(name)
	if err != nil {
		return nil, err
	}
	encode := legacy
	switch {
	case m.Keys != 0:
		encode = kitty
	case m.ModifyOtherKeys > 0:
		encode = modified
	}
	b := encode(s, m)
	if b == nil {
		return nil, fault.New(fault.Invalid, "a terminal has no code for the key %q: send another, or the character itself", name)
	}
	return b, nil
}

func parse(name string) (stroke, error) {
	var s stroke
	rest := name
	for {
		i := strings.IndexAny(rest, "-+")
		if i <= 0 || i == len(rest)-1 {
			break
		}
		mod, ok := modifiers[strings.ToLower(rest[:i])]
		if !ok || i == 1 && rest[i] == '+' {
			break
		}
		s.mods |= mod
		rest = rest[i+1:]
	}
	lower := strings.ToLower(rest)
	if lower == "space" || lower == "spc" {
		rest = " "
	}
	if r, size := utf8.DecodeRuneInString(rest); size == len(rest) && size > 0 && !(r == utf8.RuneError && size == 1) && !unicode.IsControl(r) {
		s.char = r
		return s, nil
	}
	if s.key = specials()[lower]; s.key == nil {
		return s, fault.New(fault.Invalid, "there is no key %q: a key is one character, or %s; with modifiers as in C-c, M-x, S-Tab", name, nameHelp)
	}
	return s, nil
}
