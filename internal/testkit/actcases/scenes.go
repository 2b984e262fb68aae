package actcases

import (
	"maps"
	"slices"
	"strings"

	"ui-mcp/internal/ui/act"
	"ui-mcp/internal/ui/viewdef"
)

// A Scene is a control in some state, and what is tried with it.
type Scene struct {
	Name   string
	HTML   string         // of the view definition Scene; the control has the id "it"
	Inner  string         // of the view definition Inner, for objects in a scene
	Data   map[string]any // the fields of the object on display
	Later  map[string]any // those that change before the act
	Before []act.Input    // what is done to the control first
	Inputs []act.Input

	store    *viewdef.Store            // nil until it is displayed
	elements map[*viewdef.Template]int // the number of the control in each, or -1
}

// A control is a kind of control, as it is written with further attributes in place of $.
type control struct {
	name, html string
	value      any      // what it holds
	fills      []string // texts to enter
	selects    [][]string
	toggles    bool
	acts       string // the binding without which nothing refers to it
	first      bool   // it stands for others of its family, and is tried in all states
}

var controls = []control{
	{name: "input", first: true, html: `<input $>`, value: "old", fills: []string{"new", "", "old", " two ", "a\nb", "Grüße 👍"}},
	{name: "input text", html: `<input type="text" $>`, value: "old", fills: []string{"new"}},
	{name: "input unheard-of", html: `<input type="unheard-of" $>`, value: "old", fills: []string{"new"}},
	{name: "input PASSWORD", html: `<input type="PASSWORD" $>`, value: "old", fills: []string{"new"}},
	{name: "input search", html: `<input type="search" $>`, value: "old", fills: []string{"new"}},
	{name: "input tel", html: `<input type="tel" $>`, value: "1", fills: []string{"2"}},
	{name: "input email", html: `<input type="email" $>`, value: "a@b.de", fills: []string{" b@c.de ", "b"}},
	{name: "input url", html: `<input type="url" $>`, value: "http://a/", fills: []string{" http://b/ ", "b"}},
	{name: "input number", first: true, html: `<input type="number" $>`, value: 1.0, fills: []string{"2", "1", "", "-.5", "1e2", "1E+1", "+1", "5.", " 7 ", "x", "0x10", "NaN", "1_0"}},
	{name: "input range", html: `<input type="range" $>`, value: 10.0, fills: []string{"20", "10", "", "-1", "101", "0", "100", "0.5", "x"}},
	{name: "input date", html: `<input type="date" $>`, value: "2026-01-02", fills: []string{"2026-02-03", "", "2026-02-30", "3.2.2026", "x"}},
	{name: "input month", html: `<input type="month" $>`, value: "2026-01", fills: []string{"2026-02", "2026-13"}},
	{name: "input week", html: `<input type="week" $>`, value: "2026-W01", fills: []string{"2026-W07", "", "2026-W53", "2026-W54", "2026-7"}},
	{name: "input time", html: `<input type="time" $>`, value: "10:00", fills: []string{"11:30", "11:30:05", "11:30:00", "24:00", "9:00"}},
	{name: "input datetime-local", html: `<input type="datetime-local" $>`, value: "2026-01-02T10:00", fills: []string{"2026-02-03T11:30", "2026-02-03T11:30:05", "2026-02-03T11:30:00", "2026-02-03 11:30", "x"}},
	{name: "input color", html: `<input type="color" $>`, value: "#000000", fills: []string{"#336699", " #AABBCC ", "#369", "red", ""}},
	{name: "input checkbox", first: true, html: `<input type="checkbox" $>`, value: false, toggles: true},
	{name: "input checkbox on", html: `<input type="CheckBox" $>`, value: true, toggles: true},
	{name: "input radio", first: true, html: `<input type="radio" name="g" value="a" $>`, value: "b", toggles: true},
	{name: "input radio on", html: `<input type="radio" name="g" value="a" $>`, value: "a", toggles: true},
	{name: "input radio without value", html: `<input type="Radio" name="g" $>`, value: "b", toggles: true},
	{name: "input file", first: true, html: `<input type="file" $>`, fills: []string{"a.txt"}},
	{name: "input file multiple", html: `<input type="file" multiple $>`},
	{name: "input submit", first: true, html: `<input type="submit" value="Go" $>`},
	{name: "input image", html: `<input type="image" alt="Go" $>`},
	{name: "input reset", html: `<input type="reset" value="Back" $>`},
	{name: "input button", html: `<input type="button" value="Press" $>`},
	{name: "textarea", first: true, html: `<textarea $></textarea>`, value: "old", fills: []string{"new", "a\nb", "a\r\nb\rc", "old"}},
	{name: "select", first: true, html: `<select $>` + choices + `</select>`, value: "b", selects: [][]string{{"a"}, {"Ann"}, {"b"}, {"Cid"}, {"none"}, {"a", "b"}, {}, {"d"}}},
	{name: "select multiple", first: true, html: `<select multiple $>` + choices + `</select>`, value: &[]any{"b"}, selects: [][]string{{"a"}, {"b", "Ann"}, {"b"}, {"c"}, {"none"}, {}}},
	{name: "select without options", html: `<select $></select>`, value: "b", selects: [][]string{{"a"}}},
	{name: "button", first: true, html: `<button $>Press</button>`},
	{name: "button submit", html: `<button type="submit" $>Press</button>`},
	{name: "button unheard-of", html: `<button type="unheard-of" $>Press</button>`},
	{name: "button button", html: `<button type="Button" $>Press</button>`},
	{name: "button reset", first: true, html: `<button type="Reset" $>Press</button>`},
	{name: "a", first: true, acts: `ui-event-click="click()" `, html: `<a href="#there" $>Link</a>`},
	{name: "a without href", html: `<a $>Link</a>`},
	{name: "div", first: true, acts: `ui-event-click="click()" `, html: `<div $>Text</div>`},
	{name: "li", html: `<ul><li $ value="3">Text</li></ul>`},
	{name: "summary", first: true, html: `<details><summary $>More</summary>Text</details>`},
	{name: "label", html: `<label $>Text <input></label>`},
	{name: "sl-input", first: true, html: `<sl-input $></sl-input>`, value: "old", fills: []string{"new", "", "old", "a\nb"}},
	{name: "sl-input number", first: true, html: `<sl-input type="number" $></sl-input>`, value: 1.0, fills: []string{"2", "1", "", "x"}},
	{name: "sl-input date", html: `<sl-input type="date" $></sl-input>`, value: "2026-01-02", fills: []string{"2026-02-03", "x"}},
	{name: "sl-textarea", html: `<sl-textarea $></sl-textarea>`, value: "old", fills: []string{"new", "a\nb"}},
	{name: "sl-checkbox", first: true, html: `<sl-checkbox $>Box</sl-checkbox>`, value: false, toggles: true},
	{name: "sl-switch", html: `<sl-switch $>Switch</sl-switch>`, value: true, toggles: true},
	{name: "sl-select", first: true, html: `<sl-select $>` + slChoices + `</sl-select>`, value: "b", selects: [][]string{{"a"}, {"Ann"}, {"b"}, {"c"}, {"none"}, {"a", "b"}}},
	{name: "sl-select multiple", html: `<sl-select multiple $>` + slChoices + `</sl-select>`, value: &[]any{"b"}, selects: [][]string{{"a"}, {"b", "Ann"}, {"b"}, {}}},
	{name: "sl-radio-group", first: true, html: `<sl-radio-group $><sl-radio value="a">Ann</sl-radio><sl-radio-button value="b">Bob</sl-radio-button></sl-radio-group>`, value: "b", selects: [][]string{{"a"}, {"Bob"}, {"none"}, {"a", "b"}}},
	{name: "sl-range", first: true, html: `<sl-range $></sl-range>`, value: 10.0, fills: []string{"20", "10", "101", "0.5", "x"}},
	{name: "sl-rating", first: true, html: `<sl-rating $></sl-rating>`, value: 1.0, fills: []string{"2", "1", "5", "6", "0.5", "-1"}},
	{name: "sl-color-picker", first: true, html: `<sl-color-picker $></sl-color-picker>`, value: "#000000", fills: []string{"#336699"}},
	{name: "sl-button", first: true, html: `<sl-button $>Press</sl-button>`},
	{name: "sl-button submit", first: true, html: `<sl-button type="submit" $>Press</sl-button>`},
	{name: "sl-button reset", html: `<sl-button type="reset" $>Press</sl-button>`},
	{name: "sl-button with href", html: `<sl-button href="#there" $>Press</sl-button>`},
	{name: "sl-icon-button", html: `<sl-icon-button name="x" $></sl-icon-button>`},
	{name: "sl-icon-button with href", html: `<sl-icon-button name="x" href="#there" $></sl-icon-button>`},
	{name: "sl-menu-item", html: `<sl-menu><sl-menu-item $>Item</sl-menu-item></sl-menu>`},
	{name: "sl-tab", html: `<sl-tab-group><sl-tab slot="nav" $>Tab</sl-tab></sl-tab-group>`},
}

const (
	choices   = `<option value="a">Ann</option><option>b</option><option value="c" disabled>Cid</option><optgroup label="More"><option value="d">Dee</option></optgroup>`
	slChoices = `<sl-option value="a">Ann</sl-option><sl-option value="b">Bob</sl-option><sl-option value="c" disabled>Cid</sl-option>`
)

// with writes a control with attributes.
func (c control) with(attrs string) string { return strings.ReplaceAll(c.html, "$", `id="it" `+attrs) }

// hears are the events that the control and the form around it send to the app.
func hears(prefix, arg string) string {
	var b strings.Builder
	for _, name := range strings.Fields("click input change keydown keyup submit reset sl-change sl-input") {
		b.WriteString(` ui-event-` + name + `="` + prefix + strings.ReplaceAll(name, "-", "_") + `(` + arg + `)"`)
	}
	return b.String()
}

// inForm writes the form around a control.
func inForm(html string) string {
	return `<div><form` + hears("form_", "") + `>` + html + `</form></div>`
}

func click() act.Input                { return act.Input{Click: true} }
func fill(text string) act.Input      { return act.Input{Fill: &text} }
func check(on bool) act.Input         { return act.Input{Check: &on} }
func press(key string) act.Input      { return act.Input{Key: key} }
func pick(list []string) act.Input    { return act.Input{Select: list} }
func all(in ...act.Input) []act.Input { return in }

func (c control) own() []act.Input {
	in := all(click(), press("enter"), press("space"))
	if c.toggles {
		in = append(in, check(true), check(false))
	}
	for _, text := range c.fills {
		in = append(in, fill(text))
	}
	for _, list := range c.selects {
		in = append(in, pick(list))
	}
	return in
}

// alien are those that others take.
func (c control) alien() []act.Input {
	in := all(press("a"), press("shift-a"), press("ctrl-a"), press("delete"), press("backspace"), press("escape"), press("shift-enter"), press("nokey"))
	if !c.toggles {
		in = append(in, check(true))
	}
	if len(c.fills) == 0 {
		in = append(in, fill("x"))
	}
	if len(c.selects) == 0 {
		in = append(in, pick([]string{"a"}))
	}
	return in
}

func (c control) few() []act.Input {
	in := all(click())
	switch {
	case c.toggles:
		in = append(in, check(c.value != true), press("space"))
	case len(c.fills) > 0:
		in = append(in, fill(c.fills[0]))
	case len(c.selects) > 0:
		in = append(in, pick(c.selects[0]))
	}
	return append(in, press("enter"))
}

var bindings = []struct{ name, attrs string }{
	{"at each key", `ui-value="v?keypress"`},
	{"written only", `ui-value="set(_)"`},
	{"an action", `ui-value="v" ui-action="act(_)"`},
	{"an action alone", `ui-action="act(_)"`},
	{"keys", `ui-event-keypress-enter="enter(_)" ui-event-keypress-space="space(_)" ui-event-keypress-ctrl-a="ctrl_a(_)"`},
	{"nothing", ``},
}

// A state is one that any control can be in: what is around it and its attributes.
type state struct {
	name, around, attrs string // around has $ in place of the control
	data, later         map[string]any
}

type fields = map[string]any

var states = []state{
	{name: "disabled", attrs: `disabled`},
	{name: "disabled by a value", attrs: `ui-attr-disabled="yes"`},
	{name: "disabled by no value", attrs: `ui-attr-disabled="no"`},
	{name: "disabled by nil", attrs: `ui-attr-disabled="nothing"`},
	{name: "read-only", attrs: `readonly`},
	{name: "required", attrs: `required`},
	{name: "hidden", attrs: `hidden`},
	{name: "hidden now", attrs: `ui-attr-hidden="off"`, later: fields{"off": true}},
	{name: "hidden now by its style", attrs: `ui-style-display="off"`, later: fields{"off": "none"}},
	{name: "in what is hidden", around: `<p hidden>$</p>`},
	{name: "in what is hidden now", around: `<p ui-attr-hidden="off">$</p>`, later: fields{"off": true}},
	{name: "in what is not hidden", around: `<p ui-attr-hidden="off">$</p>`, data: fields{"off": false}},
	{name: "inert", around: `<p inert>$</p>`},
	{name: "in a disabled fieldset", around: `<fieldset disabled>$</fieldset>`},
	{name: "in a fieldset that is disabled now", around: `<fieldset ui-attr-disabled="off">$</fieldset>`, later: fields{"off": true}},
	{name: "in a fieldset", around: `<fieldset>$</fieldset>`},
	{name: "in the legend of a disabled fieldset", around: `<fieldset disabled><legend>$</legend></fieldset>`},
	{name: "in closed details", around: `<details><summary>More</summary>$</details>`},
	{name: "in open details", around: `<details open><summary>More</summary>$</details>`},
	{name: "in a closed dialog", around: `<dialog>$</dialog>`},
	{name: "in an open dialog", around: `<dialog open>$</dialog>`},
	{name: "in a popover", around: `<div popover>$</div>`},
	{name: "in a clickable place", around: `<div ui-action="around()">$</div>`},
	{name: "in a link", around: `<a href="#there">$</a>`},
	{name: "in closed sl-details", around: `<sl-details summary="More">$</sl-details>`},
	{name: "in a closed sl-dialog", around: `<sl-dialog label="D">$</sl-dialog>`},
	{name: "in an sl-dialog that is closed", around: `<sl-dialog label="D" ui-attr-open="off">$</sl-dialog>`},
	{name: "in an open sl-dialog", around: `<sl-dialog label="D" open>$</sl-dialog>`},
	{name: "in an open sl-drawer", around: `<sl-drawer label="D" open>$</sl-drawer>`},
	{name: "in an open sl-drawer in an open sl-dialog", around: `<sl-dialog label="E" open><sl-drawer label="D" open>$</sl-drawer></sl-dialog>`},
	{name: "behind an sl-dialog in the same dialog", around: `<sl-dialog label="E" open>$<sl-dialog label="D" open></sl-dialog></sl-dialog>`},
	{name: "behind an open sl-dialog", around: `$<sl-dialog label="D" open></sl-dialog>`},
	{name: "behind an sl-drawer that is open now", around: `$<sl-drawer label="D" ui-attr-open="off"></sl-drawer>`, later: fields{"off": true}},
	{name: "behind a closed sl-dialog", around: `$<sl-dialog label="D"></sl-dialog>`},
	{name: "beside an open sl-dialog that is hidden", around: `$<p hidden><sl-dialog label="D" open></sl-dialog></p>`},
	{name: "in an open sl-dialog beside another", around: `<sl-dialog label="D" open>$</sl-dialog><sl-dialog label="E" open></sl-dialog>`},
}

// Scenes returns all scenes.
func Scenes() []*Scene {
	var list []*Scene
	add := func(name, html string, data, later map[string]any, inputs []act.Input) {
		list = append(list, &Scene{Name: name, HTML: html, Data: data, Later: later, Inputs: inputs})
	}
	for _, c := range controls {
		data := fields{"v": c.value, "yes": true, "no": false}
		own := hears("", "_")
		inputs := c.own()
		if c.first {
			inputs = append(inputs, c.alien()...)
		}
		add(c.name, inForm(c.with(`ui-value="v"`+own)), data, nil, inputs)
		for _, b := range bindings {
			if c.first {
				add(c.name+", "+b.name, inForm(c.with(b.attrs+own)), data, nil, c.few())
			}
		}
		for _, s := range states {
			if !c.first {
				continue
			}
			all := maps.Clone(data)
			maps.Copy(all, s.data)
			html := c.with(`ui-value="v" ` + c.acts + s.attrs)
			if s.around != "" {
				html = strings.ReplaceAll(s.around, "$", html)
			}
			add(c.name+", "+s.name, inForm(html), all, s.later, c.few()[:2])
		}
	}
	return slices.Concat(list, heldScenes(), formScenes(), keyScenes(), placeScenes())
}
