package overlay

import (
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/sgr"
)

// A Style is the look of text.
type Style struct {
	FG            Color `json:"fg,omitzero"`
	BG            Color `json:"bg,omitzero"`
	Bold          bool  `json:"bold,omitempty"`
	Faint         bool  `json:"faint,omitempty"`
	Italic        bool  `json:"italic,omitempty"`
	Underline     bool  `json:"underline,omitempty"`
	Strikethrough bool  `json:"strikethrough,omitempty"`
	Blink         bool  `json:"blink,omitempty"`
	Inverse       bool  `json:"inverse,omitempty"`
}

func (s Style) terminal() sgr.Style {
	out := sgr.Style{FG: sgr.Color(s.FG), BG: sgr.Color(s.BG)}
	for _, f := range [...]struct {
		on   bool
		attr sgr.Attr
	}{
		{s.Bold, sgr.Bold}, {s.Faint, sgr.Faint}, {s.Italic, sgr.Italic}, {s.Strikethrough, sgr.Strikethrough},
		{s.Blink, sgr.Blink}, {s.Inverse, sgr.Inverse},
	} {
		if f.on {
			out.Attr |= f.attr
		}
	}
	if s.Underline {
		out.Attr = out.Attr.WithUnderline(sgr.UnderlineSingle)
	}
	return out
}

// A Span is text in one style. Spans flow from the upper left corner; a line feed starts a row.
type Span struct {
	Text string `json:"text"`
	// ID names the span for Rewrite. Several spans may share one.
	ID string `json:"id,omitempty"`
	Style
}

// A RegionWrite is text at a position within an element, above its spans. Each row of the text
// starts at the same column.
type RegionWrite struct {
	Row  int    `json:"row"` // zero-based
	Col  int    `json:"col"`
	Text string `json:"text"`
	Style
}

// The lists of an element.
type (
	Spans  []Span
	Writes []RegionWrite
)

func (s Spans) pieces() []cells.Piece {
	out := make([]cells.Piece, len(s))
	for i, span := range s {
		out[i] = cells.Piece{Text: span.Text, Style: span.terminal()}
	}
	return out
}

func (w RegionWrite) pieces() []cells.Piece {
	return []cells.Piece{{Text: w.Text, Style: w.terminal()}}
}
