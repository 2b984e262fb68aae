package path_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/ui/path"
)

func TestParse(t *testing.T) {
	arg := &path.Path{Steps: []path.Step{{Kind: path.Field, Name: "row"}, {Kind: path.Field, Name: "id"}}}
	for _, tt := range []struct {
		in   string
		want path.Path
	}{
		{"name", path.Path{Steps: []path.Step{{Kind: path.Field, Name: "name"}}}},
		{"a.b_1", path.Path{Steps: []path.Step{{Kind: path.Field, Name: "a"}, {Kind: path.Field, Name: "b_1"}}}},
		{"items.0.x", path.Path{Steps: []path.Step{{Kind: path.Field, Name: "items"}, {Kind: path.Index}, {Kind: path.Field, Name: "x"}}}},
		{"12", path.Path{Steps: []path.Step{{Kind: path.Index, Index: 12}}}},
		{"save()", path.Path{Steps: []path.Step{{Kind: path.Call, Name: "save"}}}},
		{"set(_)", path.Path{Steps: []path.Step{{Kind: path.CallArg, Name: "set"}}}},
		{"owner().name", path.Path{Steps: []path.Step{{Kind: path.Call, Name: "owner"}, {Kind: path.Field, Name: "name"}}}},
		{"has(row.id)", path.Path{Steps: []path.Step{{Kind: path.CallSub, Name: "has", Arg: arg}}}},
		{"..", path.Path{Steps: []path.Step{{Kind: path.Parent}}}},
		{"..name", path.Path{Steps: []path.Step{{Kind: path.Parent}, {Kind: path.Field, Name: "name"}}}},
		{"...name", path.Path{Steps: []path.Step{{Kind: path.Parent}, {Kind: path.Field, Name: "name"}}}},
		{"....x", path.Path{Steps: []path.Step{{Kind: path.Parent}, {Kind: path.Parent}, {Kind: path.Field, Name: "x"}}}},
		{"größe", path.Path{Steps: []path.Step{{Kind: path.Field, Name: "größe"}}}},
		{" x ?wrapper=lua.ViewList&keypress", path.Path{
			Steps:   []path.Step{{Kind: path.Field, Name: "x"}},
			Options: map[string]string{"wrapper": "lua.ViewList", "keypress": "true"},
		}},
	} {
		got, err := path.Parse(tt.in)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.in, err)
			continue
		}
		tt.want.Bare = strings.TrimSuffix(strings.TrimSpace(tt.in), " ?wrapper=lua.ViewList&keypress")
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("Parse(%q): (-want +got)\n%s", tt.in, d)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                                    "a name is missing at the end",
		"a.":                                  "a name is missing at the end",
		".a":                                  `a name is missing before ".a"`,
		"a..b":                                "unexpected",
		"a b":                                 `unexpected " b"`,
		"items[0]":                            `unexpected "[0]"`,
		"01":                                  "leading zero",
		"99999999999":                         "too large",
		"f(":                                  "missing",
		"f(a":                                 "closing parenthesis",
		"f(_).x":                              "f(_) must be the last step",
		"f(g(_))":                             "cannot take the written value",
		"a?":                                  "an option without a name",
		"a?=1":                                "an option without a name",
		"not x":                               "unexpected",
		"a == b":                              "unexpected",
		"f(" + strings.Repeat("f(", 20) + "x": "nested",
	} {
		_, err := path.Parse(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) error = %v, want it to contain %q", in, err, want)
		}
	}
}

func TestOption(t *testing.T) {
	p, err := path.Parse("x?a=1&b&a=2")
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := p.Options["a"]; !ok || v != "2" {
		t.Errorf("a = %q, %v: the last one counts", v, ok)
	}
	if v, ok := p.Options["b"]; !ok || v != "true" {
		t.Errorf("b = %q, %v", v, ok)
	}
	if _, ok := p.Options["c"]; ok {
		t.Error("c is there")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a.b", "items.0.f()", "..x", "m(_)", "m(a.b())", "x?wrapper=T&keypress", "....", "a.(b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := path.Parse(s)
		if err != nil {
			return
		}
		if len(p.Steps) == 0 {
			t.Fatalf("Parse(%q) has no steps", s)
		}
		q, err := path.Parse(p.Bare)
		if err != nil {
			t.Fatalf("%q prints as %q: %v", s, p.Bare, err)
		}
		if d := cmp.Diff(p.Steps, q.Steps); d != "" {
			t.Fatalf("%q prints as %q\n%s", s, p.Bare, d)
		}
	})
}
