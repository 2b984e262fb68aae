package vt_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/term/vt"
)

// A tracked position stays at its character when lines are wrapped again, until it is untracked.
func TestTrack(t *testing.T) {
	term, err := vt.New(vt.Options{Cols: 20, Rows: 3, Scrollback: 100})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := term.Write([]byte(strings.Repeat(strings.Repeat("-", 50)+"\r\n", 5) + strings.Repeat("-", 30) + "X\r\nend")); err != nil {
		t.Fatal(err)
	}
	oldest, _, end := term.Extent()
	_, lines := term.Lines(oldest, int(end-oldest))
	var at vt.Position
	for i, l := range lines {
		if col := strings.IndexByte(l.Text, 'X'); col >= 0 {
			at = vt.Position{Line: oldest + uint64(i), Col: col}
		}
	}
	other := at
	term.Track(&at)
	term.Track(&other)
	for _, cols := range []int{13, 40, 100, 7} {
		if err := term.Resize(cols, 3); err != nil {
			t.Fatal(err)
		}
		_, lines := term.Lines(at.Line, 1)
		if len(lines) != 1 || at.Col >= len(lines[0].Text) || lines[0].Text[at.Col] != 'X' {
			t.Fatalf("%d columns: at %v is %v", cols, at, lines)
		}
	}
	term.Untrack(&other)
	was := other
	if err := term.Resize(20, 3); err != nil {
		t.Fatal(err)
	}
	if other != was {
		t.Errorf("an untracked position moved from %v to %v", was, other)
	}
}
