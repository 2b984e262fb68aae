package web_test

import (
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// tabs are tabs of one person, at one server.
type tabs struct {
	*server
	*browser.Browser
}

// patientTabs wait for the worker's answer however busy the machine is. A page opens without the
// answer after 2 s.
const patientTabs = `<script>{
	const wait = setTimeout;
	window.setTimeout = (f, ms, ...args) => wait(f, ms === 2000 ? 120_000 : ms, ...args);
}</script>`

// newTabs returns tabs of one person at a new server, whose pages have more in their heads.
func newTabs(t *testing.T, head string) tabs {
	t.Helper()
	s := serve(t)
	s.head = patientTabs + head
	return tabs{s, browser.New(t)}
}

// open opens a session in a new tab, and expects it to be shown.
func (ts tabs) open(path string) *page {
	ts.t.Helper()
	p := &page{Tab: ts.Tab(), server: ts.server}
	p.Open(ts.url + path)
	ts.shows(p)
	return p
}

// shows expects the page of a tab to connect.
func (ts tabs) shows(p *page) {
	ts.t.Helper()
	p.conn = ts.accept()
	p.send("%s", snapshot(1, `[1,1,["hello"]]`, def(1, "A", `<h1 data-ui='0'></h1>`, `[[0,"value",""]]`)))
	p.WaitText("h1", "hello")
}

// waits opens a session in a new tab, and expects that it waits.
func (ts tabs) waits(path string) *page {
	ts.t.Helper()
	p := &page{Tab: ts.Tab(), server: ts.server}
	p.Open(ts.url + path)
	p.WaitText("h1", "Session is already open")
	if title := browser.Eval[string](p.Tab, `document.title`); title != "Session is already open" {
		ts.t.Errorf("the tab is called %q", title)
	}
	return p
}

// none fails the test when a page has connected.
func (ts tabs) none() {
	ts.t.Helper()
	select {
	case c := <-ts.conns:
		ts.t.Fatalf("a page has connected to session %s", c.session)
	default:
	}
}

// A session that is open is not opened a second time if that was asked for.
func TestConserve(t *testing.T) {
	t.Parallel()
	ts := newTabs(t, "")
	first := ts.open("/1/?conserve=true")
	first.Run(`window.notified = [];
		window.Notification = class {
			static permission = "granted";
			constructor(title) { notified.push(title); window.last = this; }
			close() { notified.push("closed"); }
		};
		window.focused = 0;
		window.focus = () => focused++`)

	second := ts.waits("/1/?conserve=true")
	is(second, `document.documentElement.dataset.uiState`, "waiting")
	is(second, `[...document.querySelectorAll("a")].map((a) => a.textContent).join()`, "Close this page")
	is(second, `typeof uiApp`, "undefined")
	first.Wait(`notified.length === 1`)
	is(first, `notified[0]`, "Session 1 is already active in another tab.")
	is(first, `focused`, 1)

	// A click on the notification brings the first tab forward.
	first.Run(`last.onclick()`)
	is(first, `focused + notified.at(-1)`, "2closed")

	// The person may ask again.
	second.Click("button:not([hidden])")
	first.Wait(`notified.length === 3`)
	ts.none()

	// Another session is independent of them.
	other := ts.open("/2/?conserve=true")
	other.Close()

	// When the first tab closes, the second one offers to open.
	first.Close()
	second.Wait(`!document.querySelector("button.primary").hidden`)
	is(second, `document.querySelector("button.primary").textContent`, "Open it here")
	ts.none()
	second.Click("button.primary")
	ts.shows(second)
	is(second, `document.documentElement.dataset.uiState`, "live")
	is(second, `document.querySelectorAll(".ui-waiting").length`, 0)
}

// A tab that waits since before an update keeps the worker of that version, which speaks otherwise.
func TestConserveAfterUpdate(t *testing.T) {
	load.Long(t, "TestConserve has a worker of this version")
	t.Parallel()
	ts := newTabs(t, `<script>{
		const Worker = SharedWorker;
		window.SharedWorker = function (url, { name }) {
			if (name !== "ui session 1") return new Worker(url, { name });
			const port = { postMessage: ({ type }) => type === "join" && setTimeout(() => port.onmessage({ data: { type: "show" } })) };
			return { port };
		};
	}</script>`)
	ts.open("/1/?conserve=true")
}

// Reloading a tab does not make it wait for itself.
func TestConserveReload(t *testing.T) {
	load.Long(t, "TestConserve has two tabs")
	t.Parallel()
	ts := newTabs(t, "")
	p := ts.open("/1/?conserve=true")
	for range 3 {
		p.Reload()
		ts.shows(p)
	}
}

// Permission is requested only when the person presses a button.
func TestConserveAsksForPermission(t *testing.T) {
	load.Long(t, "TestConserve has two tabs")
	t.Parallel()
	ts := newTabs(t, `<script>
		window.asked = 0;
		window.Notification = class {
			static permission = "default";
			static async requestPermission() { window.asked++; return (this.permission = "granted"); }
		};
	</script>`)
	first := ts.open("/1/?conserve=true")
	first.Run(`window.calls = 0; window.focus = () => calls++`)
	second := ts.waits("/1/?conserve=true")
	first.Wait(`calls === 1`)
	is(second, `asked`, 0)
	second.ClickOn(`[...document.querySelectorAll("button")].find((b) => b.textContent === "Notify me next time")`)
	first.Wait(`calls === 2`)
	is(second, `asked`, 1)
	second.Wait(`[...document.querySelectorAll("button")].find((b) => b.textContent === "Notify me next time").hidden`)
}

// The link closes the tab, where the browser lets it; else the page says so.
func TestConserveClose(t *testing.T) {
	load.Long(t, "TestConserve has two tabs")
	t.Parallel()
	ts := newTabs(t, "")
	ts.open("/1/?conserve=true")
	second := ts.waits("/1/?conserve=true")
	second.Run(`window.close = () => { window.asked = true }`)
	second.Click(".ui-waiting a")
	second.Wait(`asked`)
	second.Wait(`document.querySelector(".ui-waiting [role=status]").textContent.includes("Please close it yourself")`)
	is(second, `location.hash`, "")
}

// Where a browser has no shared workers, or no notifications, the page is as any other.
func TestConserveWithoutSupport(t *testing.T) {
	load.Long(t, "TestConserve has a browser with shared workers")
	t.Parallel()
	for _, missing := range []string{
		`delete window.SharedWorker`,
		`window.SharedWorker = class { constructor() { throw new DOMException("no", "SecurityError") } }`,
		`window.SharedWorker = class { port = { postMessage() {} }; constructor() { setTimeout(() => this.onerror(new Event("error"))) } }`,
	} {
		t.Run(missing, func(t *testing.T) {
			t.Parallel() // the last one takes seconds of waiting
			s := serve(t)
			s.head = `<script>` + missing + `</script>`
			ts := tabs{s, browser.New(t)}
			ts.open("/1/?conserve=true")
			ts.open("/1/?conserve=true")
		})
	}
}
