package web_test

import "testing"

// Tab reaches what scrolls and holds nothing that can have the focus, and each has a name. In
// Safari, nothing else would give it the focus.
func TestReach(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[]]`, def(1, "A", `<main data-ui='0'><h2>Prices</h2>
		<div id='wide' style='width: 9em; overflow: auto'><p style='width: 30em'>x</p></div>
		<table id='table' style='display: block; width: 9em; overflow-x: auto'><caption>Costs</caption><tr><td style='min-width: 30em'>1</td></tr></table>
		<pre id='code' style='width: 9em; overflow: auto' aria-label='Program'>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</pre>
		<ul id='list' style='height: 2em; overflow-y: auto'><li>1<li>2<li>3<li>4<li>5</ul>
		<div id='buttons' style='width: 9em; overflow: auto'><button style='width: 30em'>b</button></div>
		<div id='cut' style='width: 9em; overflow: hidden'><p style='width: 30em'>x</p></div>
		<div id='fits' style='overflow: auto'>x</div>
		<div id='own' tabindex='-1' style='width: 9em; overflow: auto'><p style='width: 30em'>x</p></div></main>`, `[[0,"class","c"]]`))
	attributes := `[...document.querySelectorAll("main main > :not(h2)")].map((e) => [e.id, e.getAttribute("tabindex"), e.getAttribute("role"), e.getAttribute("aria-label")].join(" ").trim()).join("; ")`
	is(p, attributes, "wide; table; code   Program; list; buttons; cut; fits; own -1")
	p.Press("\t")
	is(p, attributes, "wide 0 region Prices; table 0  Costs; code 0 region Program; list 0  Prices (2); buttons; cut; fits; own -1")
	is(p, `document.activeElement.id`, "wide")
	p.Press("\t")
	is(p, `document.activeElement.id`, "table")
	// What scrolls no more is as it was.
	p.Run(`for (const e of document.querySelectorAll("main main > :not(h2)")) e.style.width = e.style.height = "auto", e.querySelectorAll("*").forEach((c) => (c.style.cssText = ""))`)
	p.Press("\t")
	is(p, attributes, "wide; table; code   Program; list; buttons; cut; fits; own -1")
}
