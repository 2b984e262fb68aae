package render

import (
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
	for i, s := range r.Spans {
		text := r.Text[s.Start:s.End]
		if i == len(r.Spans)-1 && s.Style == (vt.Style{}) {
			if text = (cells.Row{Text: text}).Plain(); text == "" {
				break
			}
		}
		if i > 0 && s.Style == r.Spans[i-1].Style && s.Link == r.Spans[i-1].Link {
			out[len(out)-1].Text += text
			continue
		}
		a := s.Style.Attr
		out = append(out, Span{
			Text: text, FG: color(s.Style.FG), BG: color(s.Style.BG), Link: s.Link,
			Bold: a.Has(vt.Bold), Faint: a.Has(vt.Faint), Italic: a.Has(vt.Italic),
			Underline: a.Underline() != vt.UnderlineNone, Strikethrough: a.Has(vt.Strikethrough),
			Blink: a.Has(vt.Blink | vt.RapidBlink), Inverse: a.Has(vt.Inverse),
		})
	}
	return out
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
