package keys

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/term/escape"
	"ui-mcp/internal/term/vt"
)

// A Key is a key that the person pressed.
type Key struct {
	// Key is the character, or a name such as "Enter", "ArrowUp" or "F5".
	Key       string   `json:"key"`
	Modifiers []string `json:"modifiers"` // of "ctrl", "alt", "shift", "super"
	// Event is "repeat" or "release" where the terminal reports these, else "".
	Event string `json:"event,omitempty"`
}

// Name returns the name of a key as persons write it: the character or name, after C-, M- and S-
// for Ctrl, Alt and Shift. A character has no S-.
func (k *Key) Name() string {
	name := k.Key
	if slices.Contains(k.Modifiers, "shift") && utf8.RuneCountInString(name) > 1 {
		name = "S-" + name
	}
	if slices.Contains(k.Modifiers, "alt") {
		name = "M-" + name
	}
	if slices.Contains(k.Modifiers, "ctrl") {
		name = "C-" + strings.ToLower(name)
	}
	return name
}

// Erase returns a line without what a key of line editors removes at its end, given the key's name:
// a character, a word, or everything. It reports false for other keys.
func Erase(line, key string) (string, bool) {
	switch key {
	case "Backspace", "C-h":
		_, n := utf8.DecodeLastRuneInString(line)
		return line[:len(line)-n], true
	case "C-w":
		line = strings.TrimRight(line, " ")
		return line[:strings.LastIndex(line, " ")+1], true
	case "C-u":
		return "", true
	}
	return line, false
}

// Next returns the length in bytes of the first key in data, which must not be empty, and the key,
// or nil: for a mouse report, a bracket of a paste, the terminal's answer to a query, and an
// incomplete sequence.
func Next(data []byte) (int, *Key) {
	if data[0] != 0x1b {
		return plainKey(data)
	}
	if len(data) == 1 {
		return 1, newKey("Escape", 0)
	}
	switch data[1] {
	case '[':
		if len(data) > 2 {
			return csiKey(data)
		}
	case 'O':
		if len(data) > 2 {
			if name := letterKeys[data[2]]; name != "" {
				return 3, newKey(name, 0)
			}
		}
	case ']', 'P', '_': // the terminal's answer to a query, or else Alt
		if n, end := escape.String(data, 2); end == escape.Whole {
			return n, nil
		}
	case 0x1b: // Escape, followed by another key
		return 1, newKey("Escape", 0)
	}
	n, key := plainKey(data[1:])
	if key == nil {
		return n + 1, nil
	}
	return n + 1, key.with(alt)
}

func newKey(name string, mods modifier) *Key {
	k := &Key{Key: name, Modifiers: []string{}}
	return k.with(mods)
}

// with adds modifiers to a key without them.
func (k *Key) with(mods modifier) *Key {
	for _, m := range [...]struct {
		bits modifier
		name string
	}{{control, "ctrl"}, {alt | meta, "alt"}, {shift, "shift"}, {super | hyper, "super"}} {
		if mods&m.bits != 0 {
			k.Modifiers = append(k.Modifiers, m.name)
		}
	}
	return k
}

// plainKey parses a key that is not an escape sequence.
func plainKey(data []byte) (int, *Key) {
	switch c := data[0]; {
	case c == '\t':
		return 1, newKey("Tab", 0)
	case c == '\r':
		return 1, newKey("Enter", 0)
	case c == 0x7f:
		return 1, newKey("Backspace", 0)
	case c == 0x1b:
		return 1, newKey("Escape", 0)
	case c == 0:
		return 1, newKey(" ", control)
	case c < ' ':
		return 1, newKey(string(unicode.ToLower(rune(c|0x40))), control)
	}
	r, n := utf8.DecodeRune(data)
	if r == utf8.RuneError {
		return n, nil
	}
	return n, newKey(string(r), 0)
}

// letterKeys are the keys of SS3 and CSI sequences by their final letter.
var letterKeys = [256]string{
	'A': "ArrowUp", 'B': "ArrowDown", 'C': "ArrowRight", 'D': "ArrowLeft",
	'F': "End", 'H': "Home", 'P': "F1", 'Q': "F2", 'R': "F3", 'S': "F4", 'M': "Enter",
}

var numberKeys = map[int]string{
	1: "Home", 2: "Insert", 3: "Delete", 4: "End", 5: "PageUp", 6: "PageDown", 7: "Home", 8: "End",
	11: "F1", 12: "F2", 13: "F3", 14: "F4", 15: "F5", 17: "F6", 18: "F7", 19: "F8", 20: "F9", 21: "F10", 23: "F11", 24: "F12",
}

// codeKeys are the keys whose code in kitty's and xterm's reports is not a printable character. The
// last one is on the keypad.
var codeKeys = map[int]string{9: "Tab", 13: "Enter", 27: "Escape", 127: "Backspace", 57414: "Enter"}

// csiKey parses a control sequence.
func csiKey(data []byte) (int, *Key) {
	n, end := escape.Next(data)
	if end != escape.Whole {
		return n, nil
	}
	final, params := data[n-1], string(data[2:n-1])
	if final == 'M' && params == "" { // the mouse, in its oldest form
		return min(n+3, len(data)), nil
	}
	if strings.Trim(params, "0123456789;:") != "" {
		return n, nil
	}
	p := strings.Split(params, ";")
	mods, event := held(p, 1)
	var key *Key
	switch {
	case final == 'u':
		key = codeKey(number(p, 0), mods)
	case final == '~' && number(p, 0) == 27 && len(p) == 3: // modifyOtherKeys
		key = codeKey(number(p, 2), mods)
	case final == '~':
		if name, ok := numberKeys[number(p, 0)]; ok {
			key = newKey(name, mods)
		}
	case final == 'Z':
		key = newKey("Tab", mods|shift)
	case final != 'M' && letterKeys[final] != "" && number(p, 0) <= 1:
		key = newKey(letterKeys[final], mods)
	}
	if key != nil {
		key.Event = event
	}
	return n, key
}

func codeKey(code int, mods modifier) *Key {
	if name, ok := codeKeys[code]; ok {
		return newKey(name, mods)
	}
	r := rune(code)
	if code < ' ' || code > unicode.MaxRune || code >= 57344 && code <= 63743 || !utf8.ValidRune(r) {
		return nil // kitty's codes for keys without a character
	}
	return newKey(string(r), mods)
}

// number returns the first subparameter of parameter i, or 0.
func number(p []string, i int) int {
	if i >= len(p) {
		return 0
	}
	first, _, _ := strings.Cut(p[i], ":")
	n, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return n
}

// held returns the modifiers and the event that parameter i reports.
func held(p []string, i int) (mods modifier, event string) {
	if i < len(p) {
		switch _, kind, _ := strings.Cut(p[i], ":"); kind {
		case "2":
			event = "repeat"
		case "3":
			event = "release"
		}
	}
	return modifier(max(number(p, i)-1, 0)), event
}

// maxHeld is the longest control sequence that [Whole] finds incomplete, in bytes.
const maxHeld = 32

// Whole returns the length of what was typed without an incomplete character or control sequence at
// its end; with escapes, also without Escape, Alt+[ and Alt+O, which look like the start of one.
func Whole(b []byte, escapes bool) int {
	n := vt.Whole(b)
	switch i := bytes.LastIndexByte(b, 0x1b); {
	case n < len(b) && n > 0 && i == n-1: // typed with Alt
		return i
	case n < len(b) || i < 0:
	case len(b)-i <= maxHeld && escape.Incomplete(b[i:]),
		escapes && (i == len(b)-1 || i == len(b)-2 && (b[i+1] == '[' || b[i+1] == 'O')):
		return i
	}
	return n
}
