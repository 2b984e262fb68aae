package actcases

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ui-mcp/internal/ui/act"
)

// heldScenes are controls whose values are of any kind: what they hold is the argument of events.
func heldScenes() (list []*Scene) {
	values := []any{nil, false, true, 0.0, 7.0, 3.5, "", "b", "2026-01-02", "a c", &[]any{"a", "c"}, &[]any{}, &[]any{1.0}}
	key := all(press("escape"))
	for _, c := range controls {
		html := func(attrs string) string { return `<div>` + c.with(attrs+` ui-event-keydown="keydown(_)"`) + `</div>` }
		for _, v := range values {
			list = append(list, &Scene{Name: c.name + " with " + JSON(v), HTML: html(`ui-value="v"`), Data: fields{"v": v}, Inputs: key})
		}
		list = append(list,
			&Scene{Name: c.name + " by itself, two words", HTML: html(`value="a b"`), Inputs: key},
			&Scene{Name: c.name + " by itself, a word", HTML: html(`value="b"`), Inputs: key},
			&Scene{Name: c.name + " by itself", HTML: html(`value="c" checked`), Inputs: key},
			&Scene{Name: c.name + " by itself, a number", HTML: html(`value="7"`), Inputs: key})
		if c.first {
			list = append(list, &Scene{Name: c.name + ", twice", HTML: html(`checked value="c" ui-value="set(_)"`), Before: c.few()[:2], Inputs: append(c.few(), press("escape"))})
		}
	}
	return list
}

// A field is one in a form that is sent, with values that may be valid or not.
type field struct {
	html   string
	values []any
}

var validities = []field{
	{`<input required ui-value="v">`, []any{nil, "", "x", " "}},
	{`<input pattern="[a-c]+" ui-value="v">`, []any{"", "abc", "xabc", "abcx"}},
	{`<input pattern="(" ui-value="v">`, []any{"x"}},
	{`<input type="email" ui-value="v">`, []any{"", "a@b", "a", "Ann <a@b.c>", "a@b@c", "a b@c"}},
	{`<input type="url" ui-value="v">`, []any{"", "x", "http://a/", "mailto:a", "x y:z"}},
	{`<input type="number" min="2" max="8" step="2" ui-value="v">`, []any{nil, 1.0, 2.0, 3.0, 8.0, 9.0, 10.0}},
	{`<input type="number" value="1" step="2" ui-value="v">`, []any{1.0, 2.0, 3.0}},
	{`<input type="number" step="any" ui-value="v">`, []any{0.25}},
	{`<input type="number" step="ANY" ui-value="v">`, []any{0.25}},
	{`<input type="number" step="0.1" ui-value="v">`, []any{0.3, 0.35, 1e15}},
	{`<input type="number" step="0" ui-value="v">`, []any{1.0, 0.5}},
	{`<input type="number" step="-2" ui-value="v">`, []any{1.0, 0.5}},
	{`<input type="number" step="x" min="x" max="x" ui-value="v">`, []any{1.0, 0.5}},
	{`<input type="number" required ui-value="v">`, []any{nil, 0.0}},
	{`<input type="range" required min="0" max="10" step="5" ui-value="v">`, []any{nil, 5.0}},
	{`<input type="date" min="2026-01-02" max="2026-01-04" ui-value="v">`, []any{"", "2026-01-01", "2026-01-02", "2026-01-04", "2026-01-05"}},
	{`<input type="time" min="10:00" max="12:00" ui-value="v">`, []any{"09:59", "10:00", "12:00", "12:01"}},
	{`<input type="month" min="2026-02" ui-value="v">`, []any{"2026-01", "2026-02"}},
	{`<input type="week" max="2026-W05" ui-value="v">`, []any{"2026-W05", "2026-W06"}},
	{`<input type="datetime-local" min="2026-01-02T10:00" ui-value="v">`, []any{"2026-01-02T09:00", "2026-01-02T10:00"}},
	{`<input type="date" required ui-value="v">`, []any{"", "2026-01-01"}},
	{`<input type="color" required ui-value="v">`, []any{nil}},
	{`<input type="file" required>`, []any{nil}},
	{`<input type="hidden" required ui-value="v">`, []any{""}},
	{`<input type="checkbox" required ui-value="v">`, []any{nil, false, true}},
	{`<input type="checkbox" required>`, []any{nil}},
	{`<input type="checkbox" required checked>`, []any{nil}},
	{`<input type="radio" name="g" value="a" required ui-value="v"><input type="radio" name="g" value="b" ui-value="v">`, []any{nil, "a", "b", "c"}},
	{`<input type="radio" name="g" value="a" ui-value="v"><input type="radio" name="g" value="b" required ui-value="v">`, []any{nil, "a", "b"}},
	{`<input type="radio" name="g" value="a" required ui-value="v"><input type="radio" name="h" value="b" ui-value="v">`, []any{"a", "b"}},
	{`<input type="radio" value="a" required ui-value="v"><input type="radio" value="b" ui-value="v">`, []any{"a", "b"}},
	{`<select required ui-value="v"><option value="">None</option><option value="a">Ann</option></select>`, []any{nil, "", "a"}},
	{`<select required><option value="a">Ann</option></select>`, []any{nil}},
	{`<select required multiple ui-value="v"><option value="a">Ann</option></select>`, []any{&[]any{}, &[]any{"a"}}},
	{`<textarea required ui-value="v"></textarea>`, []any{"", "x"}},
	{`<textarea required>x</textarea>`, []any{nil}},
	{`<textarea pattern="a" ui-value="v"></textarea>`, []any{"x"}},
	{`<input required disabled ui-value="v">`, []any{""}},
	{`<input required readonly ui-value="v">`, []any{""}},
	{`<input required hidden ui-value="v">`, []any{""}},
	{`<p hidden><input required ui-value="v"></p>`, []any{""}},
	{`<fieldset disabled><input required ui-value="v"></fieldset>`, []any{""}},
	{`<fieldset disabled><legend><input required ui-value="v"></legend></fieldset>`, []any{""}},
	{`</form><input required ui-value="v"><form>`, []any{""}},
	{`<input required form="other" ui-value="v">`, []any{""}},
	{`<input required aria-label="A" ui-value="v"><input required aria-label="B" ui-value="v">`, []any{""}},
	{`<div ui-view="inner"></div>`, []any{""}},
	{`<ul ui-viewlist="rows"><li></li></ul>`, []any{""}},
	{`<sl-input required ui-value="v"></sl-input>`, []any{"", "x"}},
	{`<sl-input type="email" ui-value="v"></sl-input>`, []any{"x", "a@b"}},
	{`<sl-input type="number" min="2" max="8" ui-value="v"></sl-input>`, []any{1.0, 2.0, 9.0}},
	{`<sl-input pattern="[a-c]+" ui-value="v"></sl-input>`, []any{"abc", "x"}},
	{`<sl-textarea required ui-value="v"></sl-textarea>`, []any{"", "x"}},
	{`<sl-checkbox required ui-value="v">Box</sl-checkbox>`, []any{false, true}},
	{`<sl-switch required ui-value="v">Switch</sl-switch>`, []any{false, true}},
	{`<sl-select required ui-value="v">` + slChoices + `</sl-select>`, []any{"", "a"}},
	{`<sl-select required multiple ui-value="v">` + slChoices + `</sl-select>`, []any{&[]any{}, &[]any{"a"}}},
	{`<sl-radio-group required ui-value="v"><sl-radio value="a">Ann</sl-radio></sl-radio-group>`, []any{"", "a"}},
	{`<sl-input required disabled ui-value="v"></sl-input>`, []any{""}},
	{`<sl-input required readonly ui-value="v"></sl-input>`, []any{""}},
}

// formScenes are forms that are sent, by a button or by Enter in a field.
func formScenes() (list []*Scene) {
	const inner = `<input required ui-value="v">`
	add := func(name, html string, v any, in ...act.Input) {
		rows := []any{&object{"Inner", fields{"v": "x"}}, &object{"Inner", fields{"v": v}}}
		list = append(list, &Scene{
			Name: name, HTML: html, Inner: inner, Data: fields{"v": v, "inner": rows[1], "rows": &rows}, Inputs: in,
		})
	}
	const form = `<form` + ` ui-event-submit="submit()" ui-event-reset="reset()" ui-event-click="form_click()"`
	wrap := func(attrs, html string) string {
		return `<div>` + form + attrs + `>` + html + `</form><form id="other" ui-event-submit="other_submit()"></form></div>`
	}
	const button = `<button id="it">Send</button>`
	for _, f := range validities {
		for _, v := range f.values {
			add("sent with "+f.html+" and "+JSON(v), wrap("", f.html+button), v, click())
		}
	}
	const required = `<input required ui-value="v">`
	ways := map[string]string{
		"without a check":                     wrap(" novalidate", required+button),
		"without a check of this button":      wrap("", required+`<button id="it" formnovalidate>Send</button>`),
		"by a button elsewhere":               wrap(` id="f"`, required) + `<button id="it" form="f">Send</button>`,
		"by a button of another form":         wrap(` id="f"`, required+`<button id="it" form="other">Send</button>`),
		"by a button of no form":              wrap("", `<button id="it" form="none">Send</button>`),
		"with a field elsewhere":              wrap(` id="f"`, button) + `<input required form="f" ui-value="v">`,
		"with a field of another form":        wrap(` id="f"`, button+`<input required form="other" ui-value="v">`),
		"by a button without a form":          `<div><button id="it">Send</button></div>`,
		"by an sl-button":                     wrap("", required+`<sl-button type="submit" id="it">Send</sl-button>`),
		"by an sl-button without a check":     wrap("", required+`<sl-button type="submit" formnovalidate id="it">Send</sl-button>`),
		"by an sl-button and an action":       wrap("", `<sl-button type="submit" ui-action="act()" id="it">Send</sl-button>`),
		"by an sl-button elsewhere":           wrap(` id="f"`, "") + `<sl-button type="submit" form="f" id="it">Send</sl-button>`,
		"by a button with an action":          wrap("", `<button ui-action="act()" id="it">Send</button>`),
		"not by a button that resets":         wrap("", `<button type="reset" id="it">Send</button>`),
		"not by a button that resets nothing": `<div><button type="reset" id="it">Send</button></div>`,
		"by a button in a view":               wrap("", `<div ui-view="inner"></div>`+button),
	}
	for _, name := range slices.Sorted(maps.Keys(ways)) {
		add("a form "+name, ways[name], "", click(), press("enter"))
	}
	places := map[string]string{
		"alone":                              `$`,
		"beside another":                     `$<input>`,
		"beside what does not count":         `$<input type="checkbox"><input type="radio"><input type="range"><input type="color"><input type="hidden"><input type="file"><input type="reset"><input type="button"><textarea></textarea><select></select>`,
		"beside a date":                      `$<input type="date">`,
		"before a button":                    `$<button ui-action="act()">Send</button>`,
		"after a button":                     `<input type="submit" ui-event-click="sent()" value="Send">$<button>Send</button>`,
		"before a button with a check":       `$<button>Send</button><input required aria-label="R" ui-value="v">`,
		"before a button without a check":    `$<button formnovalidate>Send</button><input required ui-value="v">`,
		"before a disabled button":           `$<button disabled>Send</button><button>Send</button>`,
		"before an image":                    `$<input type="image" alt="Send" ui-event-click="sent()"><button>Send</button>`,
		"before other buttons":               `$<button type="button">A</button><button type="reset">B</button>`,
		"before an sl-button":                `$<sl-button type="submit" ui-event-click="sent()">Send</sl-button>`,
		"before a disabled sl-button":        `$<sl-button type="submit" disabled>Send</sl-button>`,
		"before a button of another form":    `$<button form="other">Send</button>`,
		"beside a field of another form":     `$<input form="other">`,
		"beside a list":                      `$<ul ui-viewlist="rows"><li></li></ul>`,
		"beside a view":                      `$<div ui-view="inner"></div>`,
		"beside a field that must be filled": `$<textarea required ui-value="v"></textarea>`,
	}
	for _, name := range slices.Sorted(maps.Keys(places)) {
		for _, c := range controls {
			if c.first && (c.name == "input" || strings.HasPrefix(c.name, "sl-input") || c.name == "input number" || c.name == "input checkbox") {
				field := c.with(`ui-value="w" ui-event-keydown="keydown()" ui-event-keyup="keyup()"`)
				add("Enter in "+c.name+" "+name, wrap("", strings.ReplaceAll(places[name], "$", field)), "", press("enter"))
			}
		}
	}
	return list
}

func keyScenes() []*Scene {
	names := strings.Fields("enter escape esc space tab up arrowup down left right home end pageup pagedown insert delete backspace contextmenu f1 f12 f13 a z 1 ? - ä " +
		"shift-a shift-1 shift-? shift-tab ctrl-s ctrl-shift-s shift-ctrl-s alt-x meta-k ctrl-- ctrl-enter alt-space ctrl-alt-delete ctrl- nokey")
	var html strings.Builder
	for _, name := range names {
		fmt.Fprintf(&html, ` ui-event-keypress-%s="key(_)" ui-event-keypress-%[1]s-value="%[1]s"`, name)
	}
	var inputs []act.Input
	for _, name := range names {
		inputs = append(inputs, press(name), press(strings.ToUpper(name)))
	}
	return []*Scene{
		{Name: "keys on a button", HTML: `<div><button id="it" ` + html.String() + ` ui-event-click="click()">Press</button></div>`, Inputs: inputs},
		{Name: "keys around a field", HTML: `<div ` + html.String() + `><input id="it" ui-value="v"></div>`, Inputs: inputs},
	}
}

// placeScenes are controls inside views and lists, and those whose options are a list.
func placeScenes() []*Scene {
	items := func(names ...string) *[]any {
		var list []any
		for _, name := range names {
			list = append(list, &object{"Inner", fields{"name": name, "on": name == "b"}})
		}
		return &list
	}
	const option = `<option ui-attr-value="name" ui-attr-disabled="on" ui-value="name"></option>`
	const slOption = `<sl-option ui-attr-value="name" ui-value="name"></sl-option>`
	selects := all(pick([]string{"a"}), pick([]string{"b"}), pick([]string{"c"}), pick([]string{"none"}), press("escape"))
	return []*Scene{
		{
			Name: "a button in a row", HTML: `<div ui-event-click="outer()"><ul ui-viewlist="rows" ui-event-click="list()"><li></li></ul></div>`,
			Inner: `<li ui-event-click="row()"><button id="it" ui-action="act()">Press</button></li>`, Data: fields{"rows": items("a", "b")}, Inputs: all(click(), press("enter")),
		},
		{
			Name: "a row", HTML: `<div ui-event-click="outer()"><ul ui-viewlist="rows" ui-event-click="list()"><li></li></ul></div>`,
			Inner: `<li id="it" ui-action="act()">Row</li>`, Data: fields{"rows": items("a")}, Inputs: all(click(), press("enter"), fill("x")),
		},
		{
			Name: "a button in a view", HTML: `<div ui-event-click="outer()"><p ui-view="inner" ui-event-click="view()"></p></div>`,
			Inner: `<div><button id="it" ui-action="act()">Press</button></div>`, Data: fields{"inner": (*items("a"))[0]}, Inputs: all(click(), press("enter")),
		},
		{
			Name: "the second element of a view", HTML: `<div ui-event-click="outer()"><p ui-view="inner" ui-event-click="view()"></p></div>`,
			Inner: `<p>First</p><button id="it" ui-action="act()">Press</button>`, Data: fields{"inner": (*items("a"))[0]}, Inputs: all(click()),
		},
		{
			Name: "a select with a list", HTML: `<div><select id="it" ui-value="v" ui-event-keydown="keydown(_)" ui-viewlist="rows"><option></option></select></div>`,
			Inner: option, Data: fields{"v": "c", "rows": items("a", "b", "c")}, Inputs: selects,
		},
		{
			Name: "a select with a list, without a value", HTML: `<div><select id="it" ui-event-keydown="keydown(_)" ui-event-change="change(_)" ui-viewlist="rows"><option></option></select></div>`,
			Inner: option, Data: fields{"rows": items("a", "b", "c")}, Inputs: selects,
		},
		{
			Name: "an sl-select with a list", HTML: `<div><sl-select id="it" ui-value="v" ui-event-keydown="keydown(_)" ui-viewlist="rows"><sl-option></sl-option></sl-select></div>`,
			Inner: slOption, Data: fields{"v": "c", "rows": items("a", "b", "c")}, Inputs: selects,
		},
		{
			Name: "a text that is limited", HTML: `<div><input id="it" maxlength="3" ui-value="v"></div>`,
			Inputs: all(fill("abc"), fill("abcd"), fill("👍a"), fill("👍👍")),
		},
		{
			Name: "a text that is not limited", HTML: `<div><input id="it" maxlength="-1" ui-value="v"></div>`, Inputs: all(fill("abc")),
		},
		{
			Name: "a text that is limited to nothing", HTML: `<div><textarea id="it" maxlength="0" ui-value="v"></textarea></div>`, Inputs: all(fill("a"), fill("")),
		},
		{
			Name: "a range with limits", HTML: `<div><input type="range" id="it" min="5" max="20" step="5" ui-value="v"></div>`, Data: fields{"v": 10.0},
			Inputs: all(fill("5"), fill("4"), fill("20"), fill("21"), fill("7"), fill("15")),
		},
		{
			Name: "an sl-range with limits", HTML: `<div><sl-range id="it" min="5" max="20" step="5" ui-value="v"></sl-range></div>`, Data: fields{"v": 10.0},
			Inputs: all(fill("5"), fill("4"), fill("20"), fill("21"), fill("7"), fill("15")),
		},
		{Name: "a number that is at most 1", HTML: `<div><input type="number" id="it" max="1" ui-value="v"></div>`, Inputs: all(fill("2"))},
		{Name: "a number that is at least 3", HTML: `<div><input type="number" id="it" min="3" ui-value="v"></div>`, Inputs: all(fill("2"))},
		{Name: "a number that is at least 4.5", HTML: `<div><input type="number" id="it" min="4.5" ui-value="v"></div>`, Inputs: all(fill("2"))},
		{Name: "a number that is at most 3", HTML: `<div><input type="number" id="it" max="3" ui-value="v"></div>`, Inputs: all(fill("2"))},
		{Name: "a text of seven characters", HTML: `<div><input id="it" maxlength="7" ui-value="v"></div>`, Inputs: all(fill("a"))},
		{Name: "a select whose last option is disabled", HTML: `<div><select id="it" ui-value="v"><option value="">None</option><option value="a" disabled>Ann</option><option>b</option></select></div>`, Inputs: all(pick([]string{"b"}))},
		{Name: "a select with nothing to select", HTML: `<div><select id="it" ui-value="v"><option value="">None</option></select></div>`, Inputs: all(pick([]string{""}))},
		{Name: "a label that is written", HTML: `<div><button id="it" aria-label="Said" title="Title" ui-action="act()">Text</button></div>`, Inputs: all(click())},
		{Name: "a label that is empty", HTML: `<div><button id="it" aria-label=" " title="Title" ui-action="act()"></button></div>`, Inputs: all(click())},
		{Name: "a label of a field", HTML: `<div><input id="it" placeholder="Place" name="name" title="Title" ui-action="act()"></div>`, Inputs: all(click())},
		{Name: "a label by the name", HTML: `<div><textarea id="it" name="name" title="Title" ui-action="act()">Text</textarea></div>`, Inputs: all(click())},
		{Name: "a label of a component", HTML: `<div><sl-select id="it" label="Label" ui-action="act()">` + slChoices + `</sl-select></div>`, Inputs: all(click())},
		{Name: "a label of a component that is ticked", HTML: `<div><sl-checkbox id="it" label="Label" ui-action="act()">Text</sl-checkbox></div>`, Inputs: all(click())},
		{Name: "a label that is long", HTML: `<div><button id="it" ui-action="act()">` + strings.Repeat("long ", 20) + `</button></div>`, Inputs: all(click())},
		{Name: "no label", HTML: `<div><button id="it" ui-class-on="v" ui-action="act()"></button></div>`, Inputs: all(click())},
		{Name: "no label and no binding", HTML: `<div ui-action="act()"><button id="it"></button></div>`, Inputs: all(click())},
		{
			Name: "many options", HTML: `<div><select id="it" ui-value="v">` + strings.Repeat(`<option>o</option>`, 23) + `</select></div>`, Inputs: all(pick([]string{"none"})),
		},
	}
}
