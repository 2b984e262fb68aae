package vt

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// AppendHistory returns the text of the history's lines. Wrapped ones are one line.
func TestAppendHistory(t *testing.T) {
	term, err := New(Options{Cols: 6, Rows: 2, Scrollback: 30})
	if err != nil {
		t.Fatal(err)
	}
	_, _ = term.Write([]byte("one  \r\n\r\nwrapped twice 日本\r\n6 long\r\nend\r\n"))
	_, top, _ := term.Extent()
	if got, want := string(term.AppendHistory(nil, 0, top)), "one\n\nwrapped twice 日本\n6 long\n"; got != want {
		t.Errorf("the history is %q, want %q", got, want)
	}
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
}
