package variable_test

import (
	"math"
	"testing"

	"ui-mcp/internal/ui/variable"
)

// Numbers that a page sends lead to what is there, and to nothing where they are out of range: the
// page may be older than the tree, or its scripts may lie.
func TestNumbersFromPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, &obj{typ: "App", fields: fields{"name": "x", "count": 1.0}}, map[string]string{
		"App.DEFAULT": "<section>\n<b ui-value=\"name\"></b>\n<i ui-value=\"count\"></i></section>",
	})
	const root, slots, elements = 1, 2, 3
	for _, instance := range []int64{math.MinInt64, -1, 0, root + 1, math.MaxInt64} {
		if p, ok := w.tree.PlaceOf(instance, 0, "section"); ok || p != (variable.Place{}) {
			t.Errorf("instance %d has the place %+v", instance, p)
		}
		if p, ok := w.tree.Location(instance, 0); ok {
			t.Errorf("instance %d has the binding %+v", instance, p)
		}
	}
	for _, number := range []int{math.MinInt, -1, elements, math.MaxInt} {
		if p, ok := w.tree.PlaceOf(root, number, "b"); !ok || p.Line != 0 || p.File == "" {
			t.Errorf("element %d: %+v, %t, want the file without a line", number, p, ok)
		}
	}
	for number, tag := range []string{"section", "b", "i"} {
		if p, ok := w.tree.PlaceOf(root, number, tag); !ok || p.Line != number+1 {
			t.Errorf("element %d: %+v, %t", number, p, ok)
		}
		if p, ok := w.tree.PlaceOf(root, number, "p"); !ok || p.Line != 0 {
			t.Errorf("element %d with another tag: %+v, %t", number, p, ok)
		}
	}
	for slot, want := range map[int]string{math.MinInt: "", -1: "", 0: `ui-value="name"`, 1: `ui-value="count"`, slots: "", math.MaxInt: ""} {
		if p, ok := w.tree.Location(root, slot); ok != (want != "") || p.Source != want {
			t.Errorf("binding %d: %+v, %t", slot, p, ok)
		}
	}
}
