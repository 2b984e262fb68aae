package variable_test

import (
	"errors"
	"fmt"
	"testing"

	"ui-mcp/internal/ui/act"
	"ui-mcp/internal/ui/variable"
)

// formOfRows is a form with three controls in each row, which name it, and a button.
func formOfRows(t *testing.T, rows int) *world {
	items := make([]variable.Value, rows)
	for k := range items {
		items[k] = contact(fmt.Sprint("n", k))
	}
	return newWorld(t, &obj{typ: "App", fields: fields{"rows": list(items...)}}, map[string]string{
		"App.DEFAULT":       `<form id="f" ui-event-submit="save()"></form><ul ui-viewlist="rows"><li></li></ul><button form="f">Save</button>`,
		"Contact.list-item": `<li><input form="f" ui-value="name" required><input type="radio" name="r" form="f" value="x" ui-value="name"><input type="radio" name="r" form="f" required checked></li>`,
	})
}

// The work of an act grows with what is displayed, not with its square, where the controls of a
// form are elsewhere and name it.
func TestActsGrowth(t *testing.T) {
	const few, many = 50, 800
	work := map[int]int{}
	for _, rows := range [...]int{few, many} {
		w := formOfRows(t, rows)
		names := 0
		send := act.Controls(w.tree, 0, func() string { names++; return fmt.Sprint("c", names) }, nil)[0]
		w.host.work = 0
		if plan, err := act.Find(w.tree, send.Ref, act.Input{Click: true}); err != nil || len(plan.Messages) != 1 {
			t.Fatal(plan, err)
		}
		work[rows] = w.host.work
	}
	if work[few] < few || work[many] > work[few]*many/few {
		t.Errorf("%d steps for %d rows, %d for %d", work[few], few, work[many], many)
	}
}

// An act is given up when its time is up.
func TestActsDeadline(t *testing.T) {
	w := formOfRows(t, 50)
	names := 0
	send := act.Controls(w.tree, 0, func() string { names++; return fmt.Sprint("c", names) }, nil)[0]
	for work := range 100 {
		w.host.stop = w.host.work + work + 1
		if _, err := act.Find(w.tree, send.Ref, act.Input{Click: true}); !errors.Is(err, errTime) {
			t.Errorf("Act after %d steps: %v", work+1, err)
		}
	}
}
