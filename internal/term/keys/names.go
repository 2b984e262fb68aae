package keys

import (
	"strconv"
	"strings"
	"sync"
)

// A special is a key that does not stand for a character, and how terminals send it. Zero fields
// are forms that it does not have.
type special struct {
	name   string
	kitty  int    // its code in the kitty protocol, in a sequence that ends in "u"
	final  byte   // the final byte of its sequence
	number int    // the first parameter of its sequence, which ends in "~"
	keypad byte   // the final byte of its sequence while the keypad is in application mode
	as     stroke // what it stands for where only the kitty protocol has it; see also keypad
	// modifies says that it only modifies other keys.
	modifies bool
}

const lastFunction = 24

// nameHelp says which names [Encode] knows.
const nameHelp = "Enter, Tab, Escape, Backspace, Space, Up, Down, Left, Right, Home, End, PageUp, PageDown, Insert, Delete, Menu, " +
	"F1 to F24, KP0 to KP9, KPEnter (and so on), MediaPlay (and so on), VolumeUp, Super"

// specials are the keys by their names in lower case, including those that other programs use.
var specials = sync.OnceValue(func() map[string]*special {
	m := map[string]*special{}
	add := func(names string, s special) {
		list := strings.Fields(names)
		s.name = list[0]
		for _, name := range list {
			m[name] = &s
		}
	}
	add("enter return cr", special{kitty: 13})
	add("tab", special{kitty: 9})
	add("escape esc", special{kitty: 27})
	add("backspace bspace bs", special{kitty: 127})
	add("up arrowup", special{final: 'A'})
	add("down arrowdown", special{final: 'B'})
	add("right arrowright", special{final: 'C'})
	add("left arrowleft", special{final: 'D'})
	add("home", special{final: 'H'})
	add("end", special{final: 'F'})
	add("insert ins ic", special{number: 2})
	add("delete del dc", special{number: 3})
	add("pageup pgup ppage", special{number: 5})
	add("pagedown pgdn pgdown npage", special{number: 6})
	add("menu contextmenu", special{number: 29, kitty: 57363})
	for i := range lastFunction {
		s := special{}
		switch {
		case i < 4:
			s.final = 'P' + byte(i)
		case i < 12:
			s.number = [...]int{15, 17, 18, 19, 20, 21, 23, 24}[i-4]
		default: // in xterm, F13 and up are F1 and up with shift
			s.kitty, s.as = 57364+i, stroke{key: m["f"+strconv.Itoa(i-11)], mods: shift}
		}
		add("f"+strconv.Itoa(i+1), s)
	}

	const characters, finals = "0123456789./*-+\r=,", "pqrstuvwxynojmkMXl"
	for i, names := range [...]string{
		"kp0", "kp1", "kp2", "kp3", "kp4", "kp5", "kp6", "kp7", "kp8", "kp9", "kpdecimal kp.", "kpdivide kp/",
		"kpmultiply kp*", "kpsubtract kp-", "kpadd kp+", "kpenter", "kpequal", "kpseparator",
	} {
		s := special{kitty: 57399 + i, keypad: finals[i], as: stroke{char: rune(characters[i])}}
		if names == "kpenter" {
			s.as = stroke{key: m["enter"]}
		}
		add(names, s)
	}
	for i, name := range [...]string{"left", "right", "up", "down", "pageup", "pagedown", "home", "end", "insert", "delete"} {
		add("kp"+name, special{kitty: 57417 + i, as: stroke{key: m[name]}})
	}
	add("kpbegin", special{final: 'E'})

	for i, names := range [...]string{
		"mediaplay", "mediapause", "mediaplaypause", "mediareverse", "mediastop", "mediafastforward", "mediarewind",
		"medianext mediatracknext", "mediaprevious mediatrackprevious", "mediarecord",
		"volumedown audiovolumedown", "volumeup audiovolumeup", "mute audiovolumemute",
	} {
		add(names, special{kitty: 57428 + i})
	}
	add("printscreen", special{kitty: 57361})
	add("pause", special{kitty: 57362})
	add("capslock", special{kitty: 57358, modifies: true})
	add("scrolllock", special{kitty: 57359, modifies: true})
	add("numlock", special{kitty: 57360, modifies: true})
	add("super", special{kitty: 57444, modifies: true})
	return m
})
