package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

var field = def(1, "F", `<p><input id='c' data-ui='0'><b id='text' data-ui='1'></b><button data-ui='2'>go</button></p>`,
	`[[0,"value","",{"edit":true}],[1,"value",""],[2,"action",""]]`)

// The notice about a lost connection says after a while what the person can do, and goes when the
// page is connected again.
func TestNotice(t *testing.T) {
	t.Parallel()
	srv := serve(t)
	srv.head = `<script>
		const wait = setTimeout;
		window.setTimeout = (f, ms, ...args) => wait(f, ms >= 8000 ? ms / 20 : ms, ...args);
	</script>`
	p := showOn(srv, `[1,1,["one","one"]]`, field)
	const notice = `document.querySelector(".ui-connection")`
	is(p, notice+`.checkVisibility()`, false)
	srv.refuse.Store(true)
	p.kill()
	p.Wait(notice + `.checkVisibility() && ` + notice + `.textContent.includes("Ask your agent to start it again")`)
	srv.refuse.Store(false)
	p.conn = p.server.accept()
	p.send("%s", snapshot(40, `[1,1,["two","two"]]`, field))
	p.at(40)
	is(p, notice+`.checkVisibility()`, false)
}

func TestReconnect(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["one","one"]]`, field)
	p.Run(`window.node = c; c.focus(); c.select()`)
	p.Press("typed")
	p.kill()
	p.Wait(`document.documentElement.dataset.uiState === "offline"`)

	// Nobody knows whether a click would still mean the same after the break.
	p.Run(`document.querySelector("button").click()`)
	p.Wait(`document.querySelector(".ui-connection").checkVisibility()`)
	is(p, `document.querySelector(".ui-connection").textContent`, "Not connected: what you just did had no effect. Please try again when the page is connected.")
	is(p, `document.querySelector(".ui-connection").getAttribute("role")`, "status")

	p.conn = p.server.accept()
	p.send("%s", snapshot(40, `[1,1,["two","two"]]`, field))
	p.at(40)
	is(p, `document.documentElement.dataset.uiState`, "live")
	is(p, `document.querySelector(".ui-connection").checkVisibility()`, true) // there must be time to read it
	p.WaitText("#text", "two")
	// The typed text and the position of the caret have survived.
	is(p, `c === node && document.activeElement === c`, true)
	is(p, `c.value`, "typed")
	p.Press(browser.Tabulator)
	p.expect(edited(1, `"typed"`))
	p.apply(41, `["set",1,0,"typed"]`)
}

// An edit that may or may not have arrived is sent again; an action is not.
func TestReconnectInFlight(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["",""]]`, field)
	p.Type("#c", "x")
	p.Click("button")
	p.expect(edited(1, `"x"`))
	p.expect(`{"type":"events","ref":2,"events":[[1,2]]}`)
	p.kill()
	p.conn = p.server.accept()
	p.send("%s", snapshot(5, `[1,1,["",""]]`, field))
	p.at(5)
	p.expect(edited(1, `"x"`))
	p.apply(6, `["set",1,0,"x"]`)
	p.ack(1)
	p.settled()
	is(p, `c.value`, "x")
	p.silent()
}

// What was left without a connection is sent when there is one, but not while the person goes on
// typing there.
func TestReconnectWhileTyping(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["",""]]`, field)
	p.kill()
	p.conn = p.server.accept()
	p.Type("#c", "Ann"+browser.Tabulator)
	p.Run(`c.focus()`)
	p.Press("ab")
	p.send("%s", snapshot(5, `[1,1,["",""]]`, field))
	p.at(5)
	p.silent()
	p.Press("el" + browser.Tabulator)
	p.expect(edited(1, browser.Eval[string](p.Tab, `JSON.stringify(c.value)`)))
}

// After a reconnection the page may show something else altogether.
func TestReconnectToAnother(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["one","one"]]`, field)
	p.Type("#c", "typed")
	p.kill()
	p.conn = p.server.accept()
	p.send("%s", snapshot(1, `[1,8,["two","two"]]`, field))
	p.Wait(`c.value === "two"`)
	is(p, `uiApp.stats().instances`, 1)
	p.Press(browser.Tabulator)
	p.silent()
}

func TestDisconnect(t *testing.T) {
	t.Parallel()
	p := show(t, "null")
	p.Run(`uiApp.disconnect()`)
	<-p.gone
	p.conn = p.server.accept()
	p.send("%s", snapshot(9, "null"))
	p.at(9)
}

func TestNoSession(t *testing.T) {
	t.Parallel()
	p := show(t, "null")
	if err := p.ws.Close(4404, "no such session"); err != nil {
		t.Fatal(err)
	}
	p.WaitText(".ui-connection", "There is no session “1” here.")
	p.Run(`window.dispatchEvent(new Event("online"))`) // tries at once
	p.conn = p.server.accept()
	p.send("%s", snapshot(2, "null"))
	p.at(2)
	is(p, `document.querySelector(".ui-connection").checkVisibility()`, false)
}

// TestUnits has messages that are refused. The page reports each, and requests a snapshot.
func TestBadMessages(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ message, want string }{
		"not JSON":     {`{"type"`, "message is not JSON"},
		"unknown op":   {`{"type":"batch","seq":2,"ops":[["jump",1,0]]}`, "unknown op jump"},
		"bad snapshot": {snapshot(1, "7"), "mount must be"},
	}
	p := show(t, `[1,1,["one","one"]]`, field)
	n, seq := 0, 1
	for name, test := range tests {
		p.send("%s", test.message)
		n++
		if got := p.errors(n); !strings.Contains(got, test.want) {
			t.Errorf("%s: error = %q, want %q", name, got, test.want)
		}
		p.expect(`{"type":"resync"}`)
		seq += 10
		text := fmt.Sprintf("after %s", name)
		p.send("%s", snapshot(seq, fmt.Sprintf(`[1,1,["one",%q]]`, text), field))
		p.at(seq)
		p.WaitText("#text", text)
	}
	// Binary frames are nothing.
	if err := p.ws.Write(t.Context(), websocket.MessageBinary, []byte("x")); err != nil {
		t.Fatal(err)
	}
	p.apply(seq+1, `["set",1,1,"end"]`)
	p.WaitText("#text", "end")
}

// When a batch is missing, the page requests one snapshot, and ignores batches until that comes.
func TestGap(t *testing.T) {
	t.Parallel()
	p := show(t, `[1,1,["one","one"]]`, field)
	p.send("%s", batch(3, `["set",1,1,"three"]`))
	p.expect(`{"type":"resync"}`)
	p.send("%s", batch(4, `["set",1,1,"four"]`))
	p.send("%s", snapshot(5, `[1,1,["one","five"]]`, field))
	p.apply(6, `["set",1,0,"six"]`)
	is(p, `document.querySelector("#text").textContent`, "five")
	p.silent()
}

// Operations that do not fit the list are reported, and the page requests a snapshot.
func TestBadSplice(t *testing.T) {
	load.Long(t, "TestBadMessages has other messages that make no sense")
	t.Parallel()
	tests := map[string]string{
		"beyond the end": `["list",1,1,1,2,[]]`,
		"not taken out":  `["list",1,1,0,1,[3]]`,
		"twice":          `["list",1,1,0,2,[2,2]]`,
		"no list":        `["list",1,0,0,0,[]]`,
		"no slot":        `["list",1,7,0,0,[]]`,
	}
	p := show(t, `null`)
	run := 0
	for name, op := range tests {
		t.Log(name) // printed if it fails
		run++
		p.again(run, 3*run, `[1,1,["",[`+row(2, "a")+`,`+row(3, "b")+`]]]`, contacts, contact)
		p.Run(`window.uiErrors.length = 0`)
		p.send("%s", batch(3*run+1, op))
		p.errors(1)
		p.expect(`{"type":"resync"}`)
		p.again(run, 3*run+2, `[1,1,["",[`+row(3, "b")+`]]]`, contacts, contact)
		is(p, `[...document.querySelectorAll(".name")].map((e) => e.textContent).join()`, "b")
	}
}

// A page from another build loads itself again, once.
func TestForeignProtocol(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := &page{Tab: browser.New(t).Tab(), server: s}
	p.Open(s.url + "/1/")
	p.conn = s.accept()
	p.send(`{"type":"snapshot","proto":99,"something":"else"}`)
	p.conn = s.accept()
	p.send(`{"type":"snapshot","proto":99,"something":"else"}`)
	p.WaitText(".ui-connection", "This page does not fit the server. Close it and open it again.")
	p.silent()
	is(p, `document.documentElement.dataset.uiState`, "offline")

	p.send("%s", snapshot(3, "null"))
	p.at(3)
	is(p, `document.documentElement.dataset.uiState`, "live")
	is(p, `sessionStorage.length`, 0)
}
