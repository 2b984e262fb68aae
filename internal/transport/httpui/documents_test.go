package httpui

import (
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/events"
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	h := NewMCP(MCPOptions{App: queueApp(events.New())})
	const page, program = "text/html,*/*", "*/*"
	for _, tt := range []struct {
		target, accept string
		status         int
		kind, body     string // part of the body
	}{
		{"/api/resource/reference.md", program, 200, "text/markdown; charset=utf-8", "# Reference"},
		{"/api/resource/reference.md", page, 200, "text/html; charset=utf-8", "Reference</h1>"},
		{"/api/resource/page.html", page, 200, "text/html; charset=utf-8", "<p>page</p>"},
		{"/api/resource/none.md", page, 404, "application/json", "no document"},
		{"/api/resource/", program, 200, "application/json", `{"entries":[{"name":"page.html","is_dir":false},{"name":"patterns","is_dir":true},{"name":"reference.md","is_dir":false}],"path":"."}`},
		{"/api/resource/", page, 200, "text/html; charset=utf-8", `<a href="./patterns/">patterns/</a>`},
		{"/api/resource/patterns/", page, 200, "text/html; charset=utf-8", `<a href="./a:%20b.txt">a: b.txt</a>`},
		{"/api/resource/patterns", page, 302, "text/html; charset=utf-8", `href="/api/resource/patterns/"`},
		{"/api/resource/none/", program, 404, "application/json", "no folder"},
		{"/app/notes/readme", page, 200, "text/html; charset=utf-8", "Notes</h1>"},
		{"/app/notes/readme", program, 200, "text/markdown; charset=utf-8", "# Notes"},
		{"/app/none/readme", page, 404, "application/json", "no README.md"},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", tt.target, nil)
		r.Header.Set("Accept", tt.accept)
		h.ServeHTTP(w, r)
		if got := w.Body.String(); w.Code != tt.status || !strings.Contains(got, tt.body) || strings.Contains(got, "<script") && tt.accept == page {
			t.Errorf("%s (%s) = %d %s, want %d %s", tt.target, tt.accept, w.Code, got, tt.status, tt.body)
		}
		if got := w.Header().Get("Content-Type"); got != tt.kind {
			t.Errorf("%s (%s): Content-Type %s, want %s", tt.target, tt.accept, got, tt.kind)
		}
		if tt.status == 200 && tt.kind != "application/json" && !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: scripts may run", tt.target)
		}
	}
}
