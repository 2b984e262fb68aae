package variable_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
)

// Below a path are the problems of the templates that are displayed there, and of the binding.
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
	const ofApp, ofOne, ofRow, ofOther = "boom of App", "boom of One", "boom of Row", "another"
	const appWrong, oneWrong, rowWrong, deepWrong, lost = "App declares no wrong", "One declares no wrong", "Row declares no wrong", "Deep declares no wrong", "no view definition Lost.DEFAULT"
	for _, c := range []struct {
		path     string
		problems []string
	}{
		{"", []string{appWrong, lost, deepWrong, oneWrong, ofApp, ofOne, ofOther, ofRow, rowWrong}},
		{"boom()", []string{ofApp}},
		{"wrong", []string{appWrong}},
		{"one", []string{deepWrong, oneWrong, ofOne}},
		{"one.boom()", []string{ofOne}},
		{"one.wrong", []string{oneWrong}},
		{"one.deep", []string{deepWrong}},
		{"rows", []string{ofOther, ofRow, rowWrong}},
		{"rows.0", []string{ofOther, ofRow, rowWrong}},
		{"rows.1.boom()", []string{ofOther, ofRow}},
		{"none", nil},
		{"lost", []string{lost}},
	} {
		below := tree.Below(c.path)
		var got []string
		for _, p := range tree.Problems() {
			if below(p.File, p.Source) {
				msg := p.Message
				if p.Err != nil {
					msg = strings.TrimPrefix(msg, "app.lua:1: ")
				}
				got = append(got, msg)
			}
		}
		slices.Sort(got)
		slices.Sort(c.problems)
		if d := cmp.Diff(c.problems, got); d != "" {
			t.Errorf("problems below %q: -want +got\n%s", c.path, d)
		}
	}
	if tree.Below("other")("App.DEFAULT.html", `ui-value="wrong"`) {
		t.Error("something is below what is not there")
	}
	first := func(instance int64) string {
		slot := slices.IndexFunc(tree.TemplateOf(instance).Bindings, func(b viewdef.Binding) bool { return b.Path.Bare == "boom()" })
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
			if (p.Message == ofApp || p.Message == ofRow) && at != first(1) && at != first(row0) {
				t.Fatalf("%q is of the binding %s", p.Message, at)
			}
		}
	}
}
