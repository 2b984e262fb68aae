package httppopup

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

// get requests a path at a host. It follows no redirect. Headers are "Name: value" lines.
func (s *testServer) get(host, path string, headers ...string) (res *http.Response, body string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Host = host
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	res, err = http.DefaultTransport.RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res, string(b)
}

// The paths beside those of questions are for programs, and for pages of their own origin, not for
// apps.
func TestBeside(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	port := strings.TrimPrefix(s.url, "http://127.0.0.1")
	for _, tt := range []struct {
		name, host, path string
		headers          []string
		want             string
	}{
		{"a program", "localhost", "/beside/x", nil, "200 /beside/x [http://127.0.0.1PORT https://127.0.0.1PORT]"},
		{"without a path", "localhost", "/beside", nil, "200 /beside [http://127.0.0.1PORT https://127.0.0.1PORT]"},
		{"its own page", "localhost", "/beside/x", []string{"Origin: http://localhostPORT", "Sec-Fetch-Site: same-origin"}, "200 "},
		{"at the name of apps", "127.0.0.1", "/beside/x?y=1", nil, "307 //localhostPORT/beside/x?y=1"},
		{"a request of an app", "127.0.0.1", "/beside/x", []string{"Origin: http://127.0.0.1PORT"}, "307 "},
		{"a page of an app", "localhost", "/beside/x", []string{"Origin: http://127.0.0.1PORT"}, "403 Refused: pages of apps"},
		{"a page of an app by IPv6", "localhost", "/beside/x", []string{"Origin: http://[::1]PORT"}, "403 Refused: pages of apps"},
		{"a page without an origin", "localhost", "/beside/x", []string{"Origin: null"}, "403 "},
		{"an image in an app", "localhost", "/beside/x", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"}, "403 "},
		{"a frame in an app", "localhost", "/beside/x", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, "403 "},
		{"a link in an app", "localhost", "/beside/x", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, "200 "},
		{"another path", "localhost", "/besides", nil, "307 //127.0.0.1PORT/besides"},
	} {
		var headers []string
		for _, h := range tt.headers {
			headers = append(headers, strings.ReplaceAll(h, "PORT", port))
		}
		res, body := s.get(tt.host+port, tt.path, headers...)
		got := fmt.Sprint(res.StatusCode, " ", res.Header.Get("Location"), body)
		if want := strings.ReplaceAll(tt.want, "PORT", port); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, want)
		}
	}
}

// Neither name serves what belongs to the other. Redirects keep the port that the browser sees.
func TestNames(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	for _, tt := range []struct {
		host, path string
		headers    []string
		want       string
	}{
		{"127.0.0.1:9000", "/", nil, "200 "},
		{"127.0.0.1:9000", "/popup.js", nil, "200 "},
		{"127.0.0.1:9000", "/popup?x=1", nil, "307 //localhost:9000/popup?x=1"},
		{"127.0.0.1:9000", "/question.js", nil, "307 //localhost:9000/question.js"},
		{"127.0.0.1:9000", "/popup-ws", []string{"Upgrade: websocket"}, "421 "},
		{"localhost:9000", "/popup", nil, "200 "},
		{"LOCALHOST:9000", "/popup", nil, "200 "},
		{"localhost:9000", "/popup", []string{"Sec-Fetch-Dest: document"}, "200 "},
		{"localhost:9000", "/popup", []string{"Sec-Fetch-Dest: object"}, "403 "},
		{"localhost:9000", "/question.js", nil, "200 "},
		{"localhost:9000", "/question.js", []string{"Service-Worker: script"}, "403 "},
		{"localhost:9000", "/popup.js", nil, "307 //127.0.0.1:9000/popup.js"},
		{"localhost:9000", "/1/?a=b", nil, "307 //127.0.0.1:9000/1/?a=b"},
		{"localhost", "/", nil, "307 //127.0.0.1/"},
		{"localhost:9000", "/ws/1", []string{"Upgrade: websocket"}, "421 "},
		{"localhost:9000", "/evil.js", []string{"Service-Worker: script"}, "403 "},
		{"[::1]:9000", "/1/", nil, "307 //127.0.0.1:9000/1/"},
		{"[::1]:9000", "/popup", nil, "307 //127.0.0.1:9000/popup"},
	} {
		res, _ := s.get(tt.host, tt.path, tt.headers...)
		if got := fmt.Sprint(res.StatusCode, " ", res.Header.Get("Location")); got != tt.want {
			t.Errorf("%s%s %s: %s, want %s", tt.host, tt.path, tt.headers, got, tt.want)
		}
	}
}

// The document of the questions says itself who may have it in a frame: pages of apps, at the port
// that the browser sees.
func TestDocumentPolicy(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	res, body := s.get("localhost:9000", "/popup")
	if !strings.Contains(body, `data-app="127.0.0.1:9000"`) {
		t.Errorf("the document does not name its app: %s", body)
	}
	if got := res.Header.Get("Content-Security-Policy"); !strings.HasSuffix(got, "; frame-ancestors http://127.0.0.1:9000 https://127.0.0.1:9000") ||
		!strings.HasPrefix(got, "default-src 'none'; script-src 'self'; ") {
		t.Errorf("policy %s", got)
	}
}

// Programs without the origin of the questions, scripts of apps with it, and connections that do
// not introduce themselves are refused.
func TestStrangers(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
	defer cancel()
	there := strings.Replace(s.url, "127.0.0.1", "localhost", 1)
	dial := func(url string, headers ...string) (*websocket.Conn, *http.Response, error) {
		h := http.Header{}
		for _, line := range headers {
			name, value, _ := strings.Cut(line, ": ")
			h.Set(name, value)
		}
		return websocket.Dial(ctx, "ws"+strings.TrimPrefix(url, "http")+"/popup-ws", &websocket.DialOptions{HTTPHeader: h})
	}
	for name, headers := range map[string][]string{
		"no origin":          nil,
		"the app's":          {"Origin: " + s.url},
		"of another port":    {"Origin: http://localhost:1"},
		"of another site":    {"Origin: http://evil.example"},
		"null, as a sandbox": {"Origin: null"},
	} {
		conn, res, err := dial(there, headers...)
		if err == nil {
			conn.CloseNow()
			t.Errorf("%s: accepted", name)
		} else if res == nil || res.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, hello := range map[string]string{"no hello": `{"type":"answer"}`, "no JSON": `{`} {
		conn, _, err := dial(there, "Origin: "+there)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		if err := conn.Write(ctx, websocket.MessageText, []byte(hello)); err != nil {
			t.Fatal(err)
		}
		if _, _, err = conn.Read(ctx); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
			t.Errorf("%s: %v", name, err)
		}
	}
	if p := s.pages.Presence(); p != core.Absent {
		t.Errorf("presence %v", p)
	}
}

// attacks are what a script of an app may try in the browser. Each returns what it got, which must
// be nothing.
var attacks = map[string]string{
	"read the frame":           `try { return "" + ui.frame.contentDocument?.title } catch { return "undefined" }`,
	"reach into the frame":     `try { return "" + ui.frame.contentWindow.document } catch { return "undefined" }`,
	"script the frame":         `try { ui.frame.contentWindow.eval("1"); return "ran" } catch { return "undefined" }`,
	"fetch the document":       `return fetch(ui.there + "/popup").then((r) => r.text(), () => "undefined")`,
	"fetch it from here":       `return fetch("/popup").then((r) => r.text(), () => "undefined")`,
	"fetch the script":         `return fetch(ui.there + "/question.js").then((r) => r.text(), () => "undefined")`,
	"open the socket":          `return ui.socket(ui.there.replace("http", "ws") + "/popup-ws")`,
	"open the socket here":     `return ui.socket("ws://" + location.host + "/popup-ws")`,
	"open the app's socket":    `return ui.socket(ui.there.replace("http", "ws") + "/ws/1")`,
	"be the other name":        `return ui.load(ui.there + "/evil.html")`,
	"a blob with its origin":   `return ui.load(URL.createObjectURL(new Blob(["<script>parent.postMessage(location.origin, '*')</scr" + "ipt>"], { type: "text/html" })))`,
	"a worker of its origin":   `try { new Worker(ui.there + "/question.js"); return "made" } catch { return "undefined" }`,
	"a service worker":         `return navigator.serviceWorker.register(ui.there + "/question.js").then(() => "made", () => "undefined")`,
	"click in the shadow root": `document.querySelector("ui-popup").shadowRoot.querySelectorAll("button").forEach((b) => b.click()); return "undefined"`,
	"keys made by a script":    `for (const on of [document, ui.frame, ui.frame.contentWindow]) try { on.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true })) } catch {} return "undefined"`,
	"a message to the frame":   `ui.frame.contentWindow.postMessage(JSON.stringify({ type: "answer", action: "answer", values: ["yes"] }), "*"); return "undefined"`,
}

// An app's script cannot answer a question, nor run anything where one could.
func TestAppCannotAnswer(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, popup.Options{})
	v := s.openApp(browser.New(t))
	a := s.ask(nil)
	v.shows("Confirm Action")
	v.page.Run(`window.ui = {
		frame: ` + frame + `,
		there: location.origin.replace("127.0.0.1", "localhost"),
		socket: (url) => new Promise((done) => {
			const socket = new WebSocket(url);
			socket.onopen = () => { socket.send('{"type":"hello","focused":true}'); socket.onmessage = (e) => done(e.data); };
			socket.onclose = () => done("undefined");
		}),
		load: (url) => new Promise((done) => {
			const frame = document.createElement("iframe");
			addEventListener("message", (e) => { if (e.source === frame.contentWindow) done(e.data.includes("localhost") ? e.data : "undefined"); });
			frame.onload = () => setTimeout(() => done("undefined"), 100);
			frame.src = url;
			document.body.append(frame);
		}),
	}`)
	for name, script := range attacks {
		if got := browser.Eval[string](v.page, `(async () => {`+script+`})()`); got != "undefined" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if diff := cmp.Diff("dialog", browser.Eval[string](v.Tab, host+`.dataset.state`)); diff != "" {
		t.Error(diff)
	}
	v.shows("Confirm Action")
	v.Press("2")
	s.value(a, "no")
}

// Scripts cannot press anything in the questions' own document either: only the person's events
// count.
func TestTrustedEvents(t *testing.T) {
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
	a := v.ask(nil)
	v.shows("Confirm Action")
	v.Run(root + `.querySelectorAll("button").forEach((b) => b.click());
		` + in("dialog") + `.dispatchEvent(new KeyboardEvent("keydown", { key: "1", code: "Digit1", bubbles: true, composed: true }))`)
	v.shows("Confirm Action")
	v.Press("2")
	v.value(a, "no")
}
