package web_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

var (
	shell = def(1, "A.DEFAULT", `<main><div data-ui='0'></div><ul data-ui='1'><li></li></ul><ol data-ui='2'><li></li></ol></main>`,
		`[[0,"view",""],[1,"list",""],[2,"list",""]]`)
	personDef = def(2, "P.DEFAULT", `<p><label>Name <input class='name' data-ui='0'></label></p>`, `[[0,"value","",{"edit":true}]]`)
	line      = def(3, "P.list-item", `<li><input class='name' aria-label='Name' data-ui='0'></li>`, `[[0,"value","",{"edit":true}]]`)
)

const unsavedRoot = `document.querySelector(".ui-unsaved").shadowRoot`

// unsaved returns title and text of the edits that are offered back.
func (p *page) unsaved() []string {
	p.server.t.Helper()
	return browser.Eval[[]string](p.Tab, `[...`+unsavedRoot+`.querySelectorAll("li")].map((li) => li.querySelector("h2").textContent + " | " + li.querySelector(".text").textContent)`)
}

func (p *page) wantUnsaved(want ...string) {
	p.server.t.Helper()
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, p.unsaved()); diff != "" {
		p.server.t.Errorf("unsaved edits (-want +got):\n%s", diff)
	}
}

// press clicks a button of the first edit that is offered back.
func (p *page) press(button string) {
	p.server.t.Helper()
	p.ClickOn(fmt.Sprintf(`[...%s.querySelectorAll("li button")].find((b) => b.textContent === %q && !b.hidden)`, unsavedRoot, button))
}

// The view of Ann comes to show Bob while the person types: the text for Ann is offered back, and
// what the person goes on to type does not go to Bob.
func TestViewShowsAnotherObject(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[[2,2,["Ann"],20]],10]`, shell, personDef, line)
	p.Type(".name", browser.End+"a")
	p.apply(2, `["object",2,21]`, `["set",2,0,"Bob"]`)
	is(p, `document.querySelector(".name").value`, "Bob")
	is(p, `document.activeElement === document.body`, true)
	p.wantUnsaved("Not saved: Name | Anna")
	p.Press("xyz" + browser.Tabulator)
	p.silent()
	is(p, unsavedRoot+`.querySelector("[role=status]").textContent`, "Not saved: Name. Anna")

	// It can be put back as soon as Ann is displayed again.
	is(p, `[...`+unsavedRoot+`.querySelectorAll("button")].filter((b) => !b.hidden).map((b) => b.textContent).join()`, "Copy,Dismiss")
	p.apply(3, `["object",2,20]`, `["set",2,0,"Ann"]`)
	is(p, unsavedRoot+`.querySelector(".why").textContent`, "The app has changed what is shown here.") // also now
	p.press("Put back")
	p.expect(`{"type":"events","ref":1,"events":[[2,0,"Anna"]]}`)
	p.wantUnsaved()
	is(p, `document.activeElement.className`, "name")
}

// The same where only a part of the path leads to another object.
func TestPathLeadsToAnotherObject(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["Ann","note"],10,[[0,20]]]`, def(1, "A", `<p><input id='c' name='who' data-ui='0'><input id='d' data-ui='1'></p>`,
		`[[0,"value","",{"edit":true}],[1,"value","",{"edit":true}]]`))
	p.Type("#d", browser.End+"s")
	p.Type("#c", browser.End+"a")
	p.expect(`{"type":"events","ref":1,"events":[[1,1,"notes"]]}`)
	p.apply(2, `["owner",1,0,21]`, `["set",1,0,"Bob"]`)
	is(p, `c.value + " " + d.value`, "Bob notes")
	p.wantUnsaved("Not saved: who | Anna")
	p.silent()
}

// An edit in flight stays the old object's, and the server says whether it arrived.
func TestAnotherObjectWhileInFlight(t *testing.T) {
	t.Parallel()
	for _, stale := range []bool{false, true} {
		p := show(t, `[1,1,[[2,2,["Ann"],20]],10]`, shell, personDef, line)
		p.Type(".name", browser.End+"a"+browser.Tabulator)
		p.expect(`{"type":"events","ref":1,"events":[[2,0,"Anna"]]}`)
		p.apply(2, `["object",2,21]`, `["set",2,0,"Bob"]`)
		is(p, `document.querySelector(".name").value`, "Bob")
		p.wantUnsaved()
		if stale {
			p.send(`{"type":"ack","ref":1,"stale":[0]}`)
			p.settled()
			p.wantUnsaved("Not saved: Name | Anna")
			continue
		}
		p.ack(1)
		p.settled()
		p.wantUnsaved()
	}
}

// Ann's row goes and Zed's comes, in a batch that also changes the template.
func TestRowsAreNotPairedByPosition(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[null,[[3,3,["Ann"],20],[3,4,["Bea"],22]]],10]`, shell, personDef, line)
	p.Type("li:nth-child(1) .name", browser.End+"a")
	p.Run(`document.querySelector("li:nth-child(2) .name").value`)
	renewed := def(4, "P.list-item", `<li>new <input class='name' data-ui='0'></li>`, `[[0,"value","",{"edit":true}]]`)
	p.send(`{"type":"batch","seq":2,"defs":[%s],"ops":[["list",1,1,0,2,[[4,5,["Zed"],23],[4,6,["Bea"],22]]]]}`, renewed)
	p.at(2)
	is(p, `[...document.querySelectorAll("li .name")].map((e) => e.value).join()`, "Zed,Bea")
	p.wantUnsaved("Not saved: Name | Anna")
	p.silent()
}

// A row that moves to another list of the same batch takes its nodes along, so that what the page
// alone knows stays: a composition, a playing video, what is scrolled and unfolded.
func TestRowMovesWithItsDOM(t *testing.T) {
	load.Long(t, "TestTable moves a row to another list")
	t.Parallel()
	row := def(3, "P.list-item", `<li><input class='name' data-ui='0'><details><summary>more</summary>text</details>`+
		`<div class='box' style='height: 40px; overflow: auto'><p style='height: 200px'>tall</p></div><div data-ui='1'></div><button data-ui='2'>go</button></li>`,
		`[[0,"value","",{"edit":true}],[1,"view",""],[2,"action",""]]`)
	mount := func(id int, name, friend string) string {
		return fmt.Sprintf(`[3,%d,[%q,[2,%d,[%q],30]],20]`, id, name, id+1, friend)
	}
	for name, ops := range map[string][]string{
		"out first": {`["list",1,1,0,1,[]]`, `["list",1,2,0,0,[` + mount(8, "Ann", "Cid") + `]]`},
		"in first":  {`["list",1,2,0,0,[` + mount(8, "Ann", "Cid") + `]]`, `["list",1,1,0,1,[]]`},
	} {
		t.Run(name, func(t *testing.T) {
			p := show(t, `[1,1,[null,[`+mount(3, "Ann", "Bob")+`,[3,5,["Bea",null],22]],[[3,6,["Eve",null],23]]],10]`, shell, personDef, row)
			p.Run(`window.row = document.querySelector("ul li"); window.inner = row.querySelector("p .name");
				row.querySelector("details").open = true; row.querySelector(".box").scrollTop = 30;
				window.left = 0; row.querySelector(".name").addEventListener("blur", () => left++)`)
			p.Type("ul li:nth-child(1) > .name", browser.End+"abc"+browser.ArrowLeft)
			p.apply(2, ops...)
			is(p, `row === document.querySelector("ol li") && row.contains(document.activeElement)`, true)
			is(p, `document.querySelectorAll("li").length`, 3)
			is(p, `[row.querySelector("details").open, row.querySelector(".box").scrollTop, left].join()`, "true,30,0")
			is(p, `inner === row.querySelector("p .name") && inner.value`, "Cid")
			is(p, `[row, row.querySelector("input"), inner.closest("p"), row.querySelector("button")].map((e) => e.id).join()`, "ui-8,ui-9,ui-10,ui-11")
			is(p, `document.activeElement.value + document.activeElement.selectionStart`, "Annabc5")
			is(p, `uiApp.stats().instances`, 5)
			p.wantUnsaved()
			p.silent()
			p.Press(browser.Tabulator)
			p.expect(`{"type":"events","ref":1,"events":[[8,0,"Annabc"]]}`)
			p.Click("ol li button")
			p.expect(`{"type":"events","ref":2,"events":[[8,2]]}`)
			// An edit in flight is sent again under the new id.
			p.apply(3, `["list",1,2,0,1,[]]`, `["list",1,1,1,0,[`+mount(11, "Ann", "Cid")+`]]`)
			p.expect(`{"type":"events","ref":3,"events":[[11,0,"Annabc"]]}`)
			is(p, `row === document.querySelector("ul li:nth-child(2)")`, true)
			// Later batches find it.
			p.send(`{"type":"ack","ref":3}`)
			p.apply(4, `["set",11,0,"Anna"]`, `["list",1,1,0,2,[11]]`)
			p.Wait(`row.querySelector(".name").value === "Anna" && row.parentNode.children.length === 1`)
			// A view that is mounted and removed in the same batch is no place to move to.
			p.apply(5, `["list",1,2,0,0,[`+mount(20, "Ann", "Cid")+`]]`, `["list",1,2,0,1,[]]`, `["list",1,1,0,1,[]]`)
			is(p, `document.querySelectorAll("li").length`, 1)
			is(p, `uiApp.stats().instances`, 2)
		})
	}
}

// A session that has started again has other objects: what shows the same as before keeps what the
// person is doing, and what they have typed into anything else is offered.
func TestSessionStartsAgain(t *testing.T) {
	load.Long(t, "TestTable has a server that is started again")
	t.Parallel()
	row := def(3, "P.list-item", `<li><b data-ui='0'></b><input class='name' aria-label='Name' data-ui='1'><textarea aria-label='Note'></textarea></li>`,
		`[[0,"value",""],[1,"value","",{"edit":true}]]`)
	app := def(1, "A.DEFAULT", `<main><h1 data-ui='0'></h1><input id='own' data-ui='1'><ul data-ui='2'><li></li></ul></main>`, `[[0,"value",""],[1,"value","",{"edit":true}],[2,"list",""]]`)
	const around = `[4,1,[%s],5]`
	root := def(4, "MCP", `<div data-ui='0'></div>`, `[[0,"view",""]]`)
	p := show(t, fmt.Sprintf(around, `[1,2,["v1","x",[[3,10,["Ann",""],20],[3,20,["Bob",""],21]]],10]`), root, app, row)
	runs := 0
	again := func(shown string) {
		p.kill()
		p.conn = p.server.accept()
		runs++
		p.send("%s", strings.Replace(snapshot(9+runs, fmt.Sprintf(around, shown), root, app, row), `"e1"`, fmt.Sprintf(`"run %d"`, runs), 1))
		p.at(9 + runs)
	}
	for i := 1; i <= 2; i++ {
		p.Type(fmt.Sprintf("li:nth-child(%d) textarea", i), fmt.Sprint("unbound ", i))
		p.Type(fmt.Sprintf("li:nth-child(%d) .name", i), fmt.Sprint("bound ", i))
	}
	p.Press(browser.ArrowLeft)
	p.expect(`{"type":"events","ref":1,"events":[[10,1,"bound 1"]]}`)
	again(`[1,10,["v2","x",[[3,2,["Ann",""],21],[3,30,["Bob",""],20]]],11]`)
	p.expect(`{"type":"events","ref":1,"events":[[2,1,"bound 1"]]}`) // it was not acknowledged
	p.Insert("!")
	is(p, `[...document.querySelectorAll("h1, .name, textarea")].map((e) => e.id + " " + (e.value ?? e.textContent)).join()`, "ui-11 v2,ui-4 bound 1, unbound 1,ui-32 bound !2, unbound 2")
	p.ack(1)
	p.wantUnsaved()

	// Others are displayed where these were. What the app itself displays may have changed.
	p.Type("#own", browser.End+"y")
	again(`[1,2,["v3","x",[[3,10,["Cid",""],20],[3,20,["Bob",""],21],[3,30,["Dan",""],22]]],10]`)
	is(p, `[...document.querySelectorAll(".name, textarea")].map((e) => e.value).join()`, ",,bound !2,unbound 2,,")
	is(p, `document.activeElement.id + own.value`, "ownxy")
	p.wantUnsaved("Not saved: Note | unbound 1")
	again(`[1,2,["v3","z",[]],10]`)
	is(p, `own.value + (document.activeElement === document.body)`, "ztrue")
	if got := p.unsaved(); !slices.Contains(got, "Not saved | xy") {
		t.Errorf("%q are offered", got)
	}
}

// Notices about the connection are displayed above what could not be saved.
func TestNoticeAboveUnsaved(t *testing.T) {
	t.Parallel()
	const notice = `document.querySelector(".ui-connection")`
	p := show(t, `[1,1,[[2,2,["Ann"],20]],10]`, shell, personDef, line)
	p.Type(".name", browser.End+"a")
	p.kill()
	p.conn = p.server.accept()
	p.send("%s", strings.Replace(snapshot(9, `[1,1,[[2,2,["Bob"],20]],10]`, shell, personDef), `"e1"`, `"other"`, 1))
	p.at(9)
	p.wantUnsaved("Not saved: Name | Anna")
	p.kill()
	p.Wait(notice + `.checkVisibility()`)
	p.Wait(notice + `.getBoundingClientRect().bottom <= ` + unsavedRoot + `.querySelector("section").getBoundingClientRect().top`)
	p.conn = p.server.accept()
	p.press("Dismiss")
	p.Wait(`document.documentElement.style.getPropertyValue("--ui-unsaved") === ""`)
}

// A page that reloads for another protocol keeps what was not sent.
func TestReloadKeepsUnsaved(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[[2,2,["Ann"],20]],10]`, shell, personDef, line)
	p.Type(".name", browser.End+"a")
	p.kill()
	p.conn = p.server.accept()
	p.send(`{"type":"snapshot","proto":999}`)
	p.conn = p.server.accept()
	p.send("%s", snapshot(1, `[1,1,[[2,2,["Ann"],20]],10]`, shell, personDef, line))
	p.at(1)
	is(p, `document.querySelector(".name").value`, "Anna")
	p.wantUnsaved()
}

// A password is offered back without being displayed.
func TestUnsavedPassword(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[""],20]`, def(1, "A", `<p><input id='c' type='password' placeholder='Key' data-ui='0'></p>`, `[[0,"value","",{"edit":true}]]`))
	p.Type("#c", "secret")
	p.apply(2, `["object",1,21]`)
	p.wantUnsaved("Not saved: Key | ••••••••")
	is(p, unsavedRoot+`.querySelector("[role=status]").textContent.includes("secret")`, false)
}

// A click arrives after its element has switched to another object.
func TestStaleAction(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[],20]`, def(1, "A", `<p><button id='b' data-ui='0'>Delete</button></p>`, `[[0,"action",""]]`))
	p.Click("#b")
	p.expect(`{"type":"events","ref":1,"events":[[1,0]]}`)
	p.send(`{"type":"ack","ref":1,"stale":[0]}`)
	p.Wait(`document.querySelector(".ui-connection").textContent.startsWith("Nothing happened")`)
}

// Events say which batch the page had applied, by which the server knows what the person saw.
func TestEventsSaySeq(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,[],20]`, def(1, "A", `<p><button id='b' data-ui='0'>Delete</button></p>`, `[[0,"action",""]]`))
	p.apply(2)
	p.Click("#b")
	select {
	case got := <-p.in:
		if want := `{"type":"events","ref":1,"seq":2,"events":[[1,0]]}`; got != want {
			t.Errorf("page sent %s, want %s", got, want)
		}
	case <-time.After(patience):
		t.Fatal("page sent nothing")
	}
}
