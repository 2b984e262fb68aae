package vt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seq is what seq prints on a terminal.
func seq(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "%d\r\n", i)
	}
	return b.String()
}

// lines are the same as text.
func lines(from, to int) string { return strings.ReplaceAll(seq(from, to), "\r", "") }

// printed returns what a command has printed at the end of a screen with text, cut into pieces of
// n bytes.
func printed(t *testing.T, term *Terminal, output string, n, head, limit int) Printed {
	t.Helper()
	id := term.marks.next
	all := "\x1b]133;C\x1b\\" + output + "\x1b]133;D;0\x1b\\$ "
	for ; len(all) > 0; all = all[min(n, len(all)):] {
		term.Write([]byte(all[:min(n, len(all))]))
	}
	p, ok := term.Printed(id+1, id+1, head, limit)
	if !ok {
		t.Fatal("the output is not kept")
	}
	return p
}

func TestPrinted(t *testing.T) {
	t.Parallel()
	clear := "\x1b[H\x1b[2J\x1b[3J"
	for _, c := range []struct{ name, output, want string }{
		{"lines", "a\r\nb\r\n", "a\nb\n"},
		{"more than the screen", seq(1, 100), lines(1, 100)},
		{"clear", clear + seq(1, 100), lines(1, 100)},
		{"text, clear", "x\r\n" + clear + seq(1, 100), "x\n" + lines(1, 100)},
		{"erase and home", "x\r\n\x1b[2J\x1b[Hy\r\n", "x\ny\n"},
		{"home and erase below", "x\r\n\x1b[H\x1b[Jy\r\n", "x\ny\n"},
		{"erase the history", seq(1, 50) + "\x1b[3J" + seq(51, 60), lines(1, 60)},
		{"reset", seq(1, 50) + "\x1bc" + seq(51, 60), lines(1, 60)},
		{"reset as tput does", seq(1, 50) + "\x1bc\x1b[!p\x1b[?3;4l\x1b[4l\x1b>\r" + seq(51, 60), lines(1, 60)},
		{"cleared at the end", "x\r\n" + clear, "x\n"},
		{"progress", "10%\r50%\r100%\r\n", "100%\n"},
		{"backspaces", "a|\b/\b-\b \r\n", "a\n"},
		{"two bars", "a 1\r\nb 1\r\n\x1b[2A\x1b[Ka 2\r\n\x1b[Kb 2\r\n", "a 2\nb 2\n"},
		{"bars that are erased below", "a 1\r\nb 1\r\n\x1b[2A\x1b[Ja 2\r\nb 2\r\n", "a 2\nb 2\n"},
		{"the cursor above the end", "a\r\nb\r\nc\x1b[2A", "a\nb\nc"},
		{"the cursor at the start", "done    \r", "done"},
		{"no line end", "name: ", "name: "},
		{"a full line without an end", strings.Repeat("x", 20), strings.Repeat("x", 20)},
		{"wrapped, wide, coloured", "\x1b[31m" + strings.Repeat("界", 30) + "\x1b[m\r\n", strings.Repeat("界", 30) + "\n"},
		{"marks without meaning", "a\r\n\x1b]133;X\ab\r\n", "a\nb\n"},
		{"double size", "\x1b#6ab\r\n\x1b#5cd\r\n", "ab\ncd\n"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, before := range []int{0, 3, 40} {
				for _, n := range []int{1, 7, 1 << 20} {
					term := newTerminal(t, 20, 10, 1000)
					term.Write([]byte(seq(1, before) + "$ cmd\r\n"))
					got := printed(t, term, c.output, n, 0, 1<<20)
					if want := (Printed{Output: c.want}); got != want {
						t.Fatalf("after %d lines, in pieces of %d: %s", before, n, cmp.Diff(want, got))
					}
				}
			}
		})
	}
}

// A line may be several commands.
func TestPrintedOfSeveral(t *testing.T) {
	t.Parallel()
	term := newTerminal(t, 20, 10, 1000)
	term.Write([]byte("$ cmd\r\n\x1b]133;C\aone\r\n\x1b]133;D\a\x1b]133;C\atwo\r\n\x1b]133;D\a$ "))
	for last, want := range map[uint64]string{1: "one\n", 3: "one\ntwo\n"} {
		if got, _ := term.Printed(1, last, 0, 100); got != (Printed{Output: want}) {
			t.Errorf("to mark %d: %+v, want %q", last, got, want)
		}
	}
	long := strings.Repeat("x\r\n", 2_000_000)
	for piece := range slices.Chunk([]byte("\x1b]133;C\a1\r\n\x1b]133;D\a\x1b]133;C\a"+long+"\x1b]133;D\a\x1b]133;C\a3\r\n\x1b]133;D\a"), 64<<10) {
		term.Write(piece)
	}
	if got, _ := term.Printed(5, 9, 4, 8); got.Output != "1\nx\nx\n3\n" || got.At != 4 || !got.Cut {
		t.Errorf("with a long one: %+v", got)
	}
}

// What is drawn on the alternate screen is no output, and does not count as all of it.
func TestPrintedAlternate(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 1 << 20} {
		term := newTerminal(t, 20, 10, 1000)
		got := printed(t, term, "a\r\n\x1b[?1049h\x1b[2J\x1b[Hpager\r\n\x1b[?1049lb\r\n", n, 0, 1<<20)
		if want := (Printed{Output: "a\nb\n", Alternate: true}); got != want {
			t.Error(cmp.Diff(want, got))
		}
	}
}

// The middle of a long output is left out, by the terminal's numbers of lines.
func TestPrintedCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ last, limit int }{{2000, 100}, {500_000, 100}, {500_000, 1 << 20}} {
		term, err := New(Options{Cols: 20, Rows: 10, Scrollback: MaxScrollback})
		if err != nil {
			t.Fatal(err)
		}
		term.Write([]byte(seq(1, 30) + "$ cmd\r\n"))
		first := uint64(31)
		got := printed(t, term, seq(1, c.last), 64<<10, 10, c.limit)
		if !got.Cut || got.Output[:got.At] != lines(1, 5) || len(got.Output) > c.limit || len(got.Output) < c.limit-10 {
			t.Fatalf("%d: cut %v at %d of %d bytes", c.last, got.Cut, got.At, len(got.Output))
		}
		rest := got.Output[got.At:]
		begin := 0
		if _, err := fmt.Sscan(rest, &begin); err != nil || rest != lines(begin, c.last) {
			t.Fatalf("%d: the end is %.40q…, %v", c.last, rest, err)
		}
		if want := first + uint64(begin) - 1; got.From != first+5 || got.Before != want {
			t.Errorf("%d: lines %d to %d left out, want %d to %d", c.last, got.From, got.Before, first+5, want)
		}
	}
}

// Without the lines in the history, nothing says where they are.
func TestPrintedCleared(t *testing.T) {
	t.Parallel()
	got := printed(t, newTerminal(t, 20, 10, 1000), "x\r\n\x1b[H\x1b[2J"+seq(1, 100), 1<<20, 0, 6)
	if want := (Printed{Output: "100\n", Cut: true}); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// Old outputs are dropped, the newest are kept.
func TestPrintedOld(t *testing.T) {
	t.Parallel()
	term := newTerminal(t, 80, 10, 1000)
	for range 20 {
		term.Write([]byte("\x1b]133;C\a" + strings.Repeat("x\r\n", 200_000) + "\x1b]133;D;0\a"))
	}
	last := term.marks.next - 1 // the marks of outputs have odd numbers
	for id, want := range map[uint64]bool{1: false, last - 2: true, last: true} {
		if p, ok := term.Printed(id, id, 0, 1<<20); ok != want || p.Cut {
			t.Errorf("output %d of %d: kept %v, cut %v", id, last, ok, p.Cut)
		}
	}
}
