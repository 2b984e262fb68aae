package term

import (
	"fmt"

	"ui-mcp/internal/term/vt"
)

// picture returns the bytes that make a new terminal of the same size display a snapshot.
func picture(s *vt.Snapshot) []byte {
	var b []byte
	if s.AltScreen() {
		b = append(b, "\x1b[?1049h"...)
	}
	b = append(b, "\x1b[H\x1b[2J"...)
	for y, line := range s.Lines {
		if line.Text == "" {
			continue
		}
		b = fmt.Appendf(b, "\x1b[%dH", y+1)
		spans := line.Spans
		if spans == nil {
			spans = []vt.Span{{End: len(line.Text)}}
		}
		for _, span := range spans {
			b = append(span.Style.AppendSGR(append(b, "\x1b["...)), 'm')
			b = append(b, line.Text[span.Start:span.End]...)
		}
	}
	b = fmt.Appendf(b, "\x1b[m\x1b[%d;%dH", s.Cursor.Row+1, s.Cursor.Col+1)
	if !s.Cursor.Visible {
		b = append(b, "\x1b[?25l"...)
	}
	return b
}
