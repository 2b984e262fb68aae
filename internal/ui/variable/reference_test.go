package variable_test

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/act"
	"ui-mcp/internal/ui/variable"
)

// A reference stands for an element as long as that displays the same objects, and for nothing
// afterwards; the next outline has a new one.
func TestReferencesEnd(t *testing.T) {
	first, second := contact("Ann"), contact("Bob")
	app := &obj{typ: "App", fields: fields{"one": first, "rows": list(first, second), "hidden": nil}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT": `<div><div ui-view="one" ui-namespace="big"></div><input aria-label="Name" ui-value="one.name">` +
			`<p ui-class-hidden="hidden"><button ui-action="go()">Go</button></p><ul ui-viewlist="rows"><li></li></ul></div>`,
		"Contact.big":       `<p><b ui-value="name"></b><button ui-action="go()">Big</button></p>`,
		"Contact.list-item": `<li ui-attr-title="name" ui-action="go()">Row</li>`,
	})
	seq, names := int64(1), 0
	outline := func() map[string]string {
		t.Helper()
		text, err := w.tree.Outline(variable.OutlineOptions{Budget: 1 << 16, Seen: seq, Name: func() string { names++; return fmt.Sprint("r", names) }})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		for line := range strings.Lines(text) {
			before, after, ok := strings.Cut(line, "@")
			if !ok {
				continue
			}
			ref, rest, _ := strings.Cut(strings.TrimSpace(after), " ")
			words := strings.Fields(before + rest)
			for _, word := range []string{"Name", "Go", "Big", "Ann", "Bob"} {
				if strings.Contains(strings.Join(words, " "), word) {
					found[word] = ref
					break
				}
			}
		}
		return found
	}
	scan := func() {
		seq++
		w.tree.Batch(seq)
		w.scan()
	}
	had := outline()
	if len(had) != 5 {
		t.Fatalf("references: %v", had)
	}
	if again := outline(); fmt.Sprint(again) != fmt.Sprint(had) {
		t.Errorf("the second outline has %v, the first %v", again, had)
	}
	gone := func(word string, want string) {
		t.Helper()
		if _, _, err := w.tree.Referred(had[word]); want == "" && err != nil || want != "" && !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("the reference of %s: %v, want %q", word, err, want)
		}
	}
	app.fields["rows"] = list(second)
	scan()
	gone("Ann", "not displayed any more")
	gone("Bob", "")
	app.fields["one"] = second
	scan()
	for _, word := range []string{"Name", "Big"} {
		gone(word, "displays another object than when you looked")
	}
	gone("Go", "")
	now := outline()
	if now["Big"] == had["Big"] || now["Name"] == had["Name"] || now["Go"] != had["Go"] {
		t.Errorf("references: %v, and were %v", now, had)
	}
	for _, word := range []string{"Big", "Name"} {
		gone(word, "nothing has the reference")
	}
	if _, _, err := w.tree.Referred("none"); fault.KindOf(err) != fault.Gone {
		t.Errorf("a name that was never given: %v", err)
	}
	if _, r, err := w.tree.Referred(" @" + now["Big"] + " "); err != nil || r.Target.Element < 0 {
		t.Errorf("with an @: %v, %v", r, err)
	}
	if text, err := w.tree.Outline(variable.OutlineOptions{Budget: 1 << 16}); err != nil || strings.Contains(text, "@") {
		t.Errorf("without references: %s, %v", text, err)
	}
}

// A reference that an outline shows again is as of that outline: what is around its element may
// have changed in between.
func TestReferencesThatAreShownAgain(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"one": contact("Ann"), "said": "use @r2 again"}}
	w := newWorld(t, app, map[string]string{"App.DEFAULT": `<form ui-event-submit="one.save()"><p>to a@x or b@ c@</p><button>Save</button></form><p ui-value="said"></p>`})
	names := 0
	outline := func(seen int64, path string) {
		if _, err := w.tree.Outline(variable.OutlineOptions{Path: path, Budget: 1 << 16, Seen: seen, Name: func() string { names++; return fmt.Sprint("r", names) }}); err != nil {
			t.Fatal(err)
		}
	}
	click := func() error {
		_, err := act.Find(w.tree, "r2", act.Input{Click: true})
		return err
	}
	outline(1, "")
	app.fields["one"] = contact("Bob")
	w.tree.Batch(2)
	w.scan()
	if err := click(); fault.KindOf(err) != fault.Precondition || !strings.Contains(fmt.Sprint(err), "reaches another object") {
		t.Errorf("the form sends another object: %v", err)
	}
	outline(2, "said")
	if err := click(); fault.KindOf(err) != fault.Precondition {
		t.Errorf("a text of the app has shown it again: %v", err)
	}
	outline(2, "")
	if err := click(); err != nil || names != 3 {
		t.Errorf("after %d names, where only the form has another: %v", names, err)
	}
}

// Old references are forgotten when there are many.
func TestManyReferences(t *testing.T) {
	const rows, limit = 5000, 20_000
	var items []variable.Value
	for range rows {
		items = append(items, contact("x"))
	}
	app := &obj{typ: "App", fields: fields{"rows": list(items...)}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT": `<div><button ui-action="go()">Go</button><ul ui-viewlist="rows"><li></li></ul></div>`, "Contact.list-item": `<li><button ui-action="go()">Row</button></li>`,
	})
	names := 0
	look := func() (first string) {
		for _, c := range act.Controls(w.tree, 1, func() string { names++; return fmt.Sprint("r", names) }, nil) {
			if first == "" {
				first = c.Ref
			}
		}
		return first
	}
	ofApp := look()
	if names != rows+1 {
		t.Fatalf("%d names for %d controls", names, rows+1)
	}
	for names < limit {
		items = items[:0:0]
		for range rows {
			items = append(items, contact("x"))
		}
		app.fields["rows"] = list(items...)
		w.tree.Scan()
		if now := look(); now != ofApp {
			t.Fatalf("the button has %s, and had %s, after %d names", now, ofApp, names)
		}
	}
	if now := look(); now != ofApp {
		t.Errorf("the button has %s, and had %s, after others were forgotten", now, ofApp)
	}
	if _, _, err := w.tree.Referred(ofApp); err != nil {
		t.Errorf("a reference that the last answer has shown: %v", err)
	}
	if _, _, err := w.tree.Referred("r2"); fault.KindOf(err) != fault.Gone {
		t.Errorf("the reference of a row that was removed long ago: %v", err)
	}
	if _, _, err := w.tree.Referred(fmt.Sprint("r", names)); err != nil {
		t.Errorf("the reference of a row on display: %v", err)
	}
}
