package variable_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/ui/variable"
)

func (w *world) problems() []string {
	var out []string
	for _, p := range w.tree.Problems() {
		out = append(out, p.Message)
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
	app := &obj{typ: "App", fields: fields{"rows": list(items...), "one": contact("too many")}}
	tree := variable.New(&host{}, latest{templates(t, map[string]string{"App.DEFAULT": `<ul ui-viewlist="rows"><li></li></ul><div ui-view="one"></div>`})})
	check := func(what string, shown int) {
		t.Helper()
		tree.Scan()
		var limit string
		crowded := 0
		for _, p := range tree.Problems() {
			if strings.Contains(p.Message, "rows are shown") {
				limit = p.Message
			}
			if p.Message == "more than 250000 views at once" {
				crowded++
			}
		}
		if want := fmt.Sprintf("only %d of %d rows are shown: a session shows at most %d views and rows", shown, most+10, most); !strings.Contains(limit, want) {
			t.Errorf("%s: the problem is %q, want %q", what, limit, want)
		}
		if crowded != 1 {
			t.Errorf("%s: %d problems of views", what, crowded)
		}
		if n := tree.Len(); n > most+10 {
			t.Errorf("%s: %d variables", what, n)
		}
	}
	tree.SetRoot(app)
	check("mounted", most-1)
	app.fields["rows"] = list()
	tree.Scan()
	for _, p := range tree.Problems() {
		if strings.Contains(p.Message, "rows") {
			t.Error(p)
		}
	}
	app.fields["rows"] = list(items...)
	check("filled", most-2) // of which one is the view
	app.fields["rows"] = list(items[:most-2]...)
	tree.Scan()
	for _, p := range tree.Problems() {
		if strings.Contains(p.Message, "rows are shown") {
			t.Errorf("as many as may be: %v", p)
		}
	}
}

// Views nest a hundred deep, and what is deeper is a problem.
func TestDeepViews(t *testing.T) {
	var deepest variable.Value
	for range 120 {
		deepest = &obj{typ: "Node", fields: fields{"next": deepest}}
	}
	w := newWorld(t, deepest, map[string]string{"Node.DEFAULT": `<div ui-view="next"></div>`})
	if got, want := w.problems(), []string{"views nest more than 100 deep: a Node shows others without end"}; !slices.Equal(got, want) {
		t.Errorf("problems %q, want %q", got, want)
	}
	if n := len(w.page.insts); n != 101 {
		t.Errorf("%d views, want a hundred and the one with the problem", n)
	}
}

// A limited host stops code that takes too long.
type limited struct {
	*host
	stopped error
	resumes int // how often code may still run after it was stopped
	reads   []string
	empty   bool // wrapping gives nothing
}

func (l *limited) stop() error {
	l.stopped = errors.New("too slow")
	return l.stopped
}

func (l *limited) Stopped() error { return l.stopped }

func (l *limited) Resume() bool {
	if l.resumes == 0 {
		return false
	}
	l.resumes, l.stopped = l.resumes-1, nil
	return true
}

func (l *limited) Field(o variable.Value, name string) (variable.Value, error) {
	l.reads = append(l.reads, name)
	v, err := l.host.Field(o, name)
	switch v {
	case "slow":
		return nil, l.stop()
	case "wrong":
		return nil, errors.New("it is wrong")
	}
	return v, err
}

func (l *limited) Wrap(typ string, v variable.Value) (variable.Value, error) {
	l.calls = append(l.calls, "wrap "+typ)
	switch {
	case l.empty:
		return nil, nil
	case typ == "Same":
		return v, nil
	case typ == "Bad", v == "slow":
		return nil, errors.New("no wrapper")
	}
	return l.host.Wrap(typ, v)
}

func (l *limited) Rewrap(w, v variable.Value) error {
	l.calls = append(l.calls, "rewrap")
	if l.wrapped(w) {
		return l.host.Rewrap(w, v)
	}
	return nil
}

func (l *limited) wrapped(w variable.Value) bool { return l.Type(w) == "Box" }

func (l *limited) WrapItem(typ string, item variable.Value, i int) (wrapper, source variable.Value, err error) {
	l.calls = append(l.calls, "item")
	if item == "slow" {
		return nil, nil, l.stop()
	}
	return l.host.WrapItem(typ, item, i)
}

// pass runs a scan, in which code may be stopped a number of times and run on.
func (l *limited) pass(tree *variable.Tree, resumes int) {
	l.stopped, l.resumes, l.reads, l.calls = nil, resumes, nil, nil
	tree.Scan()
}

// What took too long is not read again before code was loaded: the binding of that object, and once
// it happened to two objects, of all.
func TestStoppedBindings(t *testing.T) {
	row := func(speed variable.Value) *obj {
		return &obj{typ: "Row", fields: fields{"speed": speed, "name": "r"}}
	}
	first := row("slow")
	app := &obj{typ: "App", fields: fields{"name": "Ann", "rows": list(first, row("quick"), row("quick"))}}
	h := &limited{host: &host{}}
	tree := variable.New(h, latest{templates(t, map[string]string{
		"App.DEFAULT": `<p ui-value="name"></p><ul ui-viewlist="rows"><li></li></ul><b ui-value="last"></b>`, "Row.list-item": `<li><b ui-value="speed"></b><i ui-value="name"></i></li>`,
	})})
	tree.SetRoot(app)
	reads := func(what string, resumes int, speeds, names, last int) {
		t.Helper()
		h.pass(tree, resumes)
		got := map[string]int{}
		for _, name := range h.reads {
			got[name]++
		}
		if got["speed"] != speeds || got["name"] != names || got["last"] != last {
			t.Errorf("%s: reads %v, want %d speeds, %d names and the last %d times", what, got, speeds, names, last)
		}
	}
	problems := func(want ...string) {
		t.Helper()
		var got []string
		for _, p := range tree.Problems() {
			got = append(got, p.Message)
		}
		if !slices.Equal(got, want) {
			t.Errorf("problems %q, want %q", got, want)
		}
	}
	reads("one is slow", 9, 3, 4, 1)
	problems("too slow")
	reads("it is not read again", 9, 2, 4, 1)
	quick := app.fields["rows"].(*arr).items[1:]
	app.fields["rows"] = list(quick...)
	reads("it goes", 9, 2, 3, 1)
	problems()
	app.fields["rows"] = list(append([]variable.Value{row("slow")}, quick...)...)
	reads("another slow one in its place", 9, 3, 4, 1)
	problems("too slow")
	reads("and again", 9, 2, 4, 1)
	app.fields["rows"] = list(first, row("slow"), row("quick"), row("quick"))
	reads("a second one while it is there", 9, 1, 5, 1)
	problems("too slow")
	reads("then none is read", 9, 0, 5, 1)
	tree.Retry()
	reads("code was loaded", 9, 2, 5, 1)
	first.fields["speed"], app.fields["rows"] = "quick", list(first)
	tree.Retry()
	reads("all are quick", 0, 1, 2, 1)
	problems()
	reads("as before", 0, 1, 2, 1)
	first.fields["speed"] = "slow"
	reads("no time is left", 0, 1, 0, 0)
	problems("too slow")
	app.fields["name"] = "Bob"
	reads("the rest is read in the next pass", 0, 0, 2, 1)
	if got := string(tree.Snapshot()); !strings.Contains(got, `"Bob"`) {
		t.Errorf("the name is not read: %s", got)
	}
}

// Rows that cannot be wrapped display their elements, and a row for which no time is left is no
// reason to stop others.
func TestWrappersThatFail(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"items": list("a", "slow", "b"), "texts": list("x", nil, "slow"), "title": "t", "me": contact("c")}}
	h := &limited{host: &host{}}
	defs := map[string]string{
		"App.DEFAULT":            `<div ui-view="items?wrapper=lua.ViewList&itemWrapper=Row"></div>`,
		"lua.ViewList.list-item": `<ul ui-viewlist="items"></ul>`, "lua.ViewListItem.list-item": `<li><b ui-value="index"></b></li>`,
		"Box.list-item": `<li ui-value="value"></li>`, "Box.DEFAULT": `<p ui-value="value"></p>`, "Contact.DEFAULT": `<p ui-value="name"></p>`,
	}
	show := func(view string, resumes int) (tree *variable.Tree, problems string) {
		defs["App.DEFAULT"] = view
		tree = variable.New(h, latest{templates(t, defs)})
		tree.SetRoot(app)
		h.pass(tree, resumes)
		for _, p := range tree.Problems() {
			problems += p.Message + "\n"
		}
		return tree, problems
	}
	calls := func(what string, want ...string) {
		t.Helper()
		if !slices.Equal(h.calls, want) {
			t.Errorf("%s: calls %q, want %q", what, h.calls, want)
		}
	}
	const viewList, noType = `<div ui-view="items?wrapper=lua.ViewList&itemWrapper=Row"></div>`, "this value has no type, so it has no view definition: make it with session:prototype and new\n"
	if tree, got := show(viewList, 9); got != "too slow\n" || !strings.Contains(string(tree.Snapshot()), "[2") {
		t.Errorf("one item: %s, %s", got, tree.Snapshot())
	}
	calls("one item, and no more of that list", "item", "item")
	if _, got := show(viewList, 0); got != "not read: the time of this pass is used up\ntoo slow\n" {
		t.Errorf("no time: %s", got)
	}
	calls("no time", "item", "item")
	if _, got := show(`<ul ui-viewlist="texts?itemWrapper=Box"></ul>`, 9); got != "no wrapper\n"+noType {
		t.Errorf("rows: %s", got)
	}
	calls("rows", "wrap Box", "wrap Box")
	tree, got := show(`<div ui-view="me?wrapper=Same"></div><div ui-view="title?wrapper=Box"></div>`, 9)
	if got != "" {
		t.Errorf("views: %s", got)
	}
	h.pass(tree, 9)
	calls("views again", "rewrap", "rewrap")
	h.empty = true
	tree, got = show(`<div ui-view="title?wrapper=Box"></div>`, 9)
	if got != "" || string(tree.Snapshot()) != `[1,1,[null],1]` {
		t.Errorf("nothing: %s, %s", got, tree.Snapshot())
	}
	h.empty = false
	h.pass(tree, 9)
	calls("then there is a wrapper", "wrap Box")
	if got := string(tree.Snapshot()); !strings.Contains(got, `["t"]`) {
		t.Errorf("its wrapper is not displayed: %s", got)
	}
}

// A field that cannot be read any more is a problem, also if it was nil before.
func TestFieldsThatFail(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"name": nil}}
	h := &limited{host: &host{}}
	tree := variable.New(h, latest{templates(t, map[string]string{"App.DEFAULT": `<p ui-value="name"></p>`})})
	tree.SetRoot(app)
	tree.Scan()
	app.fields["name"] = "wrong"
	tree.Scan()
	if p := tree.Problems(); len(p) != 1 || p[0].Message != "it is wrong" {
		t.Errorf("problems %v", p)
	}
}

// Views of low priority have new templates at once, and pages keep the definitions that they may
// need: until others are loaded.
func TestDefinitionsOfPages(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"one": contact("Ann"), "off": false, "rows": list(contact("r")), "lost": &obj{typ: "Lost"}}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT":       `<div ui-view="one?priority=low"></div><ul ui-viewlist="rows?priority=high"></ul><div ui-view="off"></div><div ui-view="lost"></div><div ui-view="again"></div>`,
		"Contact.DEFAULT":   `<p ui-value="name"></p>`,
		"Contact.list-item": `<li ui-value="name"></li>`,
	})
	defs := func(what string, want int) {
		t.Helper()
		if got := len(w.tree.Defs()); got != want {
			t.Errorf("%s: %d definitions, want %d", what, got, want)
		}
	}
	defs("at first", 4)
	app.fields["again"] = &obj{typ: "Lost"}
	w.want("the same problem again", "mount 4")
	defs("with that", 4)
	app.fields["one"], app.fields["again"] = nil, nil
	w.want("a view goes", "mount 4", "mount 1")
	defs("without it", 4)
	put(t, w.store, "Contact.list-item", `<li class="new" ui-value="name"></li>`)
	w.want("a row's template", "list 0 start 0 remove 1 add 1", "mount 3")
	defs("with that", 3)
	app.fields["one"] = contact("Bob")
	w.want("a view comes", "mount 1")
	put(t, w.store, "Contact.DEFAULT", `<p class="new" ui-value="name"></p>`)
	w.want("its template", "mount 1", "mount 3")
}
