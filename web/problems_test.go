package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/browser"
)

// inBadge finds something in the shadow tree of the badge.
func inBadge(selector string) string {
	return fmt.Sprintf(`document.querySelector(".ui-problems").shadowRoot.querySelector(%q)`, selector)
}

const (
	nilCall = `{"id":3,"kind":"binding","file":"apps/a/viewdefs/A.DEFAULT.html","line":4,"source":"ui-value=\"label()\"",` +
		`"message":"apps/a/app.lua:7: attempt to call a nil value","at":[1,0]}`
	badReload = `{"id":4,"kind":"reload","file":"apps/a/app.lua","line":12,"message":"apps/a/app.lua:12: 'end' expected"}`
)

func problems(list string) string { return `{"type":"problems","problems":[` + list + `]}` }

var labelled = def(1, "A.DEFAULT", `<p><b id='label' data-ui='0'></b></p>`, `[[0,"value",""]]`)

func TestProblems(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["x"]]`, labelled)
	is(p, `document.querySelector(".ui-problems").checkVisibility()`, false)

	p.send("%s", problems(badReload+","+nilCall))
	p.Wait(inBadge(".badge") + `.textContent === "2"`)
	is(p, inBadge("[role=status]")+`.contains(`+inBadge(".badge")+`)`, true)
	is(p, inBadge(".badge")+`.getAttribute("aria-label")`, "2 problems")
	is(p, inBadge(".panel")+`.checkVisibility()`, false)

	// By keyboard: the badge is reached, opens, and closes.
	p.Run(inBadge(".badge") + `.focus()`)
	p.Press(browser.Enter)
	p.Wait(inBadge(".panel") + `.checkVisibility()`)
	texts := browser.Eval[[]string](p.Tab, `[...`+inBadge("ol")+`.querySelectorAll("li > *")].filter((e) => e.checkVisibility()).map((e) => e.textContent)`)
	if diff := cmp.Diff([]string{
		"'end' expected", "apps/a/app.lua:12",
		"apps/a/app.lua:7: attempt to call a nil value", `ui-value="label()"`, "apps/a/viewdefs/A.DEFAULT.html:4",
	}, texts); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if found := p.Misnamed(); len(found) > 0 {
		t.Errorf("controls: %q", found)
	}
	is(p, inBadge("li:focus .message")+`.textContent`, "'end' expected")
	is(p, inBadge(".outline")+`.checkVisibility()`, false)

	// The element of the entry with the focus is outlined.
	p.Press(browser.Tabulator)
	const around = `(({left, top, right, bottom}, b) => left <= b.left && top <= b.top && right >= b.right && bottom >= b.bottom)`
	p.Wait(inBadge(".outline") + `.checkVisibility()`)
	is(p, around+`(`+inBadge(".outline")+`.getBoundingClientRect(), label.getBoundingClientRect())`, true)

	// An entry that stays keeps the focus; that of a fixed problem is removed.
	p.send("%s", problems(nilCall))
	p.Wait(inBadge("ol") + `.children.length === 1`)
	is(p, inBadge("li:focus .message")+`.textContent`, "apps/a/app.lua:7: attempt to call a nil value")
	is(p, inBadge("h2")+`.textContent`, "1 problem")
	p.Press(browser.Escape)
	p.Wait(`!` + inBadge(".panel") + `.checkVisibility()`)
	is(p, inBadge(".badge:focus")+` !== null`, true)
	is(p, inBadge(".outline")+`.checkVisibility()`, false)

	p.send("%s", problems(""))
	p.Wait(`!document.querySelector(".ui-problems").checkVisibility()`)
}

// The page's own notices fit beside the scroll bar of a small window, and are not printed.
func TestProblemsInSmallWindow(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["x"]]`, labelled)
	p.Size(320, 400)
	p.Run(`document.body.style.height = "2000px"`)
	p.send("%s", problems(badReload+","+nilCall))
	p.Wait(inBadge(".badge") + `.checkVisibility()`)
	p.Run(inBadge(".badge") + `.click()`)
	p.Wait(inBadge(".panel") + `.checkVisibility()`)
	is(p, `(({ left, right, top, bottom }) => left >= 0 && top >= 0 && right <= document.documentElement.clientWidth && bottom <= innerHeight)(`+
		inBadge(".panel")+`.getBoundingClientRect())`, true)
	p.Run(`document.querySelector(".ui-connection").hidden = false`)
	is(p, `document.querySelector(".ui-connection").checkVisibility()`, true)
	p.Print(true)
	p.Wait(`!document.querySelector(".ui-problems").checkVisibility() && !document.querySelector(".ui-connection").checkVisibility()`)
}

func TestProblemsInSnapshot(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := &page{Tab: browser.New(t).Tab(), server: s}
	p.Open(s.url + "/1/")
	p.conn = s.accept()
	picture := func(seq int, problems string) string {
		return strings.TrimSuffix(snapshot(seq, `[1,1,["x"]]`, labelled), "}") + `,"problems":[` + problems + "]}"
	}
	p.send("%s", picture(1, nilCall))
	p.at(1)
	is(p, inBadge(".badge")+`.textContent`, "1")

	// The mouse points at things, too.
	p.ClickOn(inBadge(".badge"))
	p.PointAt(inBadge("li .location"))
	p.Wait(inBadge(".outline") + `.checkVisibility()`)
	p.PointAt(inBadge("h2"))
	p.ClickOn(inBadge(".close"))
	p.Wait(inBadge(".badge") + `.checkVisibility()`)

	// A snapshot without problems clears the list.
	p.send("%s", picture(2, ""))
	p.at(2)
	is(p, `document.querySelector(".ui-problems").checkVisibility()`, false)
}

func TestBadProblems(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["x"]]`, labelled)
	p.send("%s", problems(`{"id":1,"kind":"binding"}`))
	p.reported(`{"type":"error","message":"WireError: problem.message must be a string, not nothing","source":"message from the server"}`)
}

func TestErrorsOfBindings(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["v"]]`, def(1, "Contact.DEFAULT", `<button data-ui='0'>b</button>`, `[[0,"attr","a b"]]`))
	p.reported(`{"type":"error","message":"InvalidCharacterError: Failed to execute 'setAttribute' on 'Element': 'a b' is not a valid attribute name.","source":"Contact.DEFAULT, slot 0"}`)
}

// Each distinct error of the page is reported once, with its position.
func TestErrorsOfScripts(t *testing.T) {
	t.Parallel()
	p := showOn(serve(t).scripts(), "null") // whose /throw.js throws
	for _, part := range []string{"in a script", "from a handler", "rejected", "of the page", "Unexpected end of input"} {
		p.ExpectException(part)
	}
	p.apply(2)
	html := "<div data-ui='0'><script>\n\nthrow new Error('in a script')</script><script>if (</script>" +
		"<script>window.fail = () => {\nthrow new Error('from a handler') }</script><script type='application/json' id='data'>{'a':1}</script>" +
		"<button id='b' onclick='fail()'>b</button></div>"
	p.send("%s", snapshot(3, `[1,1,["let x;\nx.y"]]`, def(1, "Contact.DEFAULT", html, `[[0,"code",""]]`)))
	p.at(3)
	p.reported(`{"type":"error","message":"Error: in a script","line":3,"source":"script of Contact.DEFAULT"}`)
	p.reported(`{"type":"error","message":"SyntaxError: Failed to execute 'replaceWith' on 'Element': Unexpected end of input","line":2,"source":"script of Contact.DEFAULT"}`)
	p.reported(`{"type":"error","message":"TypeError: Cannot read properties of undefined (reading 'y')","line":2,"source":"code of Contact.DEFAULT"}`)
	is(p, `data.text`, `{"a":1}`)
	p.Click("#b")
	p.reported(`{"type":"error","message":"Error: from a handler","line":2,"source":"script of Contact.DEFAULT"}`)
	p.Click("#b") // the same again: once is enough
	p.Run(`setTimeout("Promise.reject(new Error('rejected'))")`)
	p.reported(`{"type":"error","message":"Error: rejected","source":"promise"}`)
	p.Run(`const script = document.createElement("script"); script.src = "/throw.js"; document.body.append(script)`)
	p.reported(`{"type":"error","message":"Error: of the page","file":"/throw.js","line":2}`)
}

// A page that fails at every turn does not flood the session.
func TestErrorsAreFew(t *testing.T) {
	t.Parallel()
	p := showOn(serve(t).scripts(), `[1,1,[""]]`, def(1, "A", `<i data-ui='0'></i>`, `[[0,"code",""]]`))
	for i := range 30 {
		p.send("%s", batch(2+i, fmt.Sprintf(`["set",1,0,"throw new Error('no %d')"]`, i)))
	}
	p.at(31)
	for i := range 20 {
		p.reported(fmt.Sprintf(`{"type":"error","message":"Error: no %d","line":1,"source":"code of A"}`, i))
	}
	p.kill()
	p.conn = p.server.accept()
	p.send("%s", snapshot(40, `[1,1,["throw new Error('again')"]]`, def(1, "A", `<i data-ui='0'></i>`, `[[0,"code",""]]`)))
	p.reported(`{"type":"error","message":"Error: again","line":1,"source":"code of A"}`)
}
