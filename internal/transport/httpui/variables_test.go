package httpui

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"ui-mcp/internal/events"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

func TestInspect(t *testing.T) {
	t.Parallel()
	app := queueApp(events.New())
	app.inspect = func(session string, what ui.Inspection) (string, error) {
		if what.Path == "lost" {
			return "", fault.New(fault.NotFound, "nothing at lost")
		}
		return fmt.Sprintf("%s %+v\n", session, what), nil
	}
	h := NewMCP(MCPOptions{App: app})
	for target, want := range map[string]string{
		"/inspect": "200 text/plain; charset=utf-8 1 {Path: Depth:0 Tokens:0}\n",
		"/inspect?session=b&path=value.items.0&depth=2&max_tokens=500": "200 text/plain; charset=utf-8 b {Path:value.items.0 Depth:2 Tokens:500}\n",
		"/inspect?depth=deep":       `400 application/json {"error":"depth must be a whole number, not \"deep\""}` + "\n",
		"/inspect?max_tokens=":      `400 application/json {"error":"max_tokens must be a whole number, not \"\""}` + "\n",
		"/inspect?path=lost":        `404 application/json {"error":"nothing at lost"}` + "\n",
		"/variables.json":           `200 application/json [{"id":1}]`,
		"/variables.json?session=2": `404 application/json {"error":"no session \"2\""}` + "\n",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		if got := fmt.Sprint(w.Code, " ", w.Header().Get("Content-Type"), " ", w.Body); got != want {
			t.Errorf("%s = %s, want %s", target, got, want)
		}
	}
}

func TestVariables(t *testing.T) {
	t.Parallel()
	agent := NewMCP(MCPOptions{App: queueApp(events.New())})
	pages := NewUI(UIOptions{Sessions: rooms(map[string]*memorySession{"1": newMemorySession()}), HTML: t.TempDir(), Client: builtClient, Fallback: builtHTML})
	for _, tt := range []struct {
		port   string
		target string
		tag    string // If-None-Match
		status int
		want   string // in the body, or the place that a redirection leads to
	}{
		{"agent", "/variables", "", 200, "variables.json"},
		{"agent", "/variables.json", "", 200, `[{"id":1}]`},
		{"agent", "/variables.json", `"v0"`, 200, `[{"id":1}]`},
		{"agent", "/variables.json", `"v1"`, 304, ""},
		{"agent", "/variables.json", `v1`, 200, `[{"id":1}]`},
		{"pages", "/1/variables", "", 200, "variables.json"},
		{"pages", "/1/variables.json", "", 200, `[{"id":1}]`},
		{"pages", "/1/variables.json", `"v1"`, 304, ""},
		{"pages", "/variables", "", 302, "/1/variables"},
		{"pages", "/2/variables.json", "", 404, ""},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", tt.target, nil)
		if tt.tag != "" {
			r.Header.Set("If-None-Match", tt.tag)
		}
		if tt.port == "agent" {
			agent.ServeHTTP(w, r)
		} else {
			pages.ServeHTTP(w, r)
		}
		got := w.Body.String()
		if w.Code == 302 {
			got = w.Header().Get("Location")
		}
		if w.Code != tt.status || !strings.Contains(got, tt.want) {
			t.Errorf("%s at %s with %s: %d %q, want %d %q", tt.target, tt.port, tt.tag, w.Code, got, tt.status, tt.want)
		}
		if w.Code == 304 && (got != "" || w.Header().Get("ETag") != `"v1"`) {
			t.Errorf("%s: 304 with %q and %q", tt.target, got, w.Header())
		}
	}
}

// The page needs nothing but the list and the component library, from where it is itself.
func TestVariablesPageStaysAtHome(t *testing.T) {
	t.Parallel()
	client := fstest.MapFS{"shoelace/components/sl-tree.js": {Data: []byte("tree")}, "main.js": {Data: []byte("main")}}
	h := NewMCP(MCPOptions{App: queueApp(events.New()), Client: client})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/variables", nil))
	if csp := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none';") || strings.Contains(csp, "http") {
		t.Errorf("policy = %q", csp)
	}
	if found := regexp.MustCompile(`(?i)https?://|innerHTML|eval\(`).FindAll(w.Body.Bytes(), -1); found != nil {
		t.Errorf("the page has %q", found)
	}
	for path, status := range map[string]int{"/shoelace/components/sl-tree.js": 200, "/shoelace/none.js": 404, "/main.js": 404} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != status {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}
