package web_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// A view definition changes while the person works in the view. The person's state moves to the new
// version.
func TestReloadKeepsState(t *testing.T) {
	t.Parallel()
	const bind = `[[0,"value",""],[1,"value","",{"edit":true}],[2,"value","",{"edit":true}],[3,"list",""]]`
	html := func(title string) string {
		return `<section><style>.box { height: 40px; overflow: auto; scroll-behavior: smooth }</style>` + title + `<b data-ui='0'></b>` +
			`<p><input class='first' data-ui='1'><textarea class='second' data-ui='2'></textarea></p>` +
			`<input name='search'><input type='checkbox' name='all'>` +
			`<details><summary>more</summary><p id='more'>text</p></details>` +
			`<div class='box'><p style='height: 200px'>tall</p></div>` +
			`<ul data-ui='3'><li></li></ul></section>`
	}
	row1 := def(2, "Row.list-item", `<li><input class='note' data-ui='0'></li>`, `[[0,"value","",{"edit":true}]]`)
	row2 := def(4, "Row.list-item", `<li>new <input class='note' data-ui='0'></li>`, `[[0,"value","",{"edit":true}]]`)
	p := show(t, `[1,1,["a","one","two",[[2,2,["x"],22],[2,3,["y"],23]]],21]`, def(1, "A.DEFAULT", html(""), bind), row1)

	p.Run(`const q = (s) => document.querySelector(s);
		q("[name=search]").value = "looking for"; q("[name=all]").checked = true; q("details").open = true;
		q(".box").scrollTo({ top: 30, behavior: "instant" })`)
	p.Type("li:nth-child(2) .note", browser.End+"!") // typed, left, and on its way
	p.Press(browser.Tabulator)
	p.expect(`{"type":"events","ref":1,"events":[[3,0,"y!"]]}`)
	p.Type(".second", browser.End+" and more")
	p.Run(`document.activeElement.setSelectionRange(1, 5, "backward"); window.old = document.activeElement`)

	// The new version has one more element, and other instances.
	p.send(`{"type":"batch","seq":2,"defs":[%s,%s],"ops":[]}`, def(3, "A.DEFAULT", html("<h2>New</h2>"), bind), row2)
	p.at(2)
	p.send("%s", snapshot(3, `[3,11,["a","one","two",[[4,12,["x"],22],[4,13,["y"],23]]],21]`, def(3, "A.DEFAULT", html("<h2>New</h2>"), bind), row2))
	p.at(3)
	is(p, `document.querySelectorAll("h2").length`, 1)
	is(p, `document.activeElement === old && document.activeElement.className`, "second")
	is(p, `document.activeElement.value`, "two and more")
	is(p, `[document.activeElement.selectionStart, document.activeElement.selectionEnd, document.activeElement.selectionDirection].join()`, "1,5,backward")
	is(p, `document.querySelector("[name=search]").value`, "looking for")
	is(p, `document.querySelector("[name=all]").checked`, true)
	is(p, `document.querySelector("details").open`, true)
	is(p, `document.querySelector(".box").scrollTop`, 30)
	// The old row will not be acknowledged, so the new one sends the text again.
	p.expect(`{"type":"events","ref":2,"events":[[13,0,"y!"]]}`)
	is(p, `document.querySelector("li:nth-child(2) .note").value`, "y!")
	p.silent()
	p.Press(browser.Tabulator)
	p.expect(`{"type":"events","ref":3,"events":[[11,2,"two and more"]]}`)
}

// Batches replace the rows of a list and the instance of a view.
func TestReloadByBatches(t *testing.T) {
	t.Parallel()
	row := func(id int, text string) string {
		return def(id, "Row.list-item", `<li>`+text+`<input class='note' data-ui='0'></li>`, `[[0,"value","",{"edit":true}]]`)
	}
	p := show(t, `[1,1,[[[2,2,["x"],22],[2,3,["y"],23]],[3,4,["z"],24]]]`,
		def(1, "A.DEFAULT", `<section><ul data-ui='0'><li></li></ul><div data-ui='1'></div></section>`, `[[0,"list",""],[1,"view",""]]`),
		row(2, ""), strings.ReplaceAll(row(3, ""), "Row.list-item", "Detail.DEFAULT"))
	p.Type("ul li:nth-child(2) .note", browser.End+"!")
	p.send(`{"type":"batch","seq":2,"defs":[%s],"ops":[["list",1,0,0,2,[[4,5,["x"],22],[4,6,["y"],23]]]]}`, row(4, "new"))
	p.at(2)
	is(p, `document.activeElement === document.querySelector("ul li:nth-child(2) .note")`, true)
	is(p, `document.activeElement.value + document.activeElement.selectionStart`, "y!2")

	p.Type("section > li .note", browser.End+"?")
	p.expect(`{"type":"events","ref":1,"events":[[6,0,"y!"]]}`)
	p.send(`{"type":"batch","seq":3,"defs":[%s],"ops":[["mount",1,1,[5,7,["z"],24]]]}`, strings.ReplaceAll(row(5, "new"), "Row.list-item", "Detail.DEFAULT"))
	p.at(3)
	is(p, `document.activeElement.value`, "z?")
	p.silent()
	p.Press(browser.Tabulator)
	p.expect(`{"type":"events","ref":2,"events":[[7,0,"z?"]]}`)
}

func TestReloadOfComponents(t *testing.T) {
	load.Long(t, "TestShoelaceToggle has a component")
	t.Parallel()
	html := func(text string) string { return `<p>` + text + `<sl-input id='c' data-ui='0'></sl-input></p>` }
	const bind = `[[0,"value","",{"edit":true}]]`
	outer := def(1, "O", `<div data-ui='0'></div>`, `[[0,"view",""]]`)
	p := show(t, `[1,1,[[2,2,["a"],22]]]`, outer, def(2, "A.DEFAULT", html(""), bind))
	p.ready()
	p.ClickOn(`c`)
	p.Press(browser.End + "bc" + browser.ArrowLeft)
	p.send(`{"type":"batch","seq":2,"defs":[%s],"ops":[["mount",1,0,[3,3,["a"],22]]]}`, def(3, "A.DEFAULT", html("new"), bind))
	p.at(2)
	p.Wait(`document.activeElement === c && c.shadowRoot.activeElement?.selectionStart === 2`)
	p.Press("!")
	is(p, `c.value`, "ab!c")
	p.silent()
	p.Press(browser.Tabulator)
	p.expect(`{"type":"events","ref":1,"events":[[3,0,"ab!c"]]}`)
}
