package vt

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ui-mcp/internal/term/scrollback"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/testkit/load"
)

// notInState are the fields that AppendState does not restore, with the reason. All others are
// compared.
var notInState = map[string]string{
	"emit": "not state", "name": "an option", "scr": "in modes", "doubles": "the sizes of lines are compared", "direct": "follows from modes, character sets and sizes",
	"history": "compared as lines", "marks": "left out on purpose", "tracked": "they belong to the caller", "layout": "counts since the terminal was created",
	"pens": "resolved", "clusters": "resolved", "links": "resolved", "ink": "follows from cur", "blank": "follows from cur", "inkFresh": "a cache",
	"savedModes": "left out on purpose", "titles": "left out on purpose", "notification": "left out on purpose",
	"tapes": "left out on purpose", "command": "left out on purpose", "tape": "left out on purpose", "replays": "set at creation",
	"updates": "counts since the terminal was created", "epoch": "counts changes", "stamp": "counts changes", "dirty": "counts changes", "redrawn": "counts changes", "seen": "counts changes",
	"cached": "a cache", "packing": "scratch memory", "unpacking": "scratch memory",
}

type plainPen struct {
	Style sgr.Style
	Link  string
}

type plainCursor struct {
	X, Y    int
	Pending bool
	Pen     plainPen
	Sets    charsets
	Origin  bool
}

type plainScreen struct {
	Saved plainCursor
	Keys  keyStack
	Rows  []string // one line for each cell
	Wraps []bool
	Sizes []LineSize
}

type plainLine struct {
	Cells []Cell
	Wraps bool
	Size  LineSize
}

// fields returns what AppendState restores, by field: everything or, if rough, what it restores of
// every state.
func (t *Terminal) fields(rough bool) map[string]any {
	fields := map[string]any{}
	pen := func(p scrollback.Pen) plainPen {
		return plainPen{p.Style, t.links.uri(p.Link)}
	}
	cursor := func(c cursor, origin bool) plainCursor {
		return plainCursor{c.x, c.y, c.pending, pen(c.pen), c.sets, origin}
	}
	screen := func(s *screen) plainScreen {
		out := plainScreen{Saved: cursor(s.saved.cursor, s.saved.origin), Keys: s.keys}
		if rough {
			out.Saved.Sets.single = 0
			out.Saved.Pending = out.Saved.Pending && s.saved.x == t.cols-1
		}
		s.crop(t.rows, t.cols, t.stamp)
		for y, r := range s.rows {
			var cells []string
			for x, c := range r.cells[:r.used] {
				if c&widthMask == filler && x == t.cols-1 {
					c = 0
				}
				p := pen(t.pens.pens[c.pen()].Pen)
				text := ""
				switch {
				case c&contentMask != 0:
					text = string(t.clusters.append(nil, c&contentMask))
					if rough && c&(wide|clusterFlag) == clusterFlag {
						text = string(t.clusters.base(c & contentMask))
					}
				case rough && c&tail == 0 && p != plainPen{}:
					text = " "
				}
				cells = append(cells, fmt.Sprintf("%q %x %v", text, c&(wide|tail), p))
			}
			empty := fmt.Sprintf("%q %x %v", "", 0, plainPen{})
			for len(cells) > 0 && cells[len(cells)-1] == empty {
				cells = cells[:len(cells)-1]
			}
			out.Rows = append(out.Rows, strings.Join(cells, "\n"))
			out.Sizes = append(out.Sizes, r.size)
			out.Wraps = append(out.Wraps, r.wraps && !(rough && y == t.rows-1))
		}
		return out
	}
	v := reflect.ValueOf(t).Elem()
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		switch {
		case notInState[name] != "":
		case name == "parser":
			fields[name] = string(t.parser.appendPrefix(nil))
		case name == "primary":
			fields[name] = screen(&t.primary)
		case name == "alternate":
			fields[name] = screen(&t.alternate)
		case name == "cur":
			c := t.cur
			if rough {
				_, reprints := t.reprints()
				c.pending = c.pending && reprints
				if t.modes.Has(ModeOrigin) {
					c.x, c.y = min(max(c.x, t.left), t.right), min(max(c.y, t.top), t.bottom)
				}
			}
			fields[name] = cursor(c, false)
		case name == "palette":
			fields[name] = t.palette
		case name == "frozen":
			fields[name] = t.frozen != nil
		case name == "last" && rough:
		case name == "tabs":
			for x := range t.cols {
				fields[fmt.Sprintf("tabs %d", x)] = t.tabs[x]
			}
		default:
			fields[name] = reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Interface()
		}
	}
	return fields
}

// sameState returns the differences between two terminals in what AppendState restores, and in the
// given number of history lines. If rough, differences that it documents do not count.
func sameState(want, got *Terminal, history int, rough bool) string {
	all := cmp.Exporter(func(reflect.Type) bool { return true })
	d := cmp.Diff(want.fields(rough), got.fields(rough), all, cmpopts.EquateEmpty())
	lines := func(t *Terminal) []plainLine {
		_, screen, _ := t.Extent()
		_, lines := t.Lines(screen-min(screen, uint64(history)), min(history, t.history.Len()))
		var out []plainLine
		for _, l := range lines {
			cells := slices.Collect(l.Cells())
			for n := len(cells); n > 0 && !l.Wraps && cells[n-1] == (Cell{Col: cells[n-1].Col, Width: 1, Text: " "}); n-- {
				cells = cells[:n-1] // rewrapping can leave plain blanks
			}
			if l.Wraps && t.rows == 1 {
				l.Size = SingleSize // lost
			}
			out = append(out, plainLine{cells, l.Wraps, l.Size})
		}
		return out
	}
	return d + cmp.Diff(lines(want), lines(got), all, cmpopts.EquateEmpty())
}

// replay returns a new terminal that got the state of another.
func replay(t *testing.T, from *Terminal, history int) *Terminal {
	t.Helper()
	to := newTerminal(t, from.cols, from.rows, from.history.Limit)
	write(to, from.AppendState(nil, history))
	return to
}

// stateful are sequences that leave state behind which others do not.
var stateful = strings.Split("\x1b7|\x1b8|\x1b[?1049h|\x1b[?1049l|\x1b[?47h|\x1b[?47l|\x1b[#;#r|\x1b[?69h|\x1b[#;#s|\x1b[?69l|\x1b[?6h|\x1b[?6l|\x1b[r|"+
	"\x1b(0|\x1b)0|\x1b*A|\x1b+R|\x1b(B|\x0e|\x0f|\x1bn|\x1bo|\x1bN|\x1bO|q|#|"+
	"\x1bH|\x1b[g|\x1b[3g|\x1b[4h|\x1b[4l|\x1b[?7l|\x1b[?7h|\x1b[20h|\x1b[20l|\x1b#3|\x1b#4|\x1b#5|\x1b#6|\x1b[?45h|\x1b[?1045h|\x1b[?2031h|\x1b]22;text\x07|"+
	"\x1b[?1000h|\x1b[?1003h|\x1b[?1006h|\x1b[?2004h|\x1b[?1h|\x1b=|\x1b[?25l|\x1b[?5h|\x1b[?2027l|\x1b[?2027h|\x1b[?2026h|\x1b[?2026l|\x1b[?2048h|"+
	"\x1b]2;title #\x07|\x1b]4;#;rgb:1/2/#\x07|\x1b]11;#123456\x07|\x1b]110\x07|\x1b]7;file://host/a%20b\x07|\x1b]9;9;C:\\x\x07|"+
	"\x1b[>#u|\x1b[<u|\x1b[=#u|\x1b[>4;2m|\x1b[#q|\x1b[# q|\x1b[1\"q|\x1b[\"q|\x1b]8;;http://h/#\x07|\x1b]8;;\x07|"+
	"\x1b[?K|\x1b[?J|\x1b[#;#;#;#${|\x1b[#;#;#;#;1;#;#;1$v|\x1b[6m|\x1b[5m|\x1b[4:3m|\x1b[#b|"+
	"日本|👩\u200d💻|👩|\u200d|💻|🇩|🇪|☂|\ufe0f|🏽|e\u0301|\u0301|0123456789012345678|word|\r|\n|\b|\x1bM|\x1b[K|\x1b[1K|\x1b[#@|\x1b[#P|\x1b[#X|"+
	"\x1b|\x1b[|\x1b[1;|\x1b[?|\x1b[38:2|\x1b(|\x1bP|\x1bP$q|\x1b]2;par|\xe2|\x82|\xc2", "|")

// TestState checks that the state of a terminal after random output, written to a new terminal,
// makes that equal, field by field, and that later output has the same effect on both.
func TestState(t *testing.T) {
	t.Parallel()
	whole, count := 0, load.Count(300, 50000)
	for seed := range uint64(count) {
		if checkRandomState(t, seed) {
			whole++
		}
	}
	if whole < count/2 {
		t.Errorf("of %d states, only %d were restored whole", count, whole)
	}
}

// checkRandomState is [TestState] for the output with one seed. It reports whether all of the state
// was restored, and not only roughly.
func checkRandomState(t *testing.T, seed uint64) bool {
	families := [][]string{sequences, append(append([]string(nil), sequences...), wilder...), stateful, append(append([]string(nil), sequences...), stateful...)}
	r := rand.New(rand.NewPCG(seed, 9))
	cols, rows := 2+r.IntN(19), 1+r.IntN(7)
	want := newTerminal(t, cols, rows, r.IntN(2)*20)
	words := families[seed%uint64(len(families))]
	output := randomOutput(r, r.IntN(120), words)
	write(want, output)
	if r.IntN(8) == 0 {
		_ = want.Resize(2+r.IntN(19), 1+r.IntN(7))
	}
	const history = 10
	got := replay(t, want, history)
	if d := sameState(want, got, history, true); d != "" {
		t.Fatalf("seed %d, %dx%d: %q is written as %q (-want +got)\n%s", seed, want.cols, want.rows, output, want.AppendState(nil, history), d)
	}
	if sameState(want, got, history, false) != "" {
		return false // something is approximated
	}
	more := randomOutput(r, 10, words)
	write(want, more)
	write(got, more)
	if d := sameState(want, got, history, false); d != "" {
		t.Fatalf("seed %d, %dx%d: after %q, %q differs (-want +got)\n%s", seed, want.cols, want.rows, output, more, d)
	}
	return true
}

// TestStateOfPrograms checks the same at random moments of recordings of programs.
func TestStateOfPrograms(t *testing.T) {
	t.Parallel()
	for i, r := range recordings(t) {
		t.Run(filepath.Base(r.name), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(i), 10))
			output := r.output
			for range load.Count(2, 8) {
				at := random.IntN(len(output) + 1)
				want := newTerminal(t, r.cols, r.rows, 100)
				write(want, output[:at])
				got := replay(t, want, 100)
				if d := sameState(want, got, 50, true); d != "" {
					t.Fatalf("at %d (-want +got)\n%s", at, d)
				}
				rest := output[at:min(len(output), at+2000)]
				write(want, rest)
				write(got, rest)
				if d := sameState(want, got, 50, true); d != "" {
					t.Fatalf("%d bytes after %d (-want +got)\n%s", len(rest), at, d)
				}
			}
		})
	}
}
