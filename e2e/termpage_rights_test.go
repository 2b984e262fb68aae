//go:build unix

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// TestTerminalPageToken is asked for a token once, which is in no address, and can be forgotten.
func TestTerminalPageToken(t *testing.T) {
	t.Parallel()
	p := openTerminalPage(t, "/s/work", "--token", ownersToken)
	p.server.createAs(t, ownersToken, "work", "echo a secret screen; exec sleep 1000")
	p.Wait(`document.activeElement?.id === "token"`)
	p.Wait(`document.querySelector(".shell").hidden && document.querySelector("#token-why").textContent === ""`)
	p.Press("wrong-wrong-wrong\r")
	p.says("#token-why", "is wrong")
	p.Press(ownersToken + "\r")
	p.Wait(`location.pathname === "/s/work" && document.querySelector(".pane.selected")`)
	p.listed("running", "work")
	p.Wait(`document.querySelector(".pane .mode").hidden`)

	// It stays for other tabs and after a reload, where scripts of other origins cannot read it.
	p.Reload()
	p.listed("running", "work")
	p.Wait(`document.cookie === "" && !location.href.includes("token")`)
	p.Press("k", browser.Ctrl)
	p.Run(`document.querySelector('[aria-label="Settings"]').click()`)
	p.Run(`[...document.querySelectorAll("dialog button")].find((b) => b.textContent === "Forget the token").click()`)
	p.Wait(`document.activeElement?.id === "token"`)
	p.Wait(`localStorage.length === 0 || !JSON.stringify({...localStorage}).includes(` + "`" + ownersToken + "`" + `)`)
	if strings.Contains(p.server.log.String(), ownersToken) {
		t.Error("the log has the token")
	}
}

// What is cancelled while the server is slow takes the person nowhere, a double click makes one
// link, and what is never answered ends.
func TestTerminalPageSlowServer(t *testing.T) {
	t.Parallel()
	p := openTerminalPage(t, "/s/open")
	p.server.create(t, [2]string{"open", "exec sleep 1000"})
	p.listed("running", "open")
	p.Run(`{ const real = window.fetch;
		window.fetch = async (url, init) => {
			if (init?.method === "POST") await new Promise((done) => (window.answer = done));
			return real(url, init);
		} }`)
	p.Press("N", browser.Alt, browser.Shift)
	p.Wait(`document.activeElement?.matches("dialog input")`)
	p.Press("\r")
	p.Wait(`window.answer !== undefined`)
	p.Run(`[...document.querySelectorAll("dialog button")].find((b) => b.textContent === "Cancel").click(); answer()`)
	p.listed("running", "0", "open")
	if got := browser.Eval[string](p.Tab, `new Promise((done) => setTimeout(() => done(location.pathname)))`); got != "/s/open" {
		t.Errorf("the page shows %s", got)
	}

	p.act("links open")
	p.WaitText("dialog h2", "Links for others")
	p.Wait(`document.querySelector(".tokens li")`)
	p.Run(`window.answer = undefined; window.create = [...document.querySelectorAll("dialog button")].find((b) => b.textContent === "Create link");
		create.click(); create.click()`)
	p.Wait(`window.answer !== undefined`)
	p.Run(`answer()`)
	p.Wait(`document.querySelector(".tokens b")`)
	p.Run(`window.answer = undefined; create.dispatchEvent(new MouseEvent("click", { detail: 2 }))`)
	if _, text := p.server.do(t, "GET", "/auth/tokens", ""); strings.Count(text, `"id"`) != 1 || browser.Eval[bool](p.Tab, `window.answer !== undefined`) {
		t.Errorf("the links %s", text)
	}

	// A server that never answers does not keep the person waiting for ever.
	p.Run(`{ const timeout = AbortSignal.timeout;
		AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 100);
		window.fetch = (url, { signal }) => new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
		create.click() }`)
	p.says("dialog .error:not([hidden])", "he server does not answer.")
}

// createAs starts a session on a server that asks for a token.
func (s *shellServer) createAs(t testing.TB, token, name, command string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"name": name, "command": command})
	if err != nil {
		t.Fatal(err)
	}
	if res, text := s.do(t, "POST", "/sessions", string(body), "Authorization: Bearer "+token); res.StatusCode != 201 {
		t.Fatalf("create %s: %s %s", name, res.Status, text)
	}
}

// TestTerminalPageLink makes a link that only looks at one session, and opens it elsewhere.
func TestTerminalPageLink(t *testing.T) {
	load.Long(t, "TestTerminalPageToken has the page ask for a token")
	t.Parallel()
	p := openTerminalPage(t, "/s/open")
	p.server.create(t, [2]string{"open", "echo for friends; exec sleep 1000"}, [2]string{"other", "exec sleep 1000"})
	p.listed("running", "open", "other")
	p.act("links open")
	p.WaitText("dialog h2", "Links for others")
	p.Run(`[...document.querySelectorAll("dialog button")].find((b) => b.textContent === "Create link").click()`)
	p.Wait(`document.querySelector('[aria-label="Link"]').value !== ""`)
	link := browser.Eval[string](p.Tab, `document.querySelector('[aria-label="Link"]').value`)
	if !strings.HasPrefix(link, p.server.base+"/s/open#token=wsh_") {
		t.Fatalf("link = %q", link)
	}

	p.Run(`Object.defineProperty(navigator, "clipboard", { value: undefined }); document.execCommand = () => false`)
	p.Run(`[...document.querySelectorAll("dialog button")].find((b) => b.textContent === "Copy").click()`)
	p.says("dialog.form .error:not([hidden])", "does not let this page copy")

	friend := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: p.server}
	friend.Open(link)
	friend.Wait(`location.href.endsWith("/s/open")`) // the token has left the address
	friend.listed("running", "open")                 // and not the other one
	friend.listed("calling")
	friend.Wait(`!document.querySelector(".pane .mode").hidden`)
	friend.Wait(`document.querySelector('[aria-label="New terminal"]').hidden`)
	friend.Wait(`history.length <= 2 && Object.keys(localStorage).every((key) => !key.startsWith("wsh-token"))`)
	friend.Press("P", browser.Ctrl, browser.Shift)
	friend.Wait(`document.querySelector(".palette[open]")`)
	friend.Wait(`[...document.querySelectorAll(".palette .what")].every((e) => !/Rename|Kill|tags|Detach|Send|Links|New/.test(e.textContent))`)
	friend.Press("\x1b")

	// A link whose time is over ends what it gave.
	var brief struct{ Token string }
	_, text := p.server.do(t, "POST", "/auth/tokens", `{"rights":["read"],"sessions":["open"],"expires_in_ms":3000}`)
	if err := json.Unmarshal([]byte(text), &brief); err != nil || brief.Token == "" {
		t.Fatalf("a token for 3 seconds: %s", text)
	}
	other := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: p.server}
	other.Open(p.server.base + "/s/open#token=" + brief.Token)
	other.says("#token-why", "has ended")
	other.Wait(`!document.querySelector(".login").hidden && document.querySelector(".pane") === null`)

	// So does one that is withdrawn.
	p.Run(`document.querySelector(".tokens button").click()`)
	friend.Wait(`!document.querySelector(".login").hidden`)
	friend.says("#token-why", "has ended")
	friend.Wait(`document.querySelector(".pane") === null`)
}
