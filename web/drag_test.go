package web_test

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
)

// dragPage shows what can be dragged, between room for scrolling, and what takes it. The global
// variable dragged lists the events of drags.
func dragPage(t *testing.T) *page {
	t.Helper()
	p := show(t, `[1,1,[]]`, def(1, "A", `<div>
		<ul id='list' style='height: 200px; overflow: auto; width: 300px'>
			<li id='a' draggable='true' data-ui='0' style='height: 100px'><button id='b' data-ui='1'>tap</button><input id='field' value='words'><b style='display: block; margin-top: 30px'>a</b></li>
			<li style='height: 600px'>room</li>
			<li id='last' style='height: 60px'>last</li>
		</ul>
		<p id='to' data-ui='2' style='height: 100px'>to</p>
		<p id='other' style='height: 100px'>other</p>
		<p style='height: 3000px'>room</p>
	</div>`, `[[0,"event","dragstart"],[1,"action",""],[2,"event","drop"],[0,"event","dragend"]]`))
	p.Run(`window.dragged = [];
		for (const type of ["dragstart", "dragenter", "dragleave", "drop", "dragend", "contextmenu", "click"]) {
			document.addEventListener(type, (e) => dragged.push(type + " " + e.target.id));
		}
		// After its own long press, Chromium would not scroll anyway, but other browsers may.
		document.addEventListener("touchmove", (e) => e.defaultPrevented || dragged.push("scrolls"), { passive: true })`)
	return p
}

// happened fails the test unless the events of drags since the last call are those.
func (p *page) happened(want ...string) {
	p.server.t.Helper()
	if got := browser.Eval[[]string](p.Tab, `dragged.splice(0)`); strings.Join(got, ", ") != strings.Join(want, ", ") {
		p.server.t.Errorf("the events are %q, want %q", got, want)
	}
}

// lifts puts a finger on what can be dragged and waits until it drags.
func (p *page) lifts() (move func(to browser.Point), lift func()) {
	p.server.t.Helper()
	move, lift = p.Touch(p.Middle(`document.querySelector("#a b")`))
	p.Wait(pictures + ` === 1`)
	return move, lift
}

// quickly has a finger act before its press counts as a long one, however slow the machine is.
func (p *page) quickly(act func()) {
	p.server.t.Helper()
	p.Run(`window.usual = setTimeout; window.setTimeout = (f, ms) => usual(f, 1000 * ms)`)
	act()
	p.Run(`window.setTimeout = usual`)
}

const pictures = `document.querySelectorAll("[popover]").length`

func drag(ref, slot int) string {
	return fmt.Sprintf(`{"type":"events","ref":%d,"events":[[1,%d]]}`, ref, slot)
}

// A finger that rests on what can be dragged drags it, with the events of the mouse.
func TestFingerDrags(t *testing.T) {
	t.Parallel()
	p := dragPage(t)
	to := p.Middle(`document.querySelector("#to")`)
	move, lift := p.lifts()
	p.expect(drag(1, 0))
	move(to)
	p.Wait(`dragged.includes("dragenter to")`)
	is(p, `Math.abs(document.querySelector("[popover]").getBoundingClientRect().top + 50 - `+fmt.Sprint(to.Y)+`) < 50`, true)
	is(p, `[list.scrollTop, scrollY].join()`, "0,0")
	p.silent()
	lift()
	p.expect(drag(2, 2))
	p.expect(drag(3, 3))
	is(p, pictures, 0)
	p.Run(`dragged = dragged.filter((e) => /start|enter to|drop|end|click|menu|scrolls/.test(e))`)
	p.happened("dragstart a", "dragenter to", "drop to", "dragend a")

	// What takes nothing gets no drop, and a finger that has not moved clicks nothing.
	move, lift = p.lifts()
	p.expect(drag(4, 0))
	move(p.Middle(`document.querySelector("#other")`))
	p.Wait(`dragged.includes("dragenter other")`)
	lift()
	p.expect(drag(5, 3))
	_, lift = p.lifts()
	p.expect(drag(6, 0))
	lift()
	p.expect(drag(7, 3))
	p.Run(`dragged = dragged.filter((e) => /drop|click|contextmenu/.test(e))`)
	p.happened()
}

// A short swipe scrolls, a tap clicks, and a press in a field is the field's.
func TestFingerScrollsAndTaps(t *testing.T) {
	t.Parallel()
	p := dragPage(t)
	var lift func()
	p.quickly(func() {
		_, lift = p.Touch(p.Middle(`document.querySelector("#b")`))
		lift()
	})
	p.expect(drag(1, 1))
	p.happened("click b")
	p.Run(`const component = document.createElement("span");
		component.id = "component";
		component.attachShadow({ mode: "open" }).innerHTML = "<input value='more'>";
		field.after(component)`)
	for _, field := range []string{"field", "component"} {
		_, lift = p.Touch(p.Middle(`document.querySelector("#` + field + `")`))
		p.Run(`window.later = false; setTimeout(() => (window.later = true), 600)`)
		p.Wait(`later`)
		lift()
	}
	at := p.Middle(`document.querySelector("#a b")`)
	p.quickly(func() { p.Swipe(at, browser.Point{X: at.X, Y: at.Y - 100}) })
	p.Wait(`list.scrollTop > 50`)
	is(p, `dragged.some((e) => e.startsWith("drag"))`, false)
	p.silent()
}

// A drag that is cancelled drops nothing, and the next one works.
func TestFingerCancels(t *testing.T) {
	t.Parallel()
	p := dragPage(t)
	to := p.Middle(`document.querySelector("#to")`)
	ref := 1
	for name, cancel := range map[string]func(){
		"system": p.CancelTouch,
		"Escape": func() { p.Press(browser.Escape) },
		"second": func() { p.Touch(to, browser.Point{X: to.X + 50, Y: to.Y}) },
	} {
		move, lift := p.lifts()
		p.expect(drag(ref, 0))
		move(to)
		p.Wait(`dragged.includes("dragenter to")`)
		cancel()
		p.expect(drag(ref+1, 3))
		if name != "system" {
			lift()
		}
		is(p, pictures, 0)
		p.Run(`dragged = dragged.filter((e) => !/ a?$/.test(e))`)
		p.happened("dragenter to", "dragleave to")
		ref += 2
	}
	p.silent()
	p.Run(`document.addEventListener("dragstart", (e) => e.preventDefault(), { once: true })`)
	_, lift := p.Touch(p.Middle(`document.querySelector("#a b")`))
	p.expect(drag(ref, 0))
	lift()
	is(p, pictures, 0)
	is(p, `dragged.includes("dragend a")`, false)
	p.lifts()
	p.expect(drag(ref+1, 0))
}

// At the edges of what scrolls, a drag scrolls it.
func TestFingerScrollsAtEdges(t *testing.T) {
	t.Parallel()
	p := dragPage(t)
	move, lift := p.lifts()
	p.expect(drag(1, 0))
	edge := browser.Eval[browser.Point](p.Tab, `(({ left, bottom }) => ({ X: left + 50, Y: bottom - 10 }))(list.getBoundingClientRect())`)
	move(edge)
	p.Wait(`list.scrollTop === list.scrollHeight - list.clientHeight && dragged.includes("dragenter last")`)
	is(p, `scrollY`, 0)
	move(browser.Point{X: edge.X, Y: browser.Eval[float64](p.Tab, `innerHeight`) - 5})
	p.Wait(`scrollY > 100`)
	lift()
	p.expect(drag(2, 3))
}

// What is dragged may be removed meanwhile: the drag still ends.
func TestFingerDragsWhatGoes(t *testing.T) {
	t.Parallel()
	p := dragPage(t)
	move, lift := p.lifts()
	p.expect(drag(1, 0))
	p.Run(`a.remove()`)
	move(p.Middle(`document.querySelector("#to")`))
	lift()
	p.expect(drag(2, 2))
	is(p, pictures, 0)
}

// While a finger drags, the browser begins no drag of its own, as some do after a long press.
func TestFingerDragsOnce(t *testing.T) {
	t.Parallel()
	p := dragPage(t)
	from, to := p.Middle(`document.querySelector("#a b")`), p.Middle(`document.querySelector("#to")`)
	_, lift := p.lifts()
	p.expect(drag(1, 0))
	p.Run(`window.down = 0; addEventListener("mousedown", () => down++)`)
	p.Drag(from, to)
	p.Wait(`down === 1`)
	lift()
	p.expect(drag(2, 3))
	p.Run(`dragged = dragged.filter((e) => /dragstart/.test(e))`)
	p.happened("dragstart a")
}

// What is dragged goes along with the drop, also if its view is saved meanwhile.
func TestDragOverASave(t *testing.T) {
	t.Parallel()
	view := func(id int, more string) string {
		return def(id, "A", `<div>`+more+`<p id='a' draggable='true' data-ui='0' style='height: 100px'><b>a</b></p><p id='to' data-ui='1' style='height: 100px'>to</p></div>`,
			`[[0,"event","dragstart"],[1,"event","drop",{"arg":true}]]`)
	}
	p := show(t, `[1,1,[],20]`, view(1, ""))
	move, lift := p.lifts()
	p.expect(drag(1, 0))
	p.send("%s", snapshot(2, `[2,7,[],20]`, view(2, "<h1>More</h1>")))
	p.at(2)
	move(p.Middle(`document.querySelector("#to")`))
	lift()
	p.expect(`{"type":"events","ref":2,"events":[[7,1,7]]}`)
}
