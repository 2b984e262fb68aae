package variable_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
)

// Below a path are the problems of the bindings there, and the files of their templates.
func TestProblemsBelow(t *testing.T) {
	boom := map[string]method{"boom": func(o *obj, _ ...variable.Value) (variable.Value, error) {
		return nil, fmt.Errorf("app.lua:1: %w", errors.New("boom of "+o.typ))
	}}
	row := func() *obj { return &obj{typ: "Row", fields: fields{}, methods: boom} }
	other := row()
	other.methods = map[string]method{"boom": func(*obj, ...variable.Value) (variable.Value, error) { return nil, errors.New("another") }}
	app := &obj{typ: "App", methods: boom, fields: fields{
		"one": &obj{typ: "One", fields: fields{}, methods: boom}, "rows": list(row(), row(), other), "none": nil, "lost": &obj{typ: "Lost"},
	}}
	app.fields["one"].(*obj).fields["deep"] = &obj{typ: "Deep", fields: fields{}}
	tree := variable.New(declared{&host{}}, latest{templates(t, map[string]string{
		"App.DEFAULT": `<p ui-value="boom()"></p><p ui-value="boom()"></p><div ui-view="one"></div><ul ui-viewlist="rows"><li></li></ul><div ui-view="none"></div><p ui-value="wrong"></p><div ui-view="lost"></div>`,
		"One.DEFAULT": `<b ui-value="boom()"></b><i ui-value="wrong"></i><div ui-view="deep"></div>`, "Deep.DEFAULT": `<p ui-value="wrong"></p>`,
		"Row.list-item": `<li><b ui-value="boom()"></b><u ui-value="wrong"></u></li>`,
	})})
	tree.SetRoot(app)
	tree.Scan()
	const ofApp, ofOne, ofRow, ofOther = "2 boom of App", "1 boom of One", "2 boom of Row", "1 another"
	const appWrong, oneWrong, rowWrong, deepWrong, lost = "1 App declares no wrong", "1 One declares no wrong", "1 Row declares no wrong", "1 Deep declares no wrong", "1 no view definition Lost.DEFAULT"
	const one, deep, rows = "One.DEFAULT.html", "Deep.DEFAULT.html", "Row.list-item.html"
	for _, c := range []struct {
		path            string
		problems, files []string
	}{
		{"", []string{appWrong, lost, deepWrong, oneWrong, ofApp, ofOne, ofOther, ofRow, rowWrong}, []string{"App.DEFAULT.html", deep, one, rows}},
		{"boom()", []string{"1 boom of App"}, nil},
		{"wrong", []string{appWrong}, nil},
		{"one", []string{deepWrong, oneWrong, ofOne}, []string{deep, one}},
		{"one.boom()", []string{ofOne}, nil},
		{"one.wrong", []string{oneWrong}, nil},
		{"one.deep", []string{deepWrong}, []string{deep}},
		{"rows", []string{ofOther, ofRow, rowWrong}, []string{rows}},
		{"rows.0", []string{"1 boom of Row", rowWrong}, []string{rows}},
		{"rows.1.boom()", []string{"1 boom of Row"}, nil},
		{"rows.2", []string{ofOther, rowWrong}, []string{rows}},
		{"none", nil, nil},
		{"lost", []string{lost}, nil},
	} {
		found, files, err := tree.ProblemsBelow(c.path)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range found {
			msg := p.Msg
			if p.Err != nil {
				msg = strings.TrimPrefix(msg, "app.lua:1: ")
			}
			got = append(got, fmt.Sprint(p.Count, " ", msg))
		}
		slices.Sort(got)
		slices.Sort(c.problems)
		if d := cmp.Diff(c.problems, got); d != "" {
			t.Errorf("problems below %q: -want +got\n%s", c.path, d)
		}
		if d := cmp.Diff(c.files, slices.Sorted(maps.Keys(files))); d != "" {
			t.Errorf("files below %q: -want +got\n%s", c.path, d)
		}
	}
	if _, _, err := tree.ProblemsBelow("other"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("below what is not there: %v", err)
	}
	first := func(instance int64) string {
		slot := slices.IndexFunc(tree.TemplateOf(instance).Bindings, func(b viewdef.Binding) bool { return b.Path.Bare() == "boom()" })
		return fmt.Sprintf("%d.%d", instance, slot)
	}
	var row0 int64
	for _, v := range tree.Variables() {
		if v.Path == "0" {
			row0 = v.ID
		}
	}
	for range 20 { // the order in which problems are looked at is another one each time
		for _, p := range tree.Problems() {
			at := fmt.Sprintf("%d.%d", p.Instance, p.Slot)
			if p.Count == 2 && at != first(1) && at != first(row0) {
				t.Fatalf("%q is of the binding %s", p.Msg, at)
			}
		}
	}
}
