package term

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/vt"
)

// feed gives marks to a shell's state: the letters of OSC 133 with a number, such as C3 or D3=1. s,
// r and e after the number are variants; a letter alone is a mark without a token.
func feed(p *shellState, marks string) {
	kinds := map[byte]vt.MarkKind{'A': vt.MarkPrompt, 'B': vt.MarkCommand, 'C': vt.MarkOutput, 'D': vt.MarkEnd}
	for i, m := range strings.Fields(marks) {
		mark := vt.Mark{ID: uint64(i + 1), Kind: kinds[m[0]]}
		rest, code, ok := strings.Cut(m[1:], "=")
		if ok {
			_, _ = fmt.Sscan(code, &mark.ExitCode)
			mark.HasExitCode = true
		}
		number := rest
		if i := strings.IndexAny(rest, "sre"); i >= 0 {
			number = rest[:i]
		}
		mark.Variant = rest[len(number):]
		if number != "" {
			mark.Token = "key." + number
		}
		p.see(mark, time.Unix(int64(i), 0))
	}
}

// The fate of a line follows from the marks that have its number, and from no others.
func TestFateOfALine(t *testing.T) {
	type fate struct {
		known, run, over, ready, more, refused bool
		code                                   int // -1: unknown
	}
	for _, tt := range []struct {
		name, before, after string
		want                fate
	}{
		{"nothing", "D0 A1 B1", "", fate{known: true, code: -1}},
		{"runs", "D0 A1 B1", "C1", fate{known: true, run: true, code: -1}},
		{"done", "D0 A1 B1", "C1 D1=3", fate{known: true, run: true, over: true, code: 3}},
		{"done, and a prompt", "D0 A1 B1", "C1 D1=3 A2 B2", fate{known: true, run: true, over: true, ready: true, code: 3}},
		{"the prompt is drawn again", "D0 A1 B1", "A1 B1 A1 B1", fate{known: true, code: -1}},
		{"no command", "D0 A1 B1", "D1 A2 B2", fate{known: true, over: true, ready: true, code: -1}},
		{"no end", "D0 A1 B1", "C1 A2 B2", fate{known: true, run: true, over: true, ready: true, code: -1}},
		{"unfinished", "D0 A1 B1", "A1s", fate{known: true, more: true, code: -1}},
		{"unfinished and dropped", "D0 A1 B1", "A1s D1 A2 B2", fate{known: true, more: true, over: true, ready: true, code: -1}},
		{"refused", "D0 A1 B1", "B1e", fate{known: true, refused: true, code: -1}},
		{"another line afterwards", "D0 A1 B1", "C1 D1=3 A2 B2 C2 D2=4", fate{known: true, run: true, over: true, ready: true, code: 3}},
		{"the line before is late", "D0 A1 B1 C1 D1=0 A2 B2", "C1 D1=7", fate{known: true, code: -1}},
		{"marks of a program", "D0 A1 B1", "C1 D=9 A B", fate{known: true, run: true, code: -1}},
		{"old marks of this session", "D0 A1 B1 C1 D1=0 A2 B2", "C2 C1 D1=9 A2 B2", fate{known: true, run: true, code: -1}},
		{"typed while a command runs", "D0 A1 B1 C1", "D1=0 A2 B2", fate{code: -1}},
		{"typed while a command runs, and read by the shell", "D0 A1 B1 C1", "D1=0 A2 B2 C2 D2=5", fate{known: true, run: true, over: true, code: 5}},
		{"marks of the shell's own", "A B", "C D=2 A B", fate{known: true, run: true, over: true, ready: true, code: 2}},
		{"prompts that begin with an end", "D=0 A B", "C D=2 A B", fate{known: true, run: true, over: true, ready: true, code: 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &shellState{key: "key"}
			feed(p, tt.before)
			w := p.newWatch(true)
			w.whole = true
			feed(p, tt.after)
			got := fate{w.known, w.output != 0, w.over, w.ready, w.more, w.refused, -1}
			if w.exit != nil {
				got.code = *w.exit
			}
			if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(fate{})); d != "" {
				t.Errorf("%q, the line, %q (-want +got):\n%s", tt.before, tt.after, d)
			}
		})
	}
}

// Several lines that are typed at once end with the last one.
func TestFateOfSeveralLines(t *testing.T) {
	p := &shellState{key: "key"}
	feed(p, "D0 A1 B1")
	w := p.newWatch(true)
	feed(p, "C1 D1=0 C2")
	if w.over {
		t.Error("it ended before its second line")
	}
	feed(p, "D2=4 A3 B3")
	if !w.over || !w.ready || *w.exit != 4 {
		t.Errorf("in the end: %+v", w)
	}
}

// Only the answer to the last press of the key, with nothing typed since, shows that everything has
// been read.
func TestReadyKey(t *testing.T) {
	for _, tt := range []struct {
		name    string
		do      func(p *shellState)
		unclear bool
	}{
		{"answered", func(p *shellState) { p.press(); feed(p, "B1r1") }, false},
		{"not answered", func(p *shellState) { p.press() }, true},
		{"typed since", func(p *shellState) { p.press(); p.typed(); feed(p, "B1r1") }, true},
		{"an earlier answer", func(p *shellState) { p.press(); p.press(); feed(p, "B1r1") }, true},
		{"both answers", func(p *shellState) { p.press(); p.press(); feed(p, "B1r1 B1r2") }, false},
		{"the second answer", func(p *shellState) { p.press(); p.press(); feed(p, "B1r2") }, false},
		{"the prompt is drawn again", func(p *shellState) { p.press(); feed(p, "A1 B1") }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &shellState{key: "key"}
			feed(p, "D0 A1 B1")
			p.typed()
			tt.do(p)
			if p.unclear != tt.unclear {
				t.Errorf("unclear = %v", p.unclear)
			}
		})
	}
}

// No marks make the number of the prompt go back, and a line that is over stays so.
func FuzzMarks(f *testing.F) {
	f.Add("D0 A1 B1", "C1 D1=3 A2 B2")
	f.Add("A B", "C D=1 A1s B1r B1e")
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
		p := &shellState{key: "key"}
		feed(p, clean(before))
		w := p.newWatch(true)
		for m := range strings.FieldsSeq(clean(after)) {
			n, keyed := p.n, p.keyed
			feed(p, m)
			if keyed && p.n < n {
				t.Fatalf("%q: from %d to %d", m, n, p.n)
			}
		}
		if w.exit != nil && w.output == 0 {
			t.Error("a status without a command")
		}
	})
}
