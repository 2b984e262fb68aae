package manual

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/commandline"
)

type grammar struct {
	Server string  `short:"L" placeholder:"NAME" env:"PROG_SERVER" help:"A server."`
	Hidden bool    `hidden:""`
	List   listing `cmd:"" help:"List what there is."`
	Token  tokens  `cmd:"" help:"Tokens."`
	Secret listing `cmd:"" hidden:""`
}

type listing struct {
	JSON  bool     `name:"json" help:"Print JSON."`
	Names []string `arg:"" optional:"" help:".What to list, such as 'a-b' or \\x."`
}

func (listing) Help() string {
	return "Each line is one.\n\n    prog list\n    .hidden 'x'\n\nSo it is."
}

type tokens struct {
	New listing `cmd:"" help:"Make one."`
}

func model(t testing.TB) *kong.Application {
	t.Helper()
	parser, err := kong.New(&grammar{}, kong.Name("prog"))
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model
}

func TestPage(t *testing.T) {
	m := model(t)
	got := Page{Program: "prog", Version: "1.2", Command: m.Children[0]}.Write(m)
	want := `.TH "PROG\-LIST" 1 "" "prog 1.2"
.SH "NAME"
prog\-list \- list what there is
.SH "SYNOPSIS"
.B "prog list"
[flags] [<names> ...]
.SH "DESCRIPTION"
Each line is one.
.PP
.RS 4
.nf
prog list
\&.hidden \(aqx\(aq

.fi
.RE
.PP
So it is.
.SH "ARGUMENTS"
.TP
.I "names"
\&.What to list, such as \(aqa\-b\(aq or \ex.
.SH "OPTIONS"
.TP
\fB\-\-json\fR
Print JSON.
.TP
\fB\-h\fR, \fB\-\-help\fR
Show context\-sensitive help.
.TP
\fB\-L\fR, \fB\-\-server\fR=\fINAME\fR
A server. Also $PROG_SERVER.
.SH "SEE ALSO"
.BR "prog" (1)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// All pages are written, and groff has no objection.
func TestInstall(t *testing.T) {
	dir := t.TempDir()
	names, err := Install(dir, Page{Program: "prog", About: "Programs.\n\nMore.", Topics: []commandline.Topic{{Name: "keys", Text: "Keys.\n\n    a  b"}}}, model(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"prog.1", "prog-list.1", "prog-token.1", "prog-token-new.1"}, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	program, err := os.ReadFile(filepath.Join(dir, "prog.1"))
	for _, part := range []string{`prog \- programs`, ".SH \"COMMANDS\"\n.TP\n.B \"list\"", ".SH \"KEYS\"\nKeys.", `.BR "prog\-token" (1)`} {
		if err != nil || !strings.Contains(string(program), part) {
			t.Errorf("prog.1 does not have %q: %v\n%s", part, err, program)
		}
	}
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip(err)
	}
	for _, name := range names {
		out, err := exec.CommandContext(t.Context(), "groff", "-man", "-ww", "-Tutf8", "-z", filepath.Join(dir, name)).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// No text becomes a request of roff.
func FuzzEscape(f *testing.F) {
	f.Add(".TH x\n'br\n\\fBx")
	f.Fuzz(func(t *testing.T, text string) {
		for line := range strings.SplitSeq(escape(text), "\n") {
			if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
				t.Errorf("%q becomes a request: %q", text, line)
			}
		}
	})
}
