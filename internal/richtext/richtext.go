// Package richtext is text with styles, for programs that display nothing else: what a converter
// makes of a document, before it is known how wide the rows are.
package richtext

import "strings"

// A Line is text that begins in a row of its own, where text is all that can be displayed.
type Line struct {
	// First is what precedes it in its first row, such as a bullet, and Rest in the rows in which
	// it continues.
	First, Rest string
	Spans       []Span
	// Code says that its blanks count: it is a line of a program, for example.
	Code bool
}

// A Span is text in one style, without line feeds.
type Span struct {
	Text  string
	Style Style
}

// A Style is how text is set off from other text.
type Style uint8

const (
	Strong Style = 1 << iota
	Emphasis
	Code
	Struck
	Address // of a link
)

// Plain returns text without styles as lines.
func Plain(text string) (lines []Line) {
	for line := range strings.Lines(text) {
		lines = append(lines, Line{Spans: []Span{{Text: strings.TrimRight(line, "\r\n")}}})
	}
	return lines
}

// AsCode returns text as lines of code.
func AsCode(text string) []Line {
	lines := Plain(text)
	for i := range lines {
		lines[i].Code, lines[i].Spans[0].Style = true, Code
	}
	return lines
}
