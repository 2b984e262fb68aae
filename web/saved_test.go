package web_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/ui/viewdef"
)

// What a person has done in a view goes on when its definition is saved, also where scripts have
// changed it, where something is around it, and where that changes. TestTable has the controls.
func TestSaveKeepsNodes(t *testing.T) {
	load.Long(t, "TestTable saves a view")
	t.Parallel()
	const (
		field   = `<input ui-value="name">`
		fold    = `<details><summary>more</summary>text</details>`
		tall    = `<div style="height: 40px; overflow: auto"><p style="height: 200px">tall</p></div>`
		parts   = `<sl-split-panel><div slot="start">` + field + `</div><div slot="end">b</div></sl-split-panel>`
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
		"in sl-details":            {html: in(`<sl-details open>`, `</sl-details>`), before: typing, after: on, want: typed},
		"in sl-dialog":             {html: in(`<sl-dialog open>`, `</sl-dialog>`), before: typing, after: on, want: typed},
		"in sl-alert":              {html: in(`<sl-alert open>`, `</sl-alert>`), before: typing, after: on, want: typed},
		"in sl-split-panel":        {html: parts, before: typing, after: on, want: typed},
		"attributes change":        {html: `<input class="a" ui-value="name">`, before: typing, next: `<input class="b" placeholder="new" ui-value="name">`, after: on, want: typed + ` && q(".b").placeholder === "new"`},
		"wrapped":                  {html: field, before: typing, next: `<div><label>Name ` + field + `</label></div>`, after: on, want: typed + ` && q("div label input") !== null`},
		"unwrapped":                {html: `<fieldset><label>Name ` + field + `</label></fieldset>`, before: typing, next: `<p>` + field + `</p>`, after: on, want: typed},
		"wrapped in sl-card":       {html: field, before: typing, next: `<sl-card>` + field + `</sl-card>`, after: on, want: typed},
		"name by a script":         {html: `<input id="f">`, before: func(v *versions) { v.Run(`q("input").name = "x"; q("input").className = "y"`); typing(v) }, after: on, want: typed + ` && q("input.y").name === "x"`},
		"type by a script":         {html: `<input>`, before: func(v *versions) { v.Run(`q("input").type = "search"`); typing(v) }, after: on, want: typed},
		"part of a number":         {html: numbers, values: `[1]`, before: keys(`q("input").select()`, "1."), after: func(v *versions) { v.Press("5") }, want: `q("input").value === "1.5"`},
		"contenteditable":          {html: `<div contenteditable>text</div>`, before: keys(`q("[contenteditable]").focus()`, "some "), after: func(v *versions) { v.Press("more ") }, want: `q("[contenteditable]").textContent === "some more text"`},
		"one before a fold":        {html: `<h2>b</h2>` + fold, before: run(`q("details").open = true`), next: `<h2>a</h2>` + fold + `<h2>b</h2>` + fold, want: `[...document.querySelectorAll("main details")].map((d) => d.open).join() === "false,true"`},
		"box with other text":      {html: tall, before: run(`q("div").scrollTop = 30`), next: strings.Replace(tall, "tall", "very tall", 1), want: `q("div").scrollTop === 30 && q("div p").textContent === "very tall"`},
		"dialog":                   {html: in(`<dialog>`, `</dialog>`), before: func(v *versions) { v.Run(`q("dialog").showModal()`); typing(v) }, after: on, want: typed + ` && q("dialog").matches(":modal")`},
		"popover":                  {html: in(`<div popover>`, `</div>`), before: func(v *versions) { v.Run(`q("div").showPopover()`); typing(v) }, after: on, want: typed + ` && q("div").matches(":popover-open")`},
		"sl-dialog":                {html: in(`<sl-dialog>`, `</sl-dialog>`), before: func(v *versions) { show("sl-dialog")(v); typing(v) }, after: on, want: typed + ` && q("sl-dialog").open`},
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

// Browsers that cannot move nodes with their state get the focus and the selection back.
func TestSaveWithoutMoving(t *testing.T) {
	t.Parallel()
	s := serve(t).scripts()
	s.head = `<script>delete Element.prototype.moveBefore</script>`
	v := &versions{page: showOn(s, `null`), seq: 1}
	const field = `<input ui-value="name">`
	v.again("<section>"+field+"</section>", `["n"]`)
	v.Type("main input", browser.End+"ew"+browser.ArrowLeft)
	v.Run(`window.old = document.activeElement`)
	v.save("<section><label>Name "+field+"</label></section>", `["n"]`)
	v.expect(`{"type":"events","ref":1,"events":[[2,0,"new"]]}`) // the browser says that the field was left
	is(v.page, `document.activeElement === old && old.closest("label") !== null`, true)
	v.Press("-")
	is(v.page, `old.value`, "ne-w")
	v.wantUnsaved()
}

// written makes random view definitions of one object.
type written struct{ *rand.Rand }

func (w written) html(depth int) string {
	var b strings.Builder
	for range 1 + w.IntN(4) {
		inside := "text"
		if depth > 0 {
			inside = w.html(depth - 1)
		}
		attributes := ""
		for _, a := range []string{`class="a b"`, `class="b c"`, `style="color: red"`, `style="margin: 1px"`, `title="t"`, `ui-attr-title="name"`, `ui-class-on="yes"`, `ui-style-width="size"`, `ui-attr-class="words"`} {
			if name, _, _ := strings.Cut(a, "="); w.IntN(6) == 0 && !strings.Contains(attributes, name+"=") {
				attributes += " " + a
			}
		}
		switch w.IntN(12) {
		case 0:
			fmt.Fprintf(&b, `<input ui-value="name"%s>`, attributes)
		case 1:
			fmt.Fprintf(&b, `<label>%s <input name="q"%s></label>`, string(rune('A'+w.IntN(3))), attributes)
		case 2:
			fmt.Fprintf(&b, `<button ui-action="go%d()"%s>go</button>`, w.IntN(2), attributes)
		case 3:
			fmt.Fprintf(&b, `<i ui-view="part%d"%s>none</i>`, w.IntN(2), attributes)
		case 4:
			fmt.Fprintf(&b, `<ul ui-viewlist="rows"%s><li class="%s"></li></ul>`, attributes, string(rune('x'+w.IntN(2))))
		case 5:
			fmt.Fprintf(&b, `<b ui-value="name"%s>old</b>`, attributes)
		case 6:
			fmt.Fprintf(&b, `<div ui-html="html"%s></div>`, attributes)
		case 7:
			fmt.Fprintf(&b, `<svg%s><circle ui-attr-r="size" cx="%d"></circle></svg>`, strings.ReplaceAll(attributes, "ui-", "data-"), w.IntN(2))
		case 8:
			fmt.Fprintf(&b, `text %d `, w.IntN(3))
		default:
			tag := []string{"p", "div", "section"}[w.IntN(3)]
			if tag == "p" {
				inside = fmt.Sprintf("paragraph %d", w.IntN(3))
			}
			fmt.Fprintf(&b, `<%s%s>%s</%[1]s>`, tag, attributes, inside)
		}
	}
	return b.String()
}

// values are what the bindings of a definition display, with instances from an id on.
func (w written) values(t *testing.T, html string, id int) string {
	t.Helper()
	tmpl, err := viewdef.Parse("A.DEFAULT", "a.html", "<template>"+html+"</template>")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for i, b := range tmpl.Bindings {
		at := id + 100*(i+1)
		switch b.Path.Bare {
		case "name":
			list = append(list, `"n"`)
		case "yes":
			list = append(list, `true`)
		case "size":
			list = append(list, `"7px"`)
		case "words":
			list = append(list, `"w on"`)
		case "html":
			list = append(list, `"<u>x</u>"`)
		case "part0":
			list = append(list, fmt.Sprintf(`[7,%d,["p"],70]`, at))
		case "rows":
			list = append(list, fmt.Sprintf(`[[7,%d,["r"],71],[7,%d,["s"],72]]`, at, at+10))
		default:
			list = append(list, `null`)
		}
	}
	return "[" + strings.Join(list, ",") + "]"
}

// A view that has become one of another version is as if it had been new.
func TestSavedIsAsNew(t *testing.T) {
	load.Long(t, "TestTable saves a view")
	t.Parallel()
	w := written{rand.New(rand.NewPCG(1, 2))}
	v := showVersion(t, `<p></p>`, `[]`)
	v.Run(`window.picture = (node) => {
		if (!(node instanceof Element)) return node.nodeName + node.nodeValue;
		const attributes = [...node.attributes].map(({ name, value }) => {
			const words = name === "class" ? value.split(/\s+/) : name === "style" ? value.split(/;\s*/) : [value];
			return name + "=" + [...new Set(words)].filter((x) => x !== "").sort().join(" ");
		}).filter((a) => a !== "class=" && a !== "style=").sort();
		return "<" + node.localName + " " + attributes.join(" ") + " " + (node.value ?? "") + ">" + [...node.childNodes].map(picture).join("") + "</>";
	}`)
	inner := def(7, "P.DEFAULT", `<em class='p'><b data-ui='0'></b></em>`, `[[0,"value",""]]`)
	const page = `picture(document.querySelector("main"))`
	for n := 0; n < 100 && !t.Failed(); n++ {
		old, next := "<section>"+w.html(2)+"</section>", "<section>"+w.html(2)+"</section>"
		if n%4 == 0 {
			old, next = "<h1>1</h1>"+w.html(1), w.html(1)+"<h2>2</h2>"
		}
		v.seq++
		v.page.again(v.seq, v.seq, fmt.Sprintf(`[1,1,[[2,2000,%s,22]]]`, w.values(t, old, 2000)),
			def(1, "O", `<main data-ui='0'></main>`, `[[0,"view",""]]`), parsed(t, 2, "A.DEFAULT", old), inner)
		v.id = 9000
		values := w.values(t, next, v.id+10)
		v.save(next, values)
		saved := browser.Eval[string](v.Tab, page)
		v.seq += 2
		v.send(`{"type":"batch","seq":%d,"ops":[["mount",1,0,null]]}`, v.seq-1)
		v.send(`{"type":"batch","seq":%d,"defs":[%s],"ops":[["mount",1,0,[%d,%d,%s,22]]]}`, v.seq, parsed(t, v.id, "A.DEFAULT", next), v.id, v.id, values)
		v.at(v.seq)
		if fresh := browser.Eval[string](v.Tab, page); saved != fresh {
			t.Errorf("%d: from %s\nto %s:\n%s", n, old, next, cmp.Diff(strings.Split(fresh, "<"), strings.Split(saved, "<")))
		}
	}
}
