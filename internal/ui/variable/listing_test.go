package variable_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/ui/variable"
)

// garbled is a host that fails to describe objects of the type Bad.
type garbled struct{ *host }

func (g garbled) AppendJSON(dst []byte, v variable.Value) ([]byte, error) {
	if o, ok := v.(*obj); ok && o.typ == "Bad" {
		return append(dst, `[]`...), errors.New("boom")
	} else if ok && o.typ == "Empty" {
		return dst, nil
	}
	return g.host.AppendJSON(dst, v)
}

// Variables are listed as recorded: with what they hold, and how they are in pages.
func TestVariablesAsRecorded(t *testing.T) {
	row, ann := contact("row"), contact("Ann")
	ann.fields["inner"] = &obj{typ: "Inner", fields: fields{"x": 1.0}}
	fails := false
	app := &obj{typ: "App", fields: fields{
		"title": "T", "yes": true, "one": ann, "rows": list(row, row, contact("last")), "array": list(1.0, nil, "x"), "mixed": list(row, &obj{typ: "Loose"}, 2.0, list(3.0)),
		"odd": "text", "none": nil, "passed": &obj{typ: "Passed", fields: fields{"inner": &obj{typ: "Inner", fields: fields{}}}}, "bad": &obj{typ: "Bad"}, "nothing": &obj{typ: "Empty"},
	}, methods: map[string]method{
		"boom": func(*obj, ...variable.Value) (variable.Value, error) {
			return nil, fmt.Errorf("around: %w", errors.New("boom"))
		},
		"count": func(*obj, ...variable.Value) (variable.Value, error) {
			for start := time.Now(); time.Since(start) <= 0; {
				continue
			}
			return 3.0, nil
		},
		"turns": func(*obj, ...variable.Value) (variable.Value, error) {
			if fails {
				return nil, errors.New("turned")
			}
			return "text", nil
		},
	}}
	tree := variable.New(garbled{&host{}}, latest{templates(t, map[string]string{
		"App.DEFAULT": `<section id="app" ui-class-on="yes"><h1 id="head" ui-value="title" ui-attr-title="title"></h1><div ui-view="one" ui-namespace="card"></div>` +
			`<div id="mine" ui-view="one"></div><div ui-view="passed"></div><ul ui-viewlist="rows"><li></li></ul><ul ui-view="rows?wrapper=lua.ViewList"></ul>` +
			`<p ui-value="array"></p><p ui-value="mixed"></p><p ui-value="boom()"></p><p ui-value="count()?priority=low"></p><input ui-value="set(_)?access=w"><button ui-action="go()"></button>` +
			`<div ui-view="odd"></div><div ui-view="none"></div><p ui-value="one"></p><div ui-view="title?wrapper=Box"></div><div ui-view="turns()"></div><p ui-value="bad"></p><p ui-value="nothing"></p><p ui-value="one.name"></p><p ui-value="count(title)"></p></section>`,
		"Contact.card":           `<div ui-view="inner"></div>`,
		"Contact.DEFAULT":        `<p ui-value="name"></p>`,
		"Contact.list-item":      `<li id="row"><b ui-value="name"></b></li>`,
		"Inner.DEFAULT":          `<i id="in" ui-value="x"></i>`,
		"Passed.DEFAULT":         `<div ui-view="inner" ui-class-on="yes"></div><p ui-view="inner"></p>`,
		"Box.DEFAULT":            `<p><b ui-value="value"></b></p>`,
		"lua.ViewList.list-item": `<ul ui-viewlist="items"></ul>`, "lua.ViewListItem.list-item": `<li><b ui-value="index"></b><i ui-view="item"></i><u ui-view="list" ui-namespace="x"></u><s ui-value="type"></s></li>`,
		"lua.ViewList.x": `<p ui-class-on="items"></p>`,
	})})
	tree.SetRoot(app)
	tree.Scan()
	app.fields["title"], row.fields["name"], fails = "U", "changed", true
	tree.Scan()
	app.fields["title"] = "V"
	tree.Scan()
	var b strings.Builder
	for _, v := range tree.Variables() {
		fmt.Fprintf(&b, "%s#%d of %d %q: %s", strings.Repeat("  ", v.Depth), v.ID, v.ParentID, v.Path, v.Value)
		if !v.Active || (v.ComputeTime == "") != (v.MaxComputeTime == "") {
			t.Errorf("%+v", v)
		}
		for _, s := range []struct {
			name  string
			value any
			shown bool
		}{
			{"type", v.Type, v.Type != ""}, {"properties", v.Properties, true}, {"children", v.ChildIDs, len(v.ChildIDs) > 0}, {"error", v.Error, v.Error != ""},
			{"access", v.Access, true}, {"timed", true, v.ComputeTime != ""}, {"changes", v.ChangeCount, v.ChangeCount > 0}, {"element", v.ElementID, v.ElementID != ""},
		} {
			if s.shown {
				fmt.Fprintf(&b, " %s=%v", s.name, s.value)
			}
		}
		b.WriteByte('\n')
	}
	recorded(t, "variables.txt", b.String())
}

// What a new page gets: values up to the last one, and which objects edits write to.
func TestMounts(t *testing.T) {
	w := newWorld(t, &obj{typ: "App", fields: fields{"name": "Ann", "one": contact("One"), "none": nil}}, map[string]string{
		"App.DEFAULT": `<b ui-value="none"></b><b ui-value="name"></b><input ui-value="one.name"><input ui-value="none.name"><input ui-value="name"><p ui-value="one.name"></p>` +
			`<button ui-action="one.go()"></button><input ui-value="one.set(_)?access=w"><p ui-value="none"></p>`,
	})
	const want = `[1,1,[null,"Ann","One",null,"Ann","One"],1,[[2,2],[3,0],[7,2]]]`
	if got := string(w.tree.Snapshot()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for html, want := range map[string]string{
		`<b ui-value="name"></b><p ui-value="one.name"></p><button ui-action="one.go()"></button>`: `[1,1,["Ann","One"],1]`,
		`<input ui-value="one.name">`: `[1,1,["One"],1,[[0,2]]]`,
		`<input ui-value="name">`:     `[1,1,["Ann"],1]`,
	} {
		w = newWorld(t, &obj{typ: "App", fields: fields{"name": "Ann", "one": contact("One")}}, map[string]string{"App.DEFAULT": html})
		if got := string(w.tree.Snapshot()); got != want {
			t.Errorf("%s: %s, want %s", html, got, want)
		}
	}
}
