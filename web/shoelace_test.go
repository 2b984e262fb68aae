package web_test

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// component shows HTML with one bound element, #c, and waits until it is defined.
func component(t *testing.T, html, opts, value string) *page {
	t.Helper()
	p := show(t, `[1,1,[`+value+`]]`, def(1, "S.DEFAULT", html, `[[0,"value","",`+opts+`]]`))
	p.ready()
	return p
}

// ready waits until every component that is in the page is there and has drawn itself.
func (p *page) ready() {
	p.server.t.Helper()
	p.Wait(`!document.querySelector(":not(:defined)")`)
	browser.Eval[any](p.Tab, `Promise.all([...document.querySelectorAll("*")].map((e) => e.updateComplete)).then(() => new Promise((done) => setTimeout(done)))`)
}

// Each form control of Shoelace displays values and sends the person's edits.
func TestShoelaceControls(t *testing.T) {
	load.Long(t, "TestShoelaceToggle and TestControls bind controls")
	t.Parallel()
	const options = `<sl-option value='a'>Ann</sl-option><sl-option value='b'>Bob</sl-option><sl-option value='c'>Cid</sl-option>`
	option := func(value string) string { return fmt.Sprintf(`document.querySelector("sl-option[value=%s]")`, value) }
	within := func(selector string) string { return fmt.Sprintf(`c.shadowRoot.querySelector(%q)`, selector) }
	open := func(p *page) {
		p.Wait(`!` + within("sl-popup") + `.active`) // and not closing any more
		p.ClickOn(`c`)
	}
	tryControls(t, map[string]boundControl{
		"input": {
			`<sl-input id='c' data-ui='0'></sl-input>`, `"ab"`, within("input") + `.value === "ab"`,
			func(p *page) { p.ClickOn(`c`); p.Press(browser.End + "c" + browser.Tabulator) }, `"abc"`,
			`null`, within("input") + `.value === ""`,
		},
		"input with Enter": {
			`<sl-input id='c' data-ui='0'></sl-input>`, `""`, `c.value === ""`,
			func(p *page) { p.ClickOn(`c`); p.Press("x" + browser.Enter) }, `"x"`,
			`"y"`, within("input") + `.value === "y"`,
		},
		"input for numbers": {
			`<sl-input type='number' id='c' data-ui='0'></sl-input>`, `3`, within("input") + `.value === "3"`,
			func(p *page) { p.ClickOn(`c`); p.Press(browser.End + "5" + browser.Tabulator) }, `35`,
			`1.5`, within("input") + `.value === "1.5"`,
		},
		"input cleared": {
			`<sl-input clearable id='c' data-ui='0'></sl-input>`, `"ab"`, `c.value === "ab"`,
			func(p *page) { p.ClickOn(within("[part=clear-button]")); p.Press(browser.Tabulator) }, `""`,
			`"z"`, within("input") + `.value === "z"`,
		},
		"textarea": {
			`<sl-textarea id='c' data-ui='0'></sl-textarea>`, `"a"`, within("textarea") + `.value === "a"`,
			func(p *page) { p.ClickOn(`c`); p.Press(browser.End + browser.Enter + "b" + browser.Tabulator) }, `"a\nb"`,
			`"z"`, within("textarea") + `.value === "z"`,
		},
		"checkbox": {
			`<sl-checkbox id='c' data-ui='0'>c</sl-checkbox>`, `true`, within("input") + `.checked`,
			func(p *page) { p.ClickOn(`c`) }, `false`,
			`true`, within("input") + `.checked`,
		},
		"switch": {
			`<sl-switch id='c' data-ui='0'>c</sl-switch>`, `null`, `!` + within("input") + `.checked`,
			func(p *page) { p.ClickOn(`c`) }, `true`,
			`false`, `!` + within("input") + `.checked`,
		},
		"select": {
			`<sl-select id='c' data-ui='0'>` + options + `</sl-select>`, `"b"`, within("[part=display-input]") + `.value === "Bob"`,
			func(p *page) { open(p); p.ClickOn(option("c")) }, `"c"`,
			`"a"`, within("[part=display-input]") + `.value === "Ann"`,
		},
		"select by keys": {
			`<sl-select id='c' data-ui='0'>` + options + `</sl-select>`, `"a"`, `c.value === "a"`,
			func(p *page) {
				p.Run(`c.focus()`)
				p.Press(browser.ArrowDown)
				p.Wait(`c.open && document.querySelector("sl-option[value=a]").current`)
				p.Press(browser.ArrowDown + browser.Enter)
			}, `"b"`,
			`"none"`, `c.value === "" && ` + within("[part=display-input]") + `.value === ""`,
		},
		"select cleared": {
			`<sl-select clearable id='c' data-ui='0'>` + options + `</sl-select>`, `"b"`, `c.value === "b"`,
			func(p *page) { p.ClickOn(within("[part=clear-button]")) }, `""`,
			`"c"`, within("[part=display-input]") + `.value === "Cid"`,
		},
		"select emptied": {
			`<sl-select id='c' data-ui='0'>` + options + `</sl-select>`, `"b"`, `c.value === "b"`,
			func(p *page) { open(p); p.ClickOn(option("a")) }, `"a"`,
			`null`, `c.value === "" && ` + within("[part=display-input]") + `.value === ""`,
		},
		"select multiple": {
			`<sl-select multiple id='c' data-ui='0'>` + options + `</sl-select>`, `["a","c"]`, `c.value.join() === "a,c" && c.shadowRoot.querySelectorAll("sl-tag").length === 2`,
			func(p *page) { open(p); p.ClickOn(option("b")); p.Run(`c.hide()`) }, `["a","b","c"]`,
			`"a b"`, `c.value.join() === "a,b"`,
		},
		"range": {
			`<sl-range min='0' max='10' id='c' data-ui='0'></sl-range>`, `4`, within("input") + `.value === "4"`,
			func(p *page) { p.Run(`c.focus()`); p.Press(browser.ArrowRight) }, `5`,
			`9`, within("input") + `.value === "9"`,
		},
		"rating": {
			`<sl-rating id='c' data-ui='0'></sl-rating>`, `2`, `c.value === 2`,
			func(p *page) {
				at := browser.Eval[[2]float64](p.Tab, `(({left, top, width, height}) => [left + width * 0.7, top + height / 2])(`+within(".rating")+`.getBoundingClientRect())`)
				p.ClickXY(at[0], at[1])
			}, `4`,
			`null`, `c.value === 0`,
		},
		"radio group": {
			`<sl-radio-group id='c' data-ui='0'><sl-radio value='1'>one</sl-radio><sl-radio value='2'>two</sl-radio></sl-radio-group>`, `1`,
			`document.querySelector("sl-radio[value='1']").checked`,
			func(p *page) { p.ClickOn(`document.querySelector("sl-radio[value='2']")`) }, `"2"`,
			`1`, `document.querySelector("sl-radio[value='1']").checked && !document.querySelector("sl-radio[value='2']").checked`,
		},
		"radio buttons": {
			`<sl-radio-group id='c' data-ui='0'><sl-radio-button value='1'>one</sl-radio-button><sl-radio-button value='2'>two</sl-radio-button></sl-radio-group>`, `"1"`,
			`document.querySelector("sl-radio-button[value='1']").checked`,
			func(p *page) { p.ClickOn(`document.querySelector("sl-radio-button[value='2']")`) }, `"2"`,
			`"1"`, `document.querySelector("sl-radio-button[value='1']").checked`,
		},
		"color picker": {
			`<sl-color-picker inline id='c' data-ui='0'></sl-color-picker>`, `"#ff0000"`, `c.value === "#ff0000"`,
			func(p *page) {
				p.Run(within("[part=input]") + `.select()`)
				p.Press("#00ff00" + browser.Enter)
			}, `"#00ff00"`,
			`"#0000ff"`, `c.value === "#0000ff" && ` + within("[part=input]") + `.value.toLowerCase() === "#0000ff"`,
		},
	}, true)
}

// A number that the app has taken and cleared can be entered again: the field within draws itself
// later, and holds the number until then.
func TestShoelaceNumberAgain(t *testing.T) {
	t.Parallel()
	p := component(t, `<sl-input type='number' id='c' data-ui='0'></sl-input>`, `{"edit":true}`, `""`)
	for ref := range 2 {
		p.ClickOn(`c`)
		p.Press("5" + browser.Tabulator)
		p.expect(edited(1+ref, `5`))
		p.apply(2+2*ref, `["set",1,0,5]`)
		p.ack(1 + ref)
		p.settled()
		p.apply(3+2*ref, `["set",1,0,""]`)
		p.ready()
		is(p, `c.value + c.shadowRoot.querySelector("input").value`, "")
	}
}

func TestShoelaceKeypress(t *testing.T) {
	load.Long(t, "TestKeys presses keys in fields of HTML")
	t.Parallel()
	p := component(t, `<sl-input id='c' data-ui='0'></sl-input>`, `{"edit":true,"keypress":true}`, `""`)
	p.ClickOn(`c`)
	p.Press("ab")
	p.expect(edited(1, `"a"`))
	p.expect(edited(2, `"ab"`))
	p.ack(2)
}

// The options of a select come from a list, later than its value, and go.
func TestShoelaceOptions(t *testing.T) {
	load.Long(t, "TestSelectOptions has a select of HTML")
	t.Parallel()
	for _, multiple := range []bool{false, true} {
		t.Run(fmt.Sprintf("multiple=%t", multiple), func(t *testing.T) {
			attr, value, shows := "", `"b"`, `c.value === "b" && c.shadowRoot.querySelector("[part=display-input]").value === "Bob"`
			if multiple {
				attr, value, shows = "multiple", `["b"]`, `c.value.join() === "b" && c.selectedOptions[0].getTextLabel() === "Bob"`
			}
			d := def(1, "S", `<p><sl-select `+attr+` id='c' data-ui='0'><span data-ui='1'><i></i></span></sl-select></p>`,
				`[[0,"value","",{"edit":true}],[1,"list",""]]`)
			o := def(2, "O", `<sl-option data-ui='0'><span data-ui='1'></span></sl-option>`, `[[0,"attr","value"],[1,"value",""]]`)
			p := show(t, `[1,1,[`+value+`,[]]]`, d, o)
			p.ready()
			// The component for options is not loaded yet when the first ones come.
			p.apply(2, `["list",1,1,0,0,[[2,2,["a","Ann"]],[2,3,["b","Bob"]]]]`)
			p.ready()
			p.Wait(shows)
			// All go and come again: the value is the server's to change.
			p.apply(3, `["list",1,1,0,2,[]]`)
			p.ready()
			p.apply(4, `["list",1,1,0,0,[[2,4,["b","Bob"]]]]`)
			p.ready()
			p.Wait(shows)
			p.silent()
		})
	}
}

// The idiom of apps for checkboxes: an attribute, and an action at each change.
func TestShoelaceToggle(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[true]]`, def(1, "T", `<p><sl-checkbox id='c' data-ui='0'>c</sl-checkbox></p>`,
		`[[0,"attr","checked"],[0,"event","sl-change"]]`))
	p.ready()
	is(p, `c.checked`, true)
	for i, on := range []bool{false, true, false} {
		p.ClickOn(`c`)
		p.expect(fmt.Sprintf(`{"type":"events","ref":%d,"events":[[1,1]]}`, i+1))
		p.apply(2+i, fmt.Sprintf(`["set",1,0,%t]`, on))
		p.ack(i + 1)
		is(p, `c.checked`, on)
	}
	p.apply(5, `["set",1,0,true]`)
	p.ready()
	is(p, `c.checked && c.shadowRoot.querySelector("input").checked`, true)
	p.silent()
}

func TestShoelaceButton(t *testing.T) {
	load.Long(t, "TestShoelaceToggle clicks on a component")
	t.Parallel()
	p := show(t, `[1,1,[]]`, def(1, "B", `<p><sl-button id='a' value='7' data-ui='0'>a</sl-button><sl-button disabled id='b' data-ui='1'>b</sl-button></p>`,
		`[[0,"action","",{"arg":true}],[1,"action",""]]`))
	p.ready()
	p.ClickOn(`a`)
	p.expect(`{"type":"events","ref":1,"events":[[1,0,"7"]]}`)
	p.ack(1) // else the next press waits for it
	box := browser.Eval[[2]float64](p.Tab, `(({left, top}) => [left + 15, top + 15])(b.getBoundingClientRect())`)
	p.ClickXY(box[0], box[1])
	p.Run(`a.focus()`)
	p.Press(browser.Enter)
	p.expect(`{"type":"events","ref":2,"events":[[1,0,"7"]]}`)
}

// Enter in a field clicks the button that sends the form, where either is a component, too; and no
// button that cannot be used.
func TestShoelaceForm(t *testing.T) {
	t.Parallel()
	p, run := show(t, `null`), 1
	for name, tt := range map[string]struct {
		form string // its field has the id f
		want string
	}{
		"two components":       {`<sl-input id='f'></sl-input><sl-button type='submit' data-ui='0'>a</sl-button>`, "[1,0]"},
		"a component as field": {`<sl-input id='f'></sl-input><button data-ui='0'>a</button>`, "[1,0]"},
		"one as button":        {`<input id='f'><input><sl-button data-ui='1'>b</sl-button><sl-button type='submit' data-ui='0'>a</sl-button>`, "[1,0]"},
		"the first button":     {`<sl-input id='f'></sl-input><button data-ui='0'>a</button><sl-button type='submit' data-ui='1'>b</sl-button>`, "[1,0]"},
		"a disabled one":       {`<sl-input id='f'></sl-input><sl-button type='submit' disabled data-ui='0'>a</sl-button><sl-button data-ui='1'>b</sl-button>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			unused := ""
			if !strings.Contains(tt.form, "data-ui='1'") {
				unused = `<button data-ui='1'>b</button>`
			}
			run++
			p.again(run, run, `[1,1,[]]`, def(1, "F", `<div><form>`+tt.form+`</form>`+unused+`</div>`, `[[0,"action",""],[1,"action",""]]`))
			p.ready()
			p.ClickOn(`f`)
			p.Press("x" + browser.Enter)
			if tt.want != "" {
				p.expect(`{"type":"events","ref":1,"events":[` + tt.want + `]}`)
			}
			p.Press(browser.Enter, browser.Ctrl)
			p.silent()
		})
	}
}

func TestShoelaceDialog(t *testing.T) {
	load.Long(t, "TestShoelaceToggle binds a component")
	t.Parallel()
	p := show(t, `[1,1,[false,null,"inside"]]`, def(1, "D",
		`<div><sl-dialog id='d' label='Hello' data-ui='0'><p id='in' data-ui='1'></p></sl-dialog></div>`,
		`[[0,"attr","open"],[0,"event","sl-hide"],[1,"value",""]]`))
	p.ready()
	is(p, `document.getElementById("in").checkVisibility({ visibilityProperty: true })`, false)
	p.apply(2, `["set",1,0,true]`)
	p.Wait(`document.getElementById("in").checkVisibility({ visibilityProperty: true })`)
	p.ClickOn(`d.shadowRoot.querySelector("[part=close-button]")`)
	p.expect(`{"type":"events","ref":1,"events":[[1,1]]}`)
	p.apply(3, `["set",1,0,false]`)
	p.Wait(`!document.getElementById("in").checkVisibility({ visibilityProperty: true })`)
	p.apply(4, `["set",1,0,true]`)
	p.Wait(`document.getElementById("in").checkVisibility({ visibilityProperty: true })`)
}

// Only components in use are loaded, and from our own server.
func TestShoelaceOnDemand(t *testing.T) {
	t.Parallel()
	const names = `performance.getEntriesByType("resource").map((e) => e.name)`
	p := show(t, `[1,1,[""]]`, def(1, "A", `<div id='d' data-ui='0'></div>`, `[[0,"html",""]]`))
	is(p, names+`.filter((n) => n.includes("/shoelace/")).length`, 0)
	p.apply(2, `["set",1,0,"<sl-icon name='alarm'></sl-icon><sl-icon name='no-such-icon'></sl-icon><sl-icon name='../x'></sl-icon>"]`)
	p.ready()
	is(p, names+`.some((n) => n.endsWith("/components/sl-icon.js"))`, true)
	is(p, names+`.some((n) => n.endsWith("/components/sl-input.js"))`, false)
	p.Wait(`d.firstChild.shadowRoot.querySelector("use")`)
	is(p, `d.firstChild.shadowRoot.querySelector("use").getAttribute("href")`, "/shoelace/icons/a.svg#alarm")
	p.server.served("/shoelace/icons/a.svg")
	p.Run(`document.body.append(document.createElement("sl-badge"))`) // a script of the app
	p.ready()
	is(p, names+`.every((n) => new URL(n).origin === location.origin)`, true)
	is(p, `getComputedStyle(document.documentElement).getPropertyValue("--sl-color-neutral-0") !== ""`, true)

	p.Run(`document.body.append(document.createElement("sl-nonsense"))`)
	if got := p.errors(1); !strings.HasPrefix(got, "component sl-nonsense: TypeError") {
		t.Errorf("error = %q", got)
	}
	is(p, `getComputedStyle(document.querySelector("sl-nonsense")).visibility`, "visible")
}

func TestShoelaceThemes(t *testing.T) {
	load.Long(t, "TestShoelaceOnDemand loads the components")
	t.Parallel()
	s := serve(t)
	p := &page{Tab: browser.New(t).Tab(), server: s}
	p.Dark(true)
	p.Open(s.url + "/1/")
	p.conn = s.accept()
	p.send("%s", snapshot(1, `[1,1,[]]`, def(1, "A", `<sl-button id='b'>b</sl-button>`, `[]`)))
	p.at(1)
	p.ready()
	const color = `getComputedStyle(document.documentElement).getPropertyValue("--sl-color-neutral-0")`
	is(p, `document.documentElement.className`, "sl-theme-dark")
	dark := browser.Eval[string](p.Tab, color)
	p.Dark(false)
	p.Wait(`document.documentElement.className === "sl-theme-light"`)
	light := browser.Eval[string](p.Tab, color)
	p.Dark(true)
	p.Wait(`document.documentElement.className === "sl-theme-dark"`)
	if got := browser.Eval[string](p.Tab, color); got != dark || dark == light {
		t.Errorf("neutral-0 is %q in the dark, %q in the light, then %q in the dark", dark, light, got)
	}
}
