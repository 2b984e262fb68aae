package vt

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ui-mcp/internal/testkit/load"
)

// TestXtermRandom compares the result of random output with xterm's headless engine.
func TestXtermRandom(t *testing.T) {
	t.Parallel()
	x := newXterm(t)
	for _, tt := range []struct {
		name       string
		words      []string
		scrollback int
		wraps      bool // also compare which lines wrap
	}{
		{"with a history", without(sequences, wideWords, restoring, notXterm), 100, false},
		{"without a history", slices.Concat(without(slices.Concat(sequences, xtermWilder), wideWords, notXterm, notRestored), []string{"\x1b[#S"}), 0, false},
		{"origin mode", strings.Split("word|some more words |\r\n|\n|\r|\x1bM|\x1bD|\x1bE|\x1b[#;#H|\x1b[#;#f|\x1b[#;#r|\x1b[r|\x1b[?6h|\x1b[?6l|\x1b[K|\x1b[J|\x1b[#X|\x1b[#L|\x1b[#M|\x1b[#@|\x1b[#P", "|"), 0, false},
		{"alternate screens", slices.Concat(without(sequences, wideWords, notXterm, notRestored, []string{"\x1bH", "\x1b[g", "\x1b[#;#r"}),
			strings.Split("\x1b[?1049l\x1b[m\x1b[?1049h|\x1b[?1049l|\x1b[?1047l|\x1b[?47l", "|")), 0, false},
		{"character sets", strings.Split("abqx~|word|\x1b(0|\x1b(B|\x1b)0|\x1b)B|\x1b*0|\x1b+0|#@[{|}\\^`|\x0e|\x0f|\x1bn|\x1bo|\r\n|\x1b[!p|\x1bc", "|"), 100, false},
		{"wide characters", slices.Concat(wideWords, []string{"word", "e\u0301", "\r\n", "\r", "\b", "\t", "\x1bM", "\x1b[#;#H", "\x1b[#C", "\x1b[#D", "\x1b[K", "\x1b[#X", "\x1b[#P", "\x1b[#@"}), 100, false},
		{"text", slices.Concat(wideWords, []string{"word", "some more words ", "e\u0301", "\r\n", "\r\n", "\t"}), 100, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for seed := range uint64(load.Count(10, 25)) {
				r := rand.New(rand.NewPCG(seed, 3))
				p := play{Cols: 20, Rows: 8, Scrollback: tt.scrollback}
				for i := range 60 {
					word := tt.words[r.IntN(len(tt.words))]
					if slices.Contains(xtermPending, word) {
						word = "\r" + word
					}
					p.Steps = append(p.Steps, step{Write: randomOutput(r, 1, []string{word}), Show: i%3 == 2})
				}
				if !sameAsXterm(t, x, p, tt.wraps) {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// without returns the words that are not among others.
func without(words []string, others ...[]string) []string {
	out := slices.Concat(others...)
	return slices.DeleteFunc(slices.Clone(words), func(s string) bool { return slices.Contains(out, s) })
}

// xtermWilder are the wilder sequences that xterm's engine supports. Some come with another
// sequence that evens out a difference: it scrolls by columns even with the cursor outside the
// margins; RIS does not show the cursor or reset the title; DECSTR resets bracketed paste; C1
// controls end an OSC.
var xtermWilder = strings.Split("a\x1b[#b|\x1b[m\x1b[#T|\x1b[#'}|\x1b[#'~|\x1b[r\x1b[# @|\x1b[r\x1b[# A|\x1b[3J|\x1bc\x1b[?25h\x1b]2;\x07|\x1b[?2004l\x1b[!p|"+
	"\x1b]8;;http://h/#\x07|\x1b]8;;\x07|\x1b]2;title #\x07|\x1b[1\"q|\x1b[\"q|\x1b[?J|\x1b[?K|"+
	"\x0e|\x0f|\x1b)0|\x1b]|\x1bP$qx\x1b\\|\x18|\x18\u009b#C|\x1b[4 q|\x1b[?1000h|\x1b[?1002h|\x1b[?1003h|\x1b[?1000l|\x1b[?1h|\x1b[?1l|\x1b=|\x1b>|\x1b[?2004h|\x1b[?25l|\x1b[?25h", "|")

// Sequences and characters that xterm's headless engine handles differently than xterm, DEC's
// terminals and this package, by its behaviour:
var (
	// A half of a wide character without its other half, and a last column too narrow for one, take
	// the cursor's colours.
	wideWords = []string{"日本", "👩‍💻", "🇩🇪", "☂\ufe0f"}

	// The saved cursor moves along with lines that scroll into the history.
	restoring = []string{"\x1b8", "\x1b[?1049l"}
	// And DECSC does not save these.
	notRestored = []string{"\x1b[4:3m", "\x0e", "\x0f", "\x1b)0", "\x1b]8;;http://h/#\x07"}

	notXterm = []string{
		"\u0301",             // gets its own cell after a cursor movement
		"\x1b[#b",            // does nothing after another
		"\x1b[#S",            // does not add lines to the history
		"\x1b[#T",            // fills with the default background
		"\x1b[?1049h",        // does not clear the alternate screen if it is already active
		"\x1b[?J", "\x1b[?K", // also change colours
		"\x1b[?6h", // adds the margin to relative movements; not saved by DECSC
	}

	// Sequences that treat the cursor as beyond the last column while a wrap is pending, or do not
	// save the pending wrap.
	xtermPending = []string{
		"\x1b7", "\x1b[#X", "\x1b[#@", "\x1b[#P", "\x1b[#Z", "\x1b[#L", "\x1b[#M", "\x1b[#'}", "\x1b[#'~", "\x1b[?7l", "\x1b[?7h",
		"\x1b[?2004l\x1b[!p", "\x1b[!p", "\x1b[?1049l\x1b[m\x1b[?1049h", "\x1b[?1047l", "\x1b[?47l",
	}
)

// sameAsXterm plays in both terminals, and reports whether they agree at each look. It fails the
// test at the first difference.
func sameAsXterm(t *testing.T, x *xterm, p play, wraps bool) bool {
	t.Helper()
	theirs, ours := x.pictures(t, p), pictures(t, p)
	look := 0
	for i, s := range p.Steps {
		if !s.Show {
			continue
		}
		for _, p := range [...]*picture{&theirs[look], &ours[look]} {
			p.Replies = ""
			if !wraps {
				p.Wraps = nil
			}
		}
		if d := cmp.Diff(theirs[look], ours[look], cmpopts.EquateEmpty()); d != "" {
			var last strings.Builder
			for _, s := range p.Steps[max(0, i-25) : i+1] {
				fmt.Fprintf(&last, " %q", s.Write)
				if len(s.Resize) > 0 {
					fmt.Fprintf(&last, " resized to %v", s.Resize)
				}
			}
			t.Errorf("step %d, after%s (-xterm +vt)\n%s", i, &last, d)
			return false
		}
		look++
	}
	return true
}

// TestXtermReflow compares rewrapping after changes of size. The cursor is in an empty line,
// because xterm's engine does not rewrap the cursor's line. Lines end with text, because xterm's
// engine keeps plain trailing blanks and drops coloured ones, and this package does the opposite.
func TestXtermReflow(t *testing.T) {
	t.Parallel()
	x := newXterm(t)
	for _, words := range [...][]string{
		{"word", "some more words", "日本", "e\u0301", "\r\n", "\r\n", "\t-", "a"},
		{"word", "some more words", "e\u0301", "\r\n", "\r\n", "\t-", "a", "\x1b[3#m", "\x1b[1m", "\x1b[m"},
	} {
		for seed := range uint64(load.Count(10, 400)) {
			r := rand.New(rand.NewPCG(seed, 4))
			p := play{Cols: 20, Rows: 8, Scrollback: 400}
			for range 5 {
				p.Steps = append(p.Steps,
					step{Write: append(randomOutput(r, 15, words), "\r\n"...), Show: true},
					step{Resize: []int{3 + r.IntN(40), 2 + r.IntN(12)}, Show: true})
			}
			if !sameAsXterm(t, x, p, true) {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}
