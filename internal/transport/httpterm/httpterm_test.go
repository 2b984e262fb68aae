//go:build linux || darwin

package httpterm_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpterm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A testServer is a running server, and a client of it.
type testServer struct {
	t       *testing.T
	address string
	client  *http.Client
}

func open(t *testing.T) testServer {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	sessions := registry.New(registry.Config{
		Environ: []string{"PATH=" + os.Getenv("PATH"), "PS1=$ "}, Home: t.TempDir(), Shell: "/bin/sh", Sessions: 3, Log: log,
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	local := terminals.NewLocal(sessions, terminals.Host{Name: "host"})
	h, err := gate.New(httpterm.New(local), gate.Options{Tokens: local.Tokens(), MaxBody: httpterm.MaxBody, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	s := httpserve.Serve(l, h, httpserve.Options{Log: log, Refuse: httpterm.Refuse})
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Errorf("close the server: %v", err)
		}
		if err := sessions.Close(); err != nil {
			t.Errorf("close the sessions: %v", err)
		}
	})
	return testServer{t, "http://" + l.Addr().String(), client}
}

// call makes a request and decodes the answer into a value, unless that is nil.
func (d testServer) call(method, path, body string, into any) *http.Response {
	d.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, d.address+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	if body != "" && !strings.HasSuffix(path, "/input") || path == "/sessions" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := d.client.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	if into != nil {
		if err := json.Unmarshal(b, into); err != nil {
			d.t.Fatalf("%s %s: %s, %q: %v", method, path, res.Status, b, err)
		}
	}
	return res
}

func (d testServer) want(status int, method, path, body string, into any) {
	d.t.Helper()
	if res := d.call(method, path, body, into); res.StatusCode != status {
		d.t.Errorf("%s %s: %s, want %d", method, path, res.Status, status)
	}
}

// shows waits until a row of a session's screen is a text.
func (d testServer) shows(name string, row int, text string) {
	d.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(2 * time.Minute)
	for {
		var screen struct{ Lines []string }
		d.want(200, "GET", "/sessions/"+name+"/screen?format=plain", "", &screen)
		if row < len(screen.Lines) && screen.Lines[row] == text {
			return
		}
		select {
		case <-tick.C:
		case <-late:
			d.t.Fatalf("row %d is never %q: %q", row, text, screen.Lines)
		}
	}
}

// A parameter that is a list is given with commas, or several times.
func TestListInQuery(t *testing.T) {
	d := open(t)
	d.want(201, "POST", "/sessions", `{"name":"a","tags":["x"]}`, nil)
	for query, want := range map[string]int{"tag=q,x": 1, "tag=q&tag=x": 1, "tag=q": 0} {
		var list []object
		d.want(200, "GET", "/sessions?"+query, "", &list)
		if list == nil || len(list) != want {
			t.Errorf("%s: list %v", query, list)
		}
	}
}

// A command that takes too long is an error that comes with the screen.
func TestRun(t *testing.T) {
	d := open(t)
	d.want(201, "POST", "/sessions", `{"name":"a","rows":10,"cols":40}`, nil)
	d.shows("a", 0, "$")
	var late struct {
		Error  struct{ Code, Message string }
		Answer *struct{ Screen *struct{ Lines []string } }
	}
	for late.Error.Code == "" || late.Error.Code == string(core.NotTyped) { // a busy machine may need longer
		d.want(408, "POST", "/sessions/a/run", `{"line":"sh -c 'while :; do echo flood; sleep 0.01; done'","timeout_ms":60000,"max_wait_ms":500,"format":"plain"}`, &late)
	}
	if late.Error.Code != "timeout" || late.Answer == nil || late.Answer.Screen == nil || len(late.Answer.Screen.Lines) != 10 {
		t.Errorf("%+v", late)
	}
}

// A recording is downloaded whole, however many parts it has.
func TestRecording(t *testing.T) {
	d := open(t)
	d.want(201, "POST", "/sessions", `{"name":"a","command":"read x; seq 1 60000; echo over; read x","scrollback":0}`, nil)
	d.want(200, "POST", "/sessions/a/recording/start", "", nil)
	d.want(204, "POST", "/sessions/a/input", "\n", nil)
	d.want(200, "GET", "/sessions/a/wait/text?text=over", "", nil)
	var state struct {
		Recording bool
		Bytes     int
	}
	d.want(200, "POST", "/sessions/a/recording/stop", "", &state)
	get := func(path string) (*http.Response, string) {
		t.Helper()
		res, err := d.client.Get(d.address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res, string(b)
	}
	res, text := get("/sessions/a/recording")
	if state.Recording || state.Bytes < 300<<10 || len(text) != state.Bytes || !strings.HasPrefix(text, `{"version":2,`) || !strings.Contains(text, "over") {
		t.Errorf("%+v, %d bytes: %.100q", state, len(text), text)
	}
	if kind, name := res.Header.Get("Content-Type"), res.Header.Get("Content-Disposition"); kind != "application/x-asciicast" || name != "attachment; filename=a.cast" {
		t.Errorf("%s, %s", kind, name)
	}
	if _, rest := get("/sessions/a/recording?offset=299000"); rest != text[299000:] {
		t.Errorf("from 299000: %d bytes, want %d", len(rest), len(text)-299000)
	}
	if _, rest := get("/sessions/a/recording?offset=9999999999"); rest != "" {
		t.Errorf("behind the end: %d bytes", len(rest))
	}
}

// The documents and the page.
func TestPages(t *testing.T) {
	for path, want := range map[string]struct{ kind, text string }{
		"/openapi.yaml": {"application/yaml", `"openapi": "3.1.0"`},
		"/docs":         {"text/markdown; charset=utf-8", "\n`PATCH /sessions/{name}` with JSON as its body answers with 200.\n"},
		"/":             {"text/html; charset=utf-8", `<base href="/">`},
		"/s/build":      {"text/html; charset=utf-8", `<base href="/">`},
		"/ui/some/view": {"text/html; charset=utf-8", `<base href="/">`},
		"/ui/icon.svg":  {"image/svg+xml", "<svg"},
	} {
		req := httptest.NewRequest("GET", path, nil)
		w := httptest.NewRecorder()
		httpterm.New(nil).ServeHTTP(w, req)
		if w.Code != 200 || w.Header().Get("Content-Type") != want.kind || !strings.Contains(w.Body.String(), want.text) {
			t.Errorf("GET %s: %d, %s, %.100q", path, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
	}
}

type object = map[string]any
