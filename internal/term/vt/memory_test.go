package vt

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
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
