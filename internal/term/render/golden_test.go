package render

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/sgr"
)

var update = flag.Bool("update", false, "write pictures as they are to testdata")

// A story is a list of steps in a small session: output of the program, a JSON array of operations,
// or "resize COLSxROWS", "enter" or "exit".
type story struct {
	name  string
	size  string // COLSxROWS, 12x5 if empty
	steps []string
}

var stories = map[string][]story{
	"overlays": {
		{name: "nothing on it", steps: []string{"hello\r\nworld"}},
		{name: "one with a background", steps: []string{"hello\r\nworld", `[{"op":"create","type":"overlay","x":3,"y":0,"width":5,"height":2,"background":"blue","spans":[{"text":"abc"}]}]`}},
		{name: "without one, what is below shows beside the text", steps: []string{"hello world\r\nhello world", `[{"op":"create","type":"overlay","x":2,"width":6,"height":2,"spans":[{"text":"A\nBCD"}]}]`}},
		{name: "moved and removed, it leaves what was below", steps: []string{"hello world", `[{"op":"create","type":"overlay","x":1,"background":"red","spans":[{"text":"xy"}]}]`,
			`[{"op":"update","type":"overlay","id":"overlay-1","x":6}]`, `[{"op":"remove","type":"overlay","id":"overlay-1"}]`}},
		{name: "the program writes under it", steps: []string{"hello", `[{"op":"create","type":"overlay","x":1,"background":"red","spans":[{"text":"xy"}]}]`, "\rHELLO", `[{"op":"clear","type":"overlay"}]`}},
		{name: "in order of Z", size: "8x3", steps: []string{`[{"op":"create","type":"overlay","x":0,"y":0,"z":1,"background":"red","spans":[{"text":"1111\n1111"}]},
			{"op":"create","type":"overlay","x":2,"y":1,"z":0,"background":"blue","spans":[{"text":"0000\n0000"}]}]`, `[{"op":"update","type":"overlay","id":"overlay-2","z":2}]`}},
		{name: "cut at every edge", size: "4x3", steps: []string{`[{"op":"create","type":"overlay","x":-1,"y":-1,"background":"red","spans":[{"text":"abcdef\nghijkl\nmnopqr\nstuvwx\nyz0123"}]}]`}},
		{name: "beyond the screen", steps: []string{"hi", `[{"op":"create","type":"overlay","x":50,"y":2,"spans":[{"text":"far"}]}]`}},
		{name: "over wide characters", size: "8x2", steps: []string{"\x1b[31m日本語字", `[{"op":"create","type":"overlay","x":1,"spans":[{"text":"ab"}]}]`, `[{"op":"remove","type":"overlay","id":"overlay-1"}]`}},
		{name: "wide characters cut at its right", size: "8x2", steps: []string{"........", `[{"op":"create","type":"overlay","x":1,"width":3,"height":1,"spans":[{"text":"日本","fg":"green"}]}]`}},
		{name: "wide characters cut at the screen's left", size: "8x2", steps: []string{"........", `[{"op":"create","type":"overlay","x":-1,"spans":[{"text":"日本","fg":"green"}]}]`}},
		{name: "styles over a background", steps: []string{`[{"op":"create","type":"overlay","background":"blue","width":9,"height":1,"spans":[{"text":"a","bold":true},{"text":"b","bg":"red"},{"text":"c","underline":true,"italic":true,"fg":{"r":1,"g":2,"b":3}}]}]`}},
		{name: "region writes, cut at its edges", size: "8x4", steps: []string{`[{"op":"create","type":"overlay","x":1,"y":1,"width":5,"height":2,"background":"blue","spans":[{"text":".....\n....."}]},
			{"op":"write","type":"overlay","id":"overlay-1","writes":[{"row":0,"col":3,"text":"long\nx\ny","fg":"red"},{"row":1,"col":0,"text":"Z"}]}]`}},
		{name: "the cursor under it is hidden", steps: []string{"abc", `[{"op":"create","type":"overlay","x":2,"width":2,"height":1,"spans":[{"text":"x"}]}]`,
			`[{"op":"update","type":"overlay","id":"overlay-1","background":"red"}]`, "\r"}},
	},
	"panels": {
		{name: "at both edges", steps: []string{"hello", `[{"op":"create","type":"panel","position":"top","background":"blue","spans":[{"text":"title"}]},{"op":"create","type":"panel","position":"bottom","spans":[{"text":"status"}]}]`}},
		{name: "the program scrolls between them", steps: []string{`[{"op":"create","type":"panel","position":"top","spans":[{"text":"title"}]},{"op":"create","type":"panel","position":"bottom","spans":[{"text":"status"}]}]`,
			"one\r\ntwo\r\nthree", "\r\nfour", "\x1b[Htop\x1b[2K\x1b[1Hback"}},
		{name: "one that does not fit", size: "8x3", steps: []string{"hi", `[{"op":"create","type":"panel","height":2,"spans":[{"text":"a\nb"}]},{"op":"create","type":"panel","spans":[{"text":"c"}]}]`, "resize 8x4"}},
		{name: "a full screen program", size: "8x4", steps: []string{`[{"op":"create","type":"panel","position":"top","spans":[{"text":"primary"}]}]`, "shell", "\x1b[?1049h\x1b[Hvim",
			`[{"op":"create","type":"panel","spans":[{"text":"help"}]}]`, "\x1b[?1049l"}},
		{name: "longer than the screen", size: "6x2", steps: []string{`[{"op":"create","type":"panel","spans":[{"text":"abcdefgh"}]}]`, "resize 10x2"}},
		{name: "an overlay above a panel", size: "8x3", steps: []string{`[{"op":"create","type":"panel","background":"blue","spans":[{"text":"status"}]},{"op":"create","type":"overlay","x":2,"y":1,"background":"red","spans":[{"text":"a\nb"}]}]`}},
	},
	"terminal": {
		{name: "colours that the program set", size: "10x3", steps: []string{"\x1b[31ma\x1b[32mb", "\x1b]4;1;#102030\x1b\\", `[{"op":"create","type":"overlay","x":1,"spans":[{"text":"x","fg":"red"}]}]`, "\x1b]104\x1b\\"}},
		{name: "default colours that the program set", size: "10x3", steps: []string{"a\x1b[41mb", "\x1b]10;#aabbcc;#000040\x1b\\", `[{"op":"create","type":"panel","spans":[{"text":"status"}]}]`, "\x1b]111\x1b\\"}},
		{name: "keys, mouse and title", size: "10x2", steps: []string{"\x1b]0;vim\x1b\\\x1b[?1h\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[>1u", "\x1b[?1003h", "resize 9x2", "\x1bc"}},
		{name: "the wheel sends arrow keys to a full screen program only", size: "10x2", steps: []string{"\x1b[?1049h", "\x1b[?1049l"}},
	},
	"canvas": {
		{name: "the alternate screen of the agent", size: "8x3", steps: []string{"shell$ ", `[{"op":"create","type":"overlay","y":1,"spans":[{"text":"below"}]}]`, "enter",
			`[{"op":"create","type":"overlay","x":1,"spans":[{"text":"menu"}]}]`, "make", "exit"}},
	},
	"differences": {
		{name: "a gap that is shorter to print", size: "30x2", steps: []string{"the quick brown fox jumps", "\rTHE qUick"}},
		{name: "a gap that is shorter to skip", size: "30x2", steps: []string{"the quick brown fox jumps", "\rTHE\x1b[20CJ"}},
		{name: "the end of a line is erased", size: "30x2", steps: []string{"the quick brown fox jumps", "\x1b[1;6H\x1b[K"}},
		{name: "the middle of a line is erased", size: "30x2", steps: []string{"the quick brown fox jumps", "\x1b[1;5H\x1b[16X"}},
		{name: "coloured blanks are printed", size: "10x2", steps: []string{"abcdef", "\r\x1b[44m\x1b[K"}},
		{name: "only the cursor", size: "10x2", steps: []string{"abc", "\x1b[1;2H", "\x1b[?25l", "\x1b[?25h\x1b[4 q"}},
		{name: "a style that adds to the one before", size: "10x2", steps: []string{"\x1b[1ma\x1b[31mb\x1b[4mc\x1b[39md\x1b[24me\x1b[22;44mf"}},
		{name: "clusters are followed by a place", size: "10x2", steps: []string{"e\u0301x👩\u200d💻y🇩🇪z"}},
		{name: "links", size: "12x2", steps: []string{"a\x1b]8;;http://x/\x1b\\b\x1b[1mc\x1b]8;;\x1b\\d"}},
		{name: "all colours exchanged", size: "10x2", steps: []string{"abc", "\x1b[?5h", "\x1b[?5l"}},
		{name: "scrolling", size: "10x4", steps: []string{"one\r\ntwo\r\nthree\r\nfour", "\r\nfive", "\r\nsix\r\nseven"}},
		{name: "lines of double size", size: "12x3", steps: []string{"abcdef\r\ntop\x1b#3\r\ntop\x1b#4", "\x1b[Hx\x1b#6", "yz", `[{"op":"create","type":"overlay","x":8,"spans":[{"text":"note"}]}]`, "\x1b[2H\x1b#5"}},
	},
}

// TestStories compares the picture after each step of the stories, and the bytes that update a
// terminal to it, with testdata/FAMILY.golden.
func TestStories(t *testing.T) {
	for family, list := range stories {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, s := range list {
				s.tell(t, &b)
			}
			path := filepath.Join("testdata", family+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(strings.SplitAfter(string(golden), "\n\n"), strings.SplitAfter(b.String(), "\n\n")); d != "" {
				t.Errorf("pictures differ (-want +got; -update accepts them):\n%s", d)
			}
		})
	}
}

func (s story) tell(t *testing.T, b *strings.Builder) {
	cols, rows := 12, 5
	if s.size != "" {
		size(t, s.size, &cols, &rows)
	}
	m, err := overlay.New(cols, rows)
	if err != nil {
		t.Fatal(err)
	}
	program, person := terminal(t, cols, rows), terminal(t, cols, rows)
	var c Composer
	var shown *Frame
	fmt.Fprintf(b, "# %s\n", s.name)
	for _, step := range s.steps {
		fmt.Fprintf(b, "> %q\n", step)
		if rest, ok := strings.CutPrefix(step, "resize "); ok {
			size(t, rest, &cols, &rows)
			must(m.Resize(cols, rows))
			must(person.Resize(cols, rows))
		} else if step == "enter" {
			must(m.EnterAlternate())
		} else if step == "exit" {
			must(m.ExitAlternate())
		} else if step[0] == '[' {
			var ops []overlay.Op
			if err := json.Unmarshal([]byte(step), &ops); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Apply(ops...); err != nil {
				t.Fatal(err)
			}
		} else {
			write(program, []byte(step))
		}
		m.SetProgramAlternate(program.Snapshot().AltScreen())
		l := m.Layout()
		must(program.Resize(l.Cols, l.ProgramRows()))
		f := c.Compose(program.Snapshot(), m.Snapshot())
		out := changes(nil, shown, f)
		if write(person, out); differ(f, onScreen(person)) != "" {
			t.Errorf("%s, after %q: %q shows a different picture: %s", s.name, step, out, differ(f, onScreen(person)))
		}
		draw(b, f)
		if len(l.Hidden) > 0 {
			fmt.Fprintf(b, "hidden %s\n", strings.Join(l.Hidden, " "))
		}
		fmt.Fprintf(b, "%q\n", strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(string(out), beginUpdate), prepare), endUpdate))
		shown = f
	}
	b.WriteString("\n")
}

func size(t *testing.T, s string, cols, rows *int) {
	t.Helper()
	if _, err := fmt.Sscanf(s, "%dx%d", cols, rows); err != nil {
		t.Fatalf("size %q: %v", s, err)
	}
}

// draw draws the text and styles of each row, and the cursor.
func draw(b *strings.Builder, f *Frame) {
	for y, r := range f.Lines {
		edge := "|"
		if y < f.Top || y >= f.Rows-f.Bottom {
			edge = "="
		}
		fmt.Fprintf(b, "  %s%s", edge, r.Text)
		for _, s := range r.Spans {
			if s.Style != (sgr.Style{}) || s.Link != "" {
				fmt.Fprintf(b, " [%d:%d %s%s]", s.Start, s.End, strings.TrimPrefix(string(s.Style.AppendSGR(nil)), "0;"), s.Link)
			}
		}
		b.WriteString("\n")
	}
	if f.Cursor.Visible {
		fmt.Fprintf(b, "cursor %d,%d\n", f.Cursor.Row, f.Cursor.Col)
	} else {
		b.WriteString("cursor hidden\n")
	}
}

// changes appends the bytes that a Display which shows one frame writes to show another.
func changes(b []byte, from, to *Frame) []byte {
	d := Display{frame: from, last: from}
	return d.Draw(b, nil, to)
}
