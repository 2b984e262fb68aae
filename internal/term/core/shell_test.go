package core

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/vt"
)

// A marked shell is one whose marks pass a terminal that knows its key.
type marked struct {
	shell
	term *vt.Terminal
	now  int64
}

func newMarked(t *testing.T) *marked {
	t.Helper()
	p := &marked{}
	term, err := vt.New(vt.Options{Cols: 80, Rows: 24, Effect: func(e vt.Effect) {
		if m, ok := e.(vt.Prompt); ok {
			if m.Mark.Keyed {
				p.see(m.Mark, time.Unix(p.now, 0))
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	term.SetMarkKey("key")
	p.term = term
	return p
}

// watch begins to follow the fate of a line.
func (p *marked) watch(state lineState, whole bool) *fate {
	p.Watch = &fate{N: p.N, State: state, Whole: whole}
	return p.Watch
}

// feed gives marks to the shell: the letters of OSC 133 with a number, such as C3 or D3=1. s, r, h,
// t, x, y and n after the number are variants; a letter alone is a mark without the key.
func feed(p *marked, marks string) {
	for m := range strings.FieldsSeq(marks) {
		p.now++
		rest, code, _ := strings.Cut(m[1:], "=")
		number := rest
		if i := strings.IndexAny(rest, "srhtxyn"); i >= 0 {
			number = rest[:i]
		}
		out := m[:1] + ";" + code
		if variant := rest[len(number):]; variant != "" {
			out += ";k=" + strings.NewReplacer("y", "1", "n", "0").Replace(variant)
		}
		if number != "" {
			out += ";wsh=key." + number
		}
		_, _ = p.term.Write([]byte("\x1b]133;" + out + "\a")) // it never fails
	}
}

// The fate of a line follows from the marks that have its number, and from no others.
func TestFateOfALine(t *testing.T) {
	type fate struct {
		state   lineState
		outcome outcome
		code    int // -1: unknown
	}
	for _, tt := range []struct {
		name, before, after string
		want                fate
	}{
		{"nothing", "D0 A1 B1", "", fate{lineTaken, outcomeUnknown, -1}},
		{"runs", "D0 A1 B1", "C1", fate{lineTaken, outcomeRan, -1}},
		{"done", "D0 A1 B1", "C1 D1=3", fate{lineOver, outcomeRan, 3}},
		{"done, and a prompt", "D0 A1 B1", "C1 D1=3 A2 B2", fate{lineReady, outcomeRan, 3}},
		{"the prompt is drawn again", "D0 A1 B1", "A1 B1 A1 B1", fate{lineTaken, outcomeUnknown, -1}},
		{"dropped", "D0 A1 B1", "D1n A2 B2", fate{lineReady, outcomeDropped, -1}},
		{"nobody knows", "D0 A1 B1", "D1 A2 B2", fate{lineReady, outcomeUnknown, -1}},
		{"no start", "D0 A1 B1", "D1y=4 A2 B2", fate{lineReady, outcomeRan, 4}},
		{"no marks but the next prompt's", "D0 A1 B1", "A2 B2", fate{lineReady, outcomeUnknown, -1}},
		{"no end", "D0 A1 B1", "C1 A2 B2", fate{lineReady, outcomeRan, -1}},
		{"unfinished", "D0 A1 B1", "A1s", fate{lineTaken, outcomeUnknown, -1}},
		{"unfinished and dropped", "D0 A1 B1", "A1s D1n A2 B2", fate{lineReady, outcomeDropped, -1}},
		{"another line afterwards", "D0 A1 B1", "C1 D1=3 A2 B2 C2 D2=4", fate{lineReady, outcomeRan, 3}},
		{"the line before is late", "D0 A1 B1 C1 D1=0 A2 B2", "C1 D1=7", fate{lineTaken, outcomeUnknown, -1}},
		{"marks of a program", "D0 A1 B1", "C1 D=9 A B", fate{lineTaken, outcomeRan, -1}},
		{"a recording of this prompt", "D0 A1 B1", "C1 A1 B1 C1", fate{lineTaken, outcomeRan, -1}},
		{"the prompt after it begins", "D0 A1 B1", "C1 D1=3 A2", fate{lineOver, outcomeRan, 3}},
		{"another line instead", "D0 A1 B1", "C1x", fate{lineReady, outcomeDropped, -1}},
		{"another line instead of the next", "D0 A1 B1", "C1 D1=3 C2x", fate{lineOver, outcomeRan, 3}},
		{"another line before the prompt", "D0 A1 B1", "C1 D1=3 C2 D2=4", fate{lineOver, outcomeRan, 3}},
		{"old marks of this session", "D0 A1 B1 C1 D1=0 A2 B2", "C2 C1 D1=9 A2 B2", fate{lineTaken, outcomeRan, -1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newMarked(t)
			feed(p, tt.before)
			w := p.watch(lineTaken, true)
			feed(p, tt.after)
			got := fate{w.State, w.Outcome, -1}
			if w.Exit != nil {
				got.code = *w.Exit
			}
			if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(fate{})); d != "" {
				t.Errorf("%q, the line, %q (-want +got):\n%s", tt.before, tt.after, d)
			}
		})
	}
}

// Several lines that are typed at once end with the last one.
func TestFateOfSeveralLines(t *testing.T) {
	p := newMarked(t)
	feed(p, "D0 A1 B1")
	w := p.watch(lineTaken, false)
	feed(p, "C1 D1=0 C2")
	if w.State >= lineOver {
		t.Error("it ended before its second line")
	}
	feed(p, "D2=4 A3 B3")
	if w.State != lineReady || *w.Exit != 4 || w.Ended != time.Unix(7, 0) { // which the marks of the prompt do not change
		t.Errorf("in the end: %+v", w)
	}
	if feed(p, "C3 D3=5"); *w.Exit != 4 {
		t.Errorf("after another line: %+v", w)
	}
}

// A line that is offered is taken when the shell marks that, at whatever prompt. The answer to the
// last press of a key shows that the editor has not taken it.
func TestOfferedLine(t *testing.T) {
	for marks, want := range map[string]lineState{
		"":                 lineOffered,
		"A1 B1":            lineOffered,
		"C1 D1=3 A2 B2":    lineOffered, // another line
		"B1t32":            lineTaken,
		"C1 D1=3 A2 B2t32": lineTaken,
		"B1t22":            lineOffered, // an earlier line
		"B1r2":             lineReady,
		"B1r1":             lineOffered,
		"B1t32 C1 D1=3":    lineOver,
		"B1t32 B1r2":       lineReady, // it has come back
	} {
		p := newMarked(t)
		feed(p, "D0 A1 B1")
		p.Offer.N = 3
		w := p.watch(lineOffered, true)
		p.press(readyKey, time.Time{})
		p.press(readyKey, time.Time{})
		if feed(p, marks); w.State != want {
			t.Errorf("%q: %d, want %d", marks, w.State, want)
		}
	}
}

// A line that is at the same prompt again when a ready key is answered, which was pressed after it,
// was dropped.
func TestLineComesBack(t *testing.T) {
	for _, tt := range []struct {
		name  string
		press int // how often a ready key is pressed after the line
		marks string
		want  outcome
		ready bool
	}{
		{"answered", 1, "B1r2", outcomeDropped, true},
		{"not answered", 1, "B1", outcomeUnknown, false},
		{"the answer to an earlier key", 1, "B1r1", outcomeUnknown, false},
		{"an answer at another prompt", 1, "B2r2", outcomeUnknown, true},
		{"an answer before the prompt", 1, "B0r2", outcomeUnknown, false},
		{"an answer for the rest of the line", 1, "A1s B1r2", outcomeUnknown, false},
		{"after the line has run", 1, "C1 B1r2", outcomeRan, false},
		{"a mark that looks like an answer", 1, "A1r2", outcomeUnknown, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newMarked(t)
			feed(p, "D0 A1 B1")
			p.press(readyKey, time.Time{})
			w := p.watch(lineTaken, true)
			for range tt.press {
				p.press(readyKey, time.Time{})
			}
			feed(p, tt.marks)
			if (w.State == lineReady) != tt.ready || w.Outcome != tt.want || (w.State == lineOver) {
				t.Errorf("%+v", w)
			}
		})
	}
}

// A command ends at the mark of its end, or where the next prompt begins.
func TestEndOfCommand(t *testing.T) {
	for marks, want := range map[string]bool{"C1 D1=3": true, "C1 A2 B2": true, "C1": false, "A2 B2": false, "D10 A2 B2": false} {
		p := newMarked(t)
		feed(p, "D0 A1 B1")
		w := p.watch(lineTaken, true)
		feed(p, marks)
		if w.Ended.IsZero() == want {
			t.Errorf("%q: ended at %v", marks, w.Ended)
		}
	}
}

// The phases of a shell, and the numbers of its prompts. Marks without the key say nothing.
func TestPhases(t *testing.T) {
	for _, tt := range []struct {
		marks string
		phase Phase
		n     uint64
		exit  int // -1: unknown
	}{
		{"", PhaseUnmarked, 0, -1},
		{"A1", PhaseHooks, 1, -1},
		{"A1 B1", PhaseEditing, 1, -1},
		{"A1 B1 C1", PhaseRunning, 1, -1},
		{"A1 B1 C1 D1=3", PhaseHooks, 2, 3},
		{"A1 B1 C1 D1=3 A2 B2 D2=4", PhaseHooks, 3, 3}, // of a line that was not run
		{"A1 B1 C1 D1=3 A2 B2 C2", PhaseRunning, 2, -1},
		{"A1 B1 C1 D1", PhaseHooks, 2, -1},
		{"A1 B1 A1s", PhaseMore, 1, -1},
		{"A1 B1 A1s B1", PhaseEditing, 1, -1},
		{"A1 B1 A1s B1r1", PhaseMore, 1, -1},
		{"A B C D=4", PhaseUnmarked, 0, -1}, // of anything
		{"A1 B1 C A", PhaseEditing, 1, -1},
	} {
		p := newMarked(t)
		feed(p, tt.marks)
		exit := -1
		if p.Exit != nil {
			exit = *p.Exit
		}
		if p.Phase != tt.phase || p.N != tt.n || exit != tt.exit {
			t.Errorf("%q: phase %d of %d, exit %d", tt.marks, p.Phase, p.N, exit)
		}
	}
}

// No marks make the number of the prompt go back, and a line that is over stays so.
func FuzzMarks(f *testing.F) {
	f.Add("D0 A1 B1", "C1 D1=3 A2 B2")
	f.Add("A B", "C D=1 A1s B1r B1h")
	f.Fuzz(func(t *testing.T, before, after string) {
		clean := func(s string) string {
			var b strings.Builder
			for m := range strings.FieldsSeq(s) {
				if m != "" && m[0] >= 'A' && m[0] <= 'D' {
					b.WriteString(m + " ")
				}
			}
			return b.String()
		}
		p := newMarked(t)
		feed(p, clean(before))
		w := p.watch(lineTaken, true)
		for m := range strings.FieldsSeq(clean(after)) {
			n := p.N
			feed(p, m)
			if p.N < n {
				t.Fatalf("%q: from %d to %d", m, n, p.N)
			}
		}
		if w.Exit != nil && w.Outcome != outcomeRan {
			t.Error("a status without a command")
		}
	})
}
