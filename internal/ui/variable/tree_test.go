package variable_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
)

type fields = map[string]variable.Value

// world is a tree, a page that mirrors it, and their templates and objects.
type world struct {
	t     *testing.T
	host  *host
	store *viewdef.Store
	tree  *variable.Tree
	page  *page
}

func newWorld(t *testing.T, root variable.Value, defs map[string]string) *world {
	w := &world{t: t, host: &host{}, store: templates(t, defs), page: &page{insts: map[int64][]any{}, defs: map[int][]string{}}}
	w.tree = variable.New(w.host, latest{w.store})
	w.tree.SetRoot(root)
	w.scan()
	return w
}

// scan updates the page, checks that it equals a page that connects now, and returns the
// operations.
func (w *world) scan() []string {
	w.t.Helper()
	w.host.calls = nil
	log := w.page.apply(w.t, w.tree, w.tree.Scan())
	fresh := &page{insts: map[int64][]any{}, defs: map[int][]string{}}
	fresh.addDefs(w.t, w.tree.Defs())
	if snap := w.tree.Snapshot(); snap != nil {
		var m any
		if err := json.Unmarshal(snap, &m); err != nil {
			w.t.Fatalf("%v: %s", err, snap)
		}
		fresh.root = fresh.adopt(w.t, m)
	}
	if a, b := text(w.t, fresh.root), text(w.t, w.page.root); a != b {
		w.t.Fatalf("the page differs from a snapshot:\nsnapshot %s\npage     %s", a, b)
	}
	if len(fresh.insts) != len(w.page.insts) {
		w.t.Fatalf("the page holds %d instances, a snapshot %d", len(w.page.insts), len(fresh.insts))
	}
	return log
}

func text(t *testing.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// want checks the operations of the next scan.
func (w *world) want(what string, ops ...string) {
	w.t.Helper()
	if got := w.scan(); !slices.Equal(got, ops) {
		w.t.Fatalf("%s: %q, want %q", what, got, ops)
	}
}

func contact(name string) *obj { return &obj{typ: "Contact", fields: fields{"name": name}} }

func list(items ...variable.Value) *arr { return &arr{items: items} }

func TestValues(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"title": "a", "n": 1.0, "tags": list("x", "y")}}
	w := newWorld(t, app, map[string]string{"App.DEFAULT": `<h1 ui-value="title"></h1><i ui-class-odd="n"></i><b ui-value="who.name"></b><select ui-value="tags"></select>`})
	w.want("nothing changed")
	app.fields["title"] = "b"
	w.want("one value", "set 0=b")
	app.fields["n"], app.fields["title"] = nil, "c"
	w.want("two values", "set 0=c", "set 1=<nil>")
	app.fields["who"] = contact("Ann")
	w.want("through what was nil", "set 2=Ann")
	app.fields["tags"].(*arr).items[1] = "z"
	w.want("inside of an array", "set 3=[x z]")
	app.fields["who"] = nil
	w.want("back to nil", "set 2=<nil>")
	nan := 0.0
	app.fields["n"] = nan / nan
	app.fields["n"] = variable.Value("nan")
	w.want("a scalar of another kind", "set 1=nan")
	w.tree.SetRoot(nil)
	w.want("nothing to show", "root")
	if w.tree.Snapshot() != nil || w.tree.Len() != 1 {
		t.Errorf("snapshot %s, %d variables", w.tree.Snapshot(), w.tree.Len())
	}
}

func TestViews(t *testing.T) {
	ann, bob := contact("Ann"), contact("Bob")
	app := &obj{typ: "App", fields: fields{}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT":     `<div ui-view="current"></div>`,
		"Contact.DEFAULT": `<p ui-value="name"></p>`,
		"Note.DEFAULT":    `<p ui-value="text"></p>`,
	})
	app.fields["current"] = ann
	w.want("a view appears", "mount 0")
	app.fields["current"] = bob
	w.want("another object of the type: the elements stay", "set 0=Bob")
	bob.fields["name"] = "Bo"
	w.want("inside of the view", "set 0=Bo")
	app.fields["current"] = &obj{typ: "Note", fields: fields{"text": "hi"}}
	w.want("another type", "mount 0")
	app.fields["current"] = false
	w.want("false shows nothing", "mount 0")
	w.want("and stays so")
	if n := w.tree.Len(); n != 2 {
		t.Errorf("%d variables are left", n)
	}
}

var listDefs = map[string]string{
	"App.DEFAULT":              `<ul ui-viewlist="all"></ul><div ui-view="all?wrapper=lua.ViewList"></div>`,
	"lua.ViewList.DEFAULT":     `<div><div ui-viewlist="items"></div></div>`,
	"lua.ViewListItem.DEFAULT": `<div><b ui-value="index"></b><div ui-view="item"></div></div>`,
	"Contact.DEFAULT":          `<p ui-value="name"></p>`,
	"Contact.list-item":        `<li ui-value="name"></li>`,
}

func TestLists(t *testing.T) {
	a, b, c, d := contact("a"), contact("b"), contact("c"), contact("d")
	app := &obj{typ: "App", fields: fields{"all": list(a, b, c)}}
	w := newWorld(t, app, listDefs)
	w.want("nothing changed")
	all := app.fields["all"].(*arr)
	b.fields["name"] = "B"
	w.want("one row", "set 0=B", "set 0=B")
	all.items = []variable.Value{a, d, b, c}
	w.want("insert", "list 0 start 1 remove 0 add 1", "list 0 start 1 remove 0 add 1", "set 1=2", "set 1=3")
	all.items = []variable.Value{a, d, c}
	w.want("delete", "list 0 start 2 remove 1 add 0", "list 0 start 2 remove 1 add 0", "set 1=2")
	all.items = []variable.Value{c, d, a}
	w.want("move", "list 0 start 0 remove 3 add 3", "list 0 start 0 remove 3 add 3", "set 1=0", "set 1=2")
	all.items = nil
	w.want("clear", "list 0 start 0 remove 3 add 0", "list 0 start 0 remove 3 add 0")
	app.fields["all"] = nil
	w.want("nil is an empty list", "mount 1")
}

// After any change of a list, a connected page equals a newly connected page, rows that stay keep
// their instances, and nothing leaks.
func TestListsAtRandom(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		pool := make([]*obj, 6)
		for i := range pool {
			pool[i] = contact(fmt.Sprint(i))
		}
		all := list()
		app := &obj{typ: "App", fields: fields{"all": all}}
		w := newWorld(t, app, listDefs)
		empty := w.tree.Len()
		for range 30 {
			var items []variable.Value
			for range r.IntN(9) {
				items = append(items, pool[r.IntN(len(pool))])
			}
			if r.IntN(3) == 0 {
				items = append(items, all.items...)
			}
			if len(items) > 12 {
				items = items[:12]
			}
			all.items = items
			pool[r.IntN(len(pool))].fields["name"] = fmt.Sprint(r.IntN(1000))
			w.scan()
			w.want("a second scan")
		}
		all.items = nil
		w.scan()
		if n := w.tree.Len(); n != empty {
			t.Fatalf("seed %d: %d variables are left, %d at the start", seed, n, empty)
		}
	}
}

func TestTemplateReload(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"all": list(contact("a"), contact("b"))}}
	w := newWorld(t, app, listDefs)
	put(t, w.store, "Contact.list-item", `<li class="new" ui-value="name"></li>`)
	w.want("the rows that use it", "list 0 start 0 remove 2 add 2", "mount 0", "mount 0")
	put(t, w.store, "Other.DEFAULT", `<p></p>`)
	w.want("a template that nothing uses")
}

func TestMissingTemplate(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"current": contact("Ann"), "odd": "text"}}
	w := newWorld(t, app, map[string]string{"App.DEFAULT": "<p></p>\n<div ui-view=\"current\"></div><div ui-view=\"odd\"></div>"})
	var got []string
	for _, p := range w.tree.Problems() {
		got = append(got, fmt.Sprintf("%s:%d %s: %s", p.File, p.Line, p.Source, p.Message))
	}
	want := []string{
		`App.DEFAULT.html:2 ui-view="current": no view definition Contact.DEFAULT`,
		`App.DEFAULT.html:2 ui-view="odd": this value has no type, so it has no view definition: make it with session:prototype and new`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	put(t, w.store, "Contact.DEFAULT", `<p ui-value="name"></p>`)
	app.fields["odd"] = nil
	w.want("the definition comes", "mount 0", "mount 1")
	if p := w.tree.Problems(); len(p) > 0 {
		t.Errorf("problems remain: %v", p)
	}
}

// A list whose element cannot display its rows is a problem where the list is, until either fits.
func TestMisfitIsAProblem(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"one": "a", "people": list(contact("a"), contact("b"))}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT":       "<p></p>\n<select ui-value=\"one\" ui-viewlist=\"people\"></select>",
		"Contact.list-item": `<li ui-value="name"></li>`,
	})
	got := w.tree.Problems()
	if len(got) != 1 || got[0].File != "App.DEFAULT.html" || got[0].Line != 2 || !strings.Contains(got[0].Message, "<li> of Contact.list-item.html") {
		t.Errorf("problems: %v", got)
	}
	put(t, w.store, "Contact.list-item", `<option ui-value="name"></option>`)
	w.tree.Scan()
	if got := w.tree.Problems(); len(got) > 0 {
		t.Errorf("problems remain: %v", got)
	}
}

func TestErrorsKeepTheLastValue(t *testing.T) {
	fails := true
	app := &obj{typ: "App", fields: fields{}, methods: map[string]func(*obj, ...variable.Value) (variable.Value, error){
		"label": func(*obj, ...variable.Value) (variable.Value, error) {
			if fails {
				return nil, errors.New("app.lua:3: boom")
			}
			return "fine", nil
		},
	}}
	w := newWorld(t, app, map[string]string{"App.DEFAULT": `<p ui-value="label()"></p>`})
	if p := w.tree.Problems(); len(p) != 1 || p[0].Error() != `ui-value="label()" (App.DEFAULT.html:1): app.lua:3: boom` {
		t.Fatalf("problems = %v", p)
	}
	version := w.tree.ProblemsVersion()
	w.want("still failing")
	if w.tree.ProblemsVersion() != version {
		t.Error("the same problem counts as a change")
	}
	fails = false
	w.want("fixed", "set 0=fine")
	if p := w.tree.Problems(); len(p) != 0 || w.tree.ProblemsVersion() == version {
		t.Errorf("problem remains: %v", p)
	}
	fails = true
	w.want("the last good value stays")
	if p := w.tree.Problems(); len(p) != 1 {
		t.Errorf("%d problems", len(p))
	}
}

func TestMethodsRunOncePerScan(t *testing.T) {
	method := func(*obj, ...variable.Value) (variable.Value, error) { return 1.0, nil }
	app := &obj{typ: "App", fields: fields{}, methods: map[string]func(*obj, ...variable.Value) (variable.Value, error){
		"a": method, "first": method, "last": method,
	}}
	app.fields["me"] = &obj{typ: "In", fields: fields{}, methods: app.methods}
	defs := map[string]string{
		"App.DEFAULT": `<p ui-value="last()?priority=low"></p><p ui-value="a()"></p><div ui-view="me"></div>`,
		"In.DEFAULT":  `<p ui-value="first()?priority=high"></p>`,
	}
	w := newWorld(t, app, defs)
	w.want("nothing changed")
	if want := []string{"first", "a", "last"}; !slices.Equal(w.host.calls, want) {
		t.Errorf("calls = %q, want %q", w.host.calls, want)
	}
	app.fields["me"] = &obj{typ: "In", fields: fields{}, methods: app.methods}
	w.scan()
	if want := []string{"first", "first", "a", "last"}; !slices.Equal(w.host.calls, want) {
		t.Errorf("another object: calls = %q, want %q", w.host.calls, want)
	}
}

func TestParentAndArguments(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"title": "T", "all": list(contact("a"), contact("b"))}}
	app.methods = map[string]func(*obj, ...variable.Value) (variable.Value, error){
		"shout": func(_ *obj, args ...variable.Value) (variable.Value, error) {
			return strings.ToUpper(args[0].(string)), nil
		},
	}
	defs := map[string]string{}
	for k, v := range listDefs {
		defs[k] = v
	}
	defs["Contact.list-item"] = `<li><b ui-value="..title"></b><i ui-value="..shout(name)"></i></li>`
	defs["lua.ViewListItem.DEFAULT"] = `<div ui-view="item"></div>`
	w := newWorld(t, app, defs)
	app.fields["title"] = "U"
	w.want("the object around, past the list's own", "set 0=U", "set 0=U", "set 0=U", "set 0=U")
	app.fields["all"].(*arr).items[0].(*obj).fields["name"] = "x"
	w.want("an argument", "set 1=X", "set 1=X")
}

// instance returns the id of the instance whose template has this key.
func (w *world) instance(key string) int64 {
	w.t.Helper()
	for id, m := range w.page.insts {
		if w.page.defs[int(m[0].(float64))][0] == key {
			return id
		}
	}
	w.t.Fatalf("no instance of %s", key)
	return 0
}

func TestEvents(t *testing.T) {
	var got []variable.Value
	app := &obj{typ: "App", fields: fields{"name": "Ann", "who": contact("Bob")}}
	app.methods = map[string]func(*obj, ...variable.Value) (variable.Value, error){
		"save": func(o *obj, args ...variable.Value) (variable.Value, error) {
			got = append(got, len(args))
			return nil, nil
		},
		"set": func(o *obj, args ...variable.Value) (variable.Value, error) {
			got = append(got, args[0])
			return nil, nil
		},
		"either": func(o *obj, args ...variable.Value) (variable.Value, error) {
			got = append(got, args...)
			return "e", nil
		},
		"boom": func(o *obj, args ...variable.Value) (variable.Value, error) {
			return nil, errors.New("app.lua:9: boom")
		},
	}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT": `<input ui-value="name"><button ui-action="save()"></button><input ui-value="who.name">` +
			`<input ui-event-change="set(_)"><input ui-value="either()?access=rw"><button ui-action="boom()"></button>` +
			`<p ui-value="name"></p><input ui-value="gone.name"><input ui-value="who.list.0">` +
			`<i ui-event-click="set(_)" ui-event-click-value="red"></i><i ui-event-click="name" ui-event-click-value="Zoe"></i>`,
	})
	id := w.instance("App.DEFAULT")
	event := func(slot int, v any) error { w.t.Helper(); return w.tree.Event(id, slot, v, math.MaxInt64) }
	ok := func(slot int, v any) {
		t.Helper()
		if err := event(slot, v); err != nil {
			t.Fatal(err)
		}
	}
	fail := func(slot int, want string) {
		t.Helper()
		if err := event(slot, "v"); err == nil || !strings.Contains(err.Error(), want) {
			t.Fatalf("slot %d: %v, want %q", slot, err, want)
		}
	}
	ok(0, "Anna")
	w.want("an edit is confirmed to the page that made it, and reported to others", "set 0=Anna", "set 6=Anna")
	ok(0, "Anna")
	w.want("an edit that changes nothing is confirmed", "set 0=Anna")
	ok(1, nil)
	ok(2, "Bo")
	w.want("a longer path", "set 2=Bo")
	ok(3, "arg")
	ok(4, "x")
	if want := []variable.Value{0, "arg", "x"}; !cmp.Equal(got[:3], want) {
		t.Errorf("calls = %v, want %v", got, want)
	}
	ok(9, "what the page sends")
	if got[3] != "red" {
		t.Errorf("set got %v, want the value of the event", got[3])
	}
	ok(10, nil)
	if app.fields["name"] != "Zoe" {
		t.Errorf("name = %v", app.fields["name"])
	}
	fail(5, `ui-action="boom()" (App.DEFAULT.html:1): app.lua:9: boom`)
	fail(6, "read-only")
	fail(7, "there is no object to write to")
	fail(99, "no binding 99")
	if err := w.tree.Event(12345, 0, nil, math.MaxInt64); !errors.Is(err, variable.ErrStale) {
		t.Errorf("an instance that is gone: %v", err)
	}
}
