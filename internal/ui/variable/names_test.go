package variable_test

import (
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

func (d declared) IsFunction(v variable.Value) bool { return v == "function" }

// What is wrong with the names in bindings, before anything runs.
func TestNames(t *testing.T) {
	method := func(*obj, ...variable.Value) (variable.Value, error) { return nil, nil }
	methods := map[string]func(*obj, ...variable.Value) (variable.Value, error){"go": method}
	inner := &obj{typ: "Inner", fields: fields{"name": "x"}, methods: methods}
	app := &obj{typ: "App", fields: fields{
		"title": "a", "inner": inner, "none": nil, "list": list(inner), "empty": list(),
	}, methods: methods}
	for binding, want := range map[string]string{
		`ui-value="title"`:                 "",
		`ui-value="other"`:                 "App declares no other",
		`ui-value="other?optional"`:        "",
		`ui-value="titel"`:                 "App declares no titel; did you mean `title`?",
		`ui-class-on="other"`:              "",
		`ui-class-on="titel"`:              "App declares no titel; did you mean `title`?",
		`ui-class-on="other.name"`:         "App declares no other",
		`ui-value="inner.name"`:            "",
		`ui-value="inner.other"`:           "Inner declares no other",
		`ui-value="none.other"`:            "",
		`ui-value="list.0.name"`:           "",
		`ui-value="list.0.other"`:          "Inner declares no other",
		`ui-value="list.0"`:                "",
		`ui-value="list.1.other"`:          "",
		`ui-value="title.other"`:           "",
		`ui-value="go()"`:                  "",
		`ui-value="gone()"`:                "App has no method gone",
		`ui-value="go.name"`:               "go is a method: write go()",
		`ui-value="inner.go.name"`:         "go is a method: write go()",
		`ui-value="go().other"`:            "",
		`ui-action="go()"`:                 "",
		`ui-action="gone()"`:               "App has no method gone",
		`ui-action="inner.gone()"`:         "Inner has no method gone",
		`ui-action="title()"`:              "title is no method of App, but a field: write title without parentheses",
		`ui-event-click="title(_)"`:        "title is no method of App, but a field: write title without parentheses",
		`ui-event-click="go"`:              "go is a method: write go()",
		`ui-value="..title"`:               "",
		`ui-value="other" ui-class-o="no"`: "App declares no other",
	} {
		s := templates(t, map[string]string{"App.DEFAULT": "<p " + binding + "></p>"})
		tree := variable.New(declared{&host{}}, latest{s})
		var got string
		for _, p := range tree.MisnamedIn(s.Snapshot().Lookup("App", "", "DEFAULT", ""), app) {
			got += p.Msg
		}
		if got != want {
			t.Errorf("%s: %q, want %q", binding, got, want)
		}
	}
}

// Names are checked again when values come, when code was loaded, and no longer when nothing
// displays them.
func TestNamesAreCheckedAgain(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"inner": nil, "view": nil}}
	s := templates(t, map[string]string{"App.DEFAULT": `<div><p ui-value="inner.name"></p><div ui-view="view"></div></div>`, "Inner.DEFAULT": `<p ui-value="wrong"></p>`})
	tree := variable.New(declared{&host{}}, latest{s})
	tree.SetRoot(app)
	want := func(what string, messages ...string) {
		t.Helper()
		before := tree.ProblemsVersion()
		tree.Scan()
		var got []string
		for _, p := range tree.Problems() {
			got = append(got, p.Msg)
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
	inner.fields["name"] = "x"
	tree.Retry()
	want("it has the name now")
	app.fields["view"] = inner
	want("a view of it", "Inner declares no wrong")
	app.fields["view"] = nil
	want("no view of it")
}
