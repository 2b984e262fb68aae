//go:build linux || darwin

package httpterm_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/transport/httpterm"
)

func TestErrors(t *testing.T) {
	d := open(t)
	d.want(201, "POST", "/sessions", `{"name":"busy","command":"while :; do echo x; sleep 0.01; done"}`, nil)
	d.want(201, "POST", "/sessions", `{"name":"over","command":"exit 0"}`, nil)
	d.want(410, "GET", "/sessions/over/idle?timeout_ms=60000", "", nil)
	for _, tt := range []struct {
		method, path, body string
		status             int
		code               string
	}{
		{"GET", "/sessions/none", "", 404, "session_not_found"},
		{"POST", "/sessions", `{"cwd":"/does/not/exist"}`, 400, "invalid_request"},
		{"POST", "/sessions", `{"rows":"ten"}`, 400, "invalid_request"},
		{"POST", "/sessions", `{`, 400, "invalid_request"},
		{"POST", "/sessions", "", 400, "invalid_request"},
		{"GET", "/sessions/busy/screen?format=gif", "", 400, "invalid_request"},
		{"GET", "/sessions/busy/scrollback?offset=-1", "", 400, "invalid_request"},
		{"GET", "/sessions/busy/screen?format=%zz", "", 400, "invalid_request"},
		{"GET", "/sessions/busy/scrollback?limit=10;offset=5", "", 400, "invalid_request"},
		{"GET", "/sessions/busy/idle", "", 400, "invalid_request"},
		{"GET", "/idle", "", 400, "invalid_request"},
		{"GET", "/quiesce?timeout_ms=60000&max_wait_ms=100", "", 408, "quiesce_timeout"},
		{"PATCH", "/sessions/new", `{}`, 404, "session_not_found"},
		{"POST", "/sessions/busy/overlay", `{"spans":[{"text":"` + strings.Repeat("x", 65537) + `"}]}`, 400, "invalid_overlay"},
		{"POST", "/sessions/busy/panel/x/spans", `{}`, 400, "invalid_request"},
		{"POST", "/sessions/busy/panel/x/write", `{}`, 400, "invalid_request"},
		{"POST", "/sessions/busy/input/focus", `{}`, 400, "invalid_request"},
		{"GET", "/sessions/busy/idle?timeout_ms=soon", "", 400, "invalid_request"},
		{"GET", "/sessions/busy/idle?timeout_ms=0x10", "", 400, "invalid_request"},
		{"GET", "/sessions/busy/idle?timeout_ms=18446744073709551616", "", 400, "invalid_request"},
		{"GET", "/sessions/busy/idle?timeout_ms=1&fresh=perhaps", "", 400, "invalid_request"},
		{"GET", "/sessions/busy/idle?timeout_ms=60000&max_wait_ms=100", "", 408, "idle_timeout"},
		{"GET", "/sessions/busy/quiesce?timeout_ms=60000&max_wait_ms=100", "", 408, "quiesce_timeout"},
		{"POST", "/sessions", `{"tags":["` + strings.Join(manyTags(), `","`) + `"]}`, 429, "resource_limit_reached"},
		{"GET", "/nothing", "", 404, "not_found"},
		{"GET", "/ui/../sessions", "", 404, "not_found"},
		{"GET", "//sessions", "", 404, "not_found"},
		{"GET", "/sessions/../health", "", 404, "not_found"},
		{"GET", "/sessions/", "", 404, "not_found"},
		{"PUT", "/sessions", "", 405, "method_not_allowed"},
		{"POST", "/health", "", 405, "method_not_allowed"},
	} {
		t.Run(tt.method+" "+tt.path+" "+tt.body, func(t *testing.T) {
			d := d
			d.t = t
			var got struct {
				Error struct{ Code, Message string }
			}
			d.want(tt.status, tt.method, tt.path, tt.body, &got)
			if got.Error.Code != tt.code || got.Error.Message == "" {
				t.Errorf("error %+v, want %s", got.Error, tt.code)
			}
		})
	}
}

// manyTags are more than a session may have.
func manyTags() []string {
	var tags []string
	for i := range label.MaxTags + 1 {
		tags = append(tags, fmt.Sprint("t", i))
	}
	return tags
}

func TestMethodsThatAreAllowed(t *testing.T) {
	d := open(t)
	for path, want := range map[string]string{
		"/health": "GET, HEAD", "/sessions": "GET, HEAD, POST", "/sessions/a": "DELETE, GET, HEAD, PATCH", "/sessions/a/input": "POST",
		"/ui": "GET, HEAD", "/": "GET, HEAD", "/ui/x": "GET, HEAD", "/sessions/a/overlay/o": "DELETE, GET, HEAD, PATCH, PUT", "/sessions/a/screen_mode/enter_alt": "POST",
	} {
		if got := d.call("BREW", path, "", nil).Header.Get("Allow"); got != want {
			t.Errorf("BREW %s: Allow: %q, want %q", path, got, want)
		}
	}
}

// A body that is too long is refused, also in chunks, whose length nobody has said.
func TestTooLong(t *testing.T) {
	d := open(t)
	d.want(201, "POST", "/sessions", `{"name":"a"}`, nil)
	for _, path := range []string{"/sessions", "/sessions/a/input"} {
		body := io.MultiReader(strings.NewReader(strings.Repeat("x", httpterm.MaxBody+1)))
		res, err := d.client.Post(d.address+path, "application/json", body)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var got struct {
			Error struct{ Code, Message string }
		}
		if err := json.NewDecoder(res.Body).Decode(&got); err != nil || res.StatusCode != 413 || got.Error.Code != "invalid_request" || got.Error.Message == "" {
			t.Errorf("%s: %s %+v, %v", path, res.Status, got, err)
		}
	}
}

func TestHeaders(t *testing.T) {
	d := open(t)
	for _, path := range []string{"/health", "/sessions", "/nothing", "/sessions/none"} {
		h := d.call("GET", path, "", nil).Header
		for name, want := range map[string]string{
			"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
			"Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY", "Permissions-Policy": "geolocation=(), microphone=(), camera=()",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("GET %s: %s: %q, want %q", path, name, got, want)
			}
		}
	}
}

// Every kind of error has a code of ours, and every detail of sessions is one.
func TestCodes(t *testing.T) {
	for k := fault.Internal; k <= fault.Unreachable; k++ {
		if status, code := httpterm.CodeOf(fault.New(k, "x")); status < 400 || code == "" {
			t.Errorf("%v: %d %q", k, status, code)
		}
	}
	for _, tt := range []struct {
		kind   fault.Kind
		detail fault.Detail
		status int
	}{
		{fault.Invalid, label.InvalidName, 400}, {fault.Invalid, label.InvalidTag, 400}, {fault.Internal, registry.CreateFailed, 500},
		{fault.Exhausted, registry.TooManySessions, 503}, {fault.Gone, registry.Stopping, 503},
	} {
		if status, code := httpterm.CodeOf(fault.With(tt.detail, fault.New(tt.kind, "x"))); status != tt.status || code != string(tt.detail) {
			t.Errorf("%s: %d %q, want %d", tt.detail, status, code, tt.status)
		}
	}
}
