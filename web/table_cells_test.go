package web_test

import "ui-mcp/internal/testkit/browser"

// A holder is a kind of element that holds what a person has made of it.
type holder struct {
	name string
	// html is the element, with $ for its id and binding, and % for a number of its own.
	html  string
	value string // what the field of a bound one holds at first, in Lua; "" is the empty text
	text  string // what is typed into it, if it holds text
	keys  string // else the keys that change it
	js    string // else the script that does, of the element e
	then  string // keys that go on with what was begun, and
	want  string // what the control holds then
	state bool   // it holds no text or choice, but how it is displayed
	solo  bool   // it holds that only while it has the focus
}

const (
	tableOptions   = `<option>a</option><option>b</option><option>c</option>`
	tableSlOptions = `<sl-option value="a">Ann</sl-option><sl-option value="b">Bob</sl-option><sl-option value="c">Cid</sl-option>`
)

// holders are all controls, native ones and those of the component library, and whatever else holds
// what a person has done.
var holders = []*holder{
	{name: "input", html: `<input $>`, text: "ab"},
	{name: "input search", html: `<input type="search" $>`, text: "ab"},
	{name: "input tel", html: `<input type="tel" $>`, text: "12"},
	{name: "input url", html: `<input type="url" $>`, text: "ab"},
	{name: "input email", html: `<input type="email" $>`, text: "ab"},
	{name: "input password", html: `<input type="password" $>`, text: "ab"},
	{name: "input number", html: `<input type="number" $>`, text: "12"},
	{name: "input number begun", html: `<input type="number" $>`, keys: "-", then: "3", want: "-3"},
	{name: "input range", html: `<input type="range" $>`, value: "10", keys: browser.ArrowRight},
	{name: "input date", html: `<input type="date" $>`, keys: "02032026"},
	{name: "input date begun", html: `<input type="date" $>`, keys: "02", then: "032026", want: "2026-02-03"},
	{name: "input month begun", html: `<input type="month" $>`, keys: "f" + browser.ArrowRight, then: "2026", want: "2026-02"},
	{name: "input week begun", html: `<input type="week" $>`, keys: "07", then: "2026", want: "2026-W07"},
	{name: "input time begun", html: `<input type="time" $>`, keys: "11", then: "30a", want: "11:30"},
	{name: "input datetime-local begun", html: `<input type="datetime-local" $>`, keys: "02", then: "032026" + browser.ArrowRight + "1130a", want: "2026-02-03T11:30"},
	{name: "input color", html: `<input type="color" $>`, value: `"#000000"`},
	{name: "input checkbox", html: `<input type="checkbox" $>`, value: "false", keys: " "},
	{name: "input radio", html: `<input type="radio" name="r%" value="x" $>`, keys: " "},
	{name: "input file", html: `<input type="file" $>`},
	{name: "textarea", html: `<textarea rows="2" $></textarea>`, text: "ab"},
	{name: "textarea that scrolls", html: `<textarea rows="2" $></textarea>`, text: "a\n\n\n\n\nb"},
	{name: "select", html: `<select $>` + tableOptions + `</select>`, value: `"a"`, keys: "c"},
	{name: "select multiple", html: `<select multiple $>` + tableOptions + `</select>`, value: "{}", keys: browser.ArrowDown},
	{name: "contenteditable", html: `<p contenteditable $></p>`, text: "ab"},
	{name: "button", html: `<button $>Press</button>`, state: true},
	{name: "link", html: `<a href="#there" $>Link</a>`, state: true},
	{name: "details", html: `<details $><summary>More</summary>Text</details>`, keys: " ", state: true},
	{name: "dialog", html: `<dialog $><input></dialog>`, js: `e.showModal()`, state: true, solo: true},
	{name: "popover", html: `<div popover="manual" $>Text</div>`, js: `e.showPopover()`, state: true},
	{name: "canvas", html: `<canvas width="4" height="4" $></canvas>`, js: `e.getContext("2d").fillRect(0, 0, 2, 2)`, state: true},
	{name: "box that scrolls", html: `<div tabindex="0" style="height: 30px; overflow: auto" $><div style="height: 300px"></div></div>`, js: `e.scrollTop = 20`, state: true},

	{name: "sl-input", html: `<sl-input $></sl-input>`, text: "ab"},
	{name: "sl-input password", html: `<sl-input type="password" $></sl-input>`, text: "ab"},
	{name: "sl-input number", html: `<sl-input type="number" $></sl-input>`, text: "12"},
	{name: "sl-input date begun", html: `<sl-input type="date" $></sl-input>`, keys: "02", then: "032026", want: "2026-02-03"},
	{name: "sl-textarea", html: `<sl-textarea $></sl-textarea>`, text: "ab"},
	{name: "sl-checkbox", html: `<sl-checkbox $>Box</sl-checkbox>`, value: "false", keys: " "},
	{name: "sl-switch", html: `<sl-switch $>Switch</sl-switch>`, value: "false", keys: " "},
	{name: "sl-select", html: `<sl-select $>` + tableSlOptions + `</sl-select>`, keys: browser.ArrowDown + browser.ArrowDown + browser.Enter},
	{name: "sl-select multiple", html: `<sl-select multiple $>` + tableSlOptions + `</sl-select>`, value: "{}", keys: browser.ArrowDown + browser.ArrowDown + browser.Enter + browser.Escape},
	{name: "sl-radio-group", html: `<sl-radio-group $><sl-radio value="a">Ann</sl-radio><sl-radio value="b">Bob</sl-radio></sl-radio-group>`, keys: " "},
	{name: "sl-range", html: `<sl-range $></sl-range>`, value: "10", keys: browser.ArrowRight},
	{name: "sl-rating", html: `<sl-rating $></sl-rating>`, value: "1", keys: browser.ArrowRight},
	{name: "sl-color-picker", html: `<sl-color-picker inline $></sl-color-picker>`, value: `"#336699"`, keys: browser.ArrowRight},
	{name: "sl-button", html: `<sl-button $>Press</sl-button>`, state: true},
	{name: "sl-icon-button", html: `<sl-icon-button name="x" $></sl-icon-button>`, state: true},
	{name: "sl-details", html: `<sl-details summary="More" $>Text</sl-details>`, keys: " ", state: true},
	{name: "sl-dialog", html: `<sl-dialog label="D" $><input></sl-dialog>`, js: `e.show()`, state: true, solo: true},
	{name: "sl-drawer", html: `<sl-drawer label="D" $><input></sl-drawer>`, js: `e.show()`, state: true, solo: true},
	{name: "sl-dropdown", html: `<sl-dropdown $><sl-button slot="trigger">Menu</sl-button><sl-menu><sl-menu-item>One</sl-menu-item></sl-menu></sl-dropdown>`, js: `e.show()`, state: true, solo: true},
	{name: "sl-tab-group", html: `<sl-tab-group $><sl-tab slot="nav" panel="a">A</sl-tab><sl-tab slot="nav" panel="b">B</sl-tab><sl-tab-panel name="a">1</sl-tab-panel><sl-tab-panel name="b">2</sl-tab-panel></sl-tab-group>`, js: `e.show("b")`, state: true},
	{name: "sl-tree", html: `<sl-tree $><sl-tree-item>A<sl-tree-item>B</sl-tree-item></sl-tree-item></sl-tree>`, js: `e.querySelector("sl-tree-item").expanded = true`, state: true},
	{name: "sl-split-panel", html: `<sl-split-panel $><div slot="start">A</div><div slot="end">B</div></sl-split-panel>`, js: `e.position = 20`, state: true},
	{name: "sl-carousel", html: `<sl-carousel $><sl-carousel-item>A</sl-carousel-item><sl-carousel-item>B</sl-carousel-item></sl-carousel>`, js: `e.goToSlide(1, "instant")`, state: true},
}
