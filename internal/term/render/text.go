package render

import (
	"strings"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/vt"
)

// Plain returns the rows as text, without blanks at their ends.
func (f *Frame) Plain() []string {
	out := make([]string, len(f.Lines))
	for y, r := range f.Lines {
		out[y] = r.Plain()
	}
	return out
}

// Styled returns the rows as spans: see [Spans].
func (f *Frame) Styled() [][]Span {
	out := make([][]Span, len(f.Lines))
	for y, r := range f.Lines {
		out[y] = Spans(r)
	}
	return out
}

// A Span is text in one style, in the form in which clients get screens. Colours
// and flags that are not set are left out.
type Span struct {
	Text          string `json:"text"`
	FG            *Color `json:"fg,omitempty"`
	BG            *Color `json:"bg,omitempty"`
	Bold          bool   `json:"bold,omitempty"`
	Faint         bool   `json:"faint,omitempty"`
	Italic        bool   `json:"italic,omitempty"`
	Underline     bool   `json:"underline,omitempty"`
	Strikethrough bool   `json:"strikethrough,omitempty"`
	Blink         bool   `json:"blink,omitempty"`
	Inverse       bool   `json:"inverse,omitempty"`
	Link          string `json:"link,omitempty"`
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

// Spans returns a row as spans. A blank row has none; adjacent text that looks
// the same is one span.
func Spans(r cells.Row) []Span {
	out := []Span{}
	if r.Spans == nil {
		if text := r.Plain(); text != "" {
			out = append(out, Span{Text: text})
		}
		return out
	}
	var before look
	for i, s := range r.Spans {
		text := r.Text[s.Start:s.End]
		now := look{told(s.Style), s.Link}
		if i == len(r.Spans)-1 && now == (look{}) {
			if text = strings.TrimRight(text, " "); text == "" {
				break
			}
		}
		if i > 0 && now == before {
			out[len(out)-1].Text += text
			continue
		}
		before = now
		a := now.style.Attr
		out = append(out, Span{
			Text: text, FG: color(s.Style.FG), BG: color(s.Style.BG), Link: s.Link,
			Bold: a.Has(vt.Bold), Faint: a.Has(vt.Faint), Italic: a.Has(vt.Italic),
			Underline: a.Underline() != vt.UnderlineNone, Strikethrough: a.Has(vt.Strikethrough),
			Blink: a.Has(vt.Blink), Inverse: a.Has(vt.Inverse),
		})
	}
	return out
}

// A look is all that makes spans different.
type look struct {
	style vt.Style
	link  string
}

// told returns what a [Span] can tell of a style.
func told(s vt.Style) vt.Style {
	a := s.Attr &^ (vt.Conceal | vt.Overline | vt.RapidBlink)
	if s.Attr.Has(vt.RapidBlink) {
		a |= vt.Blink
	}
	if a.Underline() != vt.UnderlineNone {
		a = a.WithUnderline(vt.UnderlineSingle)
	}
	return vt.Style{FG: s.FG, BG: s.BG, Attr: a}
}

func color(c vt.Color) *Color {
	if i, ok := c.Index(); ok {
		return &Color{Indexed: &i}
	}
	if r, g, b, ok := c.RGB(); ok {
		return &Color{RGB: &RGB{r, g, b}}
	}
	return nil
}
