package variable_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

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

// The cost of scripts' variables does not depend on the rows on display, wherever in the tree they
// are.
func TestScriptVariablesOverManyRows(t *testing.T) {
	items := make([]variable.Value, 20_000)
	for i := range items {
		items[i] = contact("x")
	}
	app := &obj{typ: "App", fields: fields{"rows": list(items...)}}
	w := newWorld(t, app, map[string]string{"App.DEFAULT": `<ul ui-viewlist="rows"><li></li></ul>`, "Contact.list-item": `<li ui-value="name"></li>`})
	pass := func() time.Duration { // the quickest of several
		best := time.Hour
		for range 10 {
			begin := time.Now()
			w.tree.Scan()
			best = min(best, time.Since(begin))
		}
		return best
	}
	before := pass()
	last := w.tree.Variables()
	parent := last[len(last)-1].ID
	for range 300 {
		if _, err := w.tree.Create(parent, contact("y"), map[string]string{"path": "name"}); err != nil {
			t.Fatal(err)
		}
	}
	if after := pass(); after > 10*before {
		t.Errorf("a pass takes %s with 300 variables of scripts, %s without", after, before)
	}
	app.fields["rows"] = list(items[1:]...)
	w.scan()
	app.fields["rows"] = list()
	w.scan()
	for _, v := range w.tree.Variables() {
		if v.ID < 0 {
			t.Fatalf("variable %d is left after its parent was removed", v.ID)
		}
	}
}
