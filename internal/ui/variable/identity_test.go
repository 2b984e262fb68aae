package variable_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ui-mcp/internal/ui/variable"
)

// id returns the only instance whose template has a key.
func (w *world) id(key string) int64 {
	w.t.Helper()
	found := int64(0)
	for id, m := range w.page.insts {
		if w.page.defs[int(m[0].(float64))][0] == key {
			if found != 0 {
				w.t.Fatalf("several instances of %s", key)
			}
			found = id
		}
	}
	if found == 0 {
		w.t.Fatalf("no instance of %s", key)
	}
	return found
}

// step is one batch: a scan with the next number.
func (w *world) step(seq int64) {
	w.t.Helper()
	w.tree.Batch(seq)
	w.scan()
}

func (w *world) wantStale(what string, err error, stale bool) {
	w.t.Helper()
	if errors.Is(err, variable.ErrStale) != stale || (!stale && err != nil) {
		w.t.Errorf("%s: %v, want stale %t", what, err, stale)
	}
}

// The same if a path leads through a field, an array, a method, "..", or a wrapper.
func TestEventThroughPath(t *testing.T) {
	tests := map[string]struct {
		view  string
		value any // what an event carries
	}{
		"field":    {`<input ui-value="current.name">`, "Anna"},
		"array":    {`<input ui-value="all.0.name">`, "Anna"},
		"method":   {`<input ui-value="chosen().name">`, "Anna"},
		"action":   {`<button ui-action="current.rename()">x</button>`, nil},
		"wrapper":  {`<div ui-view="current?wrapper=Wrapped"></div>`, "Anna"},
		"parent":   {`<div ui-view="inner"></div>`, "Anna"},
		"argument": {`<input ui-value="current.called(_)?access=w">`, "Anna"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			rename := func(o *obj, args ...variable.Value) (variable.Value, error) {
				o.fields["name"] = "Anna"
				return nil, nil
			}
			methods := map[string]func(*obj, ...variable.Value) (variable.Value, error){"rename": rename, "called": rename}
			ann := &obj{typ: "Contact", fields: fields{"name": "Ann"}, methods: methods}
			bob := &obj{typ: "Contact", fields: fields{"name": "Bob"}, methods: methods}
			inner := &obj{typ: "Inner", fields: fields{}}
			app := &obj{typ: "App", fields: fields{"inner": inner, "current": ann, "all": list(ann, bob)}}
			app.methods = map[string]func(*obj, ...variable.Value) (variable.Value, error){
				"chosen": func(o *obj, _ ...variable.Value) (variable.Value, error) { return o.fields["current"], nil },
			}
			w := newWorld(t, app, map[string]string{
				"App.DEFAULT":     test.view,
				"Wrapped.DEFAULT": `<input ui-value="value.name">`,
				"Inner.DEFAULT":   `<input ui-value="..current.name">`,
			})
			key := map[string]string{"wrapper": "Wrapped.DEFAULT", "parent": "Inner.DEFAULT"}[name]
			if key == "" {
				key = "App.DEFAULT"
			}
			id := w.id(key)
			w.step(1)
			app.fields["current"], app.fields["all"].(*arr).items = bob, []variable.Value{bob, ann}
			if name != "method" && name != "wrapper" { // methods may return a new object each time
				w.wantStale("before the scan", w.tree.Event(id, 0, test.value, 1), true)
			}
			w.step(2)
			w.wantStale("typed for Ann", w.tree.Event(id, 0, test.value, 1), true)
			if ann.fields["name"] != "Ann" || bob.fields["name"] != "Bob" {
				t.Errorf("Ann is %v, Bob is %v", ann.fields["name"], bob.fields["name"])
			}
			w.wantStale("for Bob", w.tree.Event(id, 0, test.value, 2), false)
			if bob.fields["name"] != "Anna" {
				t.Errorf("Bob is %v", bob.fields["name"])
			}
		})
	}
}

// An object keeps its identity while it is displayed anywhere, and when it moves within one batch;
// the tree forgets it afterwards.
func TestIdentityOfMovedObject(t *testing.T) {
	ann, bob := contact("Ann"), contact("Bob")
	app := &obj{typ: "App", fields: fields{"a": list(ann, bob), "b": list()}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT":       `<ul ui-viewlist="a"><li></li></ul><ul ui-viewlist="b"><li></li></ul>`,
		"Contact.list-item": `<input ui-value="name">`,
	})
	objects := func() map[any]any { // by name
		found := map[any]any{}
		for _, m := range w.page.insts {
			if w.page.defs[int(m[0].(float64))][0] == "Contact.list-item" {
				found[m[2].([]any)[0]] = m[3]
			}
		}
		return found
	}
	before := objects()
	app.fields["a"], app.fields["b"] = list(bob), list(ann)
	w.scan()
	if after := objects(); fmt.Sprint(before) != fmt.Sprint(after) || before["Ann"] == before["Bob"] {
		t.Errorf("identities were %v, are %v", before, after)
	}
	for range 100 {
		app.fields["a"], app.fields["b"] = list(contact("x")), list(contact("y"))
		w.scan()
	}
	if n := w.tree.Objects(); n > 10 {
		t.Errorf("%d identities are kept", n)
	}
}

// fieldsInSomeOrder are fields of a person, the friend's among them, in a number, order, kind and
// nesting of their own.
func fieldsInSomeOrder(rnd *rand.Rand) string {
	var b strings.Builder
	paths := []string{"name", "mail", "friend.name", "friend.mail"}
	for _, i := range rnd.Perm(len(paths))[:1+rnd.IntN(len(paths))] {
		control := [...]string{`<input ui-value="%s">`, `<textarea ui-value="%s"></textarea>`, `<p><input type="password" ui-value="%s?keypress"></p>`}[rnd.IntN(3)]
		fmt.Fprintf(&b, control, paths[i])
	}
	return b.String()
}

// Random changes of the display and of the view definitions, and edits that arrive late: each
// changes the field of the object that its page displayed, or is refused. The page of this test
// applies batches late, and reconnects.
func TestEditsLandWhereTheyWereTyped(t *testing.T) {
	for seed := range uint64(10) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		people := make([]*obj, 6)
		for i := range people {
			people[i] = contact(fmt.Sprint("p", i))
			people[i].fields["mail"] = fmt.Sprint("m", i)
		}
		pick := func() *obj { return people[rnd.IntN(len(people))] }
		app := &obj{typ: "App", fields: fields{"current": pick(), "a": list(), "b": list()}}
		w := newWorld(t, app, map[string]string{
			"App.DEFAULT":       `<input ui-value="current.name"><div ui-view="current"></div><ul ui-viewlist="a"><li></li></ul><ul ui-viewlist="b"><li></li></ul>`,
			"Contact.DEFAULT":   `<input ui-value="name">`,
			"Contact.list-item": `<input ui-value="name"><input ui-value="friend.name">`,
		})
		// A typed edit: its instance and slot, the object and field that these displayed, and the
		// last batch that its page had applied.
		type edit struct {
			id    int64
			slot  int
			to    *obj
			field string
			text  string
			seen  int64
		}
		edited := [...]string{"name", "mail"}
		var typed []edit
		seq := int64(0)
		for range 120 {
			switch rnd.IntN(5) {
			case 0:
				app.fields["current"] = pick()
			case 1, 2:
				order := rnd.Perm(len(people))
				n := rnd.IntN(len(people) + 1)
				a, b := list(), list()
				for k, i := range order {
					switch {
					case k < n:
						a.items = append(a.items, people[i])
					case rnd.IntN(2) == 0:
						b.items = append(b.items, people[i])
					}
				}
				app.fields["a"], app.fields["b"] = a, b
			case 3:
				pick().fields["friend"] = pick()
			case 4:
				key := [...]string{"Contact.DEFAULT", "Contact.list-item"}[rnd.IntN(2)]
				put(t, w.store, key, fieldsInSomeOrder(rnd))
			}
			seq++
			w.step(seq)
			// The person types into each control of the picture with some chance.
			shown := map[any]edit{}
			for _, p := range people {
				for _, field := range edited {
					shown[p.fields[field]] = edit{to: p, field: field}
				}
			}
			for id, m := range w.page.insts {
				slots := m[2].([]any)
				kinds := w.page.defs[int(m[0].(float64))]
				for i := range slots {
					name, _ := slots[i].(string)
					if e, ok := shown[name]; ok && kinds[i+1] == "value" && rnd.IntN(4) == 0 {
						typed = append(typed, edit{id, i, e.to, e.field, fmt.Sprintf("t%d.%d", seq, len(typed)), seq})
					}
				}
			}
			// Some edits arrive now, some later.
			keep := typed[:0]
			for _, e := range typed {
				if rnd.IntN(3) > 0 {
					keep = append(keep, e)
					continue
				}
				type place struct {
					p     *obj
					field string
				}
				before := map[place]any{}
				for _, p := range people {
					for _, field := range edited {
						before[place{p, field}] = p.fields[field]
					}
				}
				err := w.tree.Event(e.id, e.slot, e.text, e.seen)
				for at, was := range before {
					switch now := at.p.fields[at.field]; {
					case at == place{e.to, e.field} && err == nil:
						if now != e.text {
							t.Fatalf("seed %d: %v was typed for %v and lost", seed, e.text, was)
						}
					case now != was:
						t.Fatalf("seed %d: %v was typed for %v and landed in %v (%v)", seed, e.text, before[place{e.to, e.field}], was, err)
					}
				}
				if err != nil && !errors.Is(err, variable.ErrStale) {
					t.Fatal(err)
				}
			}
			typed = keep
			seq++
			w.step(seq)
		}
	}
}

// A method makes a new object at each call. What is typed belongs to the object that the method was
// called on: it is not taken away, nothing is sent while nothing changes, and it goes stale with
// that object.
func TestEventThroughNewObjects(t *testing.T) {
	tests := map[string]struct{ view, inner string }{
		"of the view":       {`<div ui-view="current"></div>`, `<input ui-value="form().name">`},
		"through a field":   {`<input ui-value="current.form().name">`, `<i></i>`},
		"through a method":  {`<input ui-value="chosen().form().name">`, `<i></i>`},
		"through another":   {`<input ui-value="chosen().form().self().form().name">`, `<i></i>`},
		"of a view outside": {`<div ui-view="current"></div>`, `<div ui-view="part"></div>`},
		"of a wrapped one":  {`<div ui-view="current?wrapper=Wrapped"></div>`, `<i></i>`},
		"a view":            {`<div ui-view="current.form()"></div>`, `<i></i>`},
		"a view of a view":  {`<div ui-view="current"></div>`, `<div ui-view="form()"></div>`},
		"a view of both":    {`<div ui-view="chosen().form().self().form()"></div>`, `<i></i>`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			type methods = map[string]func(*obj, ...variable.Value) (variable.Value, error)
			var form methods
			form = methods{
				"form": func(o *obj, _ ...variable.Value) (variable.Value, error) {
					return &obj{typ: "Form", fields: o.fields, methods: form}, nil
				},
				"self":   func(o *obj, _ ...variable.Value) (variable.Value, error) { return o, nil },
				"chosen": func(o *obj, _ ...variable.Value) (variable.Value, error) { return o.fields["current"], nil },
			}
			person := func(name string) *obj {
				return &obj{typ: "Contact", fields: fields{"name": name, "part": &obj{typ: "Part"}}, methods: form}
			}
			ann, bob := person("Ann"), person("Bob")
			app := &obj{typ: "App", fields: fields{"current": ann}, methods: form}
			w := newWorld(t, app, map[string]string{
				"App.DEFAULT":     test.view,
				"Contact.DEFAULT": test.inner,
				"Part.DEFAULT":    `<input ui-value="..form().name">`,
				"Wrapped.DEFAULT": `<input ui-value="value.form().name">`,
				"Form.DEFAULT":    `<input ui-value="name">`,
			})
			in, owned := int64(0), 0
			for id, m := range w.page.insts {
				for i, kind := range w.page.defs[int(m[0].(float64))][1:] {
					if kind == "value" {
						in, owned = id, i
					}
				}
			}
			ops := func(seq int64) int {
				w.tree.Batch(seq)
				return w.tree.Scan().Len()
			}
			for seq := range int64(3) {
				if n := ops(seq + 1); n != 0 {
					t.Errorf("%d operations though nothing has changed", n)
				}
			}
			w.wantStale("typed for Ann", w.tree.Event(in, owned, "Anna", 0), false)
			if ann.fields["name"] != "Anna" {
				t.Errorf("Ann is %v", ann.fields["name"])
			}
			ops(4)
			app.fields["current"] = bob
			ops(5)
			w.wantStale("typed for Ann, seen before Bob", w.tree.Event(in, owned, "Annabel", 4), true)
			if bob.fields["name"] != "Bob" {
				t.Errorf("Bob is %v", bob.fields["name"])
			}
		})
	}
}

// A method makes a new object only while nothing is selected. What is typed once something is
// selected belongs to that.
func TestEventThroughObjectsNewAtFirst(t *testing.T) {
	type methods = map[string]func(*obj, ...variable.Value) (variable.Value, error)
	person := func(name string) *obj { return &obj{typ: "Contact", fields: fields{"name": name}} }
	ann, bob := person("Ann"), person("Bob")
	var selected *obj
	app := &obj{typ: "App", fields: fields{}, methods: methods{
		"selected": func(*obj, ...variable.Value) (variable.Value, error) {
			if selected == nil {
				return person(""), nil
			}
			return selected, nil
		},
	}}
	w := newWorld(t, app, map[string]string{"App.DEFAULT": `<input ui-value="selected().name">`})
	scan := func(seq int64) {
		w.tree.Batch(seq)
		w.tree.Scan()
	}
	scan(1)
	selected = ann
	scan(2)
	selected = bob
	scan(3)
	w.wantStale("typed for Ann", w.tree.Event(w.id("App.DEFAULT"), 0, "Anna", 2), true)
	if bob.fields["name"] != "Bob" {
		t.Errorf("Bob is %v", bob.fields["name"])
	}
	w.wantStale("typed for Bob", w.tree.Event(w.id("App.DEFAULT"), 0, "Bobby", 3), false)
}
