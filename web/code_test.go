package web_test

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

const outer = `<div><script>log('outer', typeof uiApp, document.querySelectorAll('p').length)</script><div data-ui='0'></div><script>log('end')</script></div>`

func logging(t *testing.T) *server {
	s := serve(t)
	s.head = `<script>window.entries = []; window.log = (...a) => entries.push(a.join(" "))</script>`
	return s
}

// Scripts run once, in document order, when all of the DOM is there.
func TestScripts(t *testing.T) {
	t.Parallel()
	p := showOn(logging(t), `[1,1,[[2,2,[[[3,3,[]],[3,4,[]]]]]]]`,
		def(1, "Outer", outer, `[[0,"view",""]]`),
		def(2, "Inner", `<script type='text/javascript' id='first'>log('inner', document.currentScript.id)</script><section data-ui='0'><p></p></section>`, `[[0,"list",""]]`),
		def(3, "Row", `<p>row</p><script>log('row'); var global = 1</script>`, `[]`))
	const first = "outer object 2,inner first,row,row,end"
	is(p, `entries.join()`, first)
	is(p, `window.global`, 1)
	p.apply(2, `["list",2,0,0,2,[4,[3,5,[]],3]]`)
	is(p, `entries.join()`, first+",row") // a row that moves runs nothing
	p.apply(3, `["mount",1,0,null]`, `["mount",1,0,[2,9,[[]]]]`)
	is(p, `entries.join()`, first+",row,inner first")
	is(p, `document.querySelectorAll("script").length`, 5) // the head's, the client, two of Outer, one of Inner
}

// A program that looks at the page learns whether JavaScript of a template has run, even if that
// has left no trace in the document.
func TestObservedScripts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		html, kind string
		ran        bool
	}{
		{`<p data-ui='0'></p>`, "value", false},
		{`<p data-ui='0'></p>`, "code", true},
		{`<p data-ui='0'></p><script>document.currentScript.remove()</script>`, "value", true},
	} {
		s := serve(t)
		s.head = `<script>window.uiObserved = true</script>`
		p := showOn(s, `[1,1,["1 + 1"]]`, def(1, "A", c.html, fmt.Sprintf(`[[0,%q,""]]`, c.kind)))
		is(p, `document.documentElement.hasAttribute("data-ui-ran")`, c.ran)
	}
}

func TestScriptThrows(t *testing.T) {
	t.Parallel()
	s := logging(t)
	p := showOn(s, `null`)
	p.ExpectException("bad script")
	p.send(`{"type":"batch","seq":2,"defs":[],"ops":[]}`)
	p.at(2)
	p.send("%s", snapshot(3, `[1,1,["after"]]`,
		def(1, "A", `<script>throw new Error('bad script')</script><p data-ui='0'></p><script>log('still')</script>`, `[[0,"value",""]]`)))
	p.at(3)
	is(p, `entries.join()`, "still")
	p.WaitText("p", "after")
	if got := p.errors(1); !strings.HasSuffix(got, "Error: bad script") {
		t.Errorf("error = %q", got)
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	p := showOn(logging(t), `[1,1,["log('code', element.id, value === variable.value, typeof store.update, document.querySelectorAll('p').length)"]]`,
		def(1, "A", `<div id='d' data-ui='0'></div><script>log('script')</script><p></p>`, `[[0,"code",""]]`))
	const first = "script,code d true function 1"
	is(p, `entries.join()`, first)
	p.apply(2, `["set",1,0,"log(1) // 1"]`)
	p.apply(3, `["set",1,0,"log(1) // 1"]`) // the same again: nothing
	p.apply(4, `["set",1,0,"log(1) // 2"]`)
	is(p, `entries.join()`, first+",1,1")
	p.apply(5, `["set",1,0,"no javascript"]`)
	if got := p.errors(1); !strings.HasPrefix(got, "A, slot 0: SyntaxError") {
		t.Errorf("error = %q", got)
	}
}

// An error of one binding is reported and does not affect the others.
func TestBindingFails(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["x","fine",[[2,2,["row"]],[9,3,[]],[2,4,["other"]]],{"no":"scalar"},5]]`,
		def(1, "A", `<div><i data-ui='0'></i><b data-ui='1'></b><ul data-ui='2'><li></li></ul><u data-ui='3'></u></div>`,
			`[[0,"attr","a b"],[1,"value",""],[2,"list",""],[3,"value",""],[7,"value",""],[0,"dance",""]]`),
		def(2, "R", `<li data-ui='0'></li>`, `[[0,"value",""]]`))
	p.WaitText("b", "fine")
	is(p, `[...document.querySelectorAll("li")].map((e) => e.textContent).join()`, "row,other")
	is(p, `uiErrors.map((e) => e.where).join("; ")`, "A, slot 4; A, slot 5; A, slot 0; mount; A, slot 3")

	p.apply(2, `["set",1,0,"y"]`, `["set",1,1,"still fine"]`)
	p.WaitText("b", "still fine")
	p.errors(6)
	// The row that could not be made has its place.
	p.apply(3, `["list",1,2,1,1,[[2,5,["new"]]]]`)
	is(p, `[...document.querySelectorAll("li")].map((e) => e.textContent).join()`, "row,new,other")
	p.silent()
	// A template that is not there may be in the next snapshot.
	p.send("%s", batch(4, `["list",1,2,3,0,[[9,6,[]]]]`))
	p.expect(`{"type":"resync"}`)
}

func TestErrorsAreBounded(t *testing.T) {
	load.Long(t, "TestErrorsAreFew bounds what one error causes")
	t.Parallel()
	p := show(t, `[1,1,["x"]]`, def(1, "A", `<i data-ui='0'></i>`, `[[0,"attr","a b"]]`))
	for i := range 120 {
		p.send("%s", batch(2+i, fmt.Sprintf(`["set",1,0,"%d"]`, i)))
	}
	p.at(121)
	is(p, `uiErrors.length`, 100)
}

func TestScrollOnOutput(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[[[2,11,[]],[2,12,[]]]]]`,
		def(1, "A", `<div id='box' style='height: 50px; overflow: auto' data-ui='0'><p></p></div>`, `[[0,"list","",{"scrollOnOutput":true}]]`),
		def(2, "R", `<p style='height: 40px; margin: 0'>row</p>`, `[]`))
	p.Wait(`box.scrollTop === 30`) // from the first content on
	p.apply(2, `["list",1,0,0,2,[[2,2,[]],[2,3,[]],[2,4,[]]]]`)
	p.Wait(`box.scrollTop === 70`)
	// Not while the person reads above.
	browser.Eval[any](p.Tab, `new Promise((done) => { box.addEventListener("scroll", () => done(), { once: true }); box.scrollTop = 0 })`)
	p.apply(3, `["list",1,0,3,0,[[2,5,[]]]]`)
	is(p, `box.scrollTop`, 0)
	browser.Eval[any](p.Tab, `new Promise((done) => { box.addEventListener("scroll", () => done(), { once: true }); box.scrollTop = 1000 })`)
	p.apply(4, `["list",1,0,4,0,[[2,6,[]]]]`)
	p.Wait(`box.scrollTop === 150`)
	// Nor while they point at something in it, or have the focus there.
	settled := `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(box.scrollTop))))`
	in := p.Middle(`box`)
	p.MoveTo(in)
	p.MoveTo(browser.Point{X: in.X + 1, Y: in.Y})
	p.apply(5, `["list",1,0,5,0,[[2,7,[]]]]`)
	is(p, settled, 150)
	p.MoveTo(browser.Point{X: in.X, Y: 500})
	p.Wait(`box.scrollTop === 190`)
	p.Run(`box.lastElementChild.tabIndex = 0; box.lastElementChild.focus()`)
	p.apply(6, `["list",1,0,6,0,[[2,8,[]]]]`)
	is(p, settled, 190)
	p.Run(`box.lastElementChild.previousElementSibling.blur()`)
	p.Wait(`box.scrollTop === 230`)
}

// A click belongs to the button that was pressed, also if rows have come above it since, and not to
// the one that has taken its place. Who moves the pointer away clicks nothing.
func TestClicksWherePressed(t *testing.T) {
	t.Parallel()
	row := func(id int) string { return fmt.Sprintf(`[2,%d,[]]`, id) }
	p := show(t, fmt.Sprintf(`[1,1,[[%s,%s]]]`, row(10), row(20)),
		def(1, "A", `<ul data-ui='0' style='margin: 0; padding: 0'><li></li></ul>`, `[[0,"list",""]]`),
		def(2, "R", `<li style='height: 40px'><label><button data-ui='0' style='height: 36px'><b>Remove</b></button></label></li>`, `[[0,"action",""]]`))
	p.Run(`window.around = 0; document.querySelector("ul").addEventListener("click", () => around++)`)
	first := p.Middle(`document.querySelector("b")`)
	release := p.PressAt(first)
	p.apply(2, fmt.Sprintf(`["list",1,0,0,0,[%s]]`, row(30)))
	release(first)
	p.expect(`{"type":"events","ref":1,"events":[[10,0]]}`)
	is(p, `around`, 1)
	// The row itself moves.
	release = p.PressAt(first)
	p.apply(3, `["list",1,0,0,3,[10,20,30]]`)
	release(first)
	p.expect(`{"type":"events","ref":2,"events":[[30,0]]}`)
	release = p.PressAt(first)
	p.apply(4, fmt.Sprintf(`["list",1,0,0,0,[%s]]`, row(40)))
	release(browser.Point{X: first.X, Y: first.Y + 80})
	release = p.PressAt(first) // where nothing moves, the browser decides
	release(first)
	p.expect(`{"type":"events","ref":3,"events":[[40,0]]}`)
	p.ack(3) // else the next click waits for it
	// A finger.
	_, lift := p.Touch(first)
	p.apply(5, fmt.Sprintf(`["list",1,0,0,0,[%s]]`, row(50)))
	lift()
	p.expect(`{"type":"events","ref":4,"events":[[40,0]]}`)
}

// A list without rows has no end to show, also one in the middle of a page.
func TestScrollOnOutputStaysWithoutContent(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[[]]]`,
		def(1, "A", `<main style='padding: 2000px 0'><div id='box' style='min-height: 50px' data-ui='0'><p></p></div></main>`, `[[0,"list","",{"scrollOnOutput":true}]]`),
		def(2, "R", `<p>row</p>`, `[]`))
	browser.Eval[any](p.Tab, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`)
	is(p, `scrollY`, 0)
	p.apply(2, `["list",1,0,0,0,[[2,2,[]]]]`)
	p.Wait(`scrollY > 1000`)
}
