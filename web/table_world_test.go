package web_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

// A tableWorld is a world whose app has many controls. They are in the view of one object, the
// board, which is a row of a list.
type tableWorld struct {
	*world
	cells   []*cell
	data    string // of the board when the app starts, as JSON
	version int
	label   int // the version that the app was given last

	exchanged     bool                         // every two controls are in each other's place
	outer         int                          // the version of the view around the board
	tries, counts map[aspect]int               // all, and those that failed
	fails         map[aspect]map[string]string // by the control
	needed        map[*rule]bool               // rules without which there were more
}

// A cell is a control in one of its variations. Its view has the text "c", its number and ":"
// before it, by which the test finds it: what the view definition says of it may be the same as of
// others.
type cell struct {
	*holder
	n     int
	bound bool
	id    bool
	card  bool

	class, keypress bool // it is written otherwise
	mistyped        bool // its binding names nothing
	inside          string

	fresh string // its content before anybody edited it
}

func (c *cell) String() string {
	text := c.name
	if c.bound {
		text += " bound"
	}
	if c.id {
		text += " id"
	}
	if c.card {
		text += " card"
	}
	return text
}

// view writes the cell. One without an id has a twin before it, of the same description.
func (c *cell) view() string {
	control := func(suffix string) string {
		var attrs []string
		path := suffix
		if c.mistyped {
			path += "x"
		}
		if c.id {
			attrs = append(attrs, fmt.Sprintf(`id="i%d"`, c.n))
		}
		switch {
		case c.bound && (c.state || c.name == "contenteditable"):
			attrs = append(attrs, `ui-attr-title="title"`)
		case c.bound && c.keypress:
			attrs = append(attrs, fmt.Sprintf(`ui-value="f%d%s?keypress"`, c.n, path))
		case c.bound:
			attrs = append(attrs, fmt.Sprintf(`ui-value="f%d%s"`, c.n, path))
		}
		if c.class {
			attrs = append(attrs, `class="new"`)
		}
		html := strings.ReplaceAll(strings.ReplaceAll(c.html, "$", strings.Join(attrs, " ")), "></p>", ">"+c.inside+"</p>")
		return strings.ReplaceAll(html, "%", fmt.Sprint(c.n, suffix))
	}
	inner := fmt.Sprintf("c%d: <x-stays></x-stays>", c.n)
	if !c.id {
		inner += control("t")
	}
	inner += control("")
	if c.card {
		return "<sl-card>" + inner + "</sl-card>"
	}
	return "<div>" + inner + "</div>"
}

// token is what is typed into it.
func (c *cell) token() string { return c.text + fmt.Sprint(10+c.n) }

// cellsOf returns the cells of all controls, each in one of its eight variations.
func cellsOf(variation int) (cells []*cell) {
	for n, h := range holders {
		bits := (n*3 + variation) % 8
		cells = append(cells, &cell{holder: h, n: n, bound: bits&1 != 0, id: bits&2 != 0, card: bits&4 != 0})
	}
	return cells
}

func newTableWorld(t *testing.T, cells []*cell) *tableWorld {
	w := &tableWorld{world: newWorld(t, "held"), cells: cells, data: "{}", tries: map[aspect]int{}, counts: map[aspect]int{}, fails: map[aspect]map[string]string{}, needed: map[*rule]bool{}}
	w.app()
	w.write("viewdefs/Row.list-item.html", `<template><li><span ui-value="name"></span></li></template>`)
	w.board(w.views(nil))
	w.lua()
	w.open()
	w.tab.Feature("prefers-reduced-motion", "reduce")
	w.loaded()
	looks, _ := w.looks()
	for _, c := range cells {
		c.fresh = looks[c.n].Content
	}
	return w
}

// app writes the view definition of the app.
func (w *tableWorld) app() {
	w.Helper()
	w.outer++
	w.write("viewdefs/HeldApp.DEFAULT.html", fmt.Sprintf(`<template><div><h1 ui-value="label"></h1><h3>w%d</h3><ul ui-viewlist="a"><li></li></ul><ol ui-viewlist="b"><li></li></ol></div></template>`, w.outer))
}

// around saves the view definition of the app, and waits until the page displays it.
func (w *tableWorld) around() {
	w.Helper()
	w.app()
	w.caughtUp()
	w.tab.Wait(fmt.Sprintf(`document.querySelector("main h3")?.textContent === "w%d"`, w.outer))
}

// loaded waits until the page that was loaded displays the app.
func (w *tableWorld) loaded() {
	w.Helper()
	w.tab.Run(tableScript)
	w.labelled()
	w.tab.Wait(`!document.querySelector(":not(:defined)")`)
	browser.Eval[any](w.tab, `T.drawn()`)
}

// views writes all cells but one.
func (w *tableWorld) views(without *cell) (list []string) {
	for _, c := range w.cells {
		if c != without {
			list = append(list, c.view())
		}
	}
	for i := 0; w.exchanged && i+1 < len(list); i += 2 {
		list[i], list[i+1] = list[i+1], list[i]
	}
	return list
}

// more adds controls to those of a view.
func more(views []string) (list []string) {
	for i, v := range views {
		if i%3 == 0 {
			list = append(list, `<div><input><details><summary>More</summary>Text</details><sl-input></sl-input></div>`)
		}
		list = append(list, v)
	}
	return list
}

// board writes the view definition of the board, with a new heading.
func (w *tableWorld) board(views []string) {
	w.Helper()
	w.version++
	w.write("viewdefs/Board.list-item.html", fmt.Sprintf("<template><li><h2>v%d</h2>\n%s\n</li></template>", w.version, strings.Join(views, "\n")))
}

// lua writes the code of the app.
func (w *tableWorld) lua() {
	w.Helper()
	w.label = w.version
	var fields strings.Builder
	for _, c := range w.cells {
		value := c.value
		if value == "" {
			value = `""`
		}
		fmt.Fprintf(&fields, "f%d = %s, f%[1]dt = %[2]s,\n", c.n, value)
	}
	w.write("app.lua", fmt.Sprintf(`
Board = session:prototype("Board", { title = "", %s })
Row = session:prototype("Row", { name = "" })
HeldApp = session:prototype("HeldApp", { label = "" })
if not session.reloading then
  board = session:create(Board, ui.json_decode([==[%s]==]))
  rows = {}
  for i = 1, 3 do rows[i] = session:create(Row, { name = "row " .. i }) end
  held = session:create(HeldApp, { a = { rows[1], board, rows[2] }, b = { rows[3] } })
end
held.label = "v%d"
`, &fields, w.data, w.version))
}

// changed runs Lua that changes what the page displays, and waits until the page does.
func (w *tableWorld) changed(code string) {
	w.Helper()
	w.version++
	w.label = w.version
	w.run(fmt.Sprintf(`%s; held.label = "v%d"`, code, w.version))
	w.labelled()
}

// moved makes the board the first row of its list, or the last one.
func (w *tableWorld) moved() {
	w.Helper()
	w.changed(`for _, list in ipairs({ held.a, held.b }) do
		for i, row in ipairs(list) do
			if row == board then table.remove(list, i) table.insert(list, i == 1 and #list + 1 or 1, board) break end
		end
	end`)
}

// saved saves the view definition of the board, and waits until the page displays it.
func (w *tableWorld) saved(views []string) {
	w.Helper()
	w.board(views)
	w.caughtUp()
	w.tab.Wait(fmt.Sprintf(`document.querySelector("main h2")?.textContent === "v%d"`, w.version))
}

// restart ends the engine and starts another one, whose app begins with the values of the board.
func (w *tableWorld) restart() {
	w.Helper()
	w.tab.Wait(`document.documentElement.dataset.uiPending === "0"`)
	w.data = string(w.run(`local t = {}
		for name, v in pairs(board) do if type(name) == "string" and name:match("^f%d") then t[name] = v end end
		return t`))
	w.engine.Close()
	w.version++
	w.lua()
	w.start()
	w.tab.Run(`uiApp.disconnect()`)
	w.labelled()
}

// labelled waits until the page displays the app's version. It connects again without delay.
func (w *tableWorld) labelled() {
	w.Helper()
	w.tab.Wait(fmt.Sprintf(`dispatchEvent(new Event("online")) && document.querySelector("main h1")?.textContent === "v%d"`, w.label))
}

// hidden waits until the page is hidden, or visible again.
func (w *tableWorld) hidden(hidden bool) {
	w.Helper()
	wait.Until(w, "the page is hidden or displayed", func() bool { return browser.Eval[bool](w.tab, `document.hidden`) == hidden })
}

// A look is what a person has made of a control.
type look struct {
	Content string // what it holds, or whether it is open
	Scroll  string // of it and what is in it
	Focus   string // the element in it that has the focus, or ""
	Caret   string // of that
	Offer   string // its content as it is offered back
	Left    int    // how often what is beside it left the document
	Ended   int    // how often the focus or a composition ended since the last round began
}

// looks returns what is held by the cells, and the texts that are offered back.
func (w *tableWorld) looks() (looks map[int]look, offered []string) {
	w.Helper()
	found := browser.Eval[struct {
		Looks   map[int]look
		Offered []string
	}](w.tab, `T.looks()`)
	return found.Looks, found.Offered
}

// report fails the test for what is not as the rules of a happening say.
func (w *tableWorld) report(h *happening) {
	w.Helper()
	var b strings.Builder
	for _, a := range aspects {
		if w.counts[a] == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s: %s: %d of %d are lost\n", h.name, a, w.counts[a], w.tries[a])
		for _, who := range slices.Sorted(maps.Keys(w.fails[a])) {
			fmt.Fprintf(&b, "    %s: %s\n", who, w.fails[a][who])
		}
	}
	if b.Len() > 0 {
		w.Errorf("\n%s", &b)
	}
	clear(w.tries)
	clear(w.counts)
	clear(w.fails)
}

// file returns the path of a file to choose.
func (w *tableWorld) file() string {
	w.write("chosen.txt", "chosen")
	return filepath.Join(w.dir, "apps", "held", "chosen.txt")
}

// tableScript is what the test uses in the page.
const tableScript = `window.T ??= (() => {
	customElements.define("x-stays", class extends HTMLElement {
		left = 0;
		connectedMoveCallback() {}
		disconnectedCallback() { this.left++; }
	});
	const cells = () => {
		const found = new Map(), walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
		for (let n; (n = walk.nextNode());) {
			const mark = /^\s*c(\d+):/.exec(n.data);
			if (mark) found.set(Number(mark[1]), n.parentElement.lastElementChild);
		}
		return found;
	};
	function* light(e) { yield e; for (const c of e.children) yield* light(c); }
	function* deep(e) {
		yield e;
		for (const c of e.shadowRoot?.children ?? []) yield* deep(c);
		for (const c of e.children) yield* deep(c);
	}
	const active = () => {
		let a = document.activeElement;
		while (a?.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
		return a;
	};
	const within = (node, e) => {
		for (; node; node = node.parentNode ?? node.host) if (node === e) return true;
		return false;
	};
	const held = (e) => {
		const o = {};
		for (const p of ["value", "checked", "open", "position", "selected", "expanded", "active", "activeSlide"]) {
			if (p in e && !["", null, false, 0].includes(e[p])) o[p] = e[p];
		}
		// A group of tabs chooses the first one only when it comes into view.
		if (/^sl-tab(-panel)?$/.test(e.localName) && !e.parentElement.querySelector(":scope > [active]") && e.matches(":first-of-type")) o.active = true;
		if (e.selectedOptions) o.selected = [...e.selectedOptions].map((x) => x.value);
		if (e.files) o.files = [...e.files].map((f) => f.name);
		if (e.validity?.badInput) o.bad = true;
		if (e.isContentEditable || e.localName === "span") o.text = e.textContent;
		if (e.localName === "canvas") o.drawn = e.toDataURL();
		if (e.popover) o.popover = e.matches(":popover-open");
		if (e.localName === "dialog") o.modal = e.matches(":modal");
		return o;
	};
	const content = (e) => JSON.stringify([...light(e)].map(held));
	const offer = (e) => {
		if (e.checked !== undefined && (e.type === "checkbox" || e.localName !== "input")) return e.checked ? "on" : "off";
		const value = e.multiple && e.selectedOptions ? [...e.selectedOptions].map((x) => x.value) : e.value ?? e.textContent;
		return Array.isArray(value) ? value.join("\n") : String(value);
	};
	const scroll = (e) => [...deep(e)].flatMap((x) => x.scrollTop || x.scrollLeft ? [[x.localName, Math.round(x.scrollTop), Math.round(x.scrollLeft)].join()] : []).join(" ");
	const focus = (e) => {
		const a = active();
		if (!within(a, e)) return "";
		return a.localName + "." + (a.getAttribute("part") ?? "");
	};
	const caret = (e) => {
		const a = active();
		if (!within(a, e)) return "";
		if (a.selectionStart !== undefined) return [a.selectionStart, a.selectionEnd, a.selectionDirection].join();
		const s = getSelection();
		return a.isContentEditable ? [s.anchorOffset, s.focusOffset].join() : "";
	};
	let ended = 0;
	const inner = (e) => [...deep(e)].find((x) => x.matches("input,textarea,[contenteditable]")) ?? e;
	return {
		cells,
		at: (n) => cells().get(n),
		/** drawn waits until all components have drawn themselves. */
		drawn: async () => {
			await Promise.all([...document.querySelectorAll("main *")].map((e) => e.updateComplete));
			await new Promise((done) => setTimeout(done));
		},
		looks: async () => {
			await T.drawn();
			const looks = {};
			for (const [n, e] of cells()) looks[n] = e && { content: content(e), scroll: scroll(e), focus: focus(e), caret: caret(e), offer: offer(e), left: e.parentElement.querySelector("x-stays").left, ended };
			let copied;
			navigator.clipboard.writeText = async (text) => { copied = text; };
			const list = document.querySelector(".ui-unsaved")?.shadowRoot.querySelectorAll("li") ?? [];
			const offered = [...list].map((li) => { [...li.querySelectorAll("button")].find((b) => b.textContent.startsWith("Cop")).click(); return copied; });
			return { looks, offered };
		},
		/** values are what the controls hold, by field; null for a radio button that is off. */
		values: () => Object.fromEntries([...cells()].map(([n, e]) => ["f" + n,
			e.type === "radio" ? (e.checked ? e.value : null)
			: e.checked !== undefined && e.localName !== "input" || e.type === "checkbox" ? e.checked
			: e.multiple && e.selectedOptions ? [...e.selectedOptions].map((x) => x.value) : e.value ?? null])),
		/** dismiss removes what is offered back. */
		dismiss: () => { for (const b of document.querySelector(".ui-unsaved")?.shadowRoot.querySelectorAll("li button") ?? []) if (b.textContent === "Dismiss") b.click(); },
		focus: (n) => {
			const e = T.at(n);
			if (within(active(), e)) document.activeElement.blur(); // else a date would go on where it was
			(e.localName === "details" ? e.querySelector("summary") : e).focus();
			if (!within(active(), e)) [...deep(e)].find((x) => (x.focus(), within(active(), e)));
		},
		/** empty empties a control, as if the person had deleted all. */
		empty: async (n) => {
			const e = inner(T.at(n));
			e.value = "";
			e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
			await T.drawn();
		},
		/** select puts the caret before the last letters, or selects between. */
		select: (back, to) => {
			const a = active();
			if (a.isContentEditable) {
				const s = getSelection(), end = s.focusOffset;
				s.setBaseAndExtent(s.focusNode, end - to, s.focusNode, end - back);
			} else if (a.selectionStart !== null && a.selectionStart !== undefined) {
				const end = a.value.length;
				a.setSelectionRange(end - back, end - to, "backward");
			}
		},
		/** text is what the active element holds, with what its selection will be replaced by. */
		text: (by) => {
			const a = active();
			const [text, from, to] = a.isContentEditable ? [a.textContent, ...[getSelection().anchorOffset, getSelection().focusOffset].sort((x, y) => x - y)]
				: [a.value ?? "", a.selectionStart ?? a.value?.length, a.selectionEnd ?? a.value?.length];
			return by === undefined ? text : text.slice(0, from) + by + text.slice(to);
		},
		watch: () => {
			ended = 0;
			const a = active(), stop = T.stop?.();
			const note = () => { ended++; };
			for (const type of ["blur", "compositionend"]) a.addEventListener(type, note);
			T.stop = () => { for (const type of ["blur", "compositionend"]) a.removeEventListener(type, note); };
		},
	};
})();`
