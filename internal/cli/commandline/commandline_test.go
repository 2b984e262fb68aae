package commandline

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// A parser that knows one command understands the same lines as one that knows them all.
func TestParser(t *testing.T) {
	for _, args := range [][]string{
		{}, {"--name", "x"}, {"new", "--name", "x"}, {"list", "--json"}, {"ls", "-L", "y"}, {"-L", "y", "list"},
		{"token", "new"}, {"token"}, {"mcp"}, {"nosuch"}, {"list", "--nosuch"}, {"list", "new"},
	} {
		type result struct {
			Globals  globals
			Commands commands
			Path     string
			Problem  bool
		}
		parse := func(known []string) (r result) {
			parser := Program{Globals: &r.Globals, Commands: &r.Commands}.parser(known, func(int) {})
			chosen, err := parser.Parse(args)
			r.Problem = err != nil
			if err == nil {
				r.Path = Path(chosen.Selected())
			}
			return r
		}
		if diff := cmp.Diff(parse(nil), parse(args)); diff != "" {
			t.Errorf("%q: -all commands +one:\n%s", args, diff)
		}
	}
}

func TestParserKnowsOneCommand(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"new", "list", "token", "mcp"}},
		{[]string{"-L", "x", "list"}, []string{"new", "list", "token", "mcp"}},
		{[]string{"nosuch"}, []string{"new", "list", "token", "mcp"}},
		{[]string{"ls"}, []string{"list"}},
		{[]string{"mcp"}, []string{"mcp"}},
		{[]string{"--version"}, nil},
	} {
		parser := Program{Globals: &globals{}, Commands: &commands{}}.parser(tt.args, func(int) {})
		var got []string
		for _, c := range parser.Model.Children {
			got = append(got, c.Name)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: the parser knows %q, want %q", tt.args, got, tt.want)
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
		{[]string{"qqqqqqq"}, `unknown command "qqqqqqq": it must be one of new, list, token`},
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
