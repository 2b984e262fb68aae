package display

import (
	"bytes"
	"encoding/json"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/terminals/wire"
)

// lines are [wire.Lines] as the server has sent them.
type lines struct {
	Plain  []string
	styled [][]wire.Span
}

// UnmarshalJSON implements [json.Unmarshaler].
func (l *lines) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &l.Plain) == nil {
		return nil
	}
	l.Plain = nil
	return fault.Wrap(fault.Internal, json.Unmarshal(b, &l.styled), "the server's lines are not as expected")
}

// MarshalJSON implements [json.Marshaler].
func (l lines) MarshalJSON() ([]byte, error) {
	if l.styled != nil {
		return json.Marshal(l.styled)
	}
	if l.Plain == nil {
		return []byte("[]"), nil
	}
	return json.Marshal(l.Plain)
}

func (l *lines) len() int { return len(l.Plain) + len(l.styled) }

// add appends other lines.
func (l *lines) add(more lines) {
	l.Plain, l.styled = append(l.Plain, more.Plain...), append(l.styled, more.styled...)
}

// Text returns the lines for a terminal or a file, each with a line end.
func (l *lines) Text() []byte {
	var b bytes.Buffer
	for _, line := range l.Plain {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	for _, line := range l.styled {
		var style sgr.Style
		for _, span := range line {
			if now := styleOf(span); now != style {
				b.Write(now.AppendSGRFrom(nil, style))
				style = now
			}
			b.WriteString(span.Text)
		}
		if style != (sgr.Style{}) {
			b.WriteString("\x1b[m")
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

var underlines = map[string]sgr.Underline{
	"": sgr.UnderlineSingle, "double": sgr.UnderlineDouble, "curly": sgr.UnderlineCurly, "dotted": sgr.UnderlineDotted, "dashed": sgr.UnderlineDashed,
}

func styleOf(s wire.Span) sgr.Style {
	style := sgr.Style{FG: colour(s.FG), BG: colour(s.BG), UnderlineColor: colour(s.UnderlineColor)}
	for _, attribute := range []struct {
		on   bool
		attr sgr.Attr
	}{
		{s.Bold, sgr.Bold}, {s.Faint, sgr.Faint}, {s.Italic, sgr.Italic}, {s.Blink, sgr.Blink}, {s.Inverse, sgr.Inverse},
		{s.Conceal, sgr.Conceal}, {s.Strikethrough, sgr.Strikethrough}, {s.Overline, sgr.Overline},
	} {
		if attribute.on {
			style.Attr |= attribute.attr
		}
	}
	if s.Underline {
		style.Attr = style.Attr.WithUnderline(underlines[s.UnderlineStyle])
	}
	return style
}

func colour(c *wire.Color) sgr.Color {
	switch {
	case c != nil && c.RGB != nil:
		return sgr.RGB(c.RGB.R, c.RGB.G, c.RGB.B)
	case c != nil && c.Indexed != nil:
		return sgr.Indexed(*c.Indexed)
	}
	return 0
}
