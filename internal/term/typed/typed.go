// Package typed follows what is typed at the end of a line, and reports the lines that it
// completes. It knows the keys that line editors have in common. After those that move in a line,
// complete or recall it, only the screen shows what is there. It is pure.
//
// It does not guard anything: a program that wants to deceive it can, since a shell may bind other
// keys, and quoting, variables and scripts hide what a line does.
package typed

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/term/escape"
)

// A Line is the line that is being typed. The zero Line is empty. It may be copied with Clone only.
type Line struct {
	text    []byte
	sure    int    // the index in text before which it is in doubt: see Doubt
	unclear bool   // the editor's line may be another one
	kept    string // earlier lines that end in a backslash, which this one continues
	joined  int    // how many these are
	pending []byte // the start of an escape sequence or of a character
	chord   bool   // C-x was pressed last
	pasted  bool   // between the brackets around a paste, where keys are text
}

// A Completed line has been entered.
type Completed struct {
	// Text is what was typed, joined with the lines that it continues.
	Text string
	// Since is what was typed of the last line since [Line.Doubt] was called, and "" if it was not.
	Since string
	// Unclear means that the line may be another one: keys were pressed that recall or complete
	// lines or move in them, or that are not known here.
	Unclear bool
	// From and To are where in the typed bytes the key or the paste is that has entered it.
	From, To int
}

// These bound what following a line takes, so that it does not grow with the square of what is
// typed.
const (
	maxLine   = 1 << 20 // bytes that are followed
	maxKept   = 1 << 13 // bytes of lines that another one continues
	maxJoined = 32      // how many these are
)

// Clone returns an independent copy.
func (l *Line) Clone() *Line {
	c := *l
	c.text, c.pending = slices.Clone(l.text), slices.Clone(l.pending)
	return &c
}

// Before returns what was typed before the cursor, as far as it is not in doubt.
func (l *Line) Before() string { return string(l.text[l.sure:]) }

// IsDoubted reports whether a part of the text is in doubt.
func (l *Line) IsDoubted() bool { return l.sure > 0 }

// Doubt says that what was typed so far may not be in the line any more: another program may have
// read it, or the editor may have dropped it.
func (l *Line) Doubt() { l.sure = len(l.text) }

// Type follows typed bytes, in the form in which a terminal sends keys, and returns the lines that
// they complete. Empty lines are left out.
func (l *Line) Type(typed []byte) (lines []Completed) {
	b := append(l.pending, typed...)
	l.pending = nil
	at := func() int { return max(len(typed)-len(b), 0) }
	paste := at()
	for len(b) > 0 {
		if n := l.plain(b); n > 0 {
			b = b[n:]
			continue
		}
		n, key, whole := Next(b)
		if !whole {
			if len(b) > maxSequence {
				l.unclear = true // it is not a sequence of any key
				b = b[1:]
				continue
			}
			l.pending = slices.Clone(b)
			break
		}
		from := at()
		if key == pasteStart {
			paste = from
		}
		b = b[n:]
		if done, ok := l.press(key); ok {
			if done.From, done.To = from, at(); l.pasted {
				done.From = paste
			}
			lines = append(lines, done)
		}
	}
	return lines
}

// Unclear returns where in b the key is that would enter the first line of unknown text: b[from:to]
// is that key, with the paste if it was pasted. If there is no such key, both are len(b). The line
// does not change.
func (l *Line) Unclear(b []byte) (from, to int) {
	for _, c := range l.Clone().Type(b) {
		if c.Unclear {
			return c.From, c.To
		}
	}
	return len(b), len(b)
}

// plain types the visible ASCII characters at the start of b, which is what most input consists of,
// and returns how many there are.
func (l *Line) plain(b []byte) (n int) {
	for n < len(b) && b[n] >= ' ' && b[n] < 0x7f && len(l.text)+n < maxLine && !l.chord {
		n++
	}
	l.text = append(l.text, b[:n]...)
	return n
}

// maxSequence bounds an escape sequence, in bytes.
const maxSequence = 64

// Next returns the length of the first key's bytes, and the key: a character, or an escape
// sequence. whole is false if bytes are missing. b must not be empty.
func Next(b []byte) (n int, key string, whole bool) {
	if b[0] != '\x1b' {
		if !utf8.FullRune(b) {
			return 0, "", false
		}
		_, n := utf8.DecodeRune(b)
		return n, string(b[:n]), true
	}
	if len(b) == 1 {
		return 0, "", false
	}
	switch b[1] {
	case '[':
		if len(b) > 2 && b[2] == 'M' { // a report of the mouse in the oldest form: three bytes follow
			return 6, mouseReport, len(b) >= 6
		}
		n, end := escape.Next(b)
		return n, string(b[:n]), end != escape.Open
	case 'O':
		if len(b) == 2 {
			return 0, "", false
		}
		return 3, string(b[:3]), true
	case '\x1b':
		return 1, "\x1b", true
	}
	if !utf8.FullRune(b[1:]) {
		return 0, "", false
	}
	_, size := utf8.DecodeRune(b[1:])
	return 1 + size, string(b[:1+size]), true
}

// Keys that change how others are read.
const pasteStart, pasteEnd, mouseReport = "\x1b[200~", "\x1b[201~", "\x1b[M"

func (l *Line) press(key string) (_ Completed, done bool) {
	switch key = simple(key); {
	case key == "" || isMouse(key):
		return Completed{}, false
	case l.pasted && key == "\t":
		key = " " // it completes nothing
	}
	if l.chord {
		l.chord = false
		if key == "\x05" { // C-x C-e runs the line after an editor had it
			return l.complete()
		}
		l.unclear = true
		return Completed{}, false
	}
	if isEnter(key) {
		return l.complete()
	}
	switch key {
	case "\x18":
		l.chord = true
	case "\x0f": // C-o enters the line and recalls the next one
		c, done := l.complete()
		l.unclear = true
		return c, done
	case "\x7f", "\b":
		_, n := utf8.DecodeLastRune(l.text)
		l.cut(len(l.text) - n)
	case "\x15":
		l.cut(0)
	case "\x17":
		word := bytes.TrimRightFunc(l.text, unicode.IsSpace)
		l.cut(len(bytes.TrimRightFunc(word, func(r rune) bool { return !unicode.IsSpace(r) })))
	case "\x03", "\x1c": // signals drop the line
		*l = Line{pasted: l.pasted}
	case pasteStart, pasteEnd:
		l.pasted = key == pasteStart
	case "\x04", "\x07", "\x0b", "\x0c", "\x11", "\x13", "\x1a", "\x1b[I", "\x1b[O":
		// They change no line at its end: deletion, bell, redraw, flow control, focus.
	default:
		l.insert(key)
	}
	return Completed{}, false
}

// isEnter reports whether a key is Enter, also on the keypad or with Alt.
func isEnter(key string) bool {
	switch key {
	case "\r", "\n", "\x1bOM", "\x1b\r", "\x1b\n":
		return true
	}
	return false
}

// isMouse reports whether a key is a report of the mouse, which types nothing.
func isMouse(key string) bool {
	return key == mouseReport || strings.HasPrefix(key, "\x1b[<") && strings.ContainsAny(key[len(key)-1:], "mM")
}

// keypadEnter is the code of the keypad's Enter in the kitty protocol.
const keypadEnter = 57414

// simple returns a key of the kitty protocol as terminals without it send the same key, and "" for
// its release. Others are returned as they are.
func simple(key string) string {
	if !strings.HasPrefix(key, "\x1b[") || !strings.HasSuffix(key, "u") {
		return key
	}
	number, held, _ := strings.Cut(key[2:len(key)-1], ";")
	held, event, _ := strings.Cut(held, ":")
	code, err := strconv.Atoi(number)
	switch {
	case err != nil || code <= 0:
	case event == "3":
		return ""
	case code == '\r' || code == keypadEnter:
		return "\r" // whatever is held with it
	case unicode.Is(unicode.Co, rune(code)): // another key that is no character
	case held == "" || held == "1":
		return string(rune(code))
	case held == "5" && code >= '@' && code < 0x7f: // Ctrl
		return string(rune(code & 0x1f))
	}
	return key
}

// complete ends the line. One that ends in a backslash continues in the next.
func (l *Line) complete() (c Completed, done bool) {
	c = Completed{Text: l.kept + string(l.text), Unclear: l.unclear}
	if l.IsDoubted() {
		c.Since = string(l.text[l.sure:])
	}
	joined := l.joined
	*l = Line{pasted: l.pasted}
	if blank := strings.TrimRight(c.Text, `\`); (len(c.Text)-len(blank))%2 == 1 && len(c.Text) < maxKept && joined < maxJoined {
		l.kept, l.joined, l.unclear = c.Text[:len(c.Text)-1], joined+1, c.Unclear
	}
	return c, c.Text != "" || c.Unclear
}

// cut removes what is behind an index.
func (l *Line) cut(at int) {
	l.text = l.text[:at]
	l.sure = min(l.sure, at)
}

// insert adds a character. Any other key makes the line unclear.
func (l *Line) insert(key string) {
	r, size := utf8.DecodeRuneInString(key)
	if size != len(key) || unicode.IsControl(r) || len(l.text) >= maxLine {
		l.unclear = true
		return
	}
	l.text = utf8.AppendRune(l.text, r)
}
