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
		Kind           vt.MarkKind
		Code           int
		HasCode        bool
		Token, Variant string
	}
	for in, want := range map[string]mark{
		"A":                                  {Kind: vt.MarkPrompt},
		"A;wsh=key.1":                        {Kind: vt.MarkPrompt, Token: "key.1"},
		"A;k=s;wsh=key.1":                    {Kind: vt.MarkPrompt, Token: "key.1", Variant: "s"},
		"B;aid=3;wsh=key.1;k=r":              {Kind: vt.MarkCommand, Token: "key.1", Variant: "r"},
		"C;wsh=key.2;wsh=other":              {Kind: vt.MarkOutput, Token: "key.2"},
		"D;7;wsh=key.2":                      {Kind: vt.MarkEnd, Code: 7, HasCode: true, Token: "key.2"},
		"D;;wsh=key.2":                       {Kind: vt.MarkEnd, Token: "key.2"},
		"D;wsh=key.2":                        {Kind: vt.MarkEnd, Token: "key.2"},
		"C;wsh":                              {Kind: vt.MarkOutput},
		"C;wshx=1":                           {Kind: vt.MarkOutput},
		"C;wsh=":                             {Kind: vt.MarkOutput},
		"C;wsh=" + strings.Repeat("x", 64):   {Kind: vt.MarkOutput, Token: strings.Repeat("x", 64)},
		"C;wsh=" + strings.Repeat("x", 65):   {Kind: vt.MarkOutput},
		"C;wsh=a\u2028b;k=\u202ex;k=visible": {Kind: vt.MarkOutput, Variant: "visible"},
	} {
		var got mark
		term, err := vt.New(vt.Options{Cols: 80, Rows: 24, Effect: func(e vt.Effect) {
			if p, ok := e.(vt.Prompt); ok {
				got = mark{p.Mark.Kind, p.Mark.ExitCode, p.Mark.HasExitCode, p.Mark.Token, p.Mark.Variant}
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := term.Write([]byte("\x1b]133;" + in + "\a")); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", in, d)
		}
	}
}

// The text before a mark can be read while the output that contains the mark is processed, which
// changes nothing: what follows in the same rows is displayed.
func TestReadAtMark(t *testing.T) {
	var term *vt.Terminal
	var got []string
	term, err := vt.New(vt.Options{Cols: 20, Rows: 3, Scrollback: 10, Effect: func(e vt.Effect) {
		if p, ok := e.(vt.Prompt); ok {
			text, _ := term.Text(vt.Position{}, p.Mark.At, 100)
			got = append(got, text, term.Excerpt(vt.Position{}, vt.Position{Line: 100}, 0, 100).Text)
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
