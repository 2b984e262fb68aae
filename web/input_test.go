package web_test

import (
	"fmt"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// form shows one template with the given HTML and bindings.
func form(t *testing.T, html, bind, values string) *page {
	t.Helper()
	return show(t, `[1,1,`+values+`]`, def(1, "Form", html, bind))
}

func (p *page) ack(ref int) {
	p.server.t.Helper()
	p.send(`{"type":"ack","ref":%d}`, ref)
}

func edited(ref int, value string) string {
	return fmt.Sprintf(`{"type":"events","ref":%d,"events":[[1,0,%s]]}`, ref, value)
}

// A boundControl is an element with a bound value, and what the person does with it.
type boundControl struct {
	html    string // the element has the id c
	value   string // at first
	reads   string // JavaScript, true at first
	act     func(p *page)
	sends   string
	set     string // then from the server
	becomes string // JavaScript, true after that
}

// tryControls shows one control after the other, and checks that each displays values and sends the
// person's edits. Components draw themselves some time after their value has come.
func tryControls(t *testing.T, tests map[string]boundControl, components bool) {
	outer := def(1, "Outer", `<div style='padding: 20px' data-ui='0'></div>`, `[[0,"view",""]]`)
	var p *page
	var seq, ref, id int
	for name, test := range tests {
		t.Log(name) // printed if it fails
		if p == nil || load.Full() {
			// Loading a page costs more than the rest; one is enough in make test.
			p = show(t, `[1,1,[null]]`, outer)
			seq, ref, id = 1, 0, 1
		}
		id++
		ref++
		apply := func(defs, op string) {
			seq++
			p.send(`{"type":"batch","seq":%d,"defs":[%s],"ops":[%s]}`, seq, defs, op)
			p.at(seq)
		}
		set := func(value string) { apply("", fmt.Sprintf(`["set",%d,0,%s]`, id, value)) }
		displays := func(expression string) {
			if components {
				p.ready()
				p.Wait(expression)
				p.ready()
			}
			is(p, expression, true)
		}
		apply(def(id, name, test.html, `[[0,"value","",{"edit":true}]]`), fmt.Sprintf(`["mount",1,0,[%d,%d,[%s]]]`, id, id, test.value))
		displays(test.reads)
		p.silent() // displaying a value is not an edit
		test.act(p)
		p.expect(fmt.Sprintf(`{"type":"events","ref":%d,"events":[[%d,0,%s]]}`, ref, id, test.sends))
		set(test.sends)
		p.ack(ref)
		p.settled()
		set(test.set)
		displays(test.becomes)
		p.silent()
		// The same once more: what the control held before is no reason not to send it.
		set(test.value)
		displays(test.reads)
		ref++
		test.act(p)
		p.expect(fmt.Sprintf(`{"type":"events","ref":%d,"events":[[%d,0,%s]]}`, ref, id, test.sends))
		set(test.sends)
		p.ack(ref)
		p.settled()
		if t.Failed() {
			return
		}
	}
}

// Each kind of control displays values and sends the person's edits.
func TestControls(t *testing.T) {
	t.Parallel()
	tryControls(t, map[string]boundControl{
		"text": {
			`<input id='c' data-ui='0'>`, `"ab"`, `c.value === "ab"`,
			func(p *page) { p.Type("#c", browser.End+"c"+browser.Tabulator) }, `"abc"`, `"x"`, `c.value === "x"`,
		},
		"nil": {
			`<input id='c' value='old' data-ui='0'>`, `null`, `c.value === ""`,
			func(p *page) { p.Type("#c", "1"+browser.Tabulator) }, `"1"`, `5`, `c.value === "5"`,
		},
		"textarea": {
			`<textarea id='c' data-ui='0'></textarea>`, `"a\nb"`, `c.value === "a\nb"`,
			func(p *page) { p.Type("#c", browser.End+browser.Enter+"c"+browser.Tabulator) }, `"a\nb\nc"`, `""`, `c.value === ""`,
		},
		"number": {
			`<input type='number' id='c' data-ui='0'>`, `3`, `c.value === "3"`,
			func(p *page) { p.Type("#c", browser.End+"5"+browser.Tabulator) }, `35`, `1.5`, `c.value === "1.5"`,
		},
		"number emptied": {
			`<input type='number' id='c' data-ui='0'>`, `3`, `c.value === "3"`,
			func(p *page) { p.Type("#c", browser.End+browser.Backspace+browser.Tabulator) }, `""`, `null`, `c.value === ""`,
		},
		"checkbox": {
			`<input type='checkbox' id='c' data-ui='0'>`, `true`, `c.checked`,
			func(p *page) { p.Click("#c") }, `false`, `"yes"`, `c.checked`,
		},
		"select": {
			`<select id='c' data-ui='0'><option value='a'>A</option><option value='b'>B</option></select>`, `"b"`, `c.value === "b"`,
			func(p *page) {
				p.Run(`c.focus(); c.value = "a"; for (const e of ["input", "change"]) c.dispatchEvent(new Event(e, { bubbles: true }))`)
			}, `"a"`, `"none"`, `c.selectedIndex === -1`,
		},
		"select multiple": {
			`<select multiple id='c' data-ui='0'><option>a</option><option>b</option><option>c</option></select>`, `["a","c"]`,
			`[...c.selectedOptions].map((o) => o.value).join() === "a,c"`,
			func(p *page) {
				p.Run(`c.options[1].selected = true; c.dispatchEvent(new Event("change", { bubbles: true }))`)
			}, `["a","b","c"]`, `[]`, `c.selectedOptions.length === 0`,
		},
		"range": {
			`<input type='range' min='0' max='10' id='c' data-ui='0'>`, `4`, `c.value === "4"`,
			func(p *page) { p.Run(`c.focus()`); p.Press(browser.ArrowRight) }, `5`, `9`, `c.value === "9"`,
		},
	}, false)
}

func TestRadio(t *testing.T) {
	t.Parallel()
	p := form(t, `<p><input type='radio' name='r' value='1' id='a' data-ui='0'><input type='radio' name='r' value='2' id='b' data-ui='1'></p>`,
		`[[0,"value","",{"edit":true}],[1,"value","",{"edit":true}]]`, `[1,1]`)
	is(p, `a.checked && !b.checked`, true)
	p.Click("#b")
	p.expect(`{"type":"events","ref":1,"events":[[1,1,"2"]]}`)
	p.apply(2, `["set",1,0,2]`, `["set",1,1,2]`)
	p.ack(1)
	p.settled()
	is(p, `!a.checked && b.checked`, true)

	// Refused: the server speaks of the edited button only, yet both are as before.
	p.Click("#a")
	p.expect(`{"type":"events","ref":2,"events":[[1,0,"1"]]}`)
	p.apply(3, `["set",1,0,2]`)
	p.ack(2)
	p.settled()
	is(p, `!a.checked && b.checked`, true)
}

// The choices of a select may come after its value, and from a list.
func TestSelectOptions(t *testing.T) {
	t.Parallel()
	d := def(1, "S", `<p><select id='c' data-ui='0'><option></option></select></p>`, `[[0,"value","",{"edit":true}],[0,"list",""]]`)
	o := def(2, "O", `<option data-ui='0'></option>`, `[[0,"attr","value"],[0,"value",""]]`)
	p := show(t, `[1,1,["b",[[2,2,["a","A"]],[2,3,["b","B"]]]]]`, d, o)
	is(p, `c.value + c.selectedOptions[0].text`, "bB")
	p.apply(2, `["set",1,0,"z"]`)
	is(p, `c.selectedIndex`, -1)
	p.apply(3, `["list",1,1,0,0,[[2,4,["z","Z"]]]]`)
	is(p, `c.value + c.selectedIndex`, "z0")
	p.apply(4, `["list",1,1,0,3,[3,2,4]]`)
	is(p, `c.value + c.selectedIndex`, "z2")
}

const keypress = `[[0,"value","",{"edit":true,"keypress":true}]]`

func TestHeldText(t *testing.T) {
	t.Parallel()
	p := form(t, `<input id='c' data-ui='0'>`, keypress, `[""]`)
	p.Type("#c", "a")
	p.expect(edited(1, `"a"`))
	p.Press("b")
	p.expect(edited(2, `"ab"`))
	// The answer to the first letter must not undo the second.
	p.apply(2, `["set",1,0,"A"]`)
	is(p, `c.value`, "ab")
	p.ack(1)
	p.Wait(`document.documentElement.dataset.uiPending === "1"`)
	is(p, `c.value`, "ab")
	p.apply(3, `["set",1,0,"AB"]`)
	is(p, `c.value`, "ab")
	p.ack(2)
	p.settled()
	is(p, `c.value`, "AB")
	is(p, `c.selectionStart`, 2)
}

// Unsent text stays, whatever the server sends meanwhile.
func TestUnsentText(t *testing.T) {
	t.Parallel()
	p := form(t, `<input id='c' data-ui='0'>`, `[[0,"value","",{"edit":true}]]`, `["old"]`)
	p.Run(`c.select()`)
	p.Press("mine")
	p.apply(2, `["set",1,0,"theirs"]`)
	is(p, `c.value`, "mine")
	p.silent()
	p.Press(browser.Tabulator)
	p.expect(edited(1, `"mine"`))
	p.apply(3, `["set",1,0,"mine"]`)
	p.ack(1)
	p.settled()
	is(p, `c.value`, "mine")
}

// An edit that returns to the original value ends, and the server's value appears.
func TestRevertedText(t *testing.T) {
	t.Parallel()
	p := form(t, `<input id='c' data-ui='0'>`, `[[0,"value","",{"edit":true}]]`, `["old"]`)
	p.Type("#c", browser.End+"x")
	p.apply(2, `["set",1,0,"new"]`)
	p.Press(browser.Backspace)
	is(p, `c.value`, "old")
	p.Press(browser.Tabulator)
	is(p, `c.value`, "new")
	p.silent()
}

// A focused field that the person has not changed follows the server.
func TestFocusedText(t *testing.T) {
	t.Parallel()
	p := form(t, `<input id='c' data-ui='0'>`, `[[0,"value","",{"edit":true}]]`, `["hello"]`)
	p.Click("#c")
	p.Run(`c.setSelectionRange(1, 3)`)
	p.apply(2, `["set",1,0,"help"]`)
	is(p, `c.value`, "help")
	is(p, `c.selectionStart + "-" + c.selectionEnd`, "1-3")
}

func TestRefusedEdit(t *testing.T) {
	t.Parallel()
	p := form(t, `<input id='c' data-ui='0'>`, `[[0,"value","",{"edit":true}]]`, `["ok"]`)
	p.Run(`c.select()`)
	p.Press("bad" + browser.Enter)
	p.expect(edited(1, `"bad"`))
	p.apply(2, `["set",1,0,"ok"]`)
	is(p, `c.value`, "bad")
	p.send(`{"type":"ack","ref":1,"error":"only ok is allowed"}`)
	p.settled()
	is(p, `c.value`, "ok")
	if got := p.errors(1); got != "server: only ok is allowed" {
		t.Errorf("error = %q", got)
	}
	p.Press(browser.Tabulator) // sends nothing more
	p.silent()
}

func TestActionAfterEdit(t *testing.T) {
	t.Parallel()
	p := form(t, `<form><input id='c' data-ui='0'><input id='d' data-ui='1'><a id='go' href='#away' data-ui='2'>go</a></form>`,
		`[[0,"value","",{"edit":true}],[1,"value","",{"edit":true}],[2,"action",""]]`, `["","",null]`)
	p.Type("#c", "text")
	p.Run(`d.value = "by a widget"; d.dispatchEvent(new Event("input", { bubbles: true }))`)
	p.Run(`go.addEventListener("mousedown", (event) => event.preventDefault())`) // no blur comes before this click
	p.Click("#go")
	p.expect(`{"type":"events","ref":1,"events":[[1,0,"text"],[1,1,"by a widget"],[1,2]]}`)
	is(p, `location.hash`, "")
	p.ack(1)
	p.settled()
	p.Press(browser.Tabulator)
	p.Run(`go.click()`)
	p.expect(`{"type":"events","ref":2,"events":[[1,2]]}`)
}

func TestArguments(t *testing.T) {
	t.Parallel()
	p := form(t, `<p><button value='seven' data-ui='0'>7</button><input id='c' value='typed' data-ui='1'><b data-ui='2'>b</b></p>`,
		`[[0,"action","",{"arg":true}],[1,"event","focus",{"arg":true}],[2,"action","",{"arg":true}]]`, `[]`)
	p.Click("button")
	p.expect(`{"type":"events","ref":1,"events":[[1,0,"seven"]]}`)
	p.Click("#c")
	p.expect(`{"type":"events","ref":2,"events":[[1,1,"typed"]]}`)
	p.Click("b")
	p.expect(`{"type":"events","ref":3,"events":[[1,2,null]]}`)
}

func TestKeys(t *testing.T) {
	t.Parallel()
	p := form(t, `<form><input id='c' data-ui='0'><textarea id='d' data-ui='1'></textarea></form>`,
		`[[0,"value","",{"edit":true}],[0,"key","enter"],[0,"key","ctrl-shift-k"],[0,"key","left"],[1,"key","enter",{"arg":true}],[1,"key","space"]]`, `["ab"]`)
	p.Type("#c", browser.End+"c"+browser.Enter)
	// The text goes first, and the form does not load another page.
	p.expect(`{"type":"events","ref":1,"events":[[1,0,"abc"]]}`)
	p.expect(`{"type":"events","ref":2,"events":[[1,1]]}`)
	p.Press("k", browser.Ctrl)
	p.Press("k", browser.Ctrl, browser.Shift)
	p.expect(`{"type":"events","ref":3,"events":[[1,2]]}`)
	p.Press(browser.ArrowLeft)
	p.expect(`{"type":"events","ref":4,"events":[[1,3]]}`)
	is(p, `c.selectionStart`, 2) // and the caret moves
	p.Type("#d", "x"+browser.Enter)
	p.expect(`{"type":"events","ref":5,"events":[[1,4,"enter"]]}`)
	p.Press(" ")
	p.expect(`{"type":"events","ref":6,"events":[[1,5]]}`)
	is(p, `d.value`, "x ")
	is(p, `performance.getEntriesByType("navigation").length + location.search`, "1")
}

func TestSubmit(t *testing.T) {
	t.Parallel()
	p := form(t, `<form data-ui='0'><input id='c' name='q'><button>send</button></form>`, `[[0,"event","submit"]]`, `[]`)
	p.Run(`window.same = true`)
	p.Type("#c", "x")
	p.Click("button")
	p.expect(`{"type":"events","ref":1,"events":[[1,0]]}`)
	is(p, `window.same && location.search === ""`, true)
}

// A form that would only load the page again stays. What leads elsewhere, and what closes a dialog,
// goes on.
func TestFormsLead(t *testing.T) {
	t.Parallel()
	p := form(t, `<form><button id='again'></button></form><form><button id='to' formaction='/x'></button></form><form action='/x'><button id='action'></button></form>`+
		`<dialog open><form method='dialog'><button id='close'></button></form></dialog><dialog open><form><button id='closes' formmethod='dialog'></button></form></dialog>`, `[]`, `[]`)
	p.Run(`window.kept = {}; addEventListener("submit", (event) => { kept[event.submitter.id] = event.defaultPrevented; if (event.submitter.getAttribute("formmethod") === null && event.target.getAttribute("method") === null) event.preventDefault(); })`)
	p.Run(`for (const id of ["again", "to", "action", "close", "closes"]) document.getElementById(id).click()`)
	is(p, `JSON.stringify(kept)`, `{"again":true,"to":false,"action":false,"close":false,"closes":false}`)
	is(p, `document.querySelectorAll("dialog[open]").length`, 0)
}

// Controls of a component library are elements with properties and events of their own.
func TestComponents(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.head = `<script>
		for (const tag of ["sl-checkbox", "sl-input", "sl-select", "sl-range", "x-dial"]) {
			customElements.define(tag, class extends HTMLElement {
				value = ""; checked = false;
				emit(type) { this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true })); }
			});
		}
	</script>`
	p := showOn(s, `[1,1,[true,"a","b",3,7,"text"]]`, def(1, "C",
		`<p><sl-checkbox data-ui='0'></sl-checkbox><sl-input data-ui='1'></sl-input><sl-select data-ui='2'></sl-select>`+
			`<sl-range data-ui='3'></sl-range><x-dial data-ui='4'></x-dial><sl-badge data-ui='5'></sl-badge></p>`,
		`[[0,"value","",{"edit":true}],[1,"value","",{"edit":true,"keypress":true}],[2,"value","",{"edit":true}],`+
			`[3,"value","",{"edit":true}],[4,"value","",{"edit":true}],[5,"value",""]]`))
	p.Run(`window.q = (s) => document.querySelector(s)`)
	is(p, `JSON.stringify([q("sl-checkbox").checked, q("sl-input").value, q("sl-select").value, q("sl-range").value, q("x-dial").value, q("sl-badge").textContent])`,
		`[true,"a","b",3,7,"text"]`)
	for i, step := range []struct{ act, sends string }{
		{`q("sl-checkbox").checked = false; q("sl-checkbox").emit("sl-change")`, `[1,0,false]`},
		{`q("sl-input").value = "ax"; q("sl-input").emit("sl-input")`, `[1,1,"ax"]`},
		{`q("sl-select").value = "c"; q("sl-select").emit("sl-change")`, `[1,2,"c"]`},
		{`q("sl-range").value = 4; q("sl-range").emit("sl-input"); q("sl-range").emit("sl-change")`, `[1,3,4]`},
		{`q("x-dial").dispatchEvent(new CustomEvent("ui-value-change", { bubbles: true, detail: { value: 8 } }))`, `[1,4,8]`},
	} {
		p.Run(step.act)
		p.expect(fmt.Sprintf(`{"type":"events","ref":%d,"events":[%s]}`, i+1, step.sends))
	}
}

// Text that an input method is composing is not sent.
func TestComposition(t *testing.T) {
	t.Parallel()
	p := form(t, `<input id='c' data-ui='0'>`, keypress, `[""]`)
	p.Click("#c")
	p.Run(`const type = (name, e) => c.dispatchEvent(new e(name, { bubbles: true }));
		type("compositionstart", CompositionEvent);
		c.value = "に"; type("input", InputEvent);
		c.value = "にほ"; type("input", InputEvent);`)
	p.apply(2, `["set",1,0,"server"]`)
	is(p, `c.value`, "にほ")
	p.silent()
	p.Run(`c.value = "日本"; c.dispatchEvent(new InputEvent("input", { bubbles: true }));
		c.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));`)
	p.expect(edited(1, `"日本"`))
}

func TestUpdateValue(t *testing.T) {
	t.Parallel()
	p := form(t, `<p><input type='hidden' id='c' data-ui='0'><span id='d' data-ui='1'></span><b id='e' data-ui='2'></b></p>`,
		`[[0,"value","",{"edit":true}],[1,"value","",{"edit":true}],[2,"value",""]]`, `["","",""]`)
	is(p, `uiApp.updateValue("c", 42)`, true)
	p.expect(`{"type":"events","ref":1,"events":[[1,0,42]]}`)
	p.Run(`d.textContent = "made by a script"`)
	is(p, `uiApp.updateValue("d")`, true)
	p.expect(`{"type":"events","ref":2,"events":[[1,1,"made by a script"]]}`)
	is(p, `uiApp.getStore().get("d")`, "made by a script")
	is(p, `uiStore === uiApp.getStore()`, true)
	is(p, `uiApp.updateValue("e", 1) || uiApp.updateValue("nobody", 1)`, false)
	p.silent()
	p.Run(`uiApp.navigateTo("#there")`)
	is(p, `location.hash`, "#there")
	is(p, `(() => { try { uiApp.navigateTo("http://example.org/"); return "gone" } catch (e) { return e.message } })()`,
		"navigateTo: http://example.org is another origin")
}

// A checkbox whose value is bound and whose action toggles it, too, ends as the person sees it.
func TestCheckboxThatToggles(t *testing.T) {
	t.Parallel()
	p := form(t, `<input type='checkbox' id='c' data-ui='0'>`, `[[0,"value","",{"edit":true}],[0,"action",""]]`, `[false]`)
	p.Click("#c")
	p.expect(`{"type":"events","ref":1,"events":[[1,1]]}`)
	p.expect(edited(2, "true"))
	p.apply(2, `["set",1,0,true]`)
	p.ack(1)
	p.apply(3, `["set",1,0,true]`)
	p.ack(2)
	p.settled()
	is(p, `c.checked`, true)
	p.silent()
}

// The same with an event that comes after the change of the value.
func TestSwitchThatToggles(t *testing.T) {
	t.Parallel()
	p := form(t, `<p><sl-switch id='c' data-ui='0'></sl-switch></p>`, `[[0,"value","",{"edit":true}],[0,"event","sl-change"]]`, `[false]`)
	p.ready()
	p.ClickOn(`c`)
	p.expect(edited(1, "true"))
	p.expect(`{"type":"events","ref":2,"events":[[1,1]]}`)
	p.expect(edited(3, "true"))
	p.silent()
}
