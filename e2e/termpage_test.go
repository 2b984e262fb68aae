//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// A terminalPage is the page of terminals in a tab, and the server of its sessions.
type terminalPage struct {
	*browser.Tab
	t      *testing.T
	server *shellServer
}

// openTerminalPage starts a server and opens an address of its page.
func openTerminalPage(t *testing.T, path string, flags ...string) *terminalPage {
	t.Helper()
	p := &terminalPage{t: t, server: startShellServer(t, "TCP", flags...)}
	p.Tab = browser.New(t).Tab()
	p.Size(1400, 900)
	p.Open(p.server.base + path)
	return p
}

// create starts sessions, each a name and a command line.
func (s *shellServer) create(t testing.TB, sessions ...[2]string) {
	t.Helper()
	for _, made := range sessions {
		body, err := json.Marshal(map[string]any{"name": made[0], "command": made[1]})
		if err != nil {
			t.Fatal(err)
		}
		if res, text := s.do(t, "POST", "/sessions", string(body)); res.StatusCode != 201 {
			t.Fatalf("create %s: %s %s", made[0], res.Status, text)
		}
	}
}

// listed waits until a group of the list has sessions of these names, in this order.
func (p *terminalPage) listed(group string, names ...string) {
	p.t.Helper()
	want, err := json.Marshal(names)
	if err != nil {
		p.t.Fatal(err)
	}
	if names == nil {
		want = []byte("[]")
	}
	p.Wait(fmt.Sprintf(`JSON.stringify([...document.querySelectorAll(".group.%s .name")].map((e) => e.textContent)) === %q`, group, want))
}

// says waits until an element has a text in it.
func (p *terminalPage) says(selector, part string) {
	p.t.Helper()
	p.Wait(fmt.Sprintf(`document.querySelector(%q)?.textContent.includes(%q)`, selector, part))
}

// numbered returns session names with numbers.
func numbered(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("s%d", i+1)
	}
	return list
}

// TestTerminalPageList has 30 sessions in the list: in the order of their numbers, found by a
// search and by tags, with previews that follow their screens.
func TestTerminalPageList(t *testing.T) {
	t.Parallel()
	p := openTerminalPage(t, "/")
	for _, name := range numbered(30) {
		p.server.create(t, [2]string{name, "printf 'screen of " + name + "'; exec sleep 1000"})
	}
	p.listed("running", numbered(30)...)
	p.WaitText(`[data-session="s1"] .preview`, "screen of s1")
	// What is out of view has no preview until it comes into view.
	p.Wait(`document.querySelector('[data-session="s30"] .preview').textContent === ""`)
	p.Run(`document.querySelector('[data-session="s30"]').scrollIntoView()`)
	p.WaitText(`[data-session="s30"] .preview`, "screen of s30")
	p.Wait(`document.querySelector('[data-session="s15"] .preview.waiting') && !document.querySelector('[data-session="s30"] .preview.waiting')`)

	p.Type(`.search input`, "S2")
	p.listed("running", "s2", "s20", "s21", "s22", "s23", "s24", "s25", "s26", "s27", "s28", "s29")
	p.Press("\x1b")
	p.listed("running", numbered(30)...)
	p.server.do(t, "PATCH", "/sessions/s7", `{"add_tags":["green"]}`)
	p.server.do(t, "PATCH", "/sessions/s9", `{"add_tags":["green"]}`)
	p.Click(`[data-tag="green"]`)
	p.listed("running", "s7", "s9")
	p.server.do(t, "PATCH", "/sessions/s7", `{"remove_tags":["green"]}`)
	p.listed("running", "s9")
	p.Click(`[data-tag="green"]`)
	p.listed("running", numbered(30)...)

	// A session that is new, renamed or removed elsewhere.
	p.server.create(t, [2]string{"new", "exec sleep 1000"})
	p.listed("running", append([]string{"new"}, numbered(30)...)...)
	p.server.do(t, "PATCH", "/sessions/new", `{"name":"t"}`)
	p.listed("running", append(numbered(30), "t")...)
	p.server.do(t, "DELETE", "/sessions/t", "")
	p.listed("running", numbered(30)...)
}

// TestTerminalPageBeforeList has no list of sessions yet, and does not say that there are none.
func TestTerminalPageBeforeList(t *testing.T) {
	load.Long(t, "TestTerminalPageList has a list")
	t.Parallel()
	s := startShellServer(t, "TCP")
	s.create(t, [2]string{"one", "exec sleep 1000"})
	to, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	list := make(chan struct{})
	release := sync.OnceFunc(func() { close(list) })
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/ws/json") {
			<-list
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(release)
	p := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: s}
	p.Open(srv.URL + "/")
	p.Wait(`document.querySelector(".host")?.textContent !== "" && document.querySelector("aside .nothing")?.textContent !== ""`)
	if got := p.Texts("aside .nothing")[0]; got != "Loading…" {
		t.Errorf("before there is a list, it says %q", got)
	}
	release()
	p.listed("running", "one")
}

// TestTerminalPageCalls has the sessions that need the person, the most urgent first, until they
// are dealt with.
func TestTerminalPageCalls(t *testing.T) {
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t,
		[2]string{"quiet", "exec sleep 1000"},
		[2]string{"broken", "exit 3"},
		[2]string{"asks", "printf 'go on? '; read x; exec sleep 1000"},
	)
	p.listed("calling", "asks", "broken")
	p.server.create(t, [2]string{"secret", "stty -echo; printf 'password: '; read x; stty echo; exec sleep 1000"}, [2]string{"over", "exit 0"})
	p.listed("calling", "secret", "asks", "broken")
	p.listed("running", "quiet")
	p.listed("ended", "over")
	p.Wait(`document.title === "(3) Terminals"`)
	p.WaitText(`[data-session="secret"] .detail`, "asks for a secret")
	p.WaitText(`[data-session="broken"] .detail`, "ended with status 3")
	p.Press("k", browser.Ctrl)
	p.Wait(`document.activeElement?.matches(".palette input")`)
	titles := p.Texts(".palette .what")
	if want := []string{"secret", "asks", "broken", "Next session that needs you"}; !slices.Equal(titles[:min(4, len(titles))], want) {
		t.Errorf("all actions begin with %q, want %q", titles[:min(4, len(titles))], want)
	}
	for _, title := range []string{"All actions…", "Find an action or a session"} {
		if slices.Contains(titles, title) {
			t.Errorf("%q is in its own list", title)
		}
	}
	p.Press(browser.Escape)

	p.server.do(t, "POST", "/sessions/asks/input", "yes\r")
	p.listed("calling", "secret", "broken")
	p.listed("running", "asks", "quiet")
	p.Click(`[aria-label^="Done with broken"]`)
	p.listed("calling", "secret")
	p.listed("ended", "broken", "over")
	p.server.do(t, "POST", "/sessions/secret/input", "hidden\r")
	p.listed("calling")
	p.Wait(`document.title === "Terminals"`)
}

// TestTerminalPageUnmarkedShell has a shell that does not mark its prompts, and so is busy for half
// a second after each key and each short command. The list has it as asking for input throughout.
func TestTerminalPageUnmarkedShell(t *testing.T) {
	load.Long(t, "web TestUnits has a session that is busy for a moment")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"shell", "exec env PS1='now: ' bash --norc --noprofile"}, [2]string{"quiet", "exec sleep 1000"})
	p.listed("calling", "shell")
	p.Run(`window.left = 0; new MutationObserver(() => {
		if (!document.querySelector('.calling [data-session="shell"]')) left++;
	}).observe(document.querySelector(".list"), { subtree: true, childList: true, attributes: true, characterData: true })`)
	for i := range 3 {
		p.server.do(t, "POST", "/sessions/shell/input", fmt.Sprintf("echo $((%d + 6))6\r", i))
		p.server.sees(t, "shell", fmt.Sprintf("%d6\nnow:", i+6))
		p.Wait(fmt.Sprintf(`document.querySelector('[data-session="shell"] .preview').textContent.includes("%d6\nnow:")`, i+6))
		if res, text := p.server.do(t, "GET", "/sessions/shell/wait/state?states=line&max_wait_ms=60000", ""); res.StatusCode != 200 {
			t.Fatalf("the shell does not wait: %s %s", res.Status, text)
		}
	}
	if left := browser.Eval[int](p.Tab, `left`); left > 0 {
		t.Errorf("the session was not in the list of those that need the person, %d times", left)
	}
	// A command that takes its time is no question.
	p.server.do(t, "POST", "/sessions/shell/input", "sleep 1000\r")
	p.listed("calling")
	p.listed("running", "quiet", "shell")
}

// TestTerminalPageForms creates, tags, renames and kills a session by keys alone.
func TestTerminalPageForms(t *testing.T) {
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.WaitText(".empty h2", "No terminals yet")
	p.Press("N", browser.Alt, browser.Shift)
	p.Wait(`document.activeElement?.matches("dialog input")`)
	p.Press("printf 'hello\\n'; exec sleep 1000")
	p.Press("\t")
	p.Press("two words")
	p.Press("\r")
	p.says("dialog .error", "cannot be a name")
	p.Run(`const name = document.querySelectorAll("dialog.form input")[1]; name.focus(); name.select()`)
	p.Press("first")
	p.Press("\t\t")
	p.Press("one, two")
	p.Press("\r")
	p.listed("running", "first")
	p.Wait(`location.pathname === "/s/first"`)
	p.Wait(`!document.querySelector("dialog.form")`)
	p.Wait(`JSON.stringify([...document.querySelectorAll('[data-session="first"] .tag')].map((e) => e.textContent)) === '["one","two"]'`)

	command := func(words string) {
		t.Helper()
		p.Press("P", browser.Ctrl, browser.Shift)
		p.Wait(`document.activeElement?.matches(".palette input")`)
		p.Press(words)
		p.Press("\r")
	}
	command("rename")
	p.Wait(`document.activeElement?.matches("dialog.form input")`)
	p.Press("second")
	p.Press("\r")
	p.listed("running", "second")
	p.Wait(`location.pathname === "/s/second" && !document.querySelector("dialog.form")`)
	command("edit tags")
	p.Wait(`document.activeElement?.matches("dialog.form input")`)
	p.Run(`document.activeElement.select()`)
	p.Press("two three")
	p.Press("\r")
	p.Wait(`JSON.stringify([...document.querySelectorAll('[data-session="second"] .tag')].map((e) => e.textContent)) === '["three","two"]'`)
	p.Wait(`!document.querySelector("dialog.form")`)

	// Enter at the question does not kill.
	command("kill…")
	p.WaitText("dialog.form h2", "Kill second?")
	p.says("dialog.form p", "cannot be undone")
	p.Press("\r")
	p.Wait(`!document.querySelector("dialog.form")`)
	p.listed("running", "second")
	command("kill…")
	p.Click("dialog.form .danger")
	p.listed("running")
	p.says(".note p", "There is no session second.")
	if res, text := p.server.do(t, "GET", "/sessions", ""); text != "[]\n" {
		t.Errorf("sessions: %s %s", res.Status, text)
	}
}

// TestTerminalPagePanes splits, moves between, resizes and closes panes by keys, and finds them
// again by the address.
func TestTerminalPagePanes(t *testing.T) {
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"a", "exec sleep 1000"}, [2]string{"b", "exec sleep 1000"}, [2]string{"c", "exec sleep 1000"})
	p.listed("running", "a", "b", "c")
	address := func(want string) {
		t.Helper()
		p.Wait(fmt.Sprintf(`decodeURIComponent(location.pathname + location.search) === %q`, want))
	}
	choose := func(words string) {
		t.Helper()
		p.Wait(`document.activeElement?.matches(".palette input")`)
		p.Press(words)
		p.Press("\r")
	}
	p.Click(`[data-session="a"] a`)
	address("/s/a")
	p.Click(`[data-session="b"] a`)
	address("/s/b")
	p.Run(`history.back()`)
	address("/s/a")
	p.Wait(`document.querySelector(".pane.selected .name").textContent === "a"`)
	p.Press("D", browser.Alt, browser.Shift)
	choose("b")
	address("/s/b?panes=h50(a,b)")
	p.Press("E", browser.Alt, browser.Shift)
	choose("c")
	address("/s/c?panes=h50(a,v50(b,c))")
	p.Press(browser.ArrowUp, browser.Alt, browser.Shift)
	address("/s/b?panes=h50(a,v50(b,c))")
	p.Press(browser.ArrowLeft, browser.Alt, browser.Shift)
	address("/s/a?panes=h50(a,v50(b,c))")
	p.Press(".", browser.Alt, browser.Shift)
	address("/s/a?panes=h55(a,v50(b,c))")
	p.Run(`document.querySelectorAll(".border")[1].focus()`)
	p.Press(browser.ArrowDown)
	address("/s/a?panes=h55(a,v54(b,c))")

	// The same address displays the same in another tab, and after a reload.
	p.Reload()
	p.Wait(`document.querySelectorAll(".pane").length === 3`)
	p.Wait(`document.querySelector(".pane.selected .name").textContent === "a"`)
	address("/s/a?panes=h55(a,v54(b,c))")
	// Without an address, the last panes are there.
	p.Open(p.server.base + "/")
	p.Wait(`document.querySelectorAll(".pane").length === 3`)

	// A renamed session stays where it is, and so does the address of the others.
	p.server.do(t, "PATCH", "/sessions/b", `{"name":"z"}`)
	address("/s/a?panes=h55(a,v54(z,c))")
	p.Run(`document.querySelector(".pane.selected [aria-label='Close pane']").click()`)
	address("/s/z?panes=v54(z,c)")
}

// sees waits until the server's screen of a session has a text in it.
func (s *shellServer) sees(t testing.TB, session, part string) {
	t.Helper()
	q := url.Values{"text": {part}, "max_wait_ms": {"60000"}} // less than the HTTP client waits
	if res, text := s.do(t, "GET", "/sessions/"+session+"/wait/text?"+q.Encode(), ""); res.StatusCode != 200 {
		_, screen := s.do(t, "GET", "/sessions/"+session+"/screen?format=plain", "")
		t.Fatalf("%q does not appear in %s: %s %s\nIts screen: %s", part, session, res.Status, text, screen)
	}
}

// TestTerminalPageTypes types into a session, leaves its terminal by the key for that, and gives a
// session that the page has made the size of its pane.
func TestTerminalPageTypes(t *testing.T) {
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"cat", "stty size; exec cat"})
	p.listed("calling", "cat")
	p.Click(`[data-session="cat"] a`)
	p.Wait(`document.activeElement?.closest(".pane.selected .xterm")`)
	p.server.sees(t, "cat", "24 80")
	p.Press("typed here\r")
	p.server.sees(t, "cat", "typed here\ntyped here")

	p.Press("M", browser.Ctrl, browser.Shift)
	p.Wait(`document.activeElement?.closest('[data-session="cat"]')`)
	p.Press(browser.ArrowUp)
	p.Wait(`document.activeElement?.matches(".search input")`)
	p.Press(browser.ArrowDown)
	p.Press("\r")
	p.Wait(`document.activeElement?.closest(".pane.selected .xterm")`)

	p.Run(`document.querySelector('[aria-label="New terminal"]').click()`)
	p.Wait(`document.activeElement?.matches("dialog input")`)
	p.Press("until [ $(stty size | cut -d' ' -f1) != 24 ]; do sleep 0.05; done; echo size of the pane; exec sleep 1000\r")
	p.Wait(`location.pathname === "/s/0"`)
	p.server.sees(t, "0", "size of the pane")
	if errors := p.ConsoleErrors(); len(errors) > 0 {
		t.Errorf("the browser complains, maybe about the page's policy: %q", errors)
	}
}

// TestTerminalPageDialogsByKeys opens each dialog from a terminal, with keys alone. The focus is in
// the dialog, visibly, and returns to the terminal with Escape.
func TestTerminalPageDialogsByKeys(t *testing.T) {
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"one", "exec sleep 1000"})
	p.listed("running", "one")
	p.Click(`[data-session="one"] a`)
	for words, heading := range map[string]string{
		"new terminal…": "New terminal", "recordings…": "Recordings", "settings…": "Settings", "keys…": "Keys", "links for others…": "Links for others",
		"rename…": "Rename one", "edit tags…": "Tags of one", "who is attached…": "Attached to one", "kill…": "Kill one?",
	} {
		p.Wait(`document.activeElement?.closest(".pane .xterm")`)
		p.Press("P", browser.Ctrl, browser.Shift)
		p.Wait(`document.activeElement?.matches(".palette[open] input")`)
		p.Press(words + "\r")
		p.WaitText("dialog.form[open] h2", heading)
		p.Wait(`document.querySelector("dialog.form").contains(document.activeElement) && document.activeElement.matches(":focus-visible")`)
		p.Press(browser.Escape)
		p.Wait(`!document.querySelector("dialog")?.open && !document.querySelector("dialog.form")`)
	}
	p.Wait(`document.activeElement?.closest(".pane .xterm")`)
}

// TestTerminalPageHistory looks back by the wheel: the history covers the screen.
func TestTerminalPageHistory(t *testing.T) {
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.server.create(t, [2]string{"a", "i=0; while [ $i -lt 300 ]; do echo line $i; i=$((i+1)); done; exec sleep 1000"})
	p.server.sees(t, "a", "line 299")
	p.Open(p.server.base + "/s/a")
	p.Wait(`performance.getEntriesByName("terminal-first-picture").length > 0`) // all lines are above it
	p.Wheel(p.Middle(`document.querySelector(".terminal-screen")`), -2000)
	p.Wait(`document.querySelector(".terminal-history [data-line='200']")`)
	if off := browser.Eval[float64](p.Tab, `document.querySelector(".terminal-history").getBoundingClientRect().top - document.querySelector(".terminal-view").getBoundingClientRect().top`); off != 0 {
		t.Errorf("the history is %v pixels below the top of the view", off)
	}
}

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
	p.Press("P", browser.Ctrl, browser.Shift)
	p.Wait(`document.activeElement?.matches(".palette input")`)
	p.Press("links open\r")
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

	// The end of the link ends what it gave.
	p.Run(`document.querySelector(".tokens button").click()`)
	friend.Wait(`!document.querySelector(".login").hidden`)
	friend.says("#token-why", "has ended")
	friend.Wait(`document.querySelector(".pane") === null`)
}

// A cableTo forwards connections to a server, and can be cut.
type cableTo struct {
	listener net.Listener

	mu    sync.Mutex // guards the fields below
	to    string
	cut   bool
	conns map[net.Conn]bool
	work  sync.WaitGroup
}

func newLine(t *testing.T, to string) *cableTo {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &cableTo{listener: l, to: to, conns: map[net.Conn]bool{}}
	w.work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.work.Go(func() { w.forward(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		w.set(true)
		w.work.Wait()
	})
	return w
}

// set cuts the line, or joins it again.
func (w *cableTo) set(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	if cut {
		for c := range w.conns {
			c.Close()
		}
	}
}

// redirect makes later connections those to another server.
func (w *cableTo) redirect(to string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = to
}

func (w *cableTo) forward(c net.Conn) {
	defer c.Close()
	w.mu.Lock()
	to := w.to
	w.mu.Unlock()
	out, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer out.Close()
	w.mu.Lock()
	if w.cut {
		w.mu.Unlock()
		return
	}
	w.conns[c], w.conns[out] = true, true
	w.mu.Unlock()
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(c, out) // until one end closes
		c.Close()
	})
	_, _ = io.Copy(out, c)
	out.Close()
	back.Wait()
	w.mu.Lock()
	delete(w.conns, c)
	delete(w.conns, out)
	w.mu.Unlock()
}

// TestTerminalPageReconnects loses the server, says so, and comes back to what is true then.
func TestTerminalPageReconnects(t *testing.T) {
	t.Parallel()
	s := startShellServer(t, "TCP")
	line := newLine(t, strings.TrimPrefix(s.base, "http://"))
	p := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: s}
	s.create(t, [2]string{"before", "exec sleep 1000"}, [2]string{"stays", "exec sleep 1000"})
	p.Open("http://" + line.listener.Addr().String() + "/s/stays")
	p.listed("running", "before", "stays")
	p.Wait(`document.querySelector(".gone").hidden`)
	line.set(true)
	p.Wait(`!document.querySelector(".gone").hidden && document.querySelector(".status").dataset.up === "false"`)
	p.says(".gone", "has not answered since")
	p.says(".status", "No connection since")
	s.do(t, "DELETE", "/sessions/before", "")
	s.create(t, [2]string{"since", "exec sleep 1000"})
	line.set(false)
	p.listed("running", "since", "stays")
	p.Wait(`document.querySelector(".gone").hidden && document.querySelector(".status").dataset.up === "true"`)
}

// TestTerminalPageRenamedWhileAway comes back to its sessions when they have exchanged their names
// meanwhile, and a question about one is never carried out on another that has got its name.
func TestTerminalPageRenamedWhileAway(t *testing.T) {
	load.Long(t, "TestTerminalPageReconnects comes back to the same sessions")
	t.Parallel()
	s := startShellServer(t, "TCP")
	line := newLine(t, strings.TrimPrefix(s.base, "http://"))
	p := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: s}
	p.Size(1400, 900)
	for _, name := range []string{"one", "two"} {
		s.create(t, [2]string{name, "i=0; while [ $i -lt 100 ]; do echo " + name + " at first $i; i=$((i+1)); done; exec cat"})
	}
	p.Open("http://" + line.listener.Addr().String() + "/s/one?panes=h50(one,two)")
	named := func(pane int, name string) {
		t.Helper()
		p.Wait(fmt.Sprintf(`document.querySelectorAll(".pane")[%d]?.querySelector(".head .name").textContent === %q`, pane, name))
	}
	named(0, "one")
	p.Wait(`document.activeElement?.closest(".xterm")`)
	p.Press("before\r")
	s.sees(t, "one", "before\nbefore")
	line.set(true)
	p.Wait(`document.querySelector(".status").dataset.up === "false"`)
	for _, names := range [][2]string{{"one", "third"}, {"two", "one"}, {"third", "two"}} {
		if res, text := s.do(t, "PATCH", "/sessions/"+names[0], `{"name":"`+names[1]+`"}`); res.StatusCode != 200 {
			t.Fatalf("rename %s: %s", names[0], text)
		}
	}
	line.set(false)
	p.Wait(`decodeURIComponent(location.href).endsWith("/s/two?panes=h50(two,one)")`)
	named(0, "two")
	named(1, "one")
	p.Wait(`![...document.querySelectorAll(".terminal-notice")].some((e) => e.checkVisibility()) && document.querySelector(".status").dataset.up === "true"`)
	p.Press("after\r")
	s.sees(t, "two", "after\nafter")
	p.Press(browser.PageUp, browser.Shift)
	p.says(".pane.selected .terminal-history", "one at first")

	p.Press("P", browser.Ctrl, browser.Shift)
	p.Wait(`document.activeElement?.matches(".palette input")`)
	p.Press("kill…")
	p.Press("\r")
	p.WaitText("dialog.form h2", "Kill two?")
	s.do(t, "PATCH", "/sessions/two", `{"name":"old"}`)
	s.create(t, [2]string{"two", "exec sleep 1000"})
	p.Wait(`document.querySelector('[data-session="old"]') && document.querySelector('[data-session="two"]')`)
	p.Click("dialog.form .danger")
	p.Wait(`!document.querySelector('[data-session="old"]') && document.querySelector('[data-session="two"]')`)
	p.Wait(`!document.querySelector("dialog.form")`)
}

// TestTerminalPageOnPhone has a drawer, one pane at a time, keys that phones lack, and targets that
// a finger hits.
func TestTerminalPageOnPhone(t *testing.T) {
	load.Long(t, "TestTerminalPagePanes has panes in a window")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.Size(390, 844)
	p.server.create(t, [2]string{"cat", "exec cat -v"}, [2]string{"other", "exec sleep 1000"})
	p.server.do(t, "PATCH", "/sessions/other", `{"add_tags":["`+strings.Repeat("long", 16)+`"]}`)
	p.Wait(`[".chip", ".tag"].every((tag) => document.querySelector(tag).getBoundingClientRect().right < innerWidth)`)
	p.Click(`[data-session="cat"] a`)
	p.Wait(`getComputedStyle(document.querySelector(".sidebar")).visibility === "hidden"`)
	p.Wait(`document.activeElement?.closest(".xterm")`)
	p.Click(`.keyrow [aria-label="Control"]`)
	p.Wait(`document.querySelector('.keyrow [aria-label="Control"]').getAttribute("aria-pressed") === "true"`)
	p.Press("g")
	p.Wait(`document.querySelector('.keyrow [aria-label="Control"]').getAttribute("aria-pressed") === "false"`)
	p.Click(`.keyrow [aria-label="Pipe"]`)
	p.Click(`.keyrow [aria-label="Escape"]`)
	p.Click(`.keyrow [aria-label="Up"]`)
	p.Press("x\r")
	p.server.sees(t, "cat", "^G|^[^[[Ax")
	p.Wait(`document.activeElement?.closest(".xterm")`) // the keyboard stays
	small := browser.Eval[[]string](p.Tab, `[...document.querySelectorAll(".head button, .keyrow button, .note button")]
		.filter((b) => b.checkVisibility({visibilityProperty: true}) && !b.matches(".mode"))
		.filter((b) => b.getBoundingClientRect().height < 40 || b.getBoundingClientRect().width < 40)
		.map((b) => b.ariaLabel ?? b.textContent)`)
	if len(small) > 0 {
		t.Errorf("buttons smaller than 40 px: %q", small)
	}
	if wide := browser.Eval[bool](p.Tab, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page scrolls sideways")
	}
	p.Click(`.pane.selected .drawer-button`)
	p.Wait(`getComputedStyle(document.querySelector(".sidebar")).visibility === "visible"`)
	p.ClickOn(`document.querySelector('[data-session="other"] a')`)
	p.Wait(`location.pathname === "/s/other" && getComputedStyle(document.querySelector(".sidebar")).visibility === "hidden"`)
}

// TestTerminalPageWideOnPhone has a session that is much wider than a phone: as a whole, and with
// one tap at a size that can be read, where a finger pans and the cursor is in view.
func TestTerminalPageWideOnPhone(t *testing.T) {
	load.Long(t, "web TestUnits fits a session into a view")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.Size(390, 844)
	if res, text := p.server.do(t, "POST", "/sessions", `{"name":"wide","command":"seq 1 30; printf '%0200d' 1; exec sleep 1000","cols":300,"rows":70}`); res.StatusCode != 201 {
		t.Fatal(text)
	}
	p.listed("running", "wide")
	p.Click(`[data-session="wide"] a`)
	const width = `document.querySelector(".xterm-screen").getBoundingClientRect().width`
	const screen = `document.querySelector(".terminal-screen")`
	p.Wait(`document.querySelector(".pane .head [aria-pressed]").checkVisibility() && ` + width + ` > 0 && ` + width + ` <= innerWidth`)
	p.Click(`.pane .head [aria-pressed]`)
	p.Wait(width + ` > 5 * innerWidth && document.querySelector(".pane .head [aria-pressed='true']")`)
	p.Wait(`(({left, width}) => left + width * 200 / 300 > 0 && left + width * 201 / 300 <= innerWidth)(document.querySelector(".xterm-screen").getBoundingClientRect())`)
	left := browser.Eval[float64](p.Tab, screen+`.scrollLeft`)
	p.Swipe(browser.Point{X: 60, Y: 300}, browser.Point{X: 360, Y: 310})
	p.Wait(fmt.Sprintf(`%s.scrollLeft < %v`, screen, left-150))
	p.Swipe(browser.Point{X: 200, Y: 600}, browser.Point{X: 205, Y: 300})
	p.Wait(screen + `.scrollTop > 100 && !document.querySelector(".terminal-history")`)
	if wide := browser.Eval[bool](p.Tab, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page scrolls sideways")
	}
	p.Click(`.pane .head [aria-pressed]`)
	p.Wait(width + ` <= innerWidth && ` + screen + `.scrollLeft === 0`)
	// One that fits has no such button.
	p.Run(`document.querySelector(".pane .lead").click()`)
	p.Wait(`!document.querySelector(".pane .head [aria-pressed]").checkVisibility()`)
}

// TestTerminalPageEnded displays the last lines of a session that had ended before it was opened,
// and removes it.
func TestTerminalPageEnded(t *testing.T) {
	load.Long(t, "TestTerminalPageList removes a session")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.Size(900, 320) // less than the screen, of which the last rows are empty
	p.server.create(t, [2]string{"over", "echo the last words; exit 4"})
	p.listed("calling", "over")
	p.Click(`[data-session="over"] a`)
	p.says(".pane .terminal-history", "the last words")
	p.Wait(`document.querySelector(".terminal-history [data-line='0']").getBoundingClientRect().top >= document.querySelector(".terminal-history-lines").getBoundingClientRect().top`)
	p.says(".over .note", "has ended with status 4")
	p.Wait(`!document.querySelector(".terminal-notice")?.checkVisibility()`)
	p.Run(`[...document.querySelectorAll(".note button")].find((b) => b.textContent === "Remove").click()`)
	p.listed("calling")
	p.says(".over .note", "There is no session over.")
}

// TestTerminalPageSettings keeps what the person has set, also in other tabs, and reads no
// nonsense.
func TestTerminalPageSettings(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	p := openTerminalPage(t, "/")
	p.Run(`document.querySelector('[aria-label="Settings"]').click()`)
	p.Run(`const theme = document.querySelector("dialog select"); theme.value = "contrast"; theme.dispatchEvent(new Event("change"))`)
	p.Wait(`getComputedStyle(document.body).backgroundColor === "rgb(0, 0, 0)"`)
	p.Reload()
	p.Wait(`document.documentElement.dataset.theme === "contrast" && document.querySelector(".empty h2")`)
	p.Run(`localStorage.setItem("wsh-settings", '{"theme":"nothing","fontSize":-1')`)
	p.Reload()
	p.Wait(`document.documentElement.dataset.theme === "system" && document.querySelector(".empty h2")`)
}

// TestTerminalPageOfUIMCP opens the page of a process that has apps, too: at the origin of the
// questions, which scripts of apps cannot reach.
func TestTerminalPageOfUIMCP(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"), "--toolsets", "ui,popup,terminal")
	app, err := url.Parse(s.ok("ui_start", nil))
	if err != nil {
		t.Fatal(err)
	}
	p := &terminalPage{Tab: browser.New(t).Tab(), t: t}
	p.Open("http://" + app.Host + "/terminals/")
	p.WaitText(".empty h2", "No terminals yet")
	p.Wait(`location.hostname === "localhost" && location.pathname === "/terminals/"`)
	p.Run(`document.querySelector('[aria-label="New terminal"]').click()`)
	p.Wait(`document.activeElement?.matches("dialog input")`)
	p.Press("printf 'apps and terminals'; exec sleep 1000\r")
	p.Wait(`location.pathname.startsWith("/terminals/s/")`)
	p.says(".item .preview", "apps and terminals")
	p.Wait(`document.activeElement?.closest(".pane.selected .xterm")`)
	p.Reload()
	p.says(".item .preview", "apps and terminals")
	p.Wait(`document.querySelector(".pane.selected .xterm")`)
}
