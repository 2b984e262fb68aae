package display

import (
	"bytes"
	"encoding/json"
	"strconv"

	"ui-mcp/internal/fault"
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
		coloured := false
		for _, span := range line {
			sgr := sgrOf(span)
			if coloured || sgr != "" {
				b.WriteString("\x1b[0" + sgr + "m")
			}
			coloured = sgr != ""
			b.WriteString(span.Text)
		}
		if coloured {
			b.WriteString("\x1b[0m")
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// sgrOf returns the parameters of SGR for a span, each after a semicolon.
func sgrOf(s wire.Span) string {
	b := colour(colour(nil, 30, s.FG), 40, s.BG)
	for _, attribute := range []struct {
		on   bool
		code string
	}{
		{s.Bold, "1"}, {s.Faint, "2"}, {s.Italic, "3"}, {s.Underline && s.UnderlineStyle == "", "4"}, {s.Underline && s.UnderlineStyle != "", underlineCode[s.UnderlineStyle]},
		{s.Blink, "5"}, {s.Inverse, "7"}, {s.Conceal, "8"}, {s.Strikethrough, "9"}, {s.Overline, "53"},
	} {
		if attribute.on {
			b = append(append(b, ';'), attribute.code...)
		}
	}
	return string(b)
}

var underlineCode = map[string]string{"double": "4:2", "curly": "4:3", "dotted": "4:4", "dashed": "4:5"}

// colour appends the code of a colour. base is 30 for the foreground and 40 for the background.
func colour(b []byte, base int, c *wire.Color) []byte {
	number := func(n int) { b = strconv.AppendInt(append(b, ';'), int64(n), 10) }
	switch {
	case c == nil:
	case c.RGB != nil:
		for _, n := range []int{base + 8, 2, int(c.RGB.R), int(c.RGB.G), int(c.RGB.B)} {
			number(n)
		}
	case c.Indexed == nil:
	case *c.Indexed < 8:
		number(base + int(*c.Indexed))
	case *c.Indexed < 16:
		number(base + 60 + int(*c.Indexed) - 8)
	default:
		for _, n := range []int{base + 8, 5, int(*c.Indexed)} {
			number(n)
		}
	}
	return b
}
