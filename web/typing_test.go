package web_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
)

// typedInto are controls with the id f, each with the options of its binding; none without one.
var typedInto = map[string]struct{ html, opts string }{
	"sent when left":          {`<input id='f' data-ui='0'>`, `"edit":true`},
	"sent at each key":        {`<input id='f' data-ui='0'>`, `"edit":true,"keypress":true`},
	"long":                    {`<textarea id='f' data-ui='0'></textarea>`, `"edit":true,"keypress":true`},
	"component":               {`<sl-input id='f' data-ui='0'></sl-input>`, `"edit":true,"keypress":true`},
	"component, long":         {`<sl-textarea id='f' data-ui='0'></sl-textarea>`, `"edit":true`},
	"number sent at each key": {`<input type='number' id='f' data-ui='0'>`, `"edit":true,"keypress":true`},
	"unbound":                 {`<input id='f' data-ui='0'>`, ""},
	"unbound component":       {`<sl-input id='f' data-ui='0'></sl-input>`, ""},
}

// eachTyped shows each control with a button of binding 1, has the person type "12" into it, and
// acknowledges what that sends. ref is the number of the next message.
func eachTyped(t *testing.T, test func(p *page, name string, seq, ref int, bound bool)) {
	p := show(t, `null`)
	seq := 1
	for name, c := range typedInto {
		bind := `[0,"value","",{` + c.opts + `}]`
		if c.opts == "" {
			bind = `[0,"attr","data-x"]`
		}
		seq += 10
		p.again(seq, seq, `[1,1,["1",null,null],20]`, def(1, "A", `<section><p>`+c.html+`</p><button id='b' data-ui='1'>x</button><p tabindex='0' id='n' data-ui='2'></p></section>`,
			`[`+bind+`,[1,"action","go()"],[2,"focus",""]]`))
		p.ready()
		p.Type("#f", browser.End+"2")
		ref := 1
		if c.opts != `"edit":true` && c.opts != "" {
			p.nextOn(p.in, "the key")
			p.ack(ref)
			ref++
		}
		p.settled()
		test(p, name, seq, ref, c.opts != "")
	}
}

// Keys in flight never reach another object, whatever sends what is typed and whenever.
func TestTypingEndsWithTheObject(t *testing.T) {
	t.Parallel()
	eachTyped(t, func(p *page, name string, seq, _ int, bound bool) {
		if !bound {
			return
		}
		p.apply(seq+1, `["object",1,21]`, `["set",1,0,"5"]`)
		if !browser.Eval[bool](p.Tab, `document.activeElement === document.body`) {
			t.Errorf("%s: the field keeps the focus", name)
		}
		p.Press("3" + browser.Tabulator)
		if got := browser.Eval[string](p.Tab, `String(f.value)`); got != "5" {
			t.Errorf("%s: the field of the other object has %q", name, got)
		}
		p.silent()
	})
}

// Nothing takes the focus in the middle of a word.
func TestTypingKeepsTheFocus(t *testing.T) {
	t.Parallel()
	eachTyped(t, func(p *page, name string, seq, _ int, _ bool) {
		p.apply(seq+1, `["set",1,2,true]`)
		if got := browser.Eval[string](p.Tab, `document.activeElement.id`); got != "f" {
			t.Errorf("%s: the focus went to %q", name, got)
		}
		p.Press("\t") // it has been left
		p.apply(seq+2, `["set",1,2,2]`)
		p.Wait(`document.activeElement.id === "n"`)
	})
}

// What an agent does goes without what the person types, and not into it.
func TestActWhileThePersonTypes(t *testing.T) {
	t.Parallel()
	eachTyped(t, func(p *page, name string, _, ref int, bound bool) {
		text := browser.Eval[string](p.Tab, `f.value`)
		p.send(`{"type":"act","id":1,"at":[1,0],"do":"fill","text":"3"}`)
		p.expect(`{"type":"acted","id":1,"refused":"the person is typing in it, or in its form"}`)
		p.send(`{"type":"act","id":2,"at":[1,1],"do":"click"}`)
		p.expect(fmt.Sprintf(`{"type":"events","ref":%d,"act":2,"events":[[1,1]]}`, ref))
		p.ack(ref)
		p.expect(`{"type":"acted","id":2}`)
		if got := browser.Eval[string](p.Tab, `f.value`); got != text {
			t.Errorf("%s: %q became %q", name, text, got)
		}
	})
}

// reload loads the page again, as F5 does, and shows a snapshot in it.
func (p *page) reload(seq int, picture string) {
	p.server.t.Helper()
	p.Open(p.server.url + "/1/?again")
	p.conn = p.server.accept()
	p.send("%s", picture)
	p.at(seq)
}

// What is typed and not sent, in whatever control, survives a reload: it is put back where it
// certainly fits, and else offered. Secrets and files are neither.
func TestTypedTextSurvivesReload(t *testing.T) {
	t.Parallel()
	d := def(1, "A", `<form><input id='a' aria-label='Bound' data-ui='0'><textarea id='b' name='unbound'></textarea><input type='checkbox' id='c' name='choice'><select id='f' size='3' name='list'><option>one<option>two</select>`+
		`<sl-input id='d' label='Component'></sl-input><input type='password' id='e' name='secret'><input id='g' type='password' data-ui='1'><input id='h' aria-label='Theirs' data-ui='2'></form>`,
		`[[0,"value","",{"edit":true}],[1,"value","",{"edit":true}],[2,"value","",{"edit":true}]]`)
	picture := func(seq int, theirs string) string {
		return snapshot(seq, `[1,1,["Ann","",`+theirs+`],20]`, d)
	}
	p := show(t, `[1,1,["Ann","","x"],20]`, d)
	p.Wait(`customElements.get("sl-input")`)
	p.Type("#b", "long story")
	p.Click("#c")
	p.Click("#f option")
	p.Type("#d", "more")
	p.Type("#e", "secret")
	p.Run(`e.type = "text"`)
	p.Press("!") // it stays secret
	p.conn.kill()
	p.conn = p.server.accept() // nothing is sent before the snapshot
	p.Type("#g", "hidden")
	p.Type("#h", "yz")
	p.Type("#a", browser.End+"a")
	if got := browser.Eval[string](p.Tab, `(() => { dispatchEvent(new PageTransitionEvent("pagehide")); return JSON.stringify(sessionStorage) })()`); strings.Contains(got, "secret!") || strings.Contains(got, "hidden") {
		t.Errorf("a secret is stored: %s", got)
	}
	p.reload(2, picture(2, `"changed"`))
	p.Wait(`d.value === "more"`)
	is(p, `[a.value, b.value, c.checked, d.value, e.value, f.value, g.value, h.value].join()`, "Anna,long story,true,more,,one,,changed")
	p.wantUnsaved("Not saved: Theirs | xyz")
	// It is an edit like any other.
	p.Click("#a")
	p.Press(browser.Tabulator)
	p.expect(edited(1, `"Anna"`))
	p.ack(1)

	// The session was started again in between: its objects are others.
	p.Type("#h", "w")
	p.reload(3, strings.Replace(picture(3, `"x"`), `"e1"`, `"e2"`, 1))
	is(p, `[a.value, b.value, h.value].join()`, "Ann,,x")
	got := p.unsaved()
	for _, want := range []string{"Not saved: Theirs | xyz", "Not saved: Theirs | changedw", "Not saved: unbound | long story", "Not saved: choice | on", "Not saved: list | one", "Not saved: Component | more"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not offered: %q", want, got)
		}
	}
	p.silent()
}

// A draft in a control without a binding is offered when another client removes its row, or the
// session starts again, unless the person has acted in the same view since.
func TestUnboundDraftOfARemovedRow(t *testing.T) {
	t.Parallel()
	row := def(2, "Row.list-item", `<li><input class='note' aria-label='Note'><div class='free' contenteditable aria-label='Free'></div><button class='b' data-ui='0'>x</button></li>`, `[[0,"action","go()"]]`)
	list := def(1, "A", `<ul data-ui='0'><li></li></ul>`, `[[0,"list",""]]`)
	p := show(t, `[1,1,[[[2,2,[null],22],[2,3,[null],23],[2,4,[null],24]]],21]`, list, row)
	p.Type("li:nth-child(1) .note", "one")
	p.Type("li:nth-child(1) .free", "text")
	p.Type("li:nth-child(2) .note", "two")
	p.Click("li:nth-child(2) .b")
	p.expect(`{"type":"events","ref":1,"events":[[3,0]]}`)
	p.ack(1)
	p.Type("li:nth-child(3) .note", "three")
	p.apply(2, `["list",1,0,0,2,[]]`)
	p.wantUnsaved("Not saved: Note | one", "Not saved: Free | text")
	p.again(2, 3, `[1,11,[[]],21]`, list, row)
	p.wantUnsaved()
}

// Two edit one field: the one whose edit replaces the other's is offered that.
func TestEditReplacesAnother(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["Ann"],20]`, def(1, "A", `<input id='f' aria-label='Name' data-ui='0'>`, `[[0,"value","",{"edit":true}]]`))
	p.Type("#f", browser.End+"a")
	p.apply(2, `["set",1,0,"Bob"]`)
	is(p, `f.value`, "Anna")
	p.Press(browser.Tabulator)
	p.expect(edited(1, `"Anna"`))
	p.wantUnsaved("Replaced: Name | Bob")
	// What comes of the person's own edit is no other's.
	p.Type("#f", browser.End+"b")
	p.apply(3, `["set",1,0,"ANNA"]`)
	p.ack(1)
	p.Press(browser.Tabulator)
	p.expect(edited(2, `"Annab"`))
	p.wantUnsaved("Replaced: Name | Bob")
	p.press("Put back")
	p.expect(edited(3, `"Bob"`))
	p.wantUnsaved()
}

// What a control does when it is left waits for the connection, after its edit. Until then its view
// may be saved.
func TestBlurWhileOffline(t *testing.T) {
	t.Parallel()
	const html = `<p><input id='f' data-ui='0'><input id='g'><b data-ui='1'></b></p>`
	const was, ann = `[[0,"value","",{"edit":true}],[0,"event","blur"]]`, `[1,1,["Ann"],20]`
	for _, saved := range []struct {
		bind, root string
		events     []string
	}{
		{was, ann, []string{`[1,0,"Anna"]`, `[1,1]`}},
		{`[[1,"action",""],[0,"action",""],[0,"value","",{"edit":true}],[0,"event","blur"]]`, `[1,1,[null,null,"Ann"],20]`, []string{`[1,2,"Anna"]`, `[1,3]`}},
		{`[[0,"value","",{"edit":true}],[1,"action",""]]`, ann, []string{`[1,0,"Anna"]`}},
	} {
		p := show(t, ann, def(1, "A", html, was))
		p.conn.kill()
		p.conn = p.server.accept()
		p.Type("#f", browser.End+"a"+browser.Tabulator)
		p.send("%s", snapshot(2, saved.root, def(1, "A", html, saved.bind)))
		for i, event := range saved.events {
			p.expect(fmt.Sprintf(`{"type":"events","ref":%d,"events":[%s]}`, i+1, event))
			p.ack(i + 1)
		}
		p.settled()
		p.silent()
	}
}

// A button acts once while its method runs: quick clicks wait whether it ends soon. Buttons that
// send a form act once, also by Enter.
func TestButtonWhoseMethodRuns(t *testing.T) {
	t.Parallel()
	p := form(t, `<section><button id='count' data-ui='0'>+</button><sl-button id='again' data-ui='1'>+</sl-button>`+
		`<form data-ui='3'><input id='f'><button id='send' data-ui='2'>Send</button></form><form id='other' data-ui='4'><input id='g'><sl-button type='submit'>Send</sl-button></form></section>`,
		`[[0,"action","more()"],[1,"action","more()",{"repeat":true}],[2,"action","send()"],[3,"event","submit"],[4,"event","submit"]]`, `[null,null,null,null,null]`)
	p.Wait(`customElements.get("sl-button")`)
	event := func(ref, slot int) string {
		return fmt.Sprintf(`{"type":"events","ref":%d,"events":[[1,%d]]}`, ref, slot)
	}
	const marked = `[...document.querySelectorAll("[data-ui-running][aria-busy=true]")].map((e) => e.id || e.localName).join()`
	// Three quick clicks on a counter count three. On a busy machine, none is quick.
	p.Run(`window.inTime = setTimeout; window.setTimeout = (f, ms, ...args) => (ms === 400 ? 0 : inTime(f, ms, ...args))`)
	for range 3 {
		p.Click("#count")
	}
	for ref := range 3 {
		p.expect(event(ref+1, 0))
		p.silent()
		p.ack(ref + 1)
	}
	p.settled()
	is(p, marked, "")
	// It takes long.
	p.Run(`window.setTimeout = inTime`)
	p.Click("#count")
	p.Click("#count")
	p.expect(event(4, 0))
	p.Wait(marked + ` === "count"`)
	p.Click("#count")
	p.ack(4)
	p.Wait(marked + ` === ""`)
	p.silent()
	p.Click("#count")
	p.expect(event(5, 0))
	p.ack(5)
	// Unless it may repeat.
	for ref := range 3 {
		p.Click("#again")
		p.expect(event(ref+6, 1))
	}
	for ref := range 3 {
		p.ack(ref + 6)
	}
	// A form.
	p.Click("#send")
	p.expect(event(9, 2))
	is(p, marked, "send")
	p.Click("#send")
	p.Type("#f", "\r")
	p.ack(9)
	p.settled()
	p.Type("#f", "\r") // it rests for a moment
	p.Wait(marked + ` === ""`)
	p.silent()
	p.Type("#g", "\r\r")
	p.expect(event(10, 4))
	is(p, marked, "sl-button")
	p.Type("#g", "\r")
	p.ack(10)
	p.Wait(marked + ` === ""`)
	p.silent()
	// Without a connection, nothing runs.
	p.Type("#g", "\r")
	p.expect(event(11, 4))
	p.conn.kill()
	p.Wait(marked + ` === ""`)
}
