package render

import (
	"strings"
	"testing"

	"ui-mcp/internal/term/vt"
)

// A terminal that is given the history has its lines, with their styles, and joins wrapped ones.
func TestAppendHistory(t *testing.T) {
	const cols, rows = 10, 3
	program, err := vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: 100})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = program.Write([]byte("plain\r\n\x1b[1;31mred\x1b[m and \x1b[4munder\x1b[m\r\nwrapped over two lines\r\n日本\r\n\r\n\x1b[44m blue \x1b[m\r\nlast\r\n\r\n\r\n"))
	oldest, screen, _ := program.Extent()
	_, lines := program.Lines(oldest, int(screen-oldest))
	person, err := vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: 100})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = person.Write(append(AppendHistory(nil, lines, 1<<20), strings.Repeat("\r\n", rows)...))
	_, got := person.Lines(0, len(lines))
	for i, l := range lines {
		if i >= len(got) || got[i].Plain() != l.Plain() || len(got[i].Spans) != len(l.Spans) || got[i].Wraps != l.Wraps {
			t.Fatalf("line %d is %+v, want %+v", i, got[i], l)
		}
		for j, s := range l.Spans {
			if got[i].Spans[j] != s {
				t.Errorf("line %d, span %d is %+v, want %+v", i, j, got[i].Spans[j], s)
			}
		}
	}
	if b := AppendHistory(nil, lines, 10); string(b) != "last\r\n" {
		t.Errorf("the newest lines within 10 bytes are %q", b)
	}
}
