package web_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// An aspect is a part of what a person has made of a control.
type aspect string

const (
	content     aspect = "content" // the typed text or the choice
	state       aspect = "state"   // whether it is open, which tab, what is drawn
	scroll      aspect = "scroll"
	focus       aspect = "focus"
	caret       aspect = "caret"       // and the selection
	goesOn      aspect = "goes on"     // what is typed next completes what was begun
	undo        aspect = "undo"        // Ctrl+Z takes back what was typed before
	composition aspect = "composition" // of an input method, which has not ended
	presence    aspect = "presence"    // in the document, without a break
)

var (
	aspects   = []aspect{content, state, scroll, focus, caret, goesOn, undo, composition, presence}
	inIt      = []aspect{focus, caret, goesOn, composition}
	ofTheNode = []aspect{scroll, focus, caret, goesOn, undo, composition, presence}
)

// An outcome is what becomes of an aspect. Whatever no rule names is kept.
type outcome string

const (
	kept    outcome = "kept"
	offered outcome = "kept or offered back" // in the list of what is not saved
	lost    outcome = "lost"                 // not, because …
)

// A rule says what becomes of some aspects of some controls when something happens. The first that
// fits counts.
type rule struct {
	of      []aspect
	when    func(c *cell, typing bool) bool // nil: always; typing: in the control that has the focus
	becomes outcome
	because string
}

// A happening is something that happens to the page while a person works in it.
type happening struct {
	name   string
	before func(w *tableWorld) // nil: nothing is to be prepared
	do     func(w *tableWorld, focused *cell)
	after  func(w *tableWorld, focused *cell) // nil: the page is as before
	rules  []*rule
	every  int // it happens in one of so many controls; 0: in each
}

func secret(c *cell, _ bool) bool { return strings.Contains(c.name, "password") }
func files(c *cell, _ bool) bool  { return c.name == "input file" }
func twins(c *cell) bool          { return !c.id && (c.name == "sl-icon-button" || !c.bound && !c.state) }
func begun(c *cell, _ bool) bool  { return strings.HasSuffix(c.name, "begun") }

var happenings = []*happening{
	{name: "view saved", do: func(w *tableWorld, _ *cell) { w.saved(w.views(nil)) }},
	{
		name:   "view saved with more",
		before: func(w *tableWorld) { w.saved(w.views(nil)) },
		do:     func(w *tableWorld, _ *cell) { w.saved(more(w.views(nil))) },
	},
	{
		name:   "view saved with fewer",
		before: func(w *tableWorld) { w.saved(more(w.views(nil))) },
		do:     func(w *tableWorld, _ *cell) { w.saved(w.views(nil)) },
	},
	{name: "view saved with exchanged", do: func(w *tableWorld, _ *cell) { w.exchanged = !w.exchanged; w.saved(w.views(nil)) }},
	{
		name:  "view saved without the control",
		do:    func(w *tableWorld, c *cell) { w.saved(w.views(c)) },
		after: func(w *tableWorld, _ *cell) { w.saved(w.views(nil)) },
		rules: []*rule{
			{of: []aspect{content}, when: func(c *cell, typing bool) bool { return typing && c.bound && c.text == "" }, becomes: lost, because: "the choice was sent"},
			{of: []aspect{content}, when: func(c *cell, typing bool) bool { return typing && (files(c, typing) || begun(c, typing)) }, becomes: lost, because: "the page cannot read it"},
			{of: []aspect{content}, when: func(_ *cell, typing bool) bool { return typing }, becomes: offered},
			{of: append(ofTheNode, state), when: func(_ *cell, typing bool) bool { return typing }, becomes: lost, because: "it is gone"},
		},
	},
	{
		name:  "its own content written otherwise",
		do:    func(w *tableWorld, c *cell) { c.inside = "new"; w.saved(w.views(nil)) },
		after: func(w *tableWorld, c *cell) { c.inside = ""; w.saved(w.views(nil)) },
		rules: []*rule{
			{of: []aspect{content}, when: func(c *cell, typing bool) bool { return typing && c.name == "contenteditable" }, becomes: offered, because: "it is another text"},
			{of: ofTheNode, when: func(c *cell, typing bool) bool { return typing && c.name == "contenteditable" }, becomes: lost, because: "the same"},
		},
	},
	{name: "its element written otherwise", do: func(w *tableWorld, c *cell) { c.class = !c.class; w.saved(w.views(nil)) }, rules: []*rule{
		{of: []aspect{content}, when: func(c *cell, typing bool) bool { return typing && twins(c) && (files(c, typing) || begun(c, typing)) }, becomes: lost, because: "the page cannot read it"},
		{of: []aspect{content}, when: func(c *cell, typing bool) bool { return typing && twins(c) }, becomes: offered, because: "nothing says which of two controls is which"},
		{of: ofTheNode, when: func(c *cell, typing bool) bool { return typing && twins(c) }, becomes: lost, because: "the same"},
	}},
	{
		name:  "its binding written otherwise",
		do:    func(w *tableWorld, c *cell) { c.keypress = true; w.saved(w.views(nil)); c.keypress = false },
		after: func(w *tableWorld, _ *cell) { w.saved(w.views(nil)) },
	},
	{
		name: "its binding mistyped, then corrected",
		do: func(w *tableWorld, c *cell) {
			for _, c.mistyped = range []bool{true, false} {
				w.saved(w.views(nil))
			}
		},
		rules: []*rule{
			{of: []aspect{content}, when: func(c *cell, typing bool) bool { return typing && (files(c, typing) || begun(c, typing)) }, becomes: lost, because: "the page cannot read it"},
			{of: []aspect{content}, when: func(c *cell, typing bool) bool { return typing && c.bound }, becomes: offered},
			{of: []aspect{scroll, caret, goesOn, undo, composition}, when: func(c *cell, typing bool) bool { return typing && c.bound }, becomes: lost, because: "it is another field, which only has the focus"},
		},
	},
	{
		name: "its value changed by another client",
		do:   func(w *tableWorld, c *cell) { w.changed(fmt.Sprintf(`board.f%d = %s`, c.n, cmp.Or(c.value, `""`))) },
		rules: []*rule{
			{of: []aspect{content}, when: func(c *cell, typing bool) bool { return typing && c.bound && c.text == "" }, becomes: lost, because: "the choice was sent before: the last change counts"},
			{of: []aspect{goesOn}, when: begun, becomes: lost, because: "nothing of a date that is not complete was sent or can be read"},
		},
	},
	{name: "view around it saved", do: func(w *tableWorld, _ *cell) { w.around() }},
	{name: "Lua saved", do: func(w *tableWorld, _ *cell) { w.version++; w.lua(); w.caughtUp(); w.labelled() }},
	{name: "broken ones saved, then corrected", do: func(w *tableWorld, _ *cell) {
		w.write("viewdefs/Board.list-item.html", `{"this": "is no HTML"}`)
		w.caughtUp()
		for _, code := range []string{"held.label = =", "held.label = nil + 1"} {
			w.write("app.lua", code)
			w.caughtUp()
		}
		w.lua()
		w.saved(w.views(nil))
	}},
	{name: "reconnect", do: func(w *tableWorld, _ *cell) {
		browser.Eval[bool](w.tab, `new Promise((done) => { // it may be connected again at once
			new MutationObserver(() => { if (document.documentElement.dataset.uiState === "offline") done(true); }).observe(document.documentElement, { attributes: true });
			uiApp.disconnect();
		})`)
		w.changed("")
	}},
	{name: "row moved", do: func(w *tableWorld, _ *cell) { w.moved() }}, // it stays, since the focus is in it: others move
	{name: "row moved, which the person has left", do: func(w *tableWorld, _ *cell) { w.tab.Run(`document.activeElement.blur()`); w.moved() }, rules: []*rule{
		{of: append(inIt, undo), when: func(_ *cell, typing bool) bool { return typing }, becomes: lost, because: "the person has left it"},
	}},
	{name: "row moved to another list", do: func(w *tableWorld, _ *cell) { w.changed(`held.a, held.b = held.b, held.a`) }, rules: []*rule{
		{of: []aspect{undo}, becomes: lost, because: "Chromium forgets what it could undo in a field that moves"},
		{of: []aspect{composition, goesOn}, when: func(c *cell, _ bool) bool { return c.name == "contenteditable" }, becomes: lost, because: "Chromium ends a composition in an element that moves"},
	}},
	{name: "another client's change", do: func(w *tableWorld, _ *cell) {
		w.changed(`rows[1].name = rows[1].name .. "!"; board.title = board.title .. "!"; table.insert(#held.a > #held.b and held.a or held.b, 1, session:create(Row, { name = "new" }))`)
	}},
	{name: "tab hidden", do: func(w *tableWorld, _ *cell) {
		w.tab.Hide(true)
		w.hidden(true)
		w.run(`rows[1].name = rows[1].name .. "."`)
		w.tab.Hide(false)
		w.hidden(false)
		w.changed("")
	}, rules: []*rule{
		{of: []aspect{composition}, becomes: lost, because: "the browser ends it when the window loses the focus"},
	}},
	{name: "tab frozen", do: func(w *tableWorld, _ *cell) {
		w.tab.Freeze(true)
		w.run(`rows[1].name = rows[1].name .. "?"`)
		w.tab.Freeze(false)
		w.changed("")
	}},
	{name: "reload", do: func(w *tableWorld, _ *cell) { w.tab.Reload(); w.loaded() }, rules: []*rule{
		{of: []aspect{content}, when: func(c *cell, typing bool) bool { return secret(c, typing) && (typing || !c.bound) }, becomes: lost, because: "secrets are stored nowhere"},
		{of: []aspect{content}, when: files, becomes: lost, because: "only the person can give a page a file"},
		{of: []aspect{content}, when: begun, becomes: lost, because: "the browser tells no page what a field holds of a date or number that is not complete"},
		{of: []aspect{content}, becomes: offered, because: "drafts outlive the page"},
		{of: append(ofTheNode, state), becomes: lost, because: "the document is another one"},
	}, every: 3},
	{
		name: "server started again",
		before: func(w *tableWorld) {
			w.changed(`board.title, held.a, held.b = "", { rows[1], board, rows[2] }, { rows[3] }`)
		},
		do:    func(w *tableWorld, _ *cell) { w.restart() },
		every: 3,
	},
}

// Every control, whatever happens, keeps what a person has made of it.
func TestTable(t *testing.T) {
	t.Parallel()
	needed, tried := map[*rule]bool{}, map[*happening]int{}
	for variation := range load.Count(1, 8) {
		w := newTableWorld(t, cellsOf(variation))
		w.needed = needed
		texts := map[bool][]*cell{} // by whether they are bound
		for _, c := range w.cells {
			if c.text != "" {
				texts[c.bound] = append(texts[c.bound], c)
			}
		}
		for i, h := range happenings {
			t.Run(fmt.Sprint(h.name, " ", variation), func(t *testing.T) {
				w.T = t
				tried[h]++
				w.edit()
				every := max(h.every, 1) * load.Count(9, 1)
				if !load.All() {
					every = 25
				}
				for j, c := range w.cells {
					of := texts[c.bound]
					if (i+j)%every == 0 || load.All() && len(of) > 0 && of[i%len(of)] == c {
						w.round(h, c, i+j)
					}
				}
				w.agrees()
				w.report(h)
			})
		}
	}
	for h, variations := range tried {
		if t.Failed() || variations < 8 {
			continue
		}
		for _, r := range h.rules {
			if !needed[r] {
				t.Errorf("%s: no cell needs the rule that %q is %s, because %s", h.name, r.of, r.becomes, r.because)
			}
		}
	}
}

// agrees checks that once the person has left all controls, each displays what the app holds.
func (w *tableWorld) agrees() {
	w.Helper()
	w.tab.Run(`for (const n of T.cells().keys()) T.focus(n)`) // what a reload has put back was not left yet
	w.tab.Run(`document.activeElement.blur()`)
	w.tab.Wait(`document.documentElement.dataset.uiPending === "0"`)
	w.changed("") // so that what was sent has come back
	var holds map[string]any
	decoder := json.NewDecoder(bytes.NewReader(w.run(fmt.Sprintf(`local t = {} for n = 0, %d do t["f" .. n] = board["f" .. n] end return t`, len(holders)))))
	decoder.UseNumber() // as they are written
	if err := decoder.Decode(&holds); err != nil {
		w.Fatal(err)
	}
	displays := browser.Eval[map[string]any](w.tab, `T.values()`)
	for _, c := range w.cells {
		if !c.bound || c.state || c.name == "contenteditable" || files(c, false) {
			continue
		}
		name := fmt.Sprint("f", c.n)
		if displays[name] != nil && fmt.Sprint(displays[name]) != fmt.Sprint(holds[name]) {
			w.Errorf("%s displays %v, and the app holds %v", c, displays[name], holds[name])
		}
	}
}

// edit edits all controls that nobody has edited, or whose edits are gone.
func (w *tableWorld) edit() {
	w.Helper()
	looks, _ := w.looks()
	for _, c := range w.cells {
		if !c.solo && looks[c.n].Content == c.fresh && looks[c.n].Scroll == "" {
			w.change(c)
		}
	}
	w.tab.Run(`document.activeElement.blur()`)
	w.tab.Wait(`document.documentElement.dataset.uiPending === "0"`)
}

// change changes a control as a person does.
func (w *tableWorld) change(c *cell) {
	w.Helper()
	if c.name == "input file" {
		w.tab.Run(fmt.Sprintf(`T.at(%d).toggleAttribute("data-chosen", true)`, c.n))
		w.tab.Choose("[data-chosen]", w.file())
		w.tab.Run(`document.querySelector("[data-chosen]").removeAttribute("data-chosen")`)
		return
	}
	w.tab.Run(fmt.Sprintf(`T.focus(%d)`, c.n))
	switch {
	case c.name == "input color":
		before := browser.Eval[string](w.tab, `T.text()`)
		tries := 0
		wait.Until(w, "the colour picker of the browser takes keys", func() bool {
			if tries++; tries%10 == 1 {
				if tries > 1 { // in a tab that was frozen no picker opens until its window is displayed again
					w.tab.Hide(true)
					w.tab.Hide(false)
					w.tab.Run(fmt.Sprintf(`T.focus(%d)`, c.n))
				}
				w.tab.Press(browser.Escape + " ")
			}
			w.tab.Press(browser.ArrowUp)
			return browser.Eval[string](w.tab, `T.text()`) != before
		})
		w.tab.Press(browser.Enter)
	case c.text != "":
		w.tab.Press(browser.End)
		w.tab.Insert(c.token())
	case c.keys != "":
		w.tab.Press(c.keys)
	case c.js != "":
		browser.Eval[any](w.tab, fmt.Sprintf(`(async () => { const e = T.at(%d); await (%s) })()`, c.n, strings.ReplaceAll(c.js, ";", ",")))
	}
}

// round has the person work with one control while something happens, and compares what is held
// before and after. In texts it is in one of three modes: typing before a letter, replacing a
// selection, or composing.
func (w *tableWorld) round(h *happening, c *cell, mode int) {
	w.Helper()
	if h.before != nil {
		h.before(w)
		w.edit()
	}
	if c.solo {
		w.change(c)
	}
	w.tab.Run(fmt.Sprintf(`T.focus(%d)`, c.n))
	typed, composing := "", false
	before := browser.Eval[string](w.tab, `T.text()`)
	if c.text != "" {
		w.tab.Press(browser.End)
		w.tab.Insert(c.token())
		switch mode % 3 {
		case 0:
			w.tab.Run(`T.select(1, 1)`)
			typed = "3"
		case 1:
			w.tab.Run(`T.select(2, 1)`)
			typed = "4"
		default:
			typed = "5"
			if composing = !strings.Contains(c.name, "number"); composing {
				typed = "56"
			}
		}
	}
	if c.then != "" {
		browser.Eval[any](w.tab, fmt.Sprintf(`T.empty(%d)`, c.n))
		w.tab.Press(c.keys)
	}
	w.tab.Run(`T.watch()`)
	want := ""
	if typed != "" {
		want = browser.Eval[string](w.tab, fmt.Sprintf(`T.text(%q)`, typed))
	}
	if composing {
		w.tab.Composing("5")
	}
	old, _ := w.looks()
	h.do(w, c)
	now, cards := w.looks()
	for _, o := range w.cells {
		was, is := old[o.n], now[o.n]
		if o != c && o.solo {
			continue
		}
		what := content
		if o.state {
			what = state
		}
		if was.Content != o.fresh {
			w.check(h, o, c, what, is.Content == was.Content, slices.Contains(cards, was.Offer), "%s, was %s; offered %q", is.Content, was.Content, cards)
		}
		w.check(h, o, c, presence, is.Left == was.Left, false, "left the document %d times", is.Left-was.Left)
		if was.Scroll != "" {
			w.check(h, o, c, scroll, near(is.Scroll, was.Scroll), false, "%s, was %s", is.Scroll, was.Scroll)
		}
	}
	was, is := old[c.n], now[c.n]
	w.check(h, c, c, focus, is.Focus == was.Focus, false, "%q, was %q", is.Focus, was.Focus)
	if c.text != "" {
		w.check(h, c, c, caret, is.Caret == was.Caret, false, "%q, was %q", is.Caret, was.Caret)
	}
	if composing {
		w.check(h, c, c, composition, is.Focus != "" && is.Ended == 0, false, "ended %d times", is.Ended)
	}
	if is.Focus == was.Focus && c.text != "" {
		if composing && is.Ended > 0 {
			want = browser.Eval[string](w.tab, fmt.Sprintf(`T.text(%q)`, typed)) // it comes after what was composed
		}
		w.tab.Insert(typed)
		got := browser.Eval[string](w.tab, `T.text()`)
		w.check(h, c, c, goesOn, got == want, false, "%q, want %q", got, want)
		var steps []string
		for len(steps) < 8 && got != before {
			steps = append(steps, got)
			w.tab.Press("z", browser.Ctrl)
			got = browser.Eval[string](w.tab, `T.text()`)
		}
		w.check(h, c, c, undo, got == before, false, "%q, want %q", steps, before)
	}
	if is.Focus == was.Focus && c.then != "" {
		w.tab.Press(c.then)
		got := browser.Eval[string](w.tab, fmt.Sprintf(`String(T.at(%d).value)`, c.n))
		w.check(h, c, c, goesOn, got == c.want, false, "%q, want %q", got, c.want)
	}
	if is.Content != "" && c.solo {
		browser.Eval[any](w.tab, fmt.Sprintf(`(async () => { const e = T.at(%d); await (e.hide ?? e.close).call(e) })()`, c.n))
	}
	if len(cards) > 0 {
		w.tab.Run(`T.dismiss()`)
	}
	if h.after != nil {
		h.after(w, c)
	}
	if h.rules != nil {
		w.edit()
	}
}

// check holds one aspect of a control against the rules. focused is the control in which the person
// works.
func (w *tableWorld) check(h *happening, c, focused *cell, a aspect, same, back bool, format string, args ...any) {
	w.Helper()
	becomes := kept
	for _, r := range h.rules {
		if !slices.Contains(r.of, a) || r.when != nil && !r.when(c, c == focused) {
			continue
		}
		becomes = r.becomes
		if !same && (becomes == offered || !back) {
			w.needed[r] = true
		}
		break
	}
	w.tries[a]++
	if becomes == lost || same || becomes == offered && back {
		return
	}
	if w.fails[a] == nil {
		w.fails[a] = map[string]string{}
	}
	who := c.String()
	if c == focused {
		who += ", in which the person works"
	}
	w.counts[a]++
	w.fails[a][who] = fmt.Sprintf(format, args...)
}

// What a person has made of controls survives whatever happens to them one after another: random
// controls, each in a random variation, and in each step up to three random happenings.
func TestTableRandomly(t *testing.T) {
	t.Parallel()
	for i := range load.Count(1, 8) {
		seed := uint64(i) // the same in each run, so that chance refuses no change
		if load.Full() {
			seed = rand.Uint64()
		}
		if text := os.Getenv("SEED"); text != "" {
			fmt.Sscan(text, &seed)
		}
		rnd := rand.New(rand.NewPCG(seed, 0))
		var cells []*cell
		for _, i := range rnd.Perm(len(holders))[:20] {
			cells = append(cells, cellsOf(rnd.IntN(8))[i])
		}
		w := newTableWorld(t, cells)
		w.edit()
		var done []string
		for range load.Count(12, 100) {
			h, c := *happenings[rnd.IntN(len(happenings))], cells[rnd.IntN(len(cells))]
			for range rnd.IntN(3) {
				first, next := h, happenings[rnd.IntN(len(happenings))]
				if h.rules != nil || h.after != nil || next.rules != nil || next.before != nil || next.after != nil {
					continue // what becomes of something says a rule of one happening
				}
				h.name += ", then " + next.name
				h.do = func(w *tableWorld, c *cell) { first.do(w, c); next.do(w, c) }
			}
			done = append(done, h.name+" while in "+c.String())
			w.round(&h, c, rnd.IntN(3))
			w.report(&h)
			if t.Failed() {
				t.Fatalf("with SEED=%d, after %s", seed, strings.Join(done, "; "))
			}
		}
	}
}

// Two people type in one field, each in a page of their own: what the one who leaves it later has
// replaced is offered to them.
func TestTwoTypeInOneField(t *testing.T) {
	t.Parallel()
	c := &cell{holder: holders[0], bound: true, id: true}
	w := newTableWorld(t, []*cell{c})
	other := &tableWorld{world: &world{T: t, tab: browser.New(t).Tab()}, label: w.label}
	other.tab.Open(browser.Eval[string](w.tab, `location.href`))
	other.loaded()
	value := func(w *tableWorld) string { return browser.Eval[string](w.tab, `T.at(0).value`) }
	for i, order := range [][]*tableWorld{{w, other}, {other, w}} {
		before := value(w)
		for n, w := range order {
			w.tab.Run(`T.focus(0)`)
			w.tab.Insert(fmt.Sprint("by ", n, i))
		}
		texts := []string{value(order[0]), value(order[1])}
		for _, leaves := range order {
			leaves.tab.Run(`document.activeElement.blur()`)
			leaves.tab.Wait(`document.documentElement.dataset.uiPending === "0"`)
			w.changed("") // so that both have what was sent
			other.label = w.label
			other.labelled()
		}
		for n, w := range order {
			if got := value(w); got != texts[1] {
				t.Errorf("page %d displays %q, want what was sent last, %q, of %q", n, got, texts[1], before)
			}
		}
		if _, cards := order[1].looks(); !slices.Contains(cards, texts[0]) {
			t.Errorf("the later is offered %q, want %q", cards, texts[0])
		}
	}
	for _, w := range []*tableWorld{w, other} {
		if got := browser.Eval[string](w.tab, `document.querySelector(".ui-unsaved").shadowRoot.textContent`); !strings.Contains(got, "Replaced") {
			t.Errorf("a page says %q", got)
		}
	}
}

// near reports whether two descriptions of scroll positions differ by at most a pixel each, as they
// do when a field with the caret gets to another fraction of a pixel on the page.
func near(a, b string) bool {
	split := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	}
	return slices.EqualFunc(split(a), split(b), func(a, b string) bool {
		x, errX := strconv.Atoi(a)
		y, errY := strconv.Atoi(b)
		return a == b || errX == nil && errY == nil && max(x-y, y-x) <= 1
	})
}
