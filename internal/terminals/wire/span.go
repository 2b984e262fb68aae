package wire

import (
	"strings"

	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A Span is text in one style. Attributes that are left out are off, or the default.
type Span struct {
	Text           string `json:"text"`
	FG             *Color `json:"fg,omitempty"`
	BG             *Color `json:"bg,omitempty"`
	Bold           bool   `json:"bold,omitempty"`
	Faint          bool   `json:"faint,omitempty"`
	Italic         bool   `json:"italic,omitempty"`
	Underline      bool   `json:"underline,omitempty"`
	UnderlineStyle string `json:"underline_style,omitempty" jsonschema:"double, curly, dotted or dashed; left out for a single line"`
	UnderlineColor *Color `json:"underline_color,omitempty"`
	Overline       bool   `json:"overline,omitempty"`
	Strikethrough  bool   `json:"strikethrough,omitempty"`
	Blink          bool   `json:"blink,omitempty"`
	Inverse        bool   `json:"inverse,omitempty"`
	Conceal        bool   `json:"conceal,omitempty"`
	Link           string `json:"link,omitempty"`
}

// A Color is an entry of the palette, or a direct colour.
type Color struct {
	Indexed *uint8 `json:"indexed,omitempty"`
	RGB     *RGB   `json:"rgb,omitempty"`
}

// RGB is a direct colour.
type RGB struct {
	R uint8 `json:"r"`
	G uint8 `json:"g"`
	B uint8 `json:"b"`
}

var underlines = map[sgr.Underline]string{
	sgr.UnderlineDouble: "double", sgr.UnderlineCurly: "curly", sgr.UnderlineDotted: "dotted", sgr.UnderlineDashed: "dashed",
}

// spans splits a row's text by style; nil pieces mean the default style. Invisible blanks at the
// end are left out, and an empty row is an empty list.
func spans(text string, pieces []vt.Span) []Span {
	return appendSpans(make([]Span, 0, max(len(pieces), 1)), text, pieces)
}

func appendSpans(list []Span, text string, pieces []vt.Span) []Span {
	if pieces == nil {
		if text = strings.TrimRight(text, " "); text != "" {
			list = append(list, Span{Text: text})
		}
		return list
	}
	for i, p := range pieces {
		text := text[p.Start:p.End]
		if i == len(pieces)-1 && p.Style == (sgr.Style{}) && p.Link == "" {
			text = strings.TrimRight(text, " ")
		}
		if text != "" {
			list = append(list, span(text, p))
		}
	}
	return list
}

func span(text string, p vt.Span) Span {
	a := p.Style.Attr
	return Span{
		Text: text, FG: color(p.Style.FG), BG: color(p.Style.BG),
		Bold: a.Has(sgr.Bold), Faint: a.Has(sgr.Faint), Italic: a.Has(sgr.Italic),
		Underline: a.Underline() != sgr.UnderlineNone, UnderlineStyle: underlines[a.Underline()],
		UnderlineColor: color(p.Style.UnderlineColor), Overline: a.Has(sgr.Overline),
		Strikethrough: a.Has(sgr.Strikethrough), Blink: a.Has(sgr.Blink | sgr.RapidBlink),
		Inverse: a.Has(sgr.Inverse), Conceal: a.Has(sgr.Conceal), Link: p.Link,
	}
}

// color returns a colour as JSON, and nil for the default.
func color(c sgr.Color) *Color {
	if i, ok := c.Index(); ok {
		return &Color{Indexed: &i}
	}
	if r, g, b, ok := c.RGB(); ok {
		return &Color{RGB: &RGB{r, g, b}}
	}
	return nil
}
