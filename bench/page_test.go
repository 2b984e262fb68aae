//go:build linux

package bench

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/web"
)

// An echoPage is a page that notes the milliseconds from each key until something is painted, in
// the list echoes.
type echoPage struct {
	*browser.Tab
	keys int
}

// measure makes a page note its echoes. rendered is the event of an element when the terminal in it
// has painted something. The page does not ask for frames: one that is produced just before an echo
// comes would delay it to the next.
func (p *echoPage) measure(element, rendered string) {
	p.Run(`
		window.echoes = [];
		let waiting = () => {};
		window.echoed = (n) => new Promise((resolve) => {
			waiting = () => { if (echoes.length >= n) resolve(true); };
			waiting();
		});
		const element = document.querySelector(` + "`" + element + "`" + `);
		let begun;
		element.addEventListener("keydown", (event) => { begun = event.timeStamp; }, true);
		element.addEventListener("` + rendered + `", () => {
			if (begun !== undefined) window.echoes.push(performance.now() - begun);
			begun = undefined;
			waiting();
		});`)
}

// press presses a key and waits until its echo is painted.
func (p *echoPage) press() {
	p.Press(string(rune('a' + p.keys%26)))
	p.keys++
	browser.Eval[bool](p.Tab, fmt.Sprintf(`echoed(%d)`, p.keys))
}

// forget forgets the echoes so far.
func (p *echoPage) forget() {
	p.Run(`echoes.length = 0`)
	p.keys = 0
}

// times returns the echoes.
func (p *echoPage) times() (list stopwatch) {
	for _, ms := range browser.Eval[[]float64](p.Tab, `echoes`) {
		list.add(ms)
	}
	return list
}

// openBare opens a page with nothing but xterm.js, whose input comes back over a WebSocket as it
// is: no terminal in a page can answer a key sooner.
func openBare(b *testing.B, person *browser.Browser) *echoPage {
	dist, err := fs.Sub(web.Terminals(), "xterm")
	if err != nil {
		b.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(dist))
	mux.HandleFunc("GET /bare", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>html, body, main { height: 100%; margin: 0 }</style><main></main><script type="module">
			import { Terminal, css } from "/xterm.js";
			import { WebglAddon } from "/webgl.js";
			const sheet = new CSSStyleSheet();
			sheet.replaceSync(css);
			document.adoptedStyleSheets.push(sheet);
			const main = document.querySelector("main");
			const terminal = new Terminal({ cols: 80, rows: 24, scrollback: 0 });
			terminal.open(main);
			terminal.loadAddon(new WebglAddon());
			const socket = new WebSocket("/socket");
			socket.onmessage = ({ data }) => terminal.write(data);
			terminal.onData((data) => socket.send(data));
			terminal.onRender(() => main.dispatchEvent(new Event("rendered")));
			socket.onopen = () => { window.isOpen = true; };
		</script>`)
	})
	mux.HandleFunc("GET /socket", func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		for {
			kind, data, err := c.Read(r.Context())
			if err != nil || c.Write(r.Context(), kind, data) != nil {
				return
			}
		}
	})
	srv := httptest.NewServer(mux)
	b.Cleanup(srv.Close)
	page := &echoPage{Tab: person.Tab()}
	page.Feature("prefers-reduced-motion", "reduce")
	page.Open(srv.URL + "/bare")
	page.Wait(`window.isOpen`)
	page.measure("main", "rendered")
	page.ClickOn(`document.querySelector(".xterm-screen")`)
	return page
}

// BenchmarkPageEcho measures the time from a key in a page until xterm.js has painted its echo,
// relative to a bare page with xterm.js whose keys come back at once.
func BenchmarkPageEcho(b *testing.B) {
	s := startHost(b)
	s.create("echo", "echo ready; exec cat >/dev/null", 80, 24)
	person := browser.New(b)
	page := &echoPage{Tab: person.Tab()}
	page.Feature("prefers-reduced-motion", "reduce") // the cursor does not blink, so that every picture is an answer
	page.Open(s.url + "/s/echo")
	page.Wait(`performance.getEntriesByName("terminal-first-picture").length > 0`)
	page.ClickOn(`document.querySelector(".terminal-screen")`)
	page.measure(".terminal-view", "terminalrendered")
	page.press() // takes the lead, so the screen is drawn again
	bare := openBare(b, person)
	bare.press()
	time.Sleep(time.Second) // in which WebGL starts, too
	page.forget()
	bare.forget()
	for b.Loop() {
		page.press()
		bare.press()
	}
	took, least := page.times(), bare.times()
	page.Close()
	bare.Close()
	took.report(b)
	least.report(b, "bare-")
	b.ReportMetric(took.ms(0.5)/least.ms(0.5), "bare-ratio")
}
