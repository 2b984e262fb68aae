package variable_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/ui/act"
	"ui-mcp/internal/ui/variable"
)

// plan finds out what an input to the last control of a view does.
func plan(t *testing.T, data fields, html string, in act.Input) (*act.Plan, *world, error) {
	w := newWorld(t, &obj{typ: "App", fields: data}, map[string]string{"App.DEFAULT": html})
	names, ref := 0, ""
	for _, c := range act.Controls(w.tree, 0, func() string { names++; return fmt.Sprint("r", names) }, nil) {
		ref = c.Ref
	}
	p, err := act.Find(w.tree, ref, in)
	return p, w, err
}

// What an act reaches: the first form with an id, and what is around the view that it is in.
func TestWhatActsReach(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"rows": list(contact("r")), "one": contact("One")}}
	w := newWorld(t, app, map[string]string{
		"App.DEFAULT": `<p id="f"></p><form ui-event-submit="unnamed()"></form><form id="f" ui-event-submit="first()"></form><form id="f" ui-event-submit="second()"></form><button form="f" aria-label="send">s</button>` +
			`<div ui-event-click="list()"><ul ui-viewlist="rows"><li></li></ul></div><div ui-event-click="view()"><div ui-view="one"></div></div>`,
		"Contact.DEFAULT": `<p><button ui-action="go()">x</button><button form="f" aria-label="far">s</button></p>`, "Contact.list-item": `<li><button ui-action="go()">y</button></li>`,
	})
	var got []string
	names := 0
	for _, c := range act.Controls(w.tree, 0, func() string { names++; return string(rune('a' + names)) }, nil) {
		plan, err := act.Find(w.tree, c.Ref, act.Input{Click: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, message := range plan.Messages {
			reached := plan.What + ":"
			for _, h := range message {
				reached += " " + w.tree.TemplateOf(h.Instance).Bindings[h.Slot].Path.Bare
			}
			got = append(got, reached)
		}
	}
	slices.Sort(got)
	want := []string{
		`Clicked button "far": first()`, `Clicked button "far": view()`, `Clicked button "send": first()`, `Clicked button "x": go()`, `Clicked button "x": view()`, `Clicked button "y": go()`, `Clicked button "y": list()`,
		"Clicked div: list()", "Clicked div: view()",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// A dialog that is closed may be opened by a script, unless a binding decides that.
func TestActsInClosedDialogs(t *testing.T) {
	for attribute, want := range map[string]string{
		``:                     "",
		`ui-attr-label="name"`: "",
		`ui-class-open="name"`: "",
		`ui-attr-open="off"`:   `button "Go" is in a dialog that is closed`,
	} {
		html := "<div><sl-dialog " + attribute + `><button ui-action="go()">Go</button></sl-dialog></div>`
		plan, _, err := plan(t, fields{"name": "Ann", "off": false}, html, act.Input{Click: true})
		switch {
		case want != "" && (err == nil || err.Error() != want):
			t.Errorf("%s: %v, want %q", attribute, err, want)
		case want == "" && (err != nil || plan.Local != `button "Go" is in a dialog that is closed`):
			t.Errorf("%s: %+v, %v", attribute, plan, err)
		}
	}
}

// An act says what it was, and dialogs, details and fieldsets are not inside of themselves.
func TestWhatActsAreCalled(t *testing.T) {
	yes, no, text := true, false, "x"
	for _, c := range []struct {
		element string
		input   act.Input
		want    string
	}{
		{`<button ui-action="go()">Go</button>`, act.Input{Click: true}, `Clicked button "Go"`},
		{`<input ui-value="name" aria-label="N">`, act.Input{Fill: &text}, `Filled input "N"`},
		{`<input type="checkbox" ui-value="off" aria-label="N">`, act.Input{Check: &yes}, `Checked input checkbox "N"`},
		{`<input type="checkbox" ui-value="on" aria-label="N">`, act.Input{Check: &no}, `Unchecked input checkbox "N"`},
		{`<select ui-value="name" aria-label="N"><option>a</option><option>b</option></select>`, act.Input{Select: []string{"b"}}, `Selected in select "N"`},
		{`<input ui-event-keypress-enter="go()" aria-label="N">`, act.Input{Key: "enter"}, `Pressed enter on input "N"`},
		{`<sl-dialog ui-event-click="go()" aria-label="N"></sl-dialog>`, act.Input{Click: true}, `Clicked sl-dialog "N"`},
		{`<details ui-event-click="go()" aria-label="N"></details>`, act.Input{Click: true}, `Clicked details "N"`},
		{`<fieldset disabled ui-event-click="go()" aria-label="N"></fieldset>`, act.Input{Click: true}, `Clicked fieldset "N"`},
	} {
		if plan, _, err := plan(t, fields{"name": "a", "off": false, "on": true}, "<div>"+c.element+"</div>", c.input); err != nil || plan.What != c.want || plan.Local != "" || len(plan.Messages) != 1 {
			t.Errorf("%s: %+v, %v, want %q", c.element, plan, err, c.want)
		}
	}
}

// What an act does is the same whether the control has the first binding of its template or others
// come before it.
func TestActsOnFirstBindings(t *testing.T) {
	yes, text := true, "2"
	fill, click, check, choose, enter := act.Input{Fill: &text}, act.Input{Click: true}, act.Input{Check: &yes}, act.Input{Select: []string{"b"}}, act.Input{Key: "enter"}
	const events = ` ui-event-input="in(_)" ui-event-change="ch(_)" ui-event-keypress-enter="key(_)"`
	for element, inputs := range map[string][]act.Input{
		`<input ui-value="name"` + events + `>`:                                                       {fill, enter},
		`<input ui-value="name?keypress"` + events + `>`:                                              {fill, enter},
		`<input ui-value="set(_)?access=w"` + events + `>`:                                            {fill, enter},
		`<input type="number" ui-value="name">`:                                                       {fill},
		`<textarea ui-value="name"` + events + `></textarea>`:                                         {fill, enter},
		`<input type="checkbox" ui-value="off"` + events + `>`:                                        {check, click},
		`<input type="checkbox" ui-value="set(_)?access=w"` + events + `>`:                            {check, click},
		`<select ui-value="name"` + events + `><option>a</option><option>b</option></select>`:         {choose},
		`<sl-input ui-value="name" ui-event-sl-input="in(_)" ui-event-sl-change="ch(_)"></sl-input>`:  {fill},
		`<sl-switch ui-value="off" ui-event-sl-input="in(_)" ui-event-sl-change="ch(_)"></sl-switch>`: {check, click},
		`<sl-checkbox ui-value="set(_)?access=w" ui-event-sl-change="ch(_)"></sl-checkbox>`:           {check, click},
		`<button ui-value="name" ui-action="go(_)"></button>`:                                         {click},
	} {
		for _, in := range inputs {
			var first string
			for k, before := range []string{"", `<b ui-value="name"></b>`} {
				plan, w, err := plan(t, fields{"name": "a", "off": false}, "<div>"+before+element+"</div>", in)
				got := ""
				if err != nil {
					got = err.Error()
				} else {
					for _, message := range plan.Messages {
						for _, h := range message {
							got += fmt.Sprintf(" %s=%v", w.tree.TemplateOf(h.Instance).Bindings[h.Slot].Path.Bare, h.Value)
						}
						got += ";"
					}
				}
				if k == 0 {
					first = got
				} else if got != first || got == "" {
					t.Errorf("%s, %+v: %q at first, and then %q", element, in, first, got)
				}
			}
		}
	}
}

// An act that would change nothing sends nothing.
func TestActsThatChangeNothing(t *testing.T) {
	text, chosen := "a", []string{"b", "c"}
	for element, in := range map[string]act.Input{
		`<input ui-value="name" ui-event-input="in(_)">`:                                                   {Fill: &text},
		`<select ui-value="name"><option>a</option></select>`:                                              {Select: []string{"a"}},
		`<select multiple ui-value="tags"><option>a</option><option>b</option><option>c</option></select>`: {Select: chosen},
	} {
		if plan, _, err := plan(t, fields{"name": "a", "tags": list("b", "c")}, "<div>"+element+"</div>", in); err != nil || plan.Nothing != act.Holds || len(plan.Messages) > 0 {
			t.Errorf("%s: %+v, %v", element, plan, err)
		}
	}
}

// A slider holds the closest of its numbers to its value, and the one in the middle where that is
// no number.
func TestNumbersOfSliders(t *testing.T) {
	for _, c := range []struct {
		limits      string
		value, want variable.Value
	}{
		{`min="10" max="25" step="10"`, 24.0, 20.0},
		{`min="10" max="25" step="10"`, 25.0, 20.0},
		{`min="10" max="30" step="10"`, 30.0, 30.0},
		{`min="10" max="30" step="10"`, 15.0, 20.0},
		{`min="10" max="30" step="any"`, 15.25, 15.25},
		{`min="10" max="30"`, 99.0, 30.0},
		{`min="10" max="30"`, "x", 20.0},
	} {
		html := `<div><input type="range" ui-value="n" ui-action="act(_)" ` + c.limits + "></div>"
		plan, _, err := plan(t, fields{"n": c.value}, html, act.Input{Click: true})
		if err != nil || len(plan.Messages) != 1 || fmt.Sprint(plan.Messages[0][0].Value) != fmt.Sprint(c.want) {
			t.Errorf("%v in %s: %+v, %v", c.value, c.limits, plan, err)
		}
	}
}

// A form is sent if one of the radio buttons of a name is on, of which one is required;
// without names, pages require nothing.
func TestRequiredRadioButtons(t *testing.T) {
	for radios, sent := range map[string]bool{
		`<input type="radio" name="r" required value="a" ui-value="x"><input type="radio" name="r" value="b" ui-value="x">`: true,
		`<input type="radio" name="r" required value="a" ui-value="x"><input type="radio" name="r" value="c" ui-value="x">`: false,
		`<input type="radio" name="r" required value="a" ui-value="x"><input type="radio" name="s" value="b" ui-value="x">`: false,
		`<input type="radio" required value="a" ui-value="x"><input type="radio" value="b" ui-value="x">`:                   true,
		`<input type="radio" name="r" required value="b" ui-value="x">`:                                                     true,
		`<input type="radio" name="r" value="a" ui-value="x">`:                                                              true,
		`<input type="checkbox" name="r" required ui-value="no"><input type="radio" name="r" value="b" ui-value="x">`:       false,
	} {
		html := `<form ui-event-submit="send()">` + radios + "<button>Send</button></form>"
		plan, _, err := plan(t, fields{"x": "b", "no": false}, html, act.Input{Click: true})
		if (err == nil && len(plan.Messages) == 1) != sent {
			t.Errorf("%s: %+v, %v", radios, plan, err)
		}
	}
}
