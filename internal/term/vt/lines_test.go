package vt

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// AppendHistory returns the text of the history's lines.
func TestAppendHistory(t *testing.T) {
	wrapped := 0
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 15))
		term, err := New(Options{Cols: 12, Rows: 4, Scrollback: 30})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = term.Write(randomOutput(r, 200, sequences, wilder))
		oldest, top, _ := term.Extent()
		var want strings.Builder
		first, lines := term.Lines(oldest, int(top-oldest))
		for _, l := range lines {
			if l.Wraps {
				wrapped++
				want.WriteString(l.Text)
			} else {
				want.WriteString(l.Plain() + "\n")
			}
		}
		if got := string(term.AppendHistory([]byte("> "), 0, top+10)); got != "> "+want.String() {
			t.Errorf("seed %d, lines %d to %d (-want +got):\n%s", seed, first, top, cmp.Diff("> "+want.String(), got))
		}
		if got := term.AppendHistory(nil, oldest, oldest); len(got) > 0 {
			t.Errorf("no lines: %q", got)
		}
	}
	if wrapped == 0 {
		t.Error("no line was wrapped")
	}
}
