package variable_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/ui/variable"
)

// declared is a host whose objects declare what they have.
type declared struct{ *host }

func (d declared) Member(v variable.Value, name string) variable.Member {
	o := v.(*obj)
	field, isField := o.fields[name]
	_, isMethod := o.methods[name]
	m := variable.Member{Known: isField || isMethod, Method: isMethod, Value: field}
	if name == "titel" {
		m.Similar = "title"
	}
	return m
}

func (d declared) Element(o variable.Value, i int) (variable.Value, error) {
	if _, ok := o.(*arr); !ok {
		return nil, errors.New("no elements")
	}
	return d.host.Element(o, i)
}

func (d declared) IsFunction(v variable.Value) bool { return v == "function" }

// What is wrong with the names in bindings, before anything runs, and when they are displayed.
func TestNames(t *testing.T) {
	method := func(*obj, ...variable.Value) (variable.Value, error) { return nil, nil }
	methods := map[string]func(*obj, ...variable.Value) (variable.Value, error){"go": method, "both": method}
	inner := &obj{typ: "Inner", fields: fields{"name": "x"}, methods: methods}
	app := &obj{typ: "App", fields: fields{
		"title": "a", "inner": inner, "none": nil, "list": list(inner), "empty": list(), "both": "b",
	}, methods: methods}
	const (
		checked = iota
		waits   // for a value that is nil
		fails   // when it is read, which is reported instead
	)
	for binding, want := range map[string]struct {
		msg   string
		state int
	}{
		`ui-value="title"`:                 {},
		`ui-value="other"`:                 {msg: "App declares no other"},
		`ui-value="other?optional"`:        {},
		`ui-value="titel"`:                 {msg: "App declares no titel; did you mean `title`?"},
		`ui-class-on="other"`:              {},
		`ui-class-on="titel"`:              {msg: "App declares no titel; did you mean `title`?"},
		`ui-class-on="other.name"`:         {msg: "App declares no other"},
		`ui-value="inner.name"`:            {},
		`ui-value="inner.other"`:           {msg: "Inner declares no other"},
		`ui-value="inner.0"`:               {},
		`ui-value="inner.0.name"`:          {},
		`ui-value="none.other"`:            {state: waits},
		`ui-value="list.0.name"`:           {},
		`ui-value="list.0.other"`:          {msg: "Inner declares no other"},
		`ui-value="list.0"`:                {},
		`ui-value="list.1"`:                {},
		`ui-value="list.1.other"`:          {state: waits},
		`ui-value="title.other"`:           {},
		`ui-value="go()"`:                  {},
		`ui-value="gone()"`:                {"App has no method gone", fails},
		`ui-value="gone().other"`:          {"App has no method gone", fails},
		`ui-value="go.name"`:               {msg: "go is a method: write go()"},
		`ui-value="inner.go.name"`:         {msg: "go is a method: write go()"},
		`ui-value="go().other"`:            {},
		`ui-value="go(title)"`:             {},
		`ui-value="go(other)"`:             {msg: "App declares no other"},
		`ui-value="go(other).go(wrong)"`:   {msg: "App declares no other"},
		`ui-value="go(title).go(wrong)"`:   {msg: "App declares no wrong"},
		`ui-value="go(none.other)"`:        {state: waits},
		`ui-value="gone(other)"`:           {msg: "App declares no other"},
		`ui-action="go()"`:                 {},
		`ui-action="gone()"`:               {msg: "App has no method gone"},
		`ui-action="inner.gone()"`:         {msg: "Inner has no method gone"},
		`ui-action="none()"`:               {},
		`ui-action="both()"`:               {},
		`ui-action="title()"`:              {msg: "title is no method of App, but a field: write title without parentheses"},
		`ui-value="title().other"`:         {},
		`ui-action="title().other()"`:      {},
		`ui-event-click="title(_)"`:        {msg: "title is no method of App, but a field: write title without parentheses"},
		`ui-event-click="go"`:              {msg: "go is a method: write go()"},
		`ui-value="..title"`:               {},
		`ui-value="other" ui-class-o="no"`: {msg: "App declares no other"},

		`><input type="file" ui-value="title?upload&progress=titel"`: {msg: "App declares no titel; did you mean `title`?"},
	} {
		s := templates(t, map[string]string{"App.DEFAULT": "<p " + binding + "></p>"})
		tree := variable.New(declared{&host{}}, latest{s})
		var got string
		for _, p := range tree.MisnamedIn(s.Snapshot().Lookup("App", "", "DEFAULT", ""), app) {
			got += p.Message
		}
		if got != want.msg {
			t.Errorf("%s: %q, want %q", binding, got, want.msg)
		}
		tree.SetRoot(app)
		tree.Scan()
		got = ""
		for _, p := range tree.Problems() {
			if p.Err == nil { // what cannot be read has one
				got += p.Message
			}
		}
		if want.state == fails {
			want.msg = ""
		}
		if got != want.msg || (tree.Unchecked() > 0) != (want.state == waits) {
			t.Errorf("%s is displayed: %q, want %q; %d templates are yet to be checked", binding, got, want.msg, tree.Unchecked())
		}
	}
}

// Values that a binding cannot display.
func TestUnsuitableValues(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"code": "function", "title": "a", "off": false, "none": nil, "rows": list()},
		methods: map[string]func(*obj, ...variable.Value) (variable.Value, error){
			"give": func(*obj, ...variable.Value) (variable.Value, error) { return "function", nil },
		}}
	const listed = `a list shows the elements of a table, and title is "a"`
	for binding, want := range map[string]string{
		`ui-value="code"`:                      "code is a method: write code()",
		`ui-value="give()"`:                    "give() returned a function, which shows nothing",
		`ui-value="title"`:                     "",
		`ui-viewlist="title"`:                  listed,
		`ui-viewlist="off"`:                    "",
		`ui-viewlist="none"`:                   "",
		`ui-viewlist="rows"`:                   "",
		`ui-view="title?wrapper=lua.ViewList"`: listed,
		`ui-view="off?wrapper=lua.ViewList"`:   "no view definition lua.ViewList.list-item",
		`ui-view="title"`:                      "this value has no type, so it has no view definition: make it with session:prototype and new",
		`ui-view="title?wrapper=Box"`:          "no view definition Box.DEFAULT",
		`ui-value="title" ui-viewlist="title"`: listed,
	} {
		tree := variable.New(declared{&host{}}, latest{templates(t, map[string]string{"App.DEFAULT": "<p " + binding + "></p>"})})
		tree.SetRoot(app)
		tree.Scan()
		var got string
		for _, p := range tree.Problems() {
			got += p.Message
		}
		if got != want {
			t.Errorf("%s: %q, want %q", binding, got, want)
		}
	}
}

// Names are checked again when values come, when code was loaded, and no longer when nothing
// displays them.
func TestNamesAreCheckedAgain(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"inner": nil, "view": nil, "second": nil}}
	s := templates(t, map[string]string{"App.DEFAULT": `<div><p ui-value="inner.name"></p><div ui-view="view"></div><div ui-view="second"></div></div>`, "Inner.DEFAULT": `<p ui-value="wrong"></p>`})
	tree := variable.New(declared{&host{}}, latest{s})
	tree.SetRoot(app)
	want := func(what string, messages ...string) {
		t.Helper()
		before := tree.ProblemsVersion()
		tree.Scan()
		var got []string
		for _, p := range tree.Problems() {
			got = append(got, p.Message)
		}
		slices.Sort(got)
		if d := cmp.Diff(messages, got); d != "" {
			t.Errorf("%s: -want +got\n%s", what, d)
		}
		version := tree.ProblemsVersion()
		tree.Scan()
		if again := tree.ProblemsVersion(); again != version || version == before {
			t.Errorf("%s: the version of problems was %d, is %d, and %d after another scan", what, before, version, again)
		}
	}
	tree.Scan()
	if p := tree.Problems(); len(p) > 0 {
		t.Errorf("problems of what is nil: %v", p)
	}
	inner := &obj{typ: "Inner", fields: fields{}}
	app.fields["inner"] = inner
	want("an object came", "Inner declares no name")
	version := tree.ProblemsVersion()
	tree.Retry()
	tree.Scan()
	if tree.ProblemsVersion() != version {
		t.Error("the same problem counts as a change")
	}
	inner.typ = "Other"
	tree.Retry()
	want("another problem", "Other declares no name")
	inner.typ, inner.fields["name"] = "Inner", "x"
	tree.Retry()
	want("it has the name now")
	app.fields["view"] = inner
	want("a view of it", "Inner declares no wrong")
	app.fields["second"], app.fields["view"] = &obj{typ: "Inner", fields: fields{}}, nil
	tree.Scan()
	app.fields["view"] = inner
	tree.Scan()
	app.fields["second"] = nil
	version = tree.ProblemsVersion()
	tree.Scan()
	if p := tree.Problems(); len(p) != 1 || tree.ProblemsVersion() != version {
		t.Errorf("another object that is displayed has the same names, and the problems are %v", p)
	}
	app.fields["view"] = nil
	want("no view of it")
	tree.Retry()
	tree.Scan()
	inner.fields["wrong"], app.fields["view"] = 1.0, inner
	tree.Scan()
	app.fields["view"] = nil
	tree.Scan()
	if after := tree.ProblemsVersion(); after != version+1 {
		t.Errorf("a view without problems comes and goes, and the version of problems is %d, was %d", after, version+1)
	}
}

// The mistakes of a template go with the only thing that it displays.
func TestNamesOfWhatIsGone(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"view": &obj{typ: "Inner"}}}
	tree := variable.New(declared{&host{}}, latest{templates(t, map[string]string{"App.DEFAULT": `<div ui-view="view"></div>`, "Inner.DEFAULT": `<p ui-value="wrong"></p>`})})
	tree.SetRoot(app)
	for _, want := range []int{1, 0} {
		tree.Scan()
		if p := tree.Problems(); len(p) != want {
			t.Errorf("the problems are %v, want %d", p, want)
		}
		app.fields["view"] = nil
	}
}

// What is around an object is known, and the templates of lists, which all lists share, are not
// checked.
func TestNamesAround(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"all": list("x"), "inner": &obj{typ: "Inner"}}}
	s := templates(t, map[string]string{
		"App.DEFAULT":                `<div ui-view="all?wrapper=lua.ViewList"></div><div ui-view="inner"></div>`,
		"Inner.DEFAULT":              `<p ui-class-on=".."></p>`,
		"lua.ViewList.list-item":     `<ul ui-viewlist="items"></ul>`,
		"lua.ViewListItem.list-item": `<li ui-value="..other"></li>`,
	})
	tree := variable.New(declared{&host{}}, latest{s})
	tree.SetRoot(app)
	tree.Scan()
	if p := tree.Problems(); len(p) > 0 || tree.Unchecked() > 0 {
		t.Errorf("%v, and %d templates are yet to be checked", p, tree.Unchecked())
	}
}
