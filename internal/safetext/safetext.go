// Package safetext makes text that may come from anyone harmless to display and to keep: short,
// valid, and without characters that are invisible or change the look of others.
package safetext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clip returns a text of at most that many bytes: of a longer one, the start and "…". Invalid UTF-8
// becomes "?". most is at least 3.
func Clip(s string, most int) string {
	if len(s) <= most {
		return strings.ToValidUTF8(s, "?")
	}
	return Cut(s, most-len("…")) + "…"
}

// Visible returns text in which invisible characters, and those that change the look of others, are
// written as in Go: \n, \x1b, \u202e. It is for reading: a backslash stays, so that a command reads
// as it was typed, and \n in the result may stand for either.
func Visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

// Lines is [Visible] for a text of several lines, whose ends stay. Tabs become blanks.
func Lines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\t", "    "), "\n")
	for i := range lines {
		lines[i] = Visible(lines[i])
	}
	return strings.Join(lines, "\n")
}

// OneLine is [Visible] for a text that becomes a line, or a part of one: ends of lines in it become
// blanks, as other white space does.
func OneLine(s string) string { return Visible(strings.Join(strings.Fields(s), " ")) }

// Disturbs reports whether a character moves or hides others where text is displayed, or could let
// it pass for something else: controls, ends of lines, and controls of the direction of writing.
func Disturbs(r rune) bool {
	switch {
	case unicode.IsControl(r), r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfffe, r == 0xffff:
		return true
	}
	return false
}

// Plain returns text without characters that disturb others, and without bytes that are not UTF-8.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if Disturbs(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
}

// HasControl reports whether a text has characters that are keys or commands to a terminal, such as
// a line end or a tab.
func HasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }

// Cut returns the start of a text, of at most that many bytes, without a part of a character.
func Cut(s string, most int) string {
	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}

// Label returns a name that a client has given to itself, of at most that many bytes, with _ for
// each character that is invisible or changes the look of others.
func Label(s string, most int) string { return Name(s, most, unicode.IsPrint) }

// Name is Label with _ for each character that is not allowed.
func Name(s string, most int, allowed func(rune) bool) string {
	s = strings.Map(func(r rune) rune {
		if allowed(r) {
			return r
		}
		return '_'
	}, strings.ToValidUTF8(s, "_"))
	return Cut(s, most)
}
