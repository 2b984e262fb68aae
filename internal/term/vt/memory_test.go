package vt

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// heap returns the memory in use after make has run, with its result alive.
func heap(make func() any) int {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := make()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return int(after.HeapAlloc) - int(before.HeapAlloc)
}

// A memoryCase is a terminal with a limit of its memory.
type memoryCase struct {
	name       string
	cols, rows int
	limit      int // bytes
	fill       func(*Terminal)
}

var memoryCases = []memoryCase{
	{"fresh 80x24", 80, 24, 150 << 10, func(*Terminal) {}},
	{"10000 plain lines of 80", 80, 24, 1_500_000, func(vt *Terminal) {
		for i := range 11_000 {
			write(vt, fmt.Appendf(nil, "%s\r\n", strings.Repeat(string(rune('a'+i%26)), 79)))
		}
	}},
	{"10000 coloured lines of 200", 200, 50, 5_000_000, func(vt *Terminal) {
		for i := range 11_000 {
			var b []byte
			for j := range 20 {
				b = fmt.Appendf(b, "\x1b[38;2;%d;%d;%dm%09d ", i%256, j, 7*j, i)
			}
			write(vt, append(b, "\r\n"...))
		}
	}},
}

func (c memoryCase) terminal(t testing.TB) *Terminal {
	vt, err := New(Options{Cols: c.cols, Rows: c.rows, Scrollback: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	c.fill(vt)
	vt.Snapshot()
	return vt
}

// TestMemory checks the memory use of terminals. It is not parallel, because other tests' memory
// would count.
func TestMemory(t *testing.T) {
	for _, c := range memoryCases {
		t.Run(c.name, func(t *testing.T) {
			if n := heap(func() any { return c.terminal(t) }); n > c.limit {
				t.Errorf("%d bytes in use, limit %d", n, c.limit)
			}
		})
	}
}

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
