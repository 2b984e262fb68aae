package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/finding"
	"ui-mcp/internal/ui/check"
	"ui-mcp/internal/ui/viewdef"
)

func codes(list []finding.Finding) (out []string) {
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %d", f.Code, f.Line))
	}
	return out
}

// Each template is one line of content, the second of its file.
func TestTemplates(t *testing.T) {
	for content, want := range map[string]string{
		// clicks
		`<div ui-action="a()">x</div>`:                                         "not-a-control 2",
		`<tr ui-event-click="a()"></tr>`:                                       "not-a-control 2",
		`<table><tr ui-event-click="a()"><td>x</td></tr></table>`:              "not-a-control 2",
		`<img src="x.png" alt="x" ui-action="a()">`:                            "not-a-control 2",
		`<form ui-action="a()"><button>Go</button></form>`:                     "", // on what is in it
		`<a ui-action="a()">x</a>`:                                             "not-a-control 2",
		`<a href="#" ui-action="a()">x</a>`:                                    "",
		`<a ui-attr-href="url" ui-action="a()">x</a>`:                          "",
		`<div role="button" tabindex="0" ui-action="a()">x</div>`:              "",
		`<div ui-attr-tabindex="n" ui-action="a()">x</div>`:                    "",
		`<div ui-event-click="a()">x <button ui-action="a()">y</button></div>`: "",
		`<button><span ui-event-click="a()">x</span></button>`:                 "",
		`<button ui-action="a()">x</button>`:                                   "",
		`<my-button ui-action="a()"></my-button>`:                              "",
		`<sl-menu-item ui-action="a()">x</sl-menu-item>`:                       "",
		`<label ui-event-click="a()">x</label>`:                                "",
		`<dialog open ui-event-click="close()">x</dialog>`:                     "",
		`<div ui-event-mouseenter="a()">x</div>`:                               "",

		// names
		`<input ui-value="a">`:                                                   "unlabelled 2",
		`<input ui-value="a" placeholder="Name">`:                                "",
		`<input ui-value="a" title="Name">`:                                      "",
		`<input ui-value="a" ui-attr-aria-label="name">`:                         "",
		`<input type="hidden" ui-value="a">`:                                     "",
		`<input type="submit">`:                                                  "",
		`<input type="button" ui-action="a()">`:                                  "unlabelled 2",
		`<input type="button" value="Go" ui-action="a()">`:                       "",
		`<input type="checkbox" ui-value="a"> Done`:                              "unlabelled 2",
		`<label><input type="checkbox" ui-value="a"> Done</label>`:               "",
		`<label><input ui-value="a"><b ui-value="name"></b></label>`:             "",
		`<label><input ui-value="a"></label>`:                                    "unlabelled 2",
		`<label for="a">Name</label><input id="a" ui-value="a">`:                 "",
		`<label for="b">Name</label><input id="a" ui-value="a">`:                 "unlabelled 2",
		`<select ui-value="a"><option>One</option></select>`:                     "unlabelled 2",
		`<textarea ui-value="a"></textarea>`:                                     "unlabelled 2",
		`<sl-input ui-value="a"></sl-input>`:                                     "unlabelled 2",
		`<sl-input label="Name" ui-value="a"></sl-input>`:                        "",
		`<sl-select ui-value="a"><sl-option value="x">X</sl-option></sl-select>`: "unlabelled 2",
		`<sl-switch ui-value="a">On</sl-switch>`:                                 "",
		`<my-field><input ui-value="a"></my-field>`:                              "",
		`<button ui-action="a()"></button>`:                                      "unlabelled 2",
		`<button ui-action="a()" ui-value="name"></button>`:                      "",
		`<button ui-action="a()"><span ui-value="n"></span></button>`:            "",
		`<button ui-action="a()"><img src="x.png" alt="Go"></button>`:            "",
		`<button ui-action="a()"><img src="x.png"></button>`:                     "unlabelled 2",
		`<button ui-action="a()"><svg></svg></button>`:                           "",
		`<button hidden></button>`:                                               "",
		`<sl-button ui-action="a()"><sl-icon name="x"></sl-icon></sl-button>`:    "unlabelled 2",
	} {
		src := "<template>\n" + content + "\n</template>\n"
		tmpl, err := viewdef.Parse("T.DEFAULT", "t.html", src)
		if err != nil {
			t.Errorf("%s: %v", content, err)
			continue
		}
		found := codes(check.Templates([]*viewdef.Template{tmpl}, []string{src}))
		slices.Sort(found)
		if got := strings.Join(found, ", "); got != want {
			t.Errorf("%s: %q, want %q", content, got, want)
		}
	}
}

// A line is known below what an outline leaves out.
func TestLines(t *testing.T) {
	src := "<template>\n<style>b { color: red }</style>\n<template><input></template>\n<!-- x -->\n<p>\n<input\n ui-value='a'></p><script>1</script>\n<button></button>\n</template>"
	tmpl, err := viewdef.Parse("T.DEFAULT", "t.html", src)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(codes(check.Templates([]*viewdef.Template{tmpl}, nil))); got != "[unlabelled 6 unlabelled 8]" {
		t.Error(got)
	}
}

func TestAssignedAt(t *testing.T) {
	for src, want := range map[string]int{
		"a = 1":                                1,
		"\nlocal x\na = 1":                     3,
		"x.a = 1\nif a == 1 then end\n  a = 2": 3,
		"nothing":                              1,
	} {
		if got := check.AssignedAt(src, "a"); got != want {
			t.Errorf("%q: %d, want %d", src, got, want)
		}
	}
}

func FuzzTemplates(f *testing.F) {
	f.Add(`<div ui-action="a()"><label for=x><input id=x></label></div>`, `<p id="x">`)
	f.Fuzz(func(t *testing.T, content, other string) {
		tmpl, err := viewdef.Parse("T.DEFAULT", "t.html", "<template>"+content+"</template>")
		if err != nil {
			return
		}
		lines := 1 + strings.Count(content, "\n")
		for _, found := range check.Templates([]*viewdef.Template{tmpl}, []string{content, other}) {
			if check.Codes[found.Code] == "" || found.Line < 0 || found.Line > lines {
				t.Errorf("%v", found)
			}
		}
	})
}

func TestSameTypes(t *testing.T) {
	ours := map[string]string{"apps/a/app.lua": `
Item = session:prototype("Item", { n = 0 })
-- Note = session:prototype("Note", {})
local Row = session : prototype ( 'Row', {
}, Item)
Other = session:prototype("Other")
Main = session:prototype("Main", {}) -- session:prototype("Late", {})
`}
	theirs := map[string]string{
		"apps/b/app.lua":  "x = 1 - 2 Item = session:prototype('Item', {})\nNote = session:prototype('Note', {})\nLate = session:prototype('Late', {})",
		"apps/c/rows.lua": "\nRow = session:prototype('Row', {}) Other = session:prototype('Other', {}) Item = session:prototype('Item', {})",
	}
	var got []string
	for _, f := range check.SameTypes(ours, theirs) {
		got = append(got, f.String())
	}
	want := []string{"apps/a/app.lua:2: same-type: the type Item is declared by apps/b/app.lua:1, too", "apps/a/app.lua:4: same-type: the type Row is declared by apps/c/rows.lua:2, too"}
	if len(got) != len(want) || !strings.HasPrefix(got[0], want[0]) || !strings.HasPrefix(got[1], want[1]) {
		t.Errorf("found\n%s", strings.Join(got, "\n"))
	}
}
