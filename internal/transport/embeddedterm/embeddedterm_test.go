package embeddedterm_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"ui-mcp/internal/transport/embeddedterm"
)

func get(t *testing.T, target string) (*http.Response, string) {
	t.Helper()
	h := embeddedterm.New(embeddedterm.Options{
		Base: "/terminals", Files: fstest.MapFS{"terminal.js": {Data: []byte("script")}, "xterm/xterm.js": {Data: []byte("xterm")}, "main.js": {Data: []byte("main")}, "terminals/dialog.js": {Data: []byte("dialog")}},
		Framers: func(*http.Request) []string {
			return []string{"http://127.0.0.1:9000", "https://127.0.0.1:9000"}
		},
		Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "next "+r.URL.Path) }),
	})
	w := httptest.NewRecorder()
	w.Header().Set("X-Frame-Options", "DENY")
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "http://localhost:9000"+target, nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Result(), string(body)
}

// The document is for frames of the given origins, and nothing in its address becomes HTML.
func TestDocument(t *testing.T) {
	t.Parallel()
	res, body := get(t, `/terminals/frame/a"><script>x?fit&palette="><script>y`)
	policy := res.Header.Get("Content-Security-Policy")
	if !strings.HasSuffix(policy, "frame-ancestors http://127.0.0.1:9000 https://127.0.0.1:9000") || !strings.Contains(policy, "default-src 'none'; script-src 'self'; ") || res.Header.Get("X-Frame-Options") != "" {
		t.Errorf("headers %v", res.Header)
	}
	if strings.Contains(body, "<script>") || !strings.Contains(body, `data-size="typing"`) || strings.Contains(body, "data-readonly") || !strings.Contains(body, `data-framer="http://127.0.0.1:9000"`) {
		t.Errorf("document %s", body)
	}
	if _, body := get(t, "/terminals/frame/dev?overview&fit"); !strings.Contains(body, "data-readonly data-overview") || !strings.Contains(body, `data-size="never"`) {
		t.Errorf("document for an overview %s", body)
	}
	if _, body := get(t, "/terminals/frame/dev?readonly&fit"); !strings.Contains(body, "data-readonly") || !strings.Contains(body, `data-size="never"`) {
		t.Errorf("document for readers %s", body)
	}
}

// Everything but the document and its files is for the next handler.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{
		{"/terminals/frame.js", "script"}, {"/terminals/dialog.js", "dialog"}, {"/terminals/xterm/xterm.js", "xterm"},
		{"/terminals/main.js", "next /terminals/main.js"}, {"/terminals/sessions", "next /terminals/sessions"}, {"/terminals/frame/", "next /terminals/frame/"}, {"/terminals/frame/a/b", "next /terminals/frame/a/b"},
	} {
		if _, body := get(t, tt[0]); body != tt[1] {
			t.Errorf("GET %s: %s, want %s", tt[0], body, tt[1])
		}
	}
	for _, path := range []string{"/terminals/frame.js", "/terminals/xterm/xterm.js"} { // each frame would load them again
		if res, _ := get(t, path); res.Header.Get("ETag") == "" || res.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("GET %s: headers %v", path, res.Header)
		}
	}
}
