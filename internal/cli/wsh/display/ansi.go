package display

import (
	"bytes"
	"encoding/json"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/terminals/wire"
)

// lines are [wire.Lines] as the server has sent them.
type lines []json.RawMessage

// text returns the lines for a terminal or a file, each with a line end.
func (l lines) text() ([]byte, error) {
	var b bytes.Buffer
	for _, line := range l {
		var plain string
		if json.Unmarshal(line, &plain) == nil {
			b.WriteString(plain + "\n")
			continue
		}
		var spans []wire.Span
		if err := json.Unmarshal(line, &spans); err != nil {
			return nil, fault.Wrap(fault.Internal, err, "the server's lines are not as expected")
		}
		var style sgr.Style
		for _, span := range spans {
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
	return b.Bytes(), nil
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
