package render

import (
	"strings"
	"testing"

	"ui-mcp/internal/term/overlay"
)

// What is outside of a smaller session is marked, but not where it would become part of the
// terminal's scrollback.
func TestOutside(t *testing.T) {
	for _, c := range []struct {
		name       string
		mode       overlay.ScreenMode
		cols, rows int
		want       string // rows, with | between them
	}{
		{"the same size", overlay.Primary, 4, 2, "ab|"},
		{"smaller", overlay.Primary, 1, 1, "a"},
		{"higher", overlay.Primary, 4, 4, "ab||────|····"},
		{"higher and narrower", overlay.Primary, 3, 3, "ab||───"},
		{"larger", overlay.Primary, 6, 4, "ab||────┘·|······"},
		{"wider", overlay.Primary, 6, 2, "ab|"},
		{"wider, on the alternate screen", overlay.Alternate, 6, 2, "ab  │·|    │·"},
		{"larger, on the alternate screen", overlay.Alternate, 6, 4, "ab  │·|    │·|────┘·|······"},
		{"by one", overlay.Alternate, 5, 3, "ab  │|    │|────┘"},
	} {
		term := terminal(t, 4, 2)
		write(term, []byte("ab\x1b[H"))
		f := OfScreen(term.Snapshot())
		f.Mode = c.mode
		got := f.Fit(c.cols, c.rows).Outside(f)
		var rows []string
		for _, row := range got.Lines {
			rows = append(rows, strings.TrimRight(row.Plain(), " "))
			if row.Columns() > c.cols {
				t.Errorf("%s: a row has %d columns", c.name, row.Columns())
			}
		}
		if text := strings.Join(rows, "|"); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}
