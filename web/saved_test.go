package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// What a person has done in a view goes on when its definition is saved, since the nodes stay: the
// focus and what they type, also in components, what they have opened, scrolled, chosen and drawn.
func TestSaveKeepsNodes(t *testing.T) {
	load.Long(t, "TestReloadKeepsState keeps what is typed")
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	const (
		field   = `<input ui-value="name">`
		fold    = `<details><summary>more</summary>text</details>`
		tall    = `<div style="height: 40px; overflow: auto"><p style="height: 200px">tall</p></div>`
		tabs    = `<sl-tab-group><sl-tab slot="nav" panel="a">a</sl-tab><sl-tab slot="nav" panel="b">b</sl-tab><sl-tab-panel name="a">A</sl-tab-panel><sl-tab-panel name="b">B</sl-tab-panel></sl-tab-group>`
		tree    = `<sl-tree><sl-tree-item>a<sl-tree-item>b</sl-tree-item></sl-tree-item></sl-tree>`
		parts   = `<sl-split-panel><div slot="start">` + field + `</div><div slot="end">b</div></sl-split-panel>`
		slides  = `<sl-carousel navigation><sl-carousel-item>a</sl-carousel-item><sl-carousel-item>b</sl-carousel-item></sl-carousel>`
		menu    = `<sl-dropdown><sl-button slot="trigger">m</sl-button><sl-menu><sl-menu-item>x</sl-menu-item></sl-menu></sl-dropdown>`
		numbers = `<input type="number" ui-value="n?keypress">`
	)
	type step = func(v *versions)
	run := func(statements string) step { return func(v *versions) { v.Run(statements) } }
	keys := func(focus, keys string) step {
		return func(v *versions) {
			v.Run(focus)
			v.Press(keys)
		}
	}
	typing := keys(`document.querySelector("main input, main sl-input, main sl-textarea, main textarea").focus()`, "the quick ")
	on := func(v *versions) { v.Press("brown fox") }
	typed := `(document.querySelector("main input, main sl-input, main sl-textarea, main textarea")).value === "the quick brown fox"`
	show := func(tag string) step {
		return func(v *versions) {
			v.Run(fmt.Sprintf(`window.shown = false; q(%q).addEventListener("sl-after-show", () => window.shown = true); q(%[1]q).show()`, tag))
			v.Wait(`shown`)
		}
	}
	in := func(before, after string) string { return before + field + after }
	v := showVersion(t, `<p></p>`, `[]`)
	v.Run(`window.q = (selector) => document.querySelector("main " + selector)`)
	for title, test := range map[string]struct {
		html, values string
		before       step
		next         string // "" for the same with another heading
		after        step
		want         string
	}{
		"field":                {html: field, before: typing, after: on, want: typed},
		"field of a component": {html: `<sl-input label="Name" ui-value="name"></sl-input>`, before: typing, after: on, want: typed},
		"text of a component":  {html: `<sl-textarea ui-value="name"></sl-textarea>`, before: typing, after: on, want: typed},
		"component, unbound":   {html: `<sl-input label="Name"></sl-input>`, before: typing, after: on, want: typed},
		"in sl-card":           {html: in(`<sl-card>`, `</sl-card>`), before: typing, after: on, want: typed},
		"in sl-details":        {html: in(`<sl-details open>`, `</sl-details>`), before: typing, after: on, want: typed},
		"in sl-dialog":         {html: in(`<sl-dialog open>`, `</sl-dialog>`), before: typing, after: on, want: typed},
		"in sl-alert":          {html: in(`<sl-alert open>`, `</sl-alert>`), before: typing, after: on, want: typed},
		"in sl-split-panel":    {html: parts, before: typing, after: on, want: typed},
		"keypress is added":    {html: field, before: typing, next: `<input ui-value="name?keypress">`, after: on, want: typed},
		"attributes change":    {html: `<input class="a" ui-value="name">`, before: typing, next: `<input class="b" placeholder="new" ui-value="name">`, after: on, want: typed + ` && q(".b").placeholder === "new"`},
		"wrapped":              {html: field, before: typing, next: `<div><label>Name ` + field + `</label></div>`, after: on, want: typed + ` && q("div label input") !== null`},
		"unwrapped":            {html: `<fieldset><label>Name ` + field + `</label></fieldset>`, before: typing, next: `<p>` + field + `</p>`, after: on, want: typed},
		"wrapped in sl-card":   {html: field + `<sl-card></sl-card>`, before: typing, next: `<sl-card>` + field + `</sl-card>`, after: on, want: typed},
		"name by a script":     {html: `<input id="f">`, before: func(v *versions) { v.Run(`q("input").name = "x"; q("input").className = "y"`); typing(v) }, after: on, want: typed + ` && q("input.y").name === "x"`},
		"type by a script":     {html: `<input>`, before: func(v *versions) { v.Run(`q("input").type = "search"`); typing(v) }, after: on, want: typed},
		"part of a number":     {html: numbers, values: `[1]`, before: keys(`q("input").select()`, "1."), after: func(v *versions) { v.Press("5") }, want: `q("input").value === "1.5"`},
		"sign of a number":     {html: numbers, values: `[null]`, before: keys(`q("input").focus()`, "-"), after: func(v *versions) { v.Press("3") }, want: `q("input").value === "-3"`},
		"part of a date":       {html: `<input type="date" ui-value="d">`, before: keys(`q("input").focus()`, "0102"), after: func(v *versions) { v.Press("2026") }, want: `q("input").value === "2026-01-02"`},
		"selection":            {html: `<input value="some text">`, before: run(`q("input").focus(); q("input").setSelectionRange(2, 5, "backward")`), after: func(v *versions) { v.Press("x") }, want: `q("input").value === "soxtext"`},
		"undo":                 {html: field, before: keys(`q("input").focus()`, "abc"), after: func(v *versions) { v.Press("z", browser.Ctrl) }, want: `q("input").value === ""`},
		"rating":               {html: `<sl-rating></sl-rating>`, before: run(`q("sl-rating").value = 4`), want: `q("sl-rating").value === 4`},
		"canvas":               {html: `<canvas width="10" height="10"></canvas>`, before: run(`q("canvas").getContext("2d").fillRect(0, 0, 9, 9)`), want: `q("canvas").getContext("2d").getImageData(5, 5, 1, 1).data[3] === 255`},
		"contenteditable":      {html: `<div contenteditable>text</div>`, before: keys(`q("[contenteditable]").focus()`, "some "), after: func(v *versions) { v.Press("more ") }, want: `q("[contenteditable]").textContent === "some more text"`},
		"file":                 {html: `<input type="file">`, before: func(v *versions) { v.Choose("main input", file) }, want: `q("input").files[0]?.name === "a.txt"`},
		"second of two folds":  {html: fold + fold, before: run(`document.querySelectorAll("main details")[1].open = true`), want: `[...document.querySelectorAll("main details")].map((d) => d.open).join() === "false,true"`},
		"one before a fold":    {html: `<h2>b</h2>` + fold, before: run(`q("details").open = true`), next: `<h2>a</h2>` + fold + `<h2>b</h2>` + fold, want: `[...document.querySelectorAll("main details")].map((d) => d.open).join() === "false,true"`},
		"box":                  {html: tall + tall, before: run(`document.querySelectorAll("main div")[1].scrollTop = 30`), want: `document.querySelectorAll("main div")[1].scrollTop === 30`},
		"box with other text":  {html: tall, before: run(`q("div").scrollTop = 30`), next: strings.Replace(tall, "tall", "very tall", 1), want: `q("div").scrollTop === 30 && q("div p").textContent === "very tall"`},
		"link":                 {html: `<a href="#x">x</a><a href="#y">y</a>`, before: run(`document.querySelectorAll("main a")[1].focus()`), want: `document.activeElement.textContent === "y"`},
		"sl-details":           {html: `<sl-details summary="a">A</sl-details><sl-details summary="a">A</sl-details>`, before: run(`document.querySelectorAll("main sl-details")[1].open = true`), want: `[...document.querySelectorAll("main sl-details")].map((d) => d.open).join() === "false,true"`},
		"dialog":               {html: in(`<dialog>`, `</dialog>`), before: func(v *versions) { v.Run(`q("dialog").showModal()`); typing(v) }, after: on, want: typed + ` && q("dialog").matches(":modal")`},
		"popover":              {html: in(`<div popover>`, `</div>`), before: func(v *versions) { v.Run(`q("div").showPopover()`); typing(v) }, after: on, want: typed + ` && q("div").matches(":popover-open")`},
		"sl-dialog":            {html: in(`<sl-dialog>`, `</sl-dialog>`), before: func(v *versions) { show("sl-dialog")(v); typing(v) }, after: on, want: typed + ` && q("sl-dialog").open`},
		"sl-drawer":            {html: in(`<sl-drawer>`, `</sl-drawer>`), before: func(v *versions) { show("sl-drawer")(v); typing(v) }, after: on, want: typed + ` && q("sl-drawer").open`},
		"sl-dropdown":          {html: menu, before: run(`q("sl-dropdown").show()`), want: `q("sl-dropdown").open`},
		"tab":                  {html: tabs, before: run(`q("sl-tab-group").show("b")`), want: `q("[name=b]").active`},
		"tree":                 {html: tree, before: run(`q("sl-tree-item").expanded = true`), want: `q("sl-tree-item").expanded`},
		"split":                {html: parts, before: run(`q("sl-split-panel").position = 30`), want: `q("sl-split-panel").position === 30`},
		"slide": {html: slides, before: func(v *versions) {
			v.Run(`q("sl-carousel").goToSlide(1, "instant")`)
			v.Wait(`q("sl-carousel").activeSlide === 1`)
		}, want: `q("sl-carousel").activeSlide === 1`},
		"what scripts have put in": {html: `<ul><li>a</li></ul>`, before: run(`q("ul").append(Object.assign(document.createElement("li"), { id: "own", textContent: "x" }))`), next: `<ul><li>b</li><li>a</li></ul>`, want: `q("ul").innerText.split("\n").join() === "b,a,x"`},
		"choice":                   {html: `<select><option>a</option><option>b</option></select>`, before: run(`q("select").value = "b"`), next: `<select><option>z</option><option>a</option><option>b</option></select>`, want: `q("select").value === "b"`},
		"more and fewer fields":    {html: `<p><label>A <input></label><label>B <input></label></p>`, before: keys(`document.querySelectorAll("main input")[1].focus()`, "the quick "), next: `<p><label>B <input></label><label>C <input></label></p>`, after: on, want: typed},
	} {
		t.Run(title, func(t *testing.T) {
			values := test.values
			if values == "" {
				values = `[]`
			}
			v.again("<section><h1>A</h1>"+test.html+"</section>", values)
			v.ready()
			test.before(v)
			v.ready()
			next := test.next
			if next == "" {
				next = test.html
			}
			v.save("<section><h1>B</h1>"+next+"</section>", values)
			v.ready()
			if test.after != nil {
				test.after(v)
			}
			v.ready()
			if !browser.Eval[bool](v.Tab, fmt.Sprintf(`Promise.resolve(%s)`, test.want)) {
				t.Errorf("not kept: %s\n%s", test.want, browser.Eval[string](v.Tab, `q("section").outerHTML + " focus: " + document.activeElement.outerHTML.slice(0, 100)`))
			}
			is(v.page, `q("h1").textContent`, "B")
			v.wantUnsaved()
		})
	}
}

// The page forgets a definition when nothing shows it any more.
func TestSavedDefinitionsAreForgotten(t *testing.T) {
	load.Long(t, "a leak would show in the soak")
	t.Parallel()
	html := func(n int) string {
		return fmt.Sprintf(`<section><h1>%d</h1>%s</section>`, n, strings.Repeat(fmt.Sprintf(`<p class="c%d">text <b>%d</b></p>`, n, n), 100))
	}
	v := showVersion(t, html(0), `[]`)
	count := func(from int) int {
		for n := range 30 {
			v.save(html(from+n), `[]`)
		}
		v.CollectGarbage()
		return v.CountNodes()
	}
	before := count(1)
	if after := count(31); after > before+500 {
		t.Errorf("%d nodes after 30 versions, %d after 60", before, after)
	}
}
