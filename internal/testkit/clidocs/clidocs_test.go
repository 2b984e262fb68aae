package clidocs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInShell(t *testing.T) {
	for text, want := range map[string][]string{
		"wsh":                                  {""},
		"wsh run -- make test":                 {"run|--|make|test"},
		"wsh list   lists sessions, wsh's":     {"list"},
		"wsh list # that's all":                {"list"},
		"wsh wait a && wsh screen a; wsh kill": {"wait|a", "screen|a", "kill"},
		"A=1 exec wsh send a 'b  c' \"d e\"":   {"send|a|b  c|d e"},
		"wsh screen a > file 2>&1 &":           {"screen|a"},
		"wsh send a \\\n  --key Enter":         {"send|a|--key|Enter"},
		"if wsh wait a; then echo wsh x; fi":   {"wait|a"},
		"curl -H \"Bearer $(wsh token)\" x":    {"token"},
		"source <(wsh completion bash)":        {"completion|bash"},
		"wsh -L $NAME list":                    {"-L|…|list"},
		"claude mcp add wsh -- wsh mcp":        {"mcp"},
		"wshx list; xwsh list; echo wsh":       nil,
		"wsh send a 'it'\\''s' x":              {"send|a|it's|x"},
		"(cd /; wsh list)\nwsh stop":           {"list", "stop"},
		"x=$(wsh run -b -- sh); wsh kill $x":   {"run|-b|--|sh", "kill|…"},
		"wsh attach 'unfinished":               {"attach|"},
		"cat <<END | wsh send a -\ntext\nEND":  {"send|a|-"},
		"wsh run -- sh -c 'wsh nothing' x":     {"run|--|sh|-c|wsh nothing|x"},
	} {
		var got []string
		for _, c := range inShell(text, "wsh", 1) {
			got = append(got, strings.Join(c.Args, "|"))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
	}
}

func TestInMarkdown(t *testing.T) {
	text := "Run `wsh list`, or `wsh\nstop`; not wsh kill.\n\n" +
		"    wsh attach\n\n```sh\n# wsh nothing\nwsh run -- x\n```\n\n```console\n$ wsh version\nwsh 1.2\n```\n\n```lua\nwsh nothing\n```\n"
	want := []Call{
		{Line: 8, Args: []string{"run", "--", "x"}},
		{Line: 12, Args: []string{"version"}},
		{Line: 4, Args: []string{"attach"}},
		{Line: 1, Args: []string{"list"}, Mentioned: true},
		{Line: 1, Args: []string{"stop"}, Mentioned: true},
	}
	if diff := cmp.Diff(want, inMarkdown(text, "wsh")); diff != "" {
		t.Error(diff)
	}
}

func TestInGo(t *testing.T) {
	text := "package p\n\n// wsh nothing\nconst a = `Text.\n\n    wsh list   lists`\n\nvar b = \"see \\\"wsh help keys\\\"\"\n\n" +
		"type c struct {\n\td int `help:\"As \\\"wsh stop\\\" does.\"`\n}\n"
	want := []Call{
		{Line: 6, Args: []string{"list"}},
		{Line: 8, Args: []string{"help", "keys"}, Mentioned: true},
		{Line: 11, Args: []string{"stop"}, Mentioned: true},
	}
	if diff := cmp.Diff(want, inGo(text, "wsh")); diff != "" {
		t.Error(diff)
	}
}
