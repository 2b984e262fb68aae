package variable_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/ui/variable"
)

type method = func(*obj, ...variable.Value) (variable.Value, error)

// What a page sends reaches the app as the binding says: as the argument of a method, or not at
// all where a path is its argument. What fails on the way is an error, and calls nothing.
func TestArgumentsOfEvents(t *testing.T) {
	var got []variable.Value
	app := &obj{typ: "App", fields: fields{"name": "Ann", "picked": nil}, methods: map[string]method{
		"pick": func(_ *obj, args ...variable.Value) (variable.Value, error) {
			got = append(got, args...)
			return nil, nil
		},
		"boom": func(*obj, ...variable.Value) (variable.Value, error) { return nil, errors.New("app.lua:9: boom") },
	}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT": `<button ui-action="pick(name)"></button><button ui-action="pick(boom())"></button>` +
			`<input ui-value="pick(_)?access=w"><button ui-action="boom().pick()"></button>`,
	})
	id := w.instance("App.DEFAULT")
	for slot, want := range []string{"", "boom", "", "boom", "no binding 4"} {
		if err := w.tree.Event(id, slot, "sent", math.MaxInt64); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("slot %d: %v, want %q", slot, err, want)
		}
	}
	if d := cmp.Diff([]variable.Value{"Ann", "sent"}, got); d != "" {
		t.Errorf("calls (-want +got):\n%s", d)
	}
	w.want("nothing comes back")
}

// The content of a file reaches the app as a table. Pages display its name, and no app gets what is
// no file.
func TestFileEvents(t *testing.T) {
	app := &obj{typ: "App", fields: fields{}}
	w := newWorld(t, app, map[string]string{"App.DEFAULT": `<input type="file" ui-value="file?content">`})
	id := w.instance("App.DEFAULT")
	if err := w.tree.Event(id, 0, []any{"a.txt", "text/plain", 0.0, ""}, math.MaxInt64); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]any{"name": "a.txt", "mime": "text/plain", "size": 0.0, "text": ""}, app.fields["file"]); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if err := w.tree.Event(id, 0, "/etc/passwd", math.MaxInt64); err == nil {
		t.Errorf("a text is taken for a file: %v", app.fields["file"])
	}
	app.fields["file"] = &obj{typ: "File", fields: fields{"name": "b.txt"}}
	w.want("a file of the app", "set 0=b.txt")
	app.fields["file"] = "c.txt"
	w.want("a name", "set 0=c.txt")
	app.fields["file"] = nil
	w.want("none", "set 0=<nil>")
}

// An action on the object around an instance does not reach another one that has taken its place.
func TestEventForWhatIsAround(t *testing.T) {
	note := &obj{typ: "Note", fields: fields{}}
	var called []variable.Value
	named := func(name string) *obj {
		return &obj{typ: "Contact", fields: fields{"name": name, "note": note}, methods: map[string]method{
			"call": func(o *obj, _ ...variable.Value) (variable.Value, error) {
				called = append(called, o.fields["name"])
				return nil, nil
			},
			"me": func(o *obj, _ ...variable.Value) (variable.Value, error) { return o, nil },
		}}
	}
	app := &obj{typ: "App", fields: fields{"current": named("Ann")}, methods: map[string]method{
		"call": func(*obj, ...variable.Value) (variable.Value, error) {
			called = append(called, "app")
			return nil, nil
		},
	}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT":     `<div ui-view="current"></div>`,
		"Contact.DEFAULT": `<div ui-view="note"></div>`,
		"Note.DEFAULT": `<button ui-action="..call()">x</button><button ui-action="....call()">y</button><button ui-action="........call()">z</button>` +
			`<button ui-action="..me().call()">m</button>`,
	})
	id := w.id("Note.DEFAULT")
	w.step(1)
	app.fields["current"] = named("Bob")
	w.step(2)
	w.wantStale("for Ann", w.tree.Event(id, 0, nil, 1), true)
	w.wantStale("for Bob", w.tree.Event(id, 0, nil, 2), false)
	w.wantStale("for the app, which is the same", w.tree.Event(id, 1, nil, 1), false)
	if err := w.tree.Event(id, 2, nil, 1); err == nil || errors.Is(err, variable.ErrStale) {
		t.Errorf("for what is around the app: %v", err)
	}
	w.wantStale("for Ann, through a method", w.tree.Event(id, 3, nil, 1), true)
	w.wantStale("for Bob, through a method", w.tree.Event(id, 3, nil, 2), false)
	if d := cmp.Diff([]variable.Value{"Bob", "app", "Bob"}, called); d != "" {
		t.Errorf("calls (-want +got):\n%s", d)
	}
}

// object returns the number by which pages know the object of an instance.
func (w *world) object(id int64) any {
	w.t.Helper()
	if m := w.page.insts[id]; len(m) > 3 {
		return m[3]
	}
	return nil
}

// An object has one number, however views get to it. One that a method makes again in each pass has
// the number of its view.
func TestObjectsOfViews(t *testing.T) {
	ann := contact("Ann")
	app := &obj{typ: "App", fields: fields{"ann": ann}, methods: map[string]method{
		"chosen": func(*obj, ...variable.Value) (variable.Value, error) { return ann, nil },
		"made":   func(*obj, ...variable.Value) (variable.Value, error) { return contact("new"), nil },
		"text":   func(*obj, ...variable.Value) (variable.Value, error) { return "x", nil },
	}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT":     `<div ui-view="ann" ui-namespace="A"></div><div ui-view="chosen()" ui-namespace="B"></div><div ui-view="made()" ui-namespace="C"></div><div ui-view="made()" ui-namespace="D"></div>`,
		"Contact.A":       `<p ui-value="name"></p>`,
		"Contact.B":       `<p ui-value="name"></p>`,
		"Contact.C":       `<p ui-value="name"></p>`,
		"Contact.D":       `<p ui-value="name"></p>`,
		"Contact.DEFAULT": `<p ui-value="name"></p>`,
	})
	a, b, c, d := w.object(w.id("Contact.A")), w.object(w.id("Contact.B")), w.object(w.id("Contact.C")), w.object(w.id("Contact.D"))
	if a == nil || a != b {
		t.Errorf("one object has the numbers %v and %v", a, b)
	}
	if c == nil || d == nil || c == d || c == a || c == w.object(w.instance("App.DEFAULT")) {
		t.Errorf("of %v, new objects have the numbers %v and %v", a, c, d)
	}
	w.scan()
	if again := w.object(w.id("Contact.C")); again != c {
		t.Errorf("a view of new objects had the number %v, and then %v", c, again)
	}
}

// A scalar has no number, however many rows display it.
func TestScalarsHaveNoNumber(t *testing.T) {
	w := newWorld(t, &obj{typ: "App", fields: fields{"tags": list("x", "x", 1.0)}}, map[string]string{"App.DEFAULT": `<ul ui-viewlist="tags"></ul>`})
	app := w.instance("App.DEFAULT")
	for id := range w.page.insts {
		if number := w.object(id); (number != nil) != (id == app) {
			t.Errorf("instance %d has the number %v", id, number)
		}
	}
}

// When there is nothing to write to any more, an edit of what was there is stale, and one of what
// is there now is refused.
func TestEventForNothing(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"who": contact("Ann")}}
	w := newWorld(t, app, map[string]string{"App.DEFAULT": `<input ui-value="who.name">`})
	id := w.id("App.DEFAULT")
	w.step(1)
	app.fields["who"] = nil
	w.step(2)
	w.wantStale("typed for Ann", w.tree.Event(id, 0, "Anna", 1), true)
	if err := w.tree.Event(id, 0, "Anna", 2); err == nil || errors.Is(err, variable.ErrStale) {
		t.Errorf("typed for nothing: %v", err)
	}
}

// What is dropped comes as the object of the view in which the drag began, if that displays it
// still.
func TestDrop(t *testing.T) {
	ann := contact("Ann")
	var got []variable.Value
	app := &obj{typ: "App", fields: fields{"one": ann, "rows": list(ann)}, methods: map[string]method{"take": func(_ *obj, args ...variable.Value) (variable.Value, error) {
		got = append(got, args...)
		return nil, nil
	}}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT":       `<div ui-event-drop="take(_)"></div><div ui-view="one"></div><ul ui-viewlist="rows"><li></li></ul>`,
		"Contact.DEFAULT":   `<p ui-event-dragstart="drag()"></p>`,
		"Contact.list-item": `<li ui-event-dragstart="drag()"></li>`,
	})
	to, view, row := w.instance("App.DEFAULT"), w.instance("Contact.DEFAULT"), w.instance("Contact.list-item")
	drop := func(what any, seen int64) error { return w.tree.Event(to, 2, what, seen) }
	w.wantStale("a row", drop(float64(row), 1), false)
	w.wantStale("a view", drop(float64(view), 1), false)
	app.fields["one"], app.fields["rows"] = contact("Bob"), list()
	w.step(2)
	w.wantStale("a row that is gone", drop(float64(row), 1), true)
	w.wantStale("a view that displays something else", drop(float64(view), 1), true)
	w.wantStale("nothing", drop(nil, 2), true)
	w.wantStale("what the view displays now", drop(float64(view), 2), false)
	if len(got) != 3 || got[0] != ann || got[1] != ann || got[2] != app.fields["one"] {
		t.Errorf("the app got %v", got)
	}
}

// An upload goes to the object that the binding wrote to when it began, whatever is displayed
// since.
func TestUploads(t *testing.T) {
	ann, bob, shown := contact("Ann"), contact("Bob"), &obj{typ: "File", fields: fields{"name": "a.txt"}}
	app := &obj{typ: "App", fields: fields{"who": ann, "file": shown}, methods: map[string]method{
		"take": func(*obj, ...variable.Value) (variable.Value, error) { return nil, errors.New("not this one") },
	}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT": `<input type="file" ui-value="who.photo?upload&progress=percent"><input type="file" ui-value="file?upload">` +
			`<input type="file" ui-value="take(_)?upload"><input type="file" ui-value="none.photo?upload"><input ui-value="name">`,
	})
	id := w.id("App.DEFAULT")
	begin := func(slot int, seen int64) *variable.Upload {
		t.Helper()
		u, err := w.tree.Upload(id, slot, seen)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	fails := func(inst int64, slot int, seen int64, stale, problem bool) {
		t.Helper()
		_, err := w.tree.Upload(inst, slot, seen)
		if _, is := errors.AsType[*variable.Problem](err); err == nil || errors.Is(err, variable.ErrStale) != stale || is != problem {
			t.Errorf("an upload to binding %d: %v", slot, err)
		}
	}
	w.step(1)
	fails(id+1, 0, 1, true, false)
	for _, slot := range []int{-1, 4, 5} {
		fails(id, slot, 1, false, false)
	}
	fails(id, 3, 1, false, true) // there is no object
	toAnn, toApp, taken := begin(0, 1), begin(1, 1), begin(2, 1)
	if !toAnn.Reports() || toApp.Reports() {
		t.Error("only the first binding has progress")
	}
	if !toAnn.Same(begin(0, 1)) || toApp.Same(taken) {
		t.Error("the same binding of one object is the same, and another one is not")
	}
	app.fields["who"] = bob
	fails(id, 0, 1, true, false) // before the pages know
	w.step(2)
	fails(id, 0, 1, true, false)
	if toAnn.Same(begin(0, 2)) {
		t.Error("two objects are the same")
	}
	file := map[string]any{"name": "b.txt"}
	if err := errors.Join(toAnn.Progress(50.0), toAnn.Put(file), toApp.Put(file)); err != nil {
		t.Error(err)
	}
	if ann.fields["percent"] != 50.0 || ann.fields["photo"] == nil || bob.fields["photo"] != nil {
		t.Errorf("Ann has %v, Bob %v", ann.fields, bob.fields)
	}
	app.fields["file"] = shown // the page displays what the person has chosen
	w.want("the app keeps its files", "set 0=<nil>", "set 1=a.txt")
	if err := taken.Put(file); err == nil || !strings.Contains(err.Error(), "not this one") || taken.Location().Instance != id {
		t.Errorf("a file that is refused: %v", err)
	}
	put(t, w.store, "App.DEFAULT", `<input ui-value="name">`)
	w.scan()
	app.fields["file"] = nil
	if err := toApp.Put(file); err != nil || app.fields["file"] == nil {
		t.Errorf("after another template: %v", err)
	}
}
