package viewdef_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/ui/viewdef"
)

// describe prints a template in a short form for tests.
func describe(t *testing.T, tm *viewdef.Template) string {
	t.Helper()
	var def struct {
		HTML string `json:"html"`
	}
	if err := json.Unmarshal([]byte("{"+string(tm.Def)+"}"), &def); err != nil {
		t.Fatalf("definition %s: %v", tm.Def, err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, def.HTML)
	access := [...]string{"r", "rw", "w", "action"}
	for _, x := range tm.Bindings {
		fmt.Fprintf(&b, "%d %s %s=%s %s", x.Element, x.Kind, x.Name, x.Path.Bare, access[x.Access])
		for _, s := range []string{x.Namespace, x.Wrapper, x.ItemWrapper} {
			if s != "" {
				fmt.Fprintf(&b, " %s", s)
			}
		}
		if x.Literal != nil {
			fmt.Fprintf(&b, " literal %q", *x.Literal)
		}
		fmt.Fprintf(&b, " line %d\n", x.Line)
	}
	for _, w := range tm.Warnings {
		fmt.Fprintln(&b, w)
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"values", `<template>
  <label>Name <input ui-value="name"></label>
  <b ui-value="name"></b><i ui-value="label()"></i>
  <sl-switch ui-value="on"></sl-switch><progress ui-value="done"></progress>
  <input ui-value="full()"><input ui-value="set(_)">
</template>`, `<label>Name <input ui-value="name" data-ui="0"/></label>
  <b ui-value="name" data-ui="1"></b><i ui-value="label()" data-ui="2"></i>
  <sl-switch ui-value="on" data-ui="3"></sl-switch><progress ui-value="done" data-ui="4"></progress>
  <input ui-value="full()" data-ui="5"/><input ui-value="set(_)" data-ui="6"/>
0 value =name rw line 2
1 value =name r line 3
2 value =label() r line 3
3 value =on rw line 4
4 value =done r line 4
5 value =full() r line 5
6 value =set(_) w line 5
`},
		{"what makes elements comes first", `<template><select ui-value="v" ui-class-big="big"><option ui-view="o?wrapper=lua.ViewList"></option></select><ul ui-viewlist="xs" ui-item-wrapper="Row"><li></li></ul></template>`,
			`<select ui-value="v" ui-class-big="big" data-ui="0"><option ui-view="o?wrapper=lua.ViewList" data-ui="1"></option></select><ul ui-viewlist="xs" ui-item-wrapper="Row" data-ui="2"><li></li></ul>
2 list =xs r Row line 1
1 view =o r lua.ViewList line 1
0 value =v rw line 1
0 class big=big r line 1
`},
		{"several on one element", `<template><button ui-action="go()" ui-attr-disabled="busy()" ui-style-color="c" ui-event-dblclick="x(_)" ui-event-keypress-ctrl-enter="k()" ui-html="h?replace">x</button></template>`,
			`<button ui-action="go()" ui-attr-disabled="busy()" ui-style-color="c" ui-event-dblclick="x(_)" ui-event-keypress-ctrl-enter="k()" ui-html="h?replace" data-ui="0">x</button>
0 attr disabled=busy() r line 1
0 style color=c r line 1
0 event dblclick=x(_) action line 1
0 key ctrl-enter=k() action line 1
0 action =go() action line 1
0 html =h r line 1
`},
		{"focus, scrolling and sizes", `<template><input ui-focus="renaming" ui-scroll="isLast()"><p ui-measure-width="width" ui-measure-height="resize(_)"></p></template>`,
			`<input ui-focus="renaming" ui-scroll="isLast()" data-ui="0"/><p ui-measure-width="width" ui-measure-height="resize(_)" data-ui="1"></p>
0 focus =renaming r line 1
0 scroll =isLast() r line 1
1 measure width=width w line 1
1 measure height=resize(_) w line 1
`},
		{"namespaces", `<template><div ui-namespace="card"><p ui-view="a"></p><p ui-view="b" ui-namespace="row"></p></div><p ui-view="c"></p></template>`,
			`<div ui-namespace="card"><p ui-view="a" data-ui="0"></p><p ui-view="b" ui-namespace="row" data-ui="1"></p></div><p ui-view="c" data-ui="2"></p>
0 view =a r card line 1
1 view =b r row line 1
2 view =c r line 1
`},
		{"table rows", `<template><tr><td ui-value="a"></td><td>x</td></tr></template>`,
			`<tr><td ui-value="a" data-ui="0"></td><td>x</td></tr>
0 value =a r line 1
`},
		{"a script is left alone", "<!-- c -->\n<template><p>x</p><script>if (a < b) { '<p ui-value=\"no\">' }</script></template>\n",
			`<p>x</p><script>if (a < b) { '<p ui-value="no">' }</script>
`},
		{"a page's own data-ui is dropped", `<template><p data-ui="7" ui-value="x"></p></template>`,
			`<p ui-value="x" data-ui="0"></p>
0 value =x r line 1
`},
		{"inner template", `<template><p></p><template><b ui-value="x"></b></template></template>`,
			`<p></p><template><b ui-value="x"></b></template>
t.html:1: the ui- attributes of this <b> do nothing: pages do not show what is in an inner <template>
`},
		{"warnings", `<template>
<p ui-repeat="x" ui-value="y"></p>
<sl-input ui-value="a"/>
<div ui-view="v"><b ui-value="lost"></b></div>
<ul ui-viewlist="xs"><li ui-value="lost"></li><li>second</li></ul>
</template>`, `<p ui-repeat="x" ui-value="y" data-ui="0"></p>
<sl-input ui-value="a" data-ui="1">
<div ui-view="v" data-ui="2"><b ui-value="lost"></b></div>
<ul ui-viewlist="xs" data-ui="3"><li ui-value="lost"></li><li>second</li></ul>
</sl-input>
3 list =xs r line 5
2 view =v r line 4
0 value =y r line 2
1 value =a rw line 3
t.html:3: <sl-input/> does not close the element in HTML: write <sl-input></sl-input>
t.html:4: the ui- attributes of this <b> do nothing: the view replaces what stands in its place
t.html:5: the ui- attributes of this <li> do nothing: a row of ui-viewlist is shown with the view definition of its own type
t.html:5: ui-viewlist uses its first child element as the place of each row: the others stay as they are
`},
		{"values of events", `<template><p ui-event-click="set(_)" ui-event-click-value="red">a</p><p ui-event-focus-value="x">b</p></template>`,
			`<p ui-event-click="set(_)" ui-event-click-value="red" data-ui="0">a</p><p ui-event-focus-value="x">b</p>
0 event click=set(_) action literal "red" line 1
t.html:1: ui-event-focus-value is the value that ui-event-focus carries, which is not there
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tm, err := viewdef.Parse("T.DEFAULT", "t.html", tt.src)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, describe(t, tm)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseProblems(t *testing.T) {
	for _, tt := range []struct {
		src  string
		line int
		want string
	}{
		{"", 1, "no <template>"},
		{"just text", 1, "text outside"},
		{"\n\n  {\"a\": 1}", 3, "text outside"},
		{"<div></div>", 1, "<div> outside of the <template>"},
		{"<template><p></p></template>\n<template><p></p></template>", 2, "a second <template>"},
		{"<template><p></p></template>\n\nx", 3, "text outside"},
		{"\n<template><p></p>", 2, "not closed"},
		{"<template/>", 1, "not closed"},
		{"<template>only text</template>", 1, "no element"},
		{"</p><template><p></p></template>", 1, "</p> outside"},
		{"<template>\n<p ui-value=\"a b\"></p></template>", 2, `ui-value: path "a b": unexpected " b"`},
		{"<template>\n\n<p ui-class-x=\"f(_)\"></p></template>", 3, "cannot be read here"},
		{"<template><p ui-value=\"a?access=x\"></p></template>", 1, "access=x"},
		{"<template><p ui-value=\"a?priority=1\"></p></template>", 1, "priority=1"},
		{`<template><p ui-focus="f(_)"></p></template>`, 1, "cannot be read here"},
		{`<template><p ui-measure-width="f()"></p></template>`, 1, "ui-measure-width: the size is written: to a field, or with a method f(_)"},
		{`<template><p ui-measure-width="f?access=rw"></p></template>`, 1, "the size can only be written"},
		{"\x00\x01\x02", 1, "not UTF-8 text"},
		{"\xff\xfe<template></template>", 1, "not UTF-8 text"},
	} {
		_, err := viewdef.Parse("T.DEFAULT", "t.html", tt.src)
		var p viewdef.Problem
		if !errors.As(err, &p) || p.Line != tt.line || !strings.Contains(p.Msg, tt.want) {
			t.Errorf("%q: %v, want line %d and %q", tt.src, err, tt.line, tt.want)
		}
	}
	for _, key := range []string{"", "x", "x.", ".x", "a b.DEFAULT", "A.list item", "A..B", "1.DEFAULT", "A.DEFAULT\n", "Ä.DEFAULT"} {
		if _, err := viewdef.Parse(key, "t.html", "<template><p></p></template>"); err == nil {
			t.Errorf("key %q is accepted", key)
		}
	}
}

func TestStore(t *testing.T) {
	tmpl := func(key, file string) *viewdef.Template {
		tm, err := viewdef.Parse(key, file, "<template><p></p></template>")
		if err != nil {
			t.Fatal(err)
		}
		return tm
	}
	s := viewdef.NewStore()
	file := func(typ, ns, fb string) string {
		if tm := s.Snapshot().Lookup(typ, "", ns, fb); tm != nil {
			return tm.File
		}
		return ""
	}
	s.Put(1, "a", tmpl("A.DEFAULT", "apps/a/A.DEFAULT.html"))
	s.Put(1, "a", tmpl("A.list-item", "apps/a/A.list-item.html"))
	s.Put(1, "", tmpl("lua.B.card", "lua.B.card.html"))
	for _, tt := range []struct{ typ, ns, fb, want string }{
		{"A", "", "", "apps/a/A.DEFAULT.html"},
		{"A", "card", "", "apps/a/A.DEFAULT.html"},
		{"A", "card", "list-item", "apps/a/A.list-item.html"},
		{"A", "list-item", "", "apps/a/A.list-item.html"},
		{"lua.B", "card", "", "lua.B.card.html"},
		{"lua.B", "", "", ""},
		{"C", "", "", ""},
	} {
		if got := file(tt.typ, tt.ns, tt.fb); got != tt.want {
			t.Errorf("Lookup(%q, %q, %q) = %q, want %q", tt.typ, tt.ns, tt.fb, got, tt.want)
		}
	}
	gen := s.Snapshot().Generation()
	s.Put(0, "", tmpl("A.DEFAULT", "viewdefs/A.DEFAULT.html"))
	if got := file("A", "", ""); got != "viewdefs/A.DEFAULT.html" {
		t.Errorf("the lower rank does not win: %q", got)
	}
	if s.Snapshot().Generation() == gen {
		t.Error("the generation has not changed")
	}
	s.Remove("A.DEFAULT", "viewdefs/A.DEFAULT.html")
	if file("A", "", "") != "apps/a/A.DEFAULT.html" {
		t.Error("removing a file does not bring back the one behind it")
	}
	gen = s.Snapshot().Generation()
	if s.Remove("A.DEFAULT", "viewdefs/A.DEFAULT.html"); s.Snapshot().Generation() != gen {
		t.Error("removed twice")
	}
}

// Where several apps have a template of one key, the app that has declared the type uses its own:
// even its DEFAULT comes before another app's list-item.
func TestLookupOfApp(t *testing.T) {
	s := viewdef.NewStore()
	put := func(rank int, app, key string) {
		tm, err := viewdef.Parse(key, app+"/"+key, "<template><p></p></template>")
		if err != nil {
			t.Fatal(err)
		}
		s.Put(rank, app, tm)
	}
	put(1, "a", "C.DEFAULT")
	put(1, "a", "C.list-item")
	before := s.Snapshot()
	put(1, "b", "C.DEFAULT")
	put(1, "a", "Only.DEFAULT")
	put(0, "", "Shared.DEFAULT")
	put(1, "b", "Shared.DEFAULT")
	for _, tt := range []struct{ typ, app, ns, want string }{
		{"C", "a", "list-item", "a/C.list-item"},
		{"C", "b", "list-item", "b/C.DEFAULT"},
		{"C", "b", "", "b/C.DEFAULT"},
		{"C", "", "", "a/C.DEFAULT"},
		{"C", "elsewhere", "", "a/C.DEFAULT"},
		{"Only", "b", "", "a/Only.DEFAULT"},
		{"Shared", "b", "", "/Shared.DEFAULT"},
	} {
		if got := s.Snapshot().Lookup(tt.typ, tt.app, tt.ns, ""); got == nil || got.File != tt.want {
			t.Errorf("Lookup(%q of %q, %q) = %v, want %s", tt.typ, tt.app, tt.ns, got, tt.want)
		}
	}
	if got := before.Lookup("C", "b", "", ""); got.File != "a/C.DEFAULT" {
		t.Errorf("a snapshot has changed: %s", got.File)
	}
	if got := s.Snapshot().Near("Onyl"); len(got) != 1 || got[0] != "a/Only.DEFAULT" {
		t.Errorf("near Onyl: %q", got)
	}
	if got := s.Snapshot().Near("C"); len(got) != 3 {
		t.Errorf("near C: %q", got)
	}
}

// An attribute that is misspelt has no effect; the message offers the one that was probably meant.
func TestMistakes(t *testing.T) {
	for attr, want := range map[string]string{
		"ui-valeu":     "did you mean `ui-value`?",
		"ui-veiw":      "did you mean `ui-view`?",
		"ui-view-list": "did you mean `ui-viewlist`?",
		"ui-clas-big":  "ui-clas-big is not an attribute of view definitions",
		"ui-focsu":     "did you mean `ui-focus`?",
		"ui-measure-w": "did you mean `ui-measure-width`?",
		"ui-repeat":    "ui-repeat is not an attribute of view definitions",
	} {
		tm, err := viewdef.Parse("T.DEFAULT", "t.html", "<template>\n<p "+attr+`="x"></p></template>`)
		if err != nil {
			t.Fatal(err)
		}
		if len(tm.Mistakes) != 1 || tm.Mistakes[0].Line != 2 || !strings.HasSuffix(tm.Mistakes[0].Msg, want) {
			t.Errorf("%s: %v, want %s", attr, tm.Mistakes, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`<template><p ui-value="a"></p></template>`, `<template><tr><td ui-view="x"></td></tr></template>`,
		`<template><ul ui-viewlist="a"><li></li></ul><script>x</script></template>`, `<template><svg><path ui-attr-d="d"/></svg></template>`,
		`<template><template><b ui-value="x"></b></template></template>`, "<template><b ui-value=x><table><i ui-value=y></table>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		tm, err := viewdef.Parse("T.DEFAULT", "t.html", src)
		if err != nil {
			var p viewdef.Problem
			if !errors.As(err, &p) || p.Line < 1 || p.Line > 1+strings.Count(src, "\n") {
				t.Fatalf("%q: %v", src, err)
			}
			return
		}
		if !json.Valid([]byte("{" + string(tm.Def) + "}")) {
			t.Fatalf("%q: definition %s", src, tm.Def)
		}
		for _, b := range tm.Bindings {
			if b.Line < 1 || !strings.Contains(string(tm.Def), fmt.Sprintf(`data-ui=\"%d\"`, b.Element)) {
				t.Fatalf("%q: binding %+v has no element", src, b)
			}
		}
	})
}

// Options of paths that no binding uses are mistakes.
func TestPathOptions(t *testing.T) {
	for attr, want := range map[string]string{
		`ui-viewlist="x?window&scrollOnOutput&itemWrapper=T"`: "",
		`ui-view="x?wrapper=lua.ViewList&window&item=T"`:      "",
		`ui-value="x?keypress&access=rw&priority=low"`:        "",
		`ui-html="x?replace&optional"`:                        "",
		`ui-view="x?namespace=line"`:                          `t.html:2: ui-view: ?namespace is not an option of paths; did you mean the attribute ` + "`ui-namespace=\"line\"`?",
		`ui-viewlist="x?windw"`:                               "t.html:2: ui-viewlist: ?windw is not an option of paths; did you mean `window`?",
		`ui-value="x?keyPress"`:                               "t.html:2: ui-value: ?keyPress is not an option of paths; did you mean `keypress`?",
		`ui-value="x?colour=red"`:                             "t.html:2: ui-value: ?colour is not an option of paths",
	} {
		tm, err := viewdef.Parse("T.DEFAULT", "t.html", "<template>\n<div "+attr+"></div></template>")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range tm.Mistakes {
			got = append(got, m.Error())
		}
		for _, w := range tm.Warnings {
			got = append(got, "warning "+w.Error())
		}
		if d := cmp.Diff(want, strings.Join(got, "\n")); d != "" {
			t.Errorf("%s: -want +got:\n%s", attr, d)
		}
	}
}

// The content of a file is sent where the person can choose one file, and the app can get it.
// Uploads go to a field or a method; several files at once to a method.
func TestFileOptions(t *testing.T) {
	const vain = "it takes no file"
	for attributes, want := range map[string]string{
		`ui-value="x?content"`:                  "",
		`TYPE="FILE" ui-value="put(_)?content"`: "",
		`type="text" ui-value="x?content"`:      vain,
		`ui-value="x?content&access=r"`:         vain,
		`multiple ui-value="x?content"`:         "t.html:1: ui-value: ?content takes one file: leave the attribute multiple out",
		`ui-value="x?upload"`:                   "",
		`ui-value="x?upload&progress=percent"`:  "",
		`multiple ui-value="add(_)?upload"`:     "",
		`multiple ui-value="x?upload"`:          `t.html:1: ui-value: with multiple, ?upload needs a method that gets each file: ui-value="add(_)?upload"`,
		`ui-value="x?upload&content"`:           "t.html:1: ui-value: ?content and ?upload exclude each other: ?content is for files of at most 1 MiB",
		`ui-value="x?upload&progress"`:          "t.html:1: ui-value: ?progress names a field of the object that gets the file, such as progress=percent",
		`ui-value="x?upload&progress=a.b"`:      "t.html:1: ui-value: ?progress names a field of the object that gets the file, such as progress=percent",
		`ui-value="x?upload&access=r"`:          vain,
	} {
		tm, err := viewdef.Parse("T.DEFAULT", "t.html", "<template><input "+attributes+` type="file"></template>`)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		for _, p := range append(tm.Mistakes, tm.Warnings...) {
			got += p.Error()
		}
		opts := tm.Bindings[0].Opts
		if got == "" && !opts.Content && !opts.Upload {
			got = vain
		}
		if got != want {
			t.Errorf("%s: %q, %+v; want %q", attributes, got, opts, want)
		}
	}
}
