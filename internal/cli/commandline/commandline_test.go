package commandline

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
)

type globals struct {
	Server string `short:"L" default:"default"`
}

type commands struct {
	New   newCommand  `cmd:"" default:"withargs" help:"Start."`
	List  listCommand `cmd:"" aliases:"ls" help:"List."`
	Token tokens      `cmd:"" help:"Tokens."`
	MCP   listCommand `cmd:"" name:"mcp" hidden:""`
}

type newCommand struct{ Name string }

type listCommand struct{ JSON bool }

type tokens struct {
	New newCommand `cmd:""`
}

// A parser that knows only the commands that a line needs understands it as one that knows them all
// does.
func TestParser(t *testing.T) {
	for _, args := range [][]string{
		{}, {"--name", "x"}, {"new", "--name", "x"}, {"list", "--json"}, {"ls", "-L", "y"}, {"-L", "y", "list"},
		{"token", "new"}, {"token"}, {"mcp"}, {"nosuch"}, {"list", "--nosuch"}, {"list", "new"}, {"--name", "list"}, {"--name=x", "list"},
		{"-L", "list", "list", "--json"}, {"-L", "y", "nosuch"}, {"-L", "y", "token", "new", "--name", "ls"}, {"-Ly"}, {"--json"}, {"new", "new"},
	} {
		type result struct {
			Globals  globals
			Commands commands
			Path     string
			Problem  bool
		}
		parse := func(few bool) (r result) {
			p := Program{Globals: &r.Globals, Commands: &r.Commands}
			knows := everyCommand
			if few {
				knows, _ = p.needed(args)
			}
			chosen, _, err := p.parse(knows, args)
			r.Problem = err != nil
			if err == nil {
				r.Path = Path(chosen.Selected())
			}
			return r
		}
		if diff := cmp.Diff(parse(false), parse(true)); diff != "" {
			t.Errorf("%q: -all commands +few:\n%s", args, diff)
		}
	}
}

func TestParserKnowsFewCommands(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"new"}},
		{[]string{"--name", "x"}, []string{"new"}},
		{[]string{"-L", "x", "list"}, []string{"new", "list"}},
		{[]string{"-L", "x", "--help"}, []string{"new", "list", "token", "mcp"}},
		{[]string{"nosuch"}, []string{"new", "list", "token", "mcp"}},
		{[]string{"ls"}, []string{"list"}},
		{[]string{"mcp"}, []string{"mcp"}},
		{[]string{"--version"}, nil},
	} {
		p := Program{Globals: &globals{}, Commands: &commands{}}
		knows, _ := p.needed(tt.args)
		parser := p.parser(knows, func(int) {})
		var got []string
		for _, c := range parser.Model.Children {
			got = append(got, c.Name)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: the parser knows %q, want %q", tt.args, got, tt.want)
		}
	}
}

// Variables come from the program's environment, not from the process, and help names them.
func TestEnvironment(t *testing.T) {
	t.Setenv("WORDS_ONE", "of the process")
	type flags struct {
		Word string `env:"WORDS_ONE,WORDS_TWO" default:"usual" help:"A word."`
	}
	for _, tt := range []struct {
		environ environ.Variables
		args    []string
		want    string
	}{
		{nil, nil, "usual"},
		{environ.Variables{"WORDS_TWO=second"}, nil, "second"},
		{environ.Variables{"WORDS_TWO=second", "WORDS_ONE=first"}, nil, "first"},
		{environ.Variables{"WORDS_ONE=first"}, []string{"--word", "given"}, "given"},
		{environ.Variables{"WORDS_ONE="}, nil, ""},
	} {
		var f flags
		p := Program{Globals: &f, Commands: &commands{}, Environ: tt.environ}
		if _, _, err := p.Parse(tt.args); err != nil || f.Word != tt.want {
			t.Errorf("%q with %q: %q, %v; want %q", tt.args, tt.environ, f.Word, err, tt.want)
		}
	}
	var help strings.Builder
	p := Program{Globals: &flags{}, Commands: &commands{}, Out: &help, Err: io.Discard}
	if _, _, err := p.Parse([]string{"--help"}); err != nil || !strings.Contains(help.String(), "A word ($WORDS_ONE, $WORDS_TWO).") {
		t.Errorf("help: %v\n%s", err, help.String())
	}
}

// The message on a mistake considers all commands.
func TestParseError(t *testing.T) {
	for _, args := range [][]string{{"-L", "y", "lst"}, {"lst"}, {"list", "--jsn"}, {"--nam", "x"}} {
		p := Program{Globals: &globals{}, Commands: &commands{}}
		_, _, err := p.Parse(args)
		_, _, want := p.parse(everyCommand, args)
		if err == nil || err.Error() != want.Error() {
			t.Errorf("%q: %v, want %v", args, err, want)
		}
	}
}

func TestCheckCommand(t *testing.T) {
	model := Program{Globals: &globals{}, Commands: &commands{}}.Model()
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, ""},
		{[]string{"--nosuch"}, ""},
		{[]string{"list"}, ""},
		{[]string{"ls"}, ""},
		{[]string{"lst"}, `unknown command "lst": did you mean "list"?`},
		{[]string{"qqqqqqq"}, `unknown command "qqqqqqq"`},
	} {
		got := ""
		if err := CheckCommand(model.Node, tt.args); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q: %s, want %s", tt.args, got, tt.want)
		}
	}
}

// What an error quotes cannot act on the terminal.
func TestFail(t *testing.T) {
	var errs bytes.Buffer
	status := Fail("wsh", &errs, fault.New(fault.Invalid, "no app \x1b]0;title\a\nin a"))
	if want := "wsh: no app \\x1b]0;title\\a\nin a\n"; status != ExitUsage || errs.String() != want {
		t.Errorf("status %d, %q", status, errs.String())
	}
}
