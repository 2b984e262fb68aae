package vt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ui-mcp/internal/testkit/load"
)

// sequences are the elements of random output. Each # becomes a small number.
var sequences = strings.Split("\r\n|\n|\r|\b|\t|a|word|some more words |日本|e\u0301|👩‍💻|🇩🇪|☂\ufe0f|\u0301|"+
	"\x1b[#A|\x1b[#B|\x1b[#C|\x1b[#D|\x1b[#E|\x1b[#F|\x1b[#G|\x1b[#;#H|\x1b[#I|\x1b[#Z|\x1b[#d|"+
	"\x1b[J|\x1b[1J|\x1b[2J|\x1b[K|\x1b[1K|\x1b[2K|\x1b[#X|\x1b[#@|\x1b[#P|\x1b[#L|\x1b[#M|\x1b[#S|\x1b[#T|\x1b[#b|"+
	"\x1b[#;#r|\x1b[r|\x1bD|\x1bM|\x1bE|\x1b7|\x1b8|\x1b[4h|\x1b[4l|\x1b[?7h|\x1b[?7l|\x1b[?6h|\x1b[?6l|"+
	"\x1b[m|\x1b[1m|\x1b[3#m|\x1b[4#m|\x1b[4:3m|\x1b[38;5;#m|\x1b[48;2;#;#;#m|\x1b(0|\x1b(B|"+
	"\x1b[?1049h|\x1b[?1049l|\x1bH|\x1b[g", "|")

// wilder are sequences that other terminals execute differently, or not at all.
var wilder = strings.Split("\x1b[?69h|\x1b[?69l|\x1b[#;#s|\x1b[#'}|\x1b[#'~|\x1b[# @|\x1b[# A|\x1b6|\x1b9|\x1b#8|\x1b#3|\x1b#6|"+
	"\x1b[3J|\x1b[22J|\x1bc|\x1b[!p|\x1b[?47h|\x1b[?47l|\x1b[?1047h|\x1b[?1047l|\x1b[?45h|\x1b[?45l|\x1b[?2026h|\x1b[?2026l|"+
	"\x1b[?2027h|\x1b[?2027l|\x1b]8;;http://h/#\x07|\x1b]8;;\x07|\x1b]2;title #\x07|\x1b]133;A\x07|\x1b[4#;#;#;#;#$x|\x1b[#;#;#;#$z|\x1b[#;#;#;#${|\x1b[#;#;#;#;1;#;#$v|\x1b[1\"q|\x1b[\"q|\x1b[?J|\x1b[?K|"+
	"\x1bN|\x0e|\x0f|\x1b)0|\x1b[#;#|\x1b]|\x1bP$q|\x1b\\|\x18|\xe2\x82|\xff|\u009b#C|\x1b[4 q|\x1b[?5h|\x1b]4;#;#123456\x07|\x1b[>#u|\x1b[<u", "|")

func randomOutput(r *rand.Rand, n int, vocabulary ...[]string) []byte {
	var b strings.Builder
	for range n {
		words := vocabulary[r.IntN(len(vocabulary))]
		word := words[r.IntN(len(words))]
		if strings.HasPrefix(word, "\x1b#") { // not a number
			b.WriteString(word)
			continue
		}
		for c := range strings.SplitAfterSeq(word, "#") {
			b.WriteString(strings.TrimSuffix(c, "#"))
			if strings.HasSuffix(c, "#") {
				fmt.Fprint(&b, r.IntN(9))
			}
		}
	}
	return []byte(b.String())
}

// TestRandom checks invariants with random output: the state is consistent, splitting the output
// makes no difference, and diffs match the changes.
func TestRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(load.Count(100, 4000)) {
		r := rand.New(rand.NewPCG(seed, 0))
		cols, rows := 1+r.IntN(20), 1+r.IntN(8)
		check := newChecker(t, cols, rows, 10)
		for range 6 {
			check.write(randomOutput(r, 30, sequences, sequences, wilder), r.IntN)
			if r.IntN(3) == 0 {
				check.resize(1+r.IntN(20), 1+r.IntN(8))
			}
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

// FuzzWrite checks the same with arbitrary bytes, the first four of which are sizes.
func FuzzWrite(f *testing.F) {
	for _, scenes := range families {
		for _, s := range scenes {
			f.Add([]byte("\x0a\x04\x07\x05" + strings.Join(s.input, "")))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4 || len(data) > 10_000 {
			return
		}
		n := 0
		pick := func(limit int) int { // chunk sizes, derived from the data
			n++
			return int(data[n%len(data)]) % limit
		}
		size := func(b byte) int { return 1 + int(b)%40 }
		check := newChecker(t, size(data[0]), size(data[1]), 10)
		half := 4 + (len(data)-4)/2
		check.write(data[4:half], pick)
		check.resize(size(data[2]), size(data[3]))
		check.write(data[half:], pick)
		check.resize(size(data[0]), size(data[1]))
	})
}

// A checker writes the same output to two terminals, to one of them in chunks, and maintains a
// picture by diffs.
type checker struct {
	t           testing.TB
	whole, part *Terminal
	before      *Snapshot
	picture     []Line
}

func newChecker(t testing.TB, cols, rows, scrollback int) *checker {
	c := &checker{t: t}
	for _, p := range [...]**Terminal{&c.whole, &c.part} {
		vt, err := New(Options{Cols: cols, Rows: rows, Scrollback: scrollback, Epoch: 1})
		if err != nil {
			t.Fatal(err)
		}
		*p = vt
	}
	c.before = c.whole.Snapshot()
	c.picture = c.before.Lines
	return c
}

func (c *checker) write(data []byte, pick func(int) int) {
	c.t.Helper()
	write(c.whole, data)
	for rest := data; len(rest) > 0; {
		n := min(1+pick(7), len(rest))
		write(c.part, rest[:n])
		rest = rest[n:]
		c.part.Snapshot()
	}
	c.check(fmt.Sprintf("after %q", data))
}

func (c *checker) resize(cols, rows int) {
	c.t.Helper()
	for _, vt := range [...]*Terminal{c.whole, c.part} {
		if err := vt.Resize(cols, rows); err != nil {
			c.t.Fatal(err)
		}
	}
	c.check(fmt.Sprintf("resized to %dx%d", cols, rows))
}

func (c *checker) check(when string) {
	c.t.Helper()
	checkState(c.t, c.whole)
	if d := cmp.Diff(describe(c.whole), describe(c.part)); d != "" {
		c.t.Errorf("%s: (-whole +in chunks)\n%s", when, d)
	}
	s := c.whole.Snapshot()
	at := Position{s.FirstLine + uint64(s.Cursor.Row), s.Cursor.Col}
	if got, want := c.whole.Place(), (Place{s.AltScreen(), at, s.Layout}); got != want {
		c.t.Errorf("%s: Place = %v, but the picture's is %v", when, got, want)
	}
	d := s.Since(c.before.Moment())
	if s.Epoch == c.before.Epoch && (len(d.Rows) > 0 || s != c.before) {
		c.t.Errorf("%s: something changed, but not the epoch", when)
	}
	picture := make([]Line, s.Rows)
	if !d.Reset {
		copy(picture, c.picture[d.Scrolled:])
	}
	for _, r := range d.Rows {
		picture[r.Row] = r.Line
	}
	if diff := cmp.Diff(s.Lines, picture, cmp.AllowUnexported(Line{}), cmpopts.EquateEmpty()); diff != "" {
		c.t.Errorf("%s: (-snapshot +by diff from epoch %d)\n%s", when, c.before.Epoch, diff)
	}
	c.before, c.picture = s, picture
}
