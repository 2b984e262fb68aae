package web_test

import (
	"fmt"
	"testing"
)

// An element gets the focus when its value changes to one that is true, unless the person types.
func TestFocus(t *testing.T) {
	t.Parallel()
	form := def(1, "A", `<form><input id='a' data-ui='0'><input id='b' data-ui='1'></form>`, `[[0,"focus",""],[1,"value","",{"edit":true}]]`)
	p := show(t, `[1,1,[false,""]]`, form)
	const focused = `document.activeElement.id`
	is(p, focused, "")
	seq := 1
	set := func(value string) {
		t.Helper()
		seq++
		p.apply(seq, fmt.Sprintf(`["set",1,0,%s]`, value))
	}
	set("true")
	p.Wait(focused + ` === "a"`)
	p.Run(`document.activeElement.blur()`)

	// A snapshot changes nothing.
	seq++
	p.send("%s", snapshot(seq, `[1,1,[true,""]]`, form))
	p.at(seq)
	set("false")
	set("null")
	p.Run(`requestAnimationFrame(() => (window.later = true))`)
	p.Wait(`window.later`)
	is(p, focused, "")

	set("1")
	p.Wait(focused + ` === "a"`)
	p.Type("#b", "wor")
	set("2")
	p.Press("d")
	is(p, `b.value`, "word")
	is(p, focused, "b")
	p.Press("\t") // which commits the edit
	set("3")
	p.Wait(focused + ` === "a"`)
}

// An element is scrolled into view when its value changes to one that is true.
func TestScrollIntoView(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[false]]`, def(1, "A", `<div><div style='height: 3000px'></div><p data-ui='0'>x</p></div>`, `[[0,"scroll",""]]`))
	is(p, `scrollY`, 0)
	p.apply(2, `["set",1,0,true]`)
	is(p, `scrollY > 1000`, true)
	p.Run(`scrollTo(0, 0)`)
	p.apply(3, `["set",1,0,true]`)
	is(p, `scrollY`, 0)
	p.apply(4, `["set",1,0,"again"]`)
	is(p, `scrollY > 1000`, true)
}

// The size of an element is reported at first, when it changes, on each connection, and to each
// object that the element shows.
func TestMeasure(t *testing.T) {
	t.Parallel()
	sized := def(1, "A", `<div><div id='m' style='width: 300.4px; height: 20px; padding: 5px' data-ui='0'></div><input id='b' data-ui='1'></div>`,
		`[[0,"measure","width"],[0,"measure","height"],[1,"value","",{"edit":true}]]`)
	p := show(t, `[1,1,[null,null,""],7]`, sized)
	report := func(ref, slot, size int) {
		t.Helper()
		p.expect(fmt.Sprintf(`{"type":"events","ref":%d,"events":[[1,%d,%d]]}`, ref, slot, size))
		p.ack(ref)
	}
	report(1, 0, 300)
	report(2, 1, 20)

	// An edit that the person has not finished is not sent along.
	p.Type("#b", "wor")
	p.Run(`m.style.width = "200px"`)
	report(3, 0, 200)
	p.Run(`b.value = ""`)

	p.kill()
	p.conn = p.server.accept()
	p.send("%s", snapshot(5, `[1,1,[null,null,""],7]`, sized))
	report(1, 0, 200)
	report(2, 1, 20)
	p.apply(6, `["object",1,8]`)
	report(3, 0, 200)
	report(4, 1, 20)
	p.Run(`m.style.display = "none"`)
	report(5, 0, 0)
	report(6, 1, 0)
	p.settled()
	p.silent()
}

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

// Safari does not say when it is idle, and displays apps as other browsers do.
func TestWithoutIdleTime(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.head = `<script>window.requestIdleCallback = undefined</script><script type="ui-later" src="data:text/javascript,document.title='later'"></script>`
	p := showOn(s, `[1,1,["Inbox"]]`, def(1, "Mail.DEFAULT", `<main><h1 data-ui='0'></h1></main>`, `[[0,"value",""]]`))
	p.WaitText("h1", "Inbox")
	p.Wait(`document.title === "later"`)
	is(p, `uiErrors.length`, 0)
}
