package jsonrpc

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLineReaderKeepsTheStreamsError(t *testing.T) {
	broken := errors.New("broken")
	l := NewLineReader(io.MultiReader(strings.NewReader("one\ntwo"), iotest.ErrReader(broken)), 100)
	for _, want := range []string{"one", "two"} {
		if line, err := l.Next(); err != nil || string(line) != want {
			t.Errorf("next = %q, %v, want %q", line, err, want)
		}
	}
	if _, err := l.Next(); !errors.Is(err, broken) {
		t.Errorf("next at the end = %v", err)
	}
}

// A line that is too long costs time, not memory.
func TestLineReaderDoesNotKeepLongLines(t *testing.T) {
	const size = 64 << 20
	l := NewLineReader(io.MultiReader(io.LimitReader(xs{}, size), strings.NewReader("\nnext\n")), 1000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := l.Next()
	runtime.ReadMemStats(&after)
	if !errors.Is(err, ErrLineTooLong) {
		t.Fatalf("next = %v", err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("skipping %d bytes allocated %d", size, got)
	}
	if line, err := l.Next(); err != nil || string(line) != "next" {
		t.Errorf("next = %q, %v", line, err)
	}
}

// xs is an endless line.
type xs struct{}

func (xs) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
