//go:build linux

package bench

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/web"
)

// A pageServer is a wsh server whose sessions pages display.
type pageServer struct {
	b    *testing.B
	pid  int
	url  string
	http *http.Client
}

func servePages(b *testing.B) *pageServer {
	b.Helper()
	program := filepath.Join(scratch, "wsh")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", program, "ui-mcp/cmd/wsh")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as in releases
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	dir, err := os.MkdirTemp("", "w")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	server := exec.Command(program, "server", "--bind", address, "--config", os.DevNull)
	server.Env = pty.Environment(os.Environ(), map[string]string{"XDG_RUNTIME_DIR": dir, "HOME": dir, "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"})
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	s := &pageServer{b: b, pid: server.Process.Pid, url: "http://" + address, http: &http.Client{Timeout: time.Minute}}
	wait.Until(b, "the server answers", func() bool {
		r, err := s.http.Get(s.url + "/health")
		if err == nil {
			_ = r.Body.Close()
		}
		return err == nil
	})
	return s
}

func (s *pageServer) do(method, path, body string) {
	s.b.Helper()
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.b.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := s.http.Do(r)
	if err != nil {
		s.b.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		var text bytes.Buffer
		_, _ = text.ReadFrom(answer.Body)
		s.b.Fatalf("%s %s: %d %s", method, path, answer.StatusCode, &text)
	}
}

// open opens a session in a page, and waits until it is painted.
func (s *pageServer) open(person *browser.Browser, session string) *browser.Tab {
	tab := person.Tab()
	tab.Still(true) // the cursor does not blink, so that every picture is an answer
	tab.Open(s.url + "/s/" + session)
	tab.Wait(`performance.getEntriesByName("terminal-first-picture").length > 0`)
	return tab
}

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
func (p *echoPage) times() (list []time.Duration) {
	for _, ms := range browser.Eval[[]float64](p.Tab, `echoes`) {
		list = append(list, time.Duration(ms*float64(time.Millisecond)))
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
	page.Still(true)
	page.Open(srv.URL + "/bare")
	page.Wait(`window.isOpen`)
	page.measure("main", "rendered")
	page.ClickOn(`document.querySelector(".xterm-screen")`)
	return page
}

// BenchmarkPageEcho measures the time from a key in a page until xterm.js has painted its echo,
// relative to a bare page with xterm.js whose keys come back at once, and the server's part of
// that: from the frame with the key to the frame with the picture.
func BenchmarkPageEcho(b *testing.B) {
	s := servePages(b)
	s.do("POST", "/sessions", `{"name":"echo","command":"echo ready; exec cat >/dev/null","rows":24,"cols":80}`)
	person := browser.New(b)
	page := &echoPage{Tab: s.open(person, "echo")}
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
	stopwatch(took).report(b)
	b.ReportMetric(percentile(least, 50)/1000, "bare-p50-ms")
	b.ReportMetric(percentile(least, 99)/1000, "bare-p99-ms")
	b.ReportMetric(percentile(took, 50)/percentile(least, 50), "bare-ratio")

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, _, err := websocket.Dial(ctx, strings.Replace(s.url, "http", "ws", 1)+"/sessions/echo/ws/attach", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer c.CloseNow()
	c.SetReadLimit(1 << 24)
	send := func(k socketwire.Kind, content string) {
		if err := c.Write(ctx, websocket.MessageBinary, append([]byte{byte(k)}, content...)); err != nil {
			b.Fatal(err)
		}
	}
	picture := func() {
		for {
			_, m, err := c.Read(ctx)
			if err != nil {
				b.Fatal(err)
			}
			if socketwire.Kind(m[0]) == socketwire.PtyOutput {
				send(socketwire.Drawn, "")
				return
			}
		}
	}
	send(socketwire.AttachSession, `{"client":{"escape":"passes","kind":"page","follows":true,"paced":true}}`)
	picture()
	var server []time.Duration
	for i := range 200 {
		time.Sleep(15 * time.Millisecond)
		start := time.Now()
		send(socketwire.StdinInput, string(rune('a'+i%26)))
		picture()
		server = append(server, time.Since(start))
	}
	b.ReportMetric(percentile(server, 50)/1000, "server-p50-ms")
	b.ReportMetric(percentile(server, 99)/1000, "server-p99-ms")
}

// BenchmarkPageOpen measures the time from the start of the navigation until the page of terminals,
// with 30 sessions in its list, has painted something, and a session's screen.
func BenchmarkPageOpen(b *testing.B) {
	s := servePages(b)
	s.do("POST", "/sessions", `{"name":"full","command":"i=10; while [ $i -lt 59 ]; do printf '\\033[%dmrow %0150d\\033[m\\n' $((31 + i % 7)) $i; i=$((i+1)); done; exec sleep 1000","rows":50,"cols":160}`)
	for i := range 29 {
		s.do("POST", "/sessions", fmt.Sprintf(`{"name":"s%d","command":"seq 1 100; exec sleep 1000"}`, i))
	}
	person := browser.New(b)
	s.open(person, "full").Close() // fills the caches
	var paint, screen stopwatch
	for b.Loop() {
		tab := s.open(person, "full")
		tab.Wait(`performance.getEntriesByName("first-paint").length > 0`)
		at := browser.Eval[[]float64](tab, `["first-paint", "terminal-first-picture"].map((name) => performance.getEntriesByName(name)[0].startTime)`)
		paint = append(paint, time.Duration(at[0]*float64(time.Millisecond)))
		screen = append(screen, time.Duration(at[1]*float64(time.Millisecond)))
		tab.Close()
	}
	screen.report(b)
	b.ReportMetric(percentile(paint, 50)/1000, "paint-p50-ms")
	b.ReportMetric(percentile(paint, 99)/1000, "paint-p99-ms")
}

// BenchmarkPageFlood measures what a flood costs the server without a page and with one.
func BenchmarkPageFlood(b *testing.B) {
	s := servePages(b)
	payloads, err := termPayloads()
	if err != nil {
		b.Fatal(err)
	}
	person := browser.New(b)
	spent := map[bool]time.Duration{}
	took := map[bool]time.Duration{}
	frames := 0
	n := 0
	for b.Loop() {
		for _, with := range []bool{false, true} {
			n++
			name := fmt.Sprintf("flood%d", n)
			s.do("POST", "/sessions", fmt.Sprintf(`{"name":%q,"command":"stty -echo; echo ready; read go; for i in 1 2 3 4 5; do head -c 20000000 %s; done; echo; echo passed; exec cat","rows":50,"cols":160}`, name, payloads["plain"].path))
			var tab *browser.Tab
			if with {
				tab = s.open(person, name)
				// All of the session is displayed, so that how a page fits it does not count.
				tab.Size(2200, 1400)
				tab.Wait(`!document.querySelector(".terminal-pans")`)
				tab.Run(`window.frames = 0; document.addEventListener("terminalrendered", () => window.frames++)`)
			}
			s.do("GET", "/sessions/"+name+"/wait/text?text=ready&max_wait_ms=10000", "")
			before, start := cpuOf(b, s.pid), time.Now()
			s.do("POST", "/sessions/"+name+"/input", "\n")
			s.do("GET", "/sessions/"+name+"/wait/text?text=passed&max_wait_ms=60000", "")
			spent[with] += cpuOf(b, s.pid) - before
			took[with] += time.Since(start)
			if with {
				frames += browser.Eval[int](tab, `window.frames`)
				tab.Close()
			}
			s.do("DELETE", "/sessions/"+name, "")
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(spent[false].Milliseconds())/float64(b.N), "alone-cpu-ms")
	b.ReportMetric(float64(spent[true].Milliseconds())/float64(b.N), "page-cpu-ms")
	b.ReportMetric(100*(float64(spent[true])/float64(spent[false])-1), "page-more-%")
	b.ReportMetric(float64(frames)/took[true].Seconds(), "frames/s")
}
