// Package safetext makes text that may come from anyone harmless to display and to keep: short,
// valid, and without characters that are invisible or change the look of others.
package safetext

import (
	"strconv"
	"strings"
	"unicode"
)

// Clip returns a text, or if that has more than most bytes, its start and "…", which are not more.
// The text is valid UTF-8: "?" replaces what is not. most is at least 3.
func Clip(s string, most int) string {
	if len(s) <= most {
		return strings.ToValidUTF8(s, "?")
	}
	return strings.ToValidUTF8(s[:most-len("…")], "") + "…"
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

// Name returns a name that a client has given to itself, of at most that many bytes, with _ for
// each character that is not allowed.
func Name(s string, most int, allowed func(rune) bool) string {
	s = strings.Map(func(r rune) rune {
		if allowed(r) {
			return r
		}
		return '_'
	}, strings.ToValidUTF8(s, "_"))
	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}
