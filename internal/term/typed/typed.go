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
	"strings"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/term/keys"
)

// A Line is the line that is being typed. The zero Line is empty. It may be copied with Clone only.
type Line struct {
	text    []byte
	sure    int    // the index in text before which it is in doubt: see Doubt
	unclear bool   // the editor's line may be another one
	kept    string // earlier lines that end in a backslash, which this one continues
	joined  int    // how many these are
	pending []byte // the start of an escape sequence or of a character
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
	whole := keys.Whole(b, true)
	l.pending = slices.Clone(b[whole:])
	at := func() int { return max(len(typed)-len(b), 0) }
	paste := at()
	for rest := len(b) - whole; len(b) > rest; {
		if n := l.plain(b); n > 0 {
			b = b[n:]
			continue
		}
		from := at()
		n, key := keys.Next(b[:len(b)-rest])
		raw := string(b[:n])
		if raw == keys.PasteStart {
			paste = from
		}
		b = b[n:]
		if done, ok := l.press(raw, key); ok {
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
	for n < len(b) && b[n] >= ' ' && b[n] < 0x7f && len(l.text)+n < maxLine {
		n++
	}
	l.text = append(l.text, b[:n]...)
	return n
}

// press follows a key, or something else that keys.Next has found: then key is nil.
func (l *Line) press(raw string, key *keys.Key) (_ Completed, done bool) {
	name := raw
	if key != nil {
		name = key.Name()
	}
	switch _, mouse := keys.ParseMouse([]byte(raw)); {
	case mouse, key == nil && strings.HasPrefix(raw, "\x1b[M"), key != nil && key.Event == "release":
		return Completed{}, false // it types nothing
	case l.pasted && name == "Tab":
		name = " " // it completes nothing
	}
	if slices.Contains([]string{"C-j", "C-m", "C-m-j"}, name) || key != nil && key.Key == "Enter" { // whatever is held with it
		return l.complete()
	}
	switch name {
	case "C-o", "C-x": // C-o enters the line and recalls the next one; C-x C-e has an editor do so
		c, done := l.complete()
		l.unclear = true
		return c, done
	case "Backspace", "C-h":
		_, n := utf8.DecodeLastRune(l.text)
		l.cut(len(l.text) - n)
	case "C-u":
		l.cut(0)
	case "C-w":
		word := bytes.TrimRightFunc(l.text, unicode.IsSpace)
		l.cut(len(bytes.TrimRightFunc(word, func(r rune) bool { return !unicode.IsSpace(r) })))
	case "C-c", `C-\`: // signals drop the line
		*l = Line{pasted: l.pasted, pending: l.pending}
	case keys.PasteStart, keys.PasteEnd:
		l.pasted = name == keys.PasteStart
	case "C-d", "C-g", "C-k", "C-l", "C-q", "C-s", "C-z", "\x1b[I", "\x1b[O":
		// They change no line at its end: deletion, bell, redraw, flow control, focus.
	default:
		r, size := utf8.DecodeRuneInString(name)
		if key == nil || len(key.Modifiers) > 0 || size != len(name) || unicode.IsControl(r) || len(l.text) >= maxLine {
			l.unclear = true // any other key
			break
		}
		l.text = append(l.text, name...)
	}
	return Completed{}, false
}

// complete ends the line. One that ends in a backslash continues in the next.
func (l *Line) complete() (c Completed, done bool) {
	c = Completed{Text: l.kept + string(l.text), Unclear: l.unclear}
	if l.IsDoubted() {
		c.Since = string(l.text[l.sure:])
	}
	joined := l.joined
	*l = Line{pasted: l.pasted, pending: l.pending}
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
