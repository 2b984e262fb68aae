package term

import (
	"fmt"
	"testing"

	"ui-mcp/internal/term/vt"
)

// A terminal gets the newest lines, and few more are read than it gets.
func TestNewestLines(t *testing.T) {
	const lines = 20_000
	all := make([]vt.Line, lines)
	for i := range all {
		all[i].Text = fmt.Sprintf("%058d", i)
	}
	for _, tt := range []struct{ first, end, limit, want int }{
		{10, lines, 100 * historyPiece, 2 * historyPiece}, // 60 bytes a line: 1,667 lines
		{10, lines, 1 << 30, lines - 10},
		{lines - 5, lines, 1 << 30, 5},
		{lines, lines, 1 << 30, 0},
	} {
		read := 0
		got := newestLines(func(from uint64, n int) (uint64, []vt.Line) {
			read += n
			return from, all[from:][:n]
		}, uint64(tt.first), uint64(tt.end), tt.limit)
		if len(got) != tt.want || read != tt.want {
			t.Errorf("lines %d to %d, at most %d bytes: %d lines of %d read, want %d", tt.first, tt.end, tt.limit, len(got), read, tt.want)
			continue
		}
		for i, l := range got {
			if want := all[tt.end-tt.want+i].Text; l.Text != want {
				t.Fatalf("line %d is %q, want %q", i, l.Text, want)
			}
		}
	}
}
