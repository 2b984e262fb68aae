package render

import (
	"slices"

	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// AppendHistory appends lines as text with styles, for a terminal that keeps them in its own
// scrollback: each begins in the plain style and ends with CR LF, unless it continues in the next
// one. It leaves out the first lines if all take more than limit bytes.
func AppendHistory(b []byte, lines []vt.Line, limit int) []byte {
	var parts [][]byte
	size := 0
	for _, l := range slices.Backward(lines) {
		part := appendLine(nil, l)
		if size += len(part); size > limit {
			break
		}
		parts = append(parts, part)
	}
	for _, part := range slices.Backward(parts) {
		b = append(b, part...)
	}
	return b
}

func appendLine(b []byte, l vt.Line) []byte {
	style, at := sgr.Style{}, 0
	for _, s := range l.Spans {
		if s.Style != style {
			b = s.Style.AppendSGRFrom(b, style)
			style = s.Style
		}
		b = append(b, l.Text[s.Start:s.End]...)
		at = s.End
	}
	b = append(b, l.Text[at:]...)
	if style != (sgr.Style{}) {
		b = sgr.Style{}.AppendSGRFrom(b, style)
	}
	if l.Wraps {
		return b
	}
	return append(b, "\r\n"...)
}
