//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
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
	if *pictures != "" {
		p.Graphics()
	}
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
	p.Press("green")
	p.listed("running", "s7", "s9")
	p.server.do(t, "PATCH", "/sessions/s7", `{"remove_tags":["green"]}`)
	p.listed("running", "s9")
	p.Press("\x1b")
	p.listed("running", numbered(30)...)

	// A session that is new, renamed or removed elsewhere.
	p.server.create(t, [2]string{"new", "exec sleep 1000"})
	p.listed("running", append([]string{"new"}, numbered(30)...)...)
	p.Run(`document.querySelector('[aria-label="Actions for new"]').click()`)
	p.Wait(`document.activeElement?.matches(".palette[open] input")`)
	p.server.do(t, "PATCH", "/sessions/new", `{"name":"t"}`)
	p.listed("running", append(numbered(30), "t")...)
	p.Press("kill…\r") // that session, whatever it is called now
	p.WaitText("dialog.form[open] h2", "Kill new?")
	p.Press(browser.Escape)
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

// TestTerminalPageForms creates, tags, renames and kills a session by keys alone.
func TestTerminalPageForms(t *testing.T) {
	load.Long(t, "TestTerminalPageCalls deals with sessions in the page")
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
	p.says(".note p", "There is no session “second”.")
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
	p.Run(`document.querySelectorAll(".border")[1].focus()`)
	p.Press(browser.ArrowDown)
	address("/s/a?panes=h50(a,v54(b,c))")

	// The same address displays the same in another tab, and after a reload.
	p.Reload()
	p.Wait(`document.querySelectorAll(".pane").length === 3`)
	p.Wait(`document.querySelector(".pane.selected .name").textContent === "a"`)
	address("/s/a?panes=h50(a,v54(b,c))")
	// Without an address, the last panes are there.
	p.Open(p.server.base + "/")
	p.Wait(`document.querySelectorAll(".pane").length === 3`)

	// A renamed session stays where it is, and so does the address of the others.
	p.server.do(t, "PATCH", "/sessions/b", `{"name":"z"}`)
	address("/s/a?panes=h50(a,v54(z,c))")
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
	load.Long(t, "TestTerminalPageTypes has keys in the page")
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

// TestTerminalPageSettings keeps what the person has set, and reads no nonsense. It has high
// contrast where the system asks for it, unless the person has chosen otherwise.
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
	p.Feature("prefers-contrast", "more")
	p.Wait(`getComputedStyle(document.body).backgroundColor === "rgb(0, 0, 0)" && getComputedStyle(document.body).color === "rgb(255, 255, 255)"`)
	p.Run(`localStorage.setItem("wsh-settings", '{"theme":"light"}')`)
	p.Reload()
	p.Wait(`document.documentElement.dataset.theme === "light"`)
}
