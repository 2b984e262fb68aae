package scrollback

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestHistory compares the ring of packed lines with a slice, and copies of it with what they were
// when they were made.
func TestHistory(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 1, 2, 63, 64, 65, 1000} {
		r := rand.New(rand.NewPCG(uint64(limit), 3))
		h := New(limit, 80, 5)
		var want []string
		first := uint64(5)
		type clone struct {
			copy Lines
			want []string
		}
		var clones []clone
		for range 5000 {
			switch n := r.IntN(100); {
			case r.IntN(100) == 0:
				if len(clones) == 5 {
					clones = clones[1:]
				}
				clones = append(clones, clone{h.Clone(), slices.Clone(want)})
			case n < 90:
				line := strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(200))
				if r.IntN(500) == 0 {
					line = strings.Repeat(line, 1000)
				}
				h.Push([]byte(line))
				want = append(want, line)
			case n < 99 && h.Len() > 0:
				if got := string(h.Pop()); got != want[len(want)-1] {
					t.Fatalf("limit %d: pop = %.20q, want %.20q", limit, got, want[len(want)-1])
				}
				want = want[:len(want)-1]
			case n == 99 && r.IntN(10) == 0:
				h.Clear()
				first += uint64(len(want))
				want = nil
			}
			if over := len(want) - limit; over > 0 {
				want = want[over:]
				first += uint64(over)
			}
			if h.First != first || h.Len() != len(want) {
				t.Fatalf("limit %d: %d lines from %d, want %d from %d", limit, h.Len(), h.First, len(want), first)
			}
			if len(want) > 0 {
				i := r.IntN(len(want))
				if got := string(h.Line(first + uint64(i))); got != want[i] {
					t.Fatalf("limit %d: line %d = %.20q, want %.20q", limit, i, got, want[i])
				}
			}
			sum := 0
			for _, c := range h.Chunks {
				sum += cap(c)
			}
			if sum != h.Bytes {
				t.Fatalf("limit %d: %d bytes, counted as %d", limit, sum, h.Bytes)
			}
			for _, c := range clones {
				if c.copy.Len() != len(c.want) {
					t.Fatalf("limit %d: a copy has %d lines, want %d", limit, c.copy.Len(), len(c.want))
				}
				if len(c.want) > 0 {
					i := r.IntN(len(c.want))
					if got := string(c.copy.Line(c.copy.First + uint64(i))); got != c.want[i] {
						t.Fatalf("limit %d: line %d of a copy = %.20q, want %.20q", limit, i, got, c.want[i])
					}
				}
			}
		}
	}
}

// TestHistoryCopies checks that copies do not shorten a history: they may cost memory only.
func TestHistoryCopies(t *testing.T) {
	t.Parallel()
	h := New(100, 80, 0)
	for i := range 10_000 {
		c := h.Clone()
		h.Push(fmt.Append(nil, "line ", i))
		if got := string(h.Line(h.Next - 1)); c.Next != uint64(i) || got != fmt.Sprint("line ", i) {
			t.Fatalf("line %d is %q, and the copy before it ends at %d", i, got, c.Next)
		}
	}
	if h.Len() != 100 || h.Bytes > 2*chunkSize {
		t.Errorf("%d lines in %d bytes", h.Len(), h.Bytes)
	}
}
