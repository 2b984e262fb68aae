package vt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/vt"
)

// Options of a shell's marks are found wherever they are, and odd ones are left out.
func TestMarkOptions(t *testing.T) {
	type mark struct {
		Kind    vt.MarkKind
		Code    int
		HasCode bool
		Variant string
		N       uint64
		Keyed   bool
	}
	for in, want := range map[string]mark{
		"A":                     {Kind: vt.MarkPrompt},
		"A;wsh=key.1":           {Kind: vt.MarkPrompt, N: 1, Keyed: true},
		"A;k=s;wsh=key.1":       {Kind: vt.MarkPrompt, N: 1, Keyed: true, Variant: "s"},
		"B;aid=3;wsh=key.1;k=r": {Kind: vt.MarkCommand, N: 1, Keyed: true, Variant: "r"},
		"C;wsh=key.2;wsh=other": {Kind: vt.MarkOutput, N: 2, Keyed: true},
		"D;7;wsh=key.2":         {Kind: vt.MarkEnd, Code: 7, HasCode: true, N: 2, Keyed: true},
		"D;;wsh=key.2":          {Kind: vt.MarkEnd, N: 2, Keyed: true},
		"D;wsh=key.2":           {Kind: vt.MarkEnd, N: 2, Keyed: true},
		"C;wsh":                 {Kind: vt.MarkOutput},
		"C;wshx=1":              {Kind: vt.MarkOutput},
		"C;wsh=":                {Kind: vt.MarkOutput},
		"C;wsh=key." + strings.Repeat("0", 59) + "7": {Kind: vt.MarkOutput, N: 7, Keyed: true},
		"C;wsh=key." + strings.Repeat("0", 60) + "7": {Kind: vt.MarkOutput},
		"C;wsh=key.":                         {Kind: vt.MarkOutput},
		"C;wsh=key.-1":                       {Kind: vt.MarkOutput},
		"C;wsh=yek.1":                        {Kind: vt.MarkOutput},
		"C;wsh=a\u2028b;k=\u202ex;k=visible": {Kind: vt.MarkOutput, Variant: "visible"},
	} {
		var got mark
		term, err := vt.New(vt.Options{Cols: 80, Rows: 24, Effect: func(e vt.Effect) {
			if p, ok := e.(vt.Prompt); ok {
				got = mark{p.Mark.Kind, p.Mark.ExitCode, p.Mark.HasExitCode, p.Mark.Variant, p.Mark.N, p.Mark.Keyed}
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		term.SetMarkKey("key")
		if _, err := term.Write([]byte("\x1b]133;" + in + "\a")); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", in, d)
		}
	}
}

// Once a shell's marks carry the key, all others are text: marks of other programs, however many,
// and marks that repeat what was there.
func TestForeignMarks(t *testing.T) {
	term, err := vt.New(vt.Options{Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	term.SetMarkKey("key")
	write := func(marks ...string) {
		for _, m := range marks {
			if _, err := term.Write([]byte("\x1b]133;" + m + "\a")); err != nil {
				t.Fatal(err)
			}
		}
	}
	count := func() (kinds string) {
		for _, m := range term.Marks() {
			kinds += string("ABCD"[m.Kind])
		}
		return kinds
	}
	write("A", "B") // a start-up file's program
	write("A;wsh=key.1", "B;wsh=key.1", "A;wsh=key.1", "B;wsh=key.1", "C;wsh=key.1")
	for range 5000 {
		write("A", "B", "C", "D;1", "D;1;wsh=yek.9", "A;wsh=key.0")
	}
	write("A;wsh=key.1", "B;wsh=key.1", "C;wsh=key.1") // a recording of this command
	write("D;0;wsh=key.1", "D;7;wsh=key.1", "A;wsh=key.2")
	if got, want := count(), "ABABABCDA"; got != want {
		t.Errorf("marks %s, want %s", got, want)
	}
	term.SetMarkKey("") // the shell was replaced
	write("A", "B;wsh=key.1")
	if got, want := count(), "ABABABCDAAB"; got != want {
		t.Errorf("with another shell, marks %s, want %s", got, want)
	}
}

// The text before a mark can be read while the output that contains the mark is processed, which
// changes nothing: what follows in the same rows is displayed.
func TestReadAtMark(t *testing.T) {
	var term *vt.Terminal
	var got []string
	term, err := vt.New(vt.Options{Cols: 20, Rows: 3, Scrollback: 10, Effect: func(e vt.Effect) {
		if p, ok := e.(vt.Prompt); ok {
			got = append(got, term.Excerpt(vt.Position{}, p.Mark.At, 100, 100).Text, term.Excerpt(vt.Position{}, vt.Position{Line: 100}, 0, 100).Text)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range []string{"$ make\r\n", "one\x1b]133;C\amore\r\ntwo\x1b]133;D\a, three"} {
		if _, err := term.Write([]byte(output)); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{"$ make\none", "$ make\none\n", "$ make\nonemore\ntwo", "$ make\nonemore\ntwo"}, got); d != "" {
		t.Errorf("at the marks (-want +got):\n%s", d)
	}
	var screen []string
	for _, l := range term.Snapshot().Lines {
		screen = append(screen, l.Plain())
	}
	if d := cmp.Diff([]string{"$ make", "onemore", "two, three"}, screen); d != "" {
		t.Errorf("afterwards (-want +got):\n%s", d)
	}
}

// The mark of a command's end undoes what a killed program has left, and nothing else does.
func TestHealing(t *testing.T) {
	const end = "\x1b]133;D;137;k=1;wsh=key.1\a"
	terminal := func(key string, effect func(vt.Effect)) *vt.Terminal {
		term, err := vt.New(vt.Options{Cols: 20, Rows: 5, Effect: effect})
		if err != nil {
			t.Fatal(err)
		}
		term.SetMarkKey(key)
		return term
	}
	write := func(term *vt.Terminal, b ...byte) {
		if _, err := term.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	for left, heals := range map[string]bool{
		"\x1b[?1049h\x1b[3;3Hvi": true, "\x1b[?1047h": true, "\x1b[?1049h\x1b[>5u": true,
		"\x1b[?1003;1006h": true, "\x1b[?9h": true, "\x1b[?1004h": true, "\x1b[?2004h": true, "\x1b[?2048h": true, "\x1b[?2026hx": true,
		"\x1b[>1u": true, "\x1b[>4;2m": true, "\x1b[?25l": true, "\x1b[2;4r": true, "\x1b[?6h": true, "\x1b[?69h\x1b[3;9s": true, "\x1b(0": true, "\x1b[4h": true,
		"": false, "\x1b[31m": false, "\x1b[?7l": false, "\x1b[5 q": false, "\x1b[?1049h\x1b[?1049l": false,
	} {
		var healed *vt.Healed
		var marks []vt.Mark
		term := terminal("key", func(e vt.Effect) {
			switch e := e.(type) {
			case vt.Healed:
				healed = &e
			case vt.Prompt:
				marks = append(marks, e.Mark)
			}
		})
		write(term, []byte("$ prog\r\n\x1b]133;C;wsh=key.1\a"+left)...)
		for _, other := range []string{"\x1b]133;D;0\a", "\x1b]133;D;0;wsh=yek.1\a", "\x1b]133;A;wsh=key.1\a"} {
			write(term, []byte(other)...)
		}
		if healed != nil {
			t.Errorf("%q: healed by another mark", left)
		}
		write(term, []byte(end+"$ ls")...)
		if (healed != nil) != heals {
			t.Errorf("%q: healed: %v", left, healed)
			continue
		}
		if last := marks[len(marks)-1]; last.Kind != vt.MarkEnd || last.Alternate {
			t.Errorf("%q: the end is at %+v", left, last)
		}
		if !heals {
			continue
		}
		clean := terminal("", nil)
		if in, s := term.Input(), term.Snapshot(); in != clean.Input() || !strings.HasPrefix(s.Lines[0].Plain(), "$ ") {
			t.Errorf("%q leaves %+v\n%v", left, in, s.Lines)
		}
		// What displays the same output needs no key: it gets what was undone.
		other := terminal("", nil)
		write(other, []byte("$ prog\r\n"+left+end+string(healed.Undo)+"$ ls")...)
		if d := cmp.Diff(term.AppendState(nil, 0), other.AppendState(nil, 0)); d != "" {
			t.Errorf("%q: another terminal (-want +got):\n%s", left, d)
		}
		if !strings.HasSuffix(end, string(healed.Mark)) {
			t.Errorf("the mark is %q", healed.Mark)
		}
	}
}
