package web_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

var contact = def(2, "Contact.list-item",
	`<li class='row'><span class='name' data-ui='0'></span><input class='note' data-ui='1'></li>`,
	`[[0,"value",""],[1,"value","",{"edit":true}]]`)

var contacts = def(1, "Contacts.DEFAULT",
	`<section><h1 data-ui='0'></h1><ul data-ui='1'><li class='mine' id='x'></li></ul></section>`,
	`[[0,"value",""],[1,"list",""]]`)

func row(id int, name string) string { return fmt.Sprintf(`[2,%d,[%q,""]]`, id, name) }

func TestEmpty(t *testing.T) {
	t.Parallel()
	p := show(t, "null")
	p.WaitText("[ui-app]", "Nothing to show yet. Ask your agent to show an app.")
	is(p, `document.documentElement.dataset.uiState`, "live")
	is(p, `uiApp.stats().instances`, 0)
}

func TestSession(t *testing.T) {
	t.Parallel()
	s := serve(t)
	tab := browser.New(t).Tab()
	tab.Open(s.url + "/a%20b/")
	if got := s.accept().session; got != "a b" {
		t.Errorf("page asked for session %q", got)
	}
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["People",[`+row(2, "Ann")+`,`+row(3, "Bob")+`]]]`, contacts, contact)
	p.WaitText("h1", "People")
	if diff := cmp.Diff([]string{"Ann", "Bob"}, p.Texts(".name")); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	is(p, `document.querySelector("section").getAttribute("ui-viewdef")`, "Contacts.DEFAULT")
	is(p, `document.querySelector("li").getAttribute("ui-viewdef")`, "Contact.list-item")
	is(p, `document.querySelector("li").className`, "row mine")
	is(p, `document.querySelector("li").id`, "ui-2") // ids of placeholders are not for rows
	is(p, `document.querySelectorAll("[data-ui]").length`, 0)
	is(p, `document.querySelectorAll("ul > *").length`, 2)
	is(p, `uiApp.stats().instances`, 3)
}

// An empty state that is hidden stays so in a page that lacks our style sheet.
func TestHiddenEmptyState(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[true]]`, def(1, "T", `<p><b class='ui-empty' data-ui='0'>nothing</b></p>`, `[[0,"attr","hidden"]]`))
	is(p, `document.querySelector("b").checkVisibility()`, false)
	p.apply(2, `["set",1,0,null]`)
	is(p, `document.querySelector("b").checkVisibility()`, true)
}

func TestPlainBindings(t *testing.T) {
	t.Parallel()
	d := def(1, "All", `<div><p id='text' data-ui='0'>old</p>`+
		`<a id='attr' title='old' data-ui='1'></a>`+
		`<b id='class' class='own' data-ui='2'></b>`+
		`<i id='style' style='margin: 1px' data-ui='3'></i>`+
		`<div id='html' data-ui='4'></div>`+
		`<progress id='bar' max='10' data-ui='5'></progress>`+
		`<section><em id='swap' data-ui='6'></em></section></div>`,
		`[[0,"value",""],[1,"attr","title"],[1,"attr","hidden"],[2,"class","on"],[2,"class","off"],[2,"attr","class"],`+
			`[3,"style","color"],[3,"attr","style"],[4,"html",""],[5,"value",""],[6,"html","",{"replace":true}]]`)
	p := show(t, `[1,1,["<b>",null,true,0,false,"x y","red","padding: 2px","<u>in</u>",4,"just text"]]`, d)
	for expression, want := range map[string]any{
		`text.innerHTML`:                                   "&lt;b&gt;",
		`attr.hasAttribute("title")`:                       false,
		`attr.getAttribute("hidden")`:                      "true",
		`document.getElementById("class").className`:       "own on x y",
		`document.getElementById("style").style.cssText`:   "margin: 1px; color: red; padding: 2px;",
		`html.innerHTML`:                                   "<u>in</u>",
		`bar.value`:                                        4.0,
		`document.querySelector("section").innerHTML`:      `<span id="swap">just text</span>`,
		`document.querySelectorAll("[ui-viewdef]").length`: 1.0,
	} {
		is(p, expression, want)
	}
	p.apply(2,
		`["set",1,0,null]`, `["set",1,1,"new"]`, `["set",1,2,false]`, `["set",1,3,null]`, `["set",1,4,""]`,
		`["set",1,5,"y z"]`, `["set",1,6,null]`, `["set",1,7,"padding: 3px"]`, `["set",1,8,""]`, `["set",1,9,7]`,
		`["set",1,10,"<b>1</b><b>2</b>"]`)
	for expression, want := range map[string]any{
		`text.innerHTML`:                                 "",
		`attr.title`:                                     "new",
		`attr.hasAttribute("hidden")`:                    false,
		`document.getElementById("class").className`:     "own off y z",
		`document.getElementById("style").style.cssText`: "margin: 1px; padding: 3px;",
		`html.innerHTML`:                                 "",
		`bar.value`:                                      7.0,
		`document.querySelector("section").innerHTML`:    `<b id="swap">1</b><b>2</b>`,
	} {
		is(p, expression, want)
	}
}

func TestViews(t *testing.T) {
	t.Parallel()
	outer := def(1, "Outer", `<div><p id='place' class='wide' style='color: red' title='t' data-ui='0'>none</p></div>`,
		`[[0,"view",""],[0,"class","hot"],[0,"attr","lang"],[0,"action",""]]`)
	one := def(2, "One", `<style>b { top: 0 }</style><b class='one' title='own' style='margin: 1px'>1</b> and <i>more</i>`, `[]`)
	pass := def(3, "Pass", `<div data-ui='0'></div>`, `[[0,"view",""]]`)
	two := def(4, "Two", `<h2 data-ui='0'></h2>`, `[[0,"value",""]]`)
	p := show(t, `[1,1,[null,true,"de"]]`, outer, one, pass, two)
	is(p, `place.outerHTML`, `<p id="place" class="wide hot" style="color: red" title="t" lang="de">none</p>`)

	p.apply(2, `["mount",1,0,[2,2,[]]]`)
	is(p, `place.localName`, "style") // the id goes to the first root
	is(p, `document.querySelector("b").outerHTML`,
		`<b class="one wide hot" title="own" style="margin: 1px; color: red" lang="de">1</b>`)
	is(p, `document.querySelector("[ui-viewdef=Outer]").textContent`, "b { top: 0 }1 and more")
	p.Click("b")
	p.expect(`{"type":"events","ref":1,"events":[[1,3]]}`)

	// A view whose only root is a view: what stands there changes from inside.
	p.apply(3, `["mount",1,0,[3,3,[[4,4,["deep"]]]]]`)
	is(p, `place.outerHTML`,
		`<h2 ui-viewdef="Two" id="place" class="wide hot" style="color: red" title="t" lang="de">deep</h2>`)
	p.apply(4, `["mount",3,0,[2,5,[]]]`, `["set",1,1,false]`)
	is(p, `document.querySelector("b").className`, "one wide")
	is(p, `document.querySelectorAll("h2").length`, 0)
	p.apply(5, `["mount",3,0,[4,6,["again"]]]`)
	is(p, `place.className`, "wide")
	p.Click("#place")
	p.expect(`{"type":"events","ref":2,"events":[[1,3]]}`)

	p.apply(6, `["mount",1,0,null]`)
	is(p, `document.querySelector("[ui-viewdef=Outer]").textContent`, "none")
	is(p, `uiApp.stats().instances`, 1)
}

func TestList(t *testing.T) {
	t.Parallel()
	var rows []string
	for i := range 6 {
		rows = append(rows, row(10+i, string(rune('a'+i))))
	}
	p := show(t, `[1,1,["",[`+strings.Join(rows, ",")+`]]]`, contacts, contact)
	p.Run(`window.nodes = Object.fromEntries([...document.querySelectorAll("li")].map((li) => [li.querySelector(".name").textContent, li]))`)
	tests := []struct {
		op   string
		want string
	}{
		{`["list",1,1,6,0,[` + row(20, "g") + `]]`, "a b c d e f g"},
		{`["list",1,1,0,0,[` + row(21, "x") + `,` + row(22, "y") + `]]`, "x y a b c d e f g"},
		{`["list",1,1,0,2,[]]`, "a b c d e f g"},
		{`["list",1,1,0,7,[20,10,11,12,13,14,15]]`, "g a b c d e f"},
		{`["list",1,1,1,3,[12,` + row(23, "n") + `,10]]`, "g c n a d e f"},
		{`["list",1,1,0,7,[15,14,13,10,23,12,20]]`, "f e d a n c g"},
		{`["list",1,1,2,5,[` + row(24, "p") + `,20,` + row(25, "q") + `,` + row(26, "r") + `,13]]`, "f e p g q r d"},
	}
	for i, test := range tests {
		p.apply(2+i, test.op)
		if got := strings.Join(p.Texts(".name"), " "); got != test.want {
			t.Fatalf("after %s rows are %s, want %s", test.op, got, test.want)
		}
	}
	// Rows that stayed are the same elements.
	is(p, `[...document.querySelectorAll("li")].filter((li) => nodes[li.querySelector(".name").textContent] === li).length`, 3)
	p.apply(9, `["list",1,1,0,7,[]]`)
	is(p, `document.querySelectorAll("li").length`, 0)
	is(p, `uiApp.stats().instances`, 1)
}

// The row in which the person types is not touched, however the rows move.
func TestListKeepsFocus(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["",[`+row(2, "a")+`,`+row(3, "b")+`,`+row(4, "c")+`,`+row(5, "d")+`]]]`, contacts, contact)
	p.Type("li:nth-child(3) .note", "hello")
	p.Run(`const note = document.activeElement;
		note.setSelectionRange(2, 4);
		window.log = [];
		window.touched = new Set();
		for (const type of ["blur", "focus"]) note.addEventListener(type, () => log.push(type));
		new MutationObserver((records) => {
			for (const r of records) for (const n of [...r.addedNodes, ...r.removedNodes]) touched.add(n);
		})
			.observe(document.querySelector("ul"), { childList: true });`)
	p.apply(2, `["list",1,1,0,4,[5,4,3,2]]`)
	is(p, `[...document.querySelectorAll(".name")].map((e) => e.textContent).join("")`, "dcba")
	is(p, `document.activeElement.value`, "hello")
	is(p, `document.activeElement.selectionStart + "-" + document.activeElement.selectionEnd`, "2-4")
	is(p, `log.join()`, "")
	p.apply(3, `["list",1,1,0,1,[]]`, `["list",1,1,3,0,[`+row(9, "z")+`]]`)
	is(p, `document.activeElement.value`, "hello")
	is(p, `touched.size > 0 && !touched.has(document.activeElement.closest("li"))`, true)
	is(p, `log.join()`, "")
}

// After any sequence of changes, a list shows the rows of the server's list, and rows that stayed
// are the same elements.
func TestListRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(load.Count(1, 3)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 1))
			p := show(t, `[1,1,["",[]]]`, contacts, contact)
			p.Run(`window.nodes = new Map()`)
			var ids []int
			next := 10
			for seq := 2; seq < 60; seq++ {
				start := random.IntN(len(ids) + 1)
				remove := random.IntN(len(ids) - start + 1)
				taken := slices.Clone(ids[start : start+remove])
				random.Shuffle(len(taken), func(i, j int) { taken[i], taken[j] = taken[j], taken[i] })
				taken = taken[:len(taken)-random.IntN(len(taken)/3+1)]
				var put []int
				var rows []string
				for i := range len(taken) + 1 {
					for range random.IntN(2 + 6/(len(ids)+1)) {
						put = append(put, next)
						rows = append(rows, row(next, fmt.Sprint(next)))
						next++
					}
					if i < len(taken) {
						put = append(put, taken[i])
						rows = append(rows, fmt.Sprint(taken[i]))
					}
				}
				ids = slices.Concat(ids[:start], put, ids[start+remove:])
				p.apply(seq, fmt.Sprintf(`["list",1,1,%d,%d,[%s]]`, start, remove, strings.Join(rows, ",")))

				got := browser.Eval[string](p.Tab, `[...document.querySelectorAll("li")].map((li) => {
					const id = li.querySelector(".name").textContent;
					if (!nodes.has(id)) nodes.set(id, li);
					return nodes.get(id) === li ? id : "another " + id;
				}).join(" ")`)
				if want := strings.Trim(fmt.Sprint(ids), "[]"); got != want {
					t.Fatalf("step %d: rows are %s\nwant %s", seq, got, want)
				}
			}
			is(p, `uiApp.stats().instances`, len(ids)+1)
		})
	}
}

func TestTableRows(t *testing.T) {
	t.Parallel()
	table := def(1, "T", `<table><tbody data-ui='0'><tr></tr></tbody></table>`, `[[0,"list",""]]`)
	tr := def(2, "R", `<tr><td data-ui='0'></td><td data-ui='1'></td></tr>`, `[[0,"value",""],[1,"value",""]]`)
	p := show(t, `[1,1,[[[2,2,["a",1]],[2,3,["b",2]]]]]`, table, tr)
	is(p, `document.querySelector("tbody").innerHTML.replace(/ (ui-viewdef|id)="[^"]*"/g, "")`,
		"<tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr>")
}

// Bound elements and first roots have ids, by which scripts find them; those in templates stay.
func TestElementIDs(t *testing.T) {
	t.Parallel()
	outer := def(1, "Outer", `<div class='outer'><p data-ui='0'></p><b id='own' data-ui='1'></b><i>plain</i><div data-ui='2'></div>`+
		`<div id='place' data-ui='3'></div><ul data-ui='4'><li></li></ul><em data-ui='5'></em></div>`,
		`[[2,"view",""],[3,"view",""],[4,"list",""],[0,"value",""],[0,"class","x"],[1,"value",""],[5,"html","",{"replace":true}]]`)
	inner := def(2, "Inner", `<span class='inner' data-ui='0'></span><u></u>`, `[[0,"value",""]]`)
	named := def(3, "Named", `<span class='named' id='named' data-ui='0'></span>`, `[[0,"value",""]]`)
	p := show(t, `[1,1,[[2,20,["a"]],[2,30,["b"]],[[2,40,["c"]],[3,50,["d"]]],"",true,"","<s>html</s>"]]`, outer, inner, named)
	ids := `[...document.querySelectorAll("[ui-app] *")].map((e) => e.localName + "#" + e.id).join(" ")`
	is(p, ids, "div#ui-1 p#ui-5 b#own i# span#ui-2 u# span#place u# ul#ui-4 span#ui-40 u# span#named s#ui-8")
	is(p, `uiApp.updateValue("ui-5", "x")`, false) // it is not editable

	// An id in a template goes before one that was made, and gives way to one of the placeholder.
	p.apply(2, `["mount",1,0,[3,60,["e"]]]`, `["mount",1,1,[3,70,["f"]]]`, `["set",1,6,"<s id='mine'>html</s>"]`)
	is(p, ids, "div#ui-1 p#ui-5 b#own i# span#named span#place ul#ui-4 span#ui-40 u# span#named s#mine")
	p.apply(3, `["mount",1,0,null]`)
	is(p, `document.querySelectorAll("div#ui-2").length`, 1)
}

func TestUnmountFrees(t *testing.T) {
	load.Long(t, "TestWindowFrees has rows that go")
	t.Parallel()
	outer := def(1, "Outer", `<div data-ui='0'></div>`, `[[0,"view",""]]`)
	p := show(t, `[1,1,[[3,2,["",[`+row(3, "a")+`,`+row(4, "b")+`]]]]]`,
		outer, strings.Replace(contacts, `"id":1`, `"id":3`, 1), contact)
	is(p, `uiApp.stats().instances`, 4)
	p.Run(`window.old = document.querySelector(".note")`)
	for i := range 20 {
		id := 10 + 10*i
		p.apply(2+i, fmt.Sprintf(`["mount",1,0,[3,%d,["",[%s,%s]]]]`, id, row(id+1, "a"), row(id+2, "b")))
	}
	is(p, `uiApp.stats().instances`, 4)
	p.apply(22, `["mount",1,0,null]`)
	is(p, `uiApp.stats().instances`, 1)
	// Removed elements send nothing.
	p.Run(`document.body.append(old); old.value = "x";
		old.dispatchEvent(new Event("input", { bubbles: true }));
		old.dispatchEvent(new Event("change", { bubbles: true }));`)
	p.silent()
}

func TestUpgrade(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["one"]]`, def(1, "A", `<p data-ui='0'></p>`, `[[0,"value",""]]`))
	p.send(`{"type":"batch","seq":2,"defs":[%s],"ops":[["mount",99,0,null]]}`, def(5, "B", `<p></p>`, `[]`))
	p.expect(`{"type":"resync"}`) // there is no instance 99: page and server disagree
	p.send("%s", snapshot(7, `[1,1,["two"]]`, def(1, "A", `<p data-ui='0'></p>`, `[[0,"value",""]]`)))
	p.at(7)
	p.WaitText("p", "two")
}
