package variable_test

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/ui/variable"
)

func (w *world) problems() []string {
	var out []string
	for _, p := range w.tree.Problems() {
		out = append(out, p.Msg)
	}
	return out
}

// An object that displays itself is detected at once, not a hundred levels deep.
func TestViewOfItselfStopsEarly(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"name": "x"}}
	app.fields["self"] = app
	app.fields["all"] = list(app, app)
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT":   `<b ui-value="name"></b><p ui-view="self"></p><p ui-view="self"></p><ul ui-viewlist="all"><li></li></ul>`,
		"App.list-item": `<li><i ui-view="self"></i></li>`,
	})
	if n := w.tree.Len(); n > 50 {
		t.Errorf("%d variables are made", n)
	}
	for _, p := range w.problems() {
		if p != "a App shows itself" {
			t.Errorf("problem %q", p)
		}
	}
	if len(w.problems()) == 0 {
		t.Error("there is no problem")
	}
	// The same object twice, but not inside itself, is fine.
	one := contact("Ann")
	app.fields["self"], app.fields["all"] = one, list(one, one)
	put(t, w.store, "Contact.DEFAULT", `<b ui-value="name"></b>`)
	w.scan()
	if list := w.problems(); list != nil {
		t.Errorf("problems: %q", list)
	}
}

// A list displays no more rows than a session may have, and reports that.
func TestTooManyRows(t *testing.T) {
	const most = 250_000
	items := make([]variable.Value, most+10)
	for i := range items {
		items[i] = float64(i)
	}
	app := &obj{typ: "App", fields: fields{"rows": list(items...)}}
	tree := variable.New(&host{}, latest{templates(t, map[string]string{"App.DEFAULT": `<ul ui-viewlist="rows"><li></li></ul>`})})
	check := func(what string) {
		t.Helper()
		tree.Scan()
		var limit string
		for _, p := range tree.Problems() {
			if strings.Contains(p.Msg, "rows are shown") {
				limit = p.Msg
			}
		}
		if want := fmt.Sprintf("of %d rows are shown: a session shows at most %d views and rows", most+10, most); !strings.Contains(limit, want) {
			t.Errorf("%s: the problem is %q, want %q", what, limit, want)
		}
		if n := tree.Len(); n > most+10 {
			t.Errorf("%s: %d variables", what, n)
		}
	}
	tree.SetRoot(app)
	check("mounted")
	app.fields["rows"] = list()
	tree.Scan()
	if list := tree.Problems(); len(list) > 0 {
		t.Errorf("problems: %v", list[0])
	}
	app.fields["rows"] = list(items...)
	check("filled")
}
