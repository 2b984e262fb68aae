package variable_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
)

// element returns the first element of a tag, on display.
func (w *world) element(tag string) variable.Element {
	w.t.Helper()
	for e := range w.tree.Elements(func(_ *viewdef.Template, n *viewdef.Node) bool { return n.Tag == tag }) {
		return e
	}
	w.t.Fatalf("no element %s", tag)
	return variable.Element{}
}

// What displays a view takes the place of its element, which the first element of that stands for.
func TestElements(t *testing.T) {
	w := newWorld(t, &obj{typ: "App", fields: fields{"one": contact("One"), "rows": list(contact("Row"))}}, map[string]string{
		"App.DEFAULT":       `<section ui-class-on="on">text<style></style><div ui-view="one"></div><ul ui-viewlist="rows"><li></li></ul></section>`,
		"Contact.DEFAULT":   `<p></p><b></b>`,
		"Contact.list-item": `<li><i></i></li>`,
	})
	tags := func(list []variable.Element) (all []string) {
		for _, e := range list {
			all = append(all, e.Node().Tag)
		}
		return all
	}
	var all []variable.Element
	for e := range w.tree.Elements(func(*viewdef.Template, *viewdef.Node) bool { return true }) {
		all = append(all, e)
	}
	if d := cmp.Diff([]string{"section", "div", "ul", "li", "li", "i", "p", "b"}, tags(all)); d != "" {
		t.Errorf("all: -want +got\n%s", d)
	}
	for tag, want := range map[string][]string{
		"p": {"p", "div", "section"}, "b": {"b", "section"}, "i": {"i", "li", "ul", "section"}, "ul": {"ul", "section"},
	} {
		if d := cmp.Diff(want, tags(w.element(tag).Path())); d != "" {
			t.Errorf("around %s: -want +got\n%s", tag, d)
		}
	}
	var each []variable.Element
	w.element("section").Each(func(e variable.Element) { each = append(each, e) })
	if d := cmp.Diff([]string{"p", "b", "div", "li", "i", "ul"}, tags(each)); d != "" {
		t.Errorf("inside: -want +got\n%s", d)
	}
}

// What a control is known to hold: nothing that is not read, except what was entered there, which
// is kept for such controls alone.
func TestEnteredValues(t *testing.T) {
	w := newWorld(t, &obj{typ: "App", fields: fields{}}, map[string]string{
		"App.DEFAULT": `<input type="checkbox"><textarea ui-value="a?access=w"></textarea><select ui-value="b"></select><button ui-action="go()"></button>`,
	})
	id := w.instance("App.DEFAULT")
	w.tree.Enter(id+1, 0, "nowhere")
	for slot := range 3 {
		w.tree.Enter(id, slot, "x")
	}
	for slot, want := range []any{"x", nil, nil} {
		if got := w.element("button").Entered(slot); got != want {
			t.Errorf("slot %d: %v, want %v", slot, got, want)
		}
	}
	if on, known := w.element("input").Checked(); on || known {
		t.Errorf("a checkbox without a value is on: %v, known: %v", on, known)
	}
}
