package web_test

import (
	"fmt"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// A binding can set any style property, custom properties included.
func TestStyleProperties(t *testing.T) {
	t.Parallel()
	d := def(1, "A", `<p id='p' style='width: 5px' data-ui='0'>x</p>`,
		`[[0,"style","background-color"],[0,"style","--own"],[0,"style","width"],[0,"style","opacity"]]`)
	p := show(t, `[1,1,["rgb(1, 2, 3)","12px","20px",0.5]]`, d)
	is(p, `getComputedStyle(document.querySelector("#p")).backgroundColor`, "rgb(1, 2, 3)")
	is(p, `getComputedStyle(document.querySelector("#p")).getPropertyValue("--own")`, "12px")
	is(p, `document.querySelector("#p").offsetWidth + " " + getComputedStyle(document.querySelector("#p")).opacity`, "20 0.5")
	p.apply(2, `["set",1,0,null]`, `["set",1,1,null]`, `["set",1,2,null]`, `["set",1,3,0]`)
	is(p, `document.querySelector("#p").style.cssText`, "opacity: 0;")
}

// ?replace replaces the element and keeps its id.
func TestReplacedHTML(t *testing.T) {
	t.Parallel()
	d := def(1, "A", `<section><em id='x' data-ui='0'></em><i>after</i></section>`, `[[0,"html","",{"replace":true}]]`)
	p := show(t, `[1,1,["<b>1</b> and <u>2</u>"]]`, d)
	for i, step := range []struct{ html, want string }{
		{`<p class='c'>one</p>`, `<p class="c" id="x">one</p><i>after</i>`},
		{``, `<span hidden="" id="x"></span><i>after</i>`},
		{`text only`, `<span id="x">text only</span><i>after</i>`},
		{`<tr><td>cell</td></tr>`, `<tr id="x"><td>cell</td></tr><i>after</i>`},
		{`<b>1</b><b>2</b>`, `<b id="x">1</b><b>2</b><i>after</i>`},
	} {
		p.apply(2+i, fmt.Sprintf(`["set",1,0,%q]`, step.html))
		is(p, `document.querySelector("section").innerHTML`, step.want)
	}
}

// Keys are matched with exactly their modifiers, in any order of names.
func TestKeyNames(t *testing.T) {
	t.Parallel()
	names := []string{"escape", "left", "right", "up", "down", "tab", "space", "a", "shift-ctrl-x", "alt-meta-enter", "?"}
	bind := "["
	for i, n := range names {
		if i > 0 {
			bind += ","
		}
		bind += fmt.Sprintf(`[0,"key",%q]`, n)
	}
	p := show(t, `[1,1,[]]`, def(1, "A", `<div id='d' tabindex='0' data-ui='0'>d</div>`, bind+"]"))
	p.Run(`d.focus()`)
	ref := 0
	sends := func(slot int, keys string, held ...browser.Modifier) {
		t.Helper()
		p.Press(keys, held...)
		ref++
		p.expect(fmt.Sprintf(`{"type":"events","ref":%d,"events":[[1,%d]]}`, ref, slot))
	}
	sends(0, browser.Escape)
	sends(1, browser.ArrowLeft)
	sends(2, browser.ArrowRight)
	sends(3, browser.ArrowUp)
	sends(4, browser.ArrowDown)
	sends(6, " ")
	sends(7, "a")
	sends(8, "x", browser.Shift, browser.Ctrl)
	sends(9, browser.Enter, browser.Alt, browser.Meta)
	for _, held := range []browser.Modifier{browser.Ctrl, browser.Alt, browser.Meta, browser.Shift} {
		p.Press("a", held)
	}
	p.Press("x", browser.Ctrl)
	p.Press(browser.Enter, browser.Alt)
	sends(10, "?", browser.Shift) // as on many keyboards
	sends(5, browser.Tabulator)
	p.silent()
}

// Typing continues, with caret and selection, while everything around it changes.
func TestTypingWhileUpdatesArrive(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["title","",[`+row(2, "a")+`,`+row(3, "b")+`]]]`,
		def(1, "A", `<div data-ui='3'><h1 data-ui='0'></h1><input id='c' data-ui='1'><ul data-ui='2'><li></li></ul></div>`,
			`[[0,"value",""],[1,"value","",{"edit":true}],[2,"list",""],[3,"class","busy"],[1,"attr","title"],[1,"class","hot"]]`), contact)
	p.Click("#c")
	const text = "typed while things change"
	for i, r := range text {
		p.Press(string(r))
		p.apply(2+i, fmt.Sprintf(`["set",1,0,"title %d"]`, i), `["set",1,1,"from the server"]`,
			fmt.Sprintf(`["set",1,3,%t]`, i%2 == 0), fmt.Sprintf(`["set",1,4,"t%d"]`, i), fmt.Sprintf(`["set",1,5,%t]`, i%2 == 1),
			fmt.Sprintf(`["list",1,2,0,2,[%d,%d]]`, 2+i%2, 3-i%2))
		if i == 10 {
			p.Press(browser.Home)
			p.Press(browser.ArrowRight, browser.Shift)
			p.Press(browser.ArrowRight, browser.Shift)
			p.apply(3+i, `["set",1,0,"selection"]`)
			is(p, `c.selectionStart + "-" + c.selectionEnd`, "0-2")
			p.Press(browser.End)
			p.Run(`c.setSelectionRange(c.value.length, c.value.length)`)
			break
		}
	}
	is(p, `c.value`, text[:11])
	is(p, `document.activeElement.id`, "c")
	p.silent() // nothing is sent before it is committed
	p.Press(browser.Enter)
	p.expect(fmt.Sprintf(`{"type":"events","ref":1,"events":[[1,1,%q]]}`, text[:11]))
}

// State that only the DOM has moves with its row.
func TestRowsKeepTheirState(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[[[2,2,["a"]],[2,3,["b"]],[2,4,["c"]]]]]`,
		def(1, "L", `<ul data-ui='0'><li></li></ul>`, `[[0,"list",""]]`),
		def(2, "R", `<li><b data-ui='0'></b><details><summary>more</summary>text</details><div class='box' style='height: 20px; overflow: auto'><p style='height: 200px'>long</p></div><input type='checkbox'><textarea></textarea></li>`, `[[0,"value",""]]`))
	p.Run(`const b = document.querySelectorAll("li")[1];
		b.querySelector("details").open = true;
		b.querySelector(".box").scrollTop = 60;
		b.querySelector("input").checked = true;
		b.querySelector("textarea").value = "note";
		b.marked = "by a script"`)
	for i, order := range []string{"[4,3,2]", "[3,2,4]", `[2,[2,9,["new"]],4,3]`} {
		n := 3
		p.apply(2+i, fmt.Sprintf(`["list",1,0,0,%d,%s]`, n, order))
		is(p, `(() => {
			const b = [...document.querySelectorAll("li")].find((li) => li.querySelector("b").textContent === "b");
			return [b.querySelector("details").open, b.querySelector(".box").scrollTop, b.querySelector("input").checked, b.querySelector("textarea").value, b.marked].join();
		})()`, "true,60,true,note,by a script")
	}
}

// A thousand switches of views leak nothing.
func TestThousandSwitches(t *testing.T) {
	load.Long(t, "TestShoelaceToggle switches one")
	t.Parallel()
	s := serve(t)
	s.head = `<script>
		window.listening = new Map();
		const add = EventTarget.prototype.addEventListener, remove = EventTarget.prototype.removeEventListener;
		const count = (type, n) => listening.set(type, (listening.get(type) ?? 0) + n);
		EventTarget.prototype.addEventListener = function (type, ...a) {
			count(type, 1);
			if (a[1]?.signal) add.call(a[1].signal, "abort", () => count(type, -1));
			return add.call(this, type, ...a);
		};
		EventTarget.prototype.removeEventListener = function (type, ...a) { count(type, -1); return remove.call(this, type, ...a); };
		window.observers = 0;
		for (const O of [MutationObserver, ResizeObserver]) {
			const observe = O.prototype.observe, disconnect = O.prototype.disconnect;
			O.prototype.observe = function (...a) { observers += this.on ? 0 : 1; this.on = true; return observe.apply(this, a); };
			O.prototype.disconnect = function () { observers -= this.on ? 1 : 0; this.on = false; return disconnect.call(this); };
		}
	</script>`
	p := showOn(s, `[1,1,[null]]`,
		def(1, "Outer", `<div><main data-ui='0'></main></div>`, `[[0,"view",""],[0,"action",""],[0,"class","x"]]`),
		def(2, "One", `<form data-ui='0'><input data-ui='1'><select data-ui='2'><option>a</option></select><button data-ui='3'>go</button><ul data-ui='4'><li></li></ul><p data-ui='5'></p></form>`,
			`[[0,"event","submit"],[1,"value","",{"edit":true}],[1,"key","enter"],[2,"value","",{"edit":true}],[3,"action",""],[4,"list","",{"scrollOnOutput":true}],[5,"html","",{"replace":true}]]`),
		def(3, "Row", `<li data-ui='0'><input data-ui='1'></li>`, `[[0,"action",""],[1,"value","",{"edit":true}]]`),
		def(4, "Two", `<section><i data-ui='0'></i><ul data-ui='1'></ul></section>`, `[[0,"event","click"],[1,"list",""]]`))
	const state = `JSON.stringify([...listening].filter(([, n]) => n !== 0).sort()) + observers + "/" + uiApp.stats().instances + "/" + document.querySelectorAll("*").length`
	id := 10
	mount := func() string {
		id += 10
		return fmt.Sprintf(`["mount",1,0,[2,%d,[null,"text",null,"a",null,[[3,%d,[null,"x"]],[3,%d,[null,"y"]]],"<b>h</b>"]]]`, id, id+1, id+2)
	}
	other := func() string {
		id += 10
		return fmt.Sprintf(`["mount",1,0,[4,%d,[null,[[3,%d,[null,"x"]]]]]]`, id, id+1)
	}
	p.apply(2, mount(), other(), mount())
	before := browser.Eval[string](p.Tab, state)
	seq := 3
	for range load.Count(50, 500) {
		p.send("%s", batch(seq, other()))
		p.send("%s", batch(seq+1, mount()))
		seq += 2
	}
	p.at(seq - 1)
	is(p, state, before)
}
