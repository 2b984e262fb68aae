package httpterm_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpterm"
)

// asOwner lets every request do everything.
func asOwner(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(terminals.NewContext(r.Context(), terminals.Everything)))
	})
}

// Pictures are delivered as files that pages cannot act in, and are not sent again unchanged.
func TestPictures(t *testing.T) {
	h := asOwner(httpterm.New(opcases.New(t, opcases.Case{})))
	get := func(query, tag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "/sessions/a/screen?"+query, nil)
		if tag != "" {
			r.Header.Set("If-None-Match", tag)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for format, want := range map[string]string{"html": "text/html; charset=utf-8", "svg": "image/svg+xml"} {
		w := get("format="+format, "")
		if got := w.Header().Get("Content-Type"); w.Code != http.StatusOK || got != want {
			t.Errorf("%s: status %d, type %q", format, w.Code, got)
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "sandbox") || !strings.Contains(csp, "default-src 'none'") {
			t.Errorf("%s may do anything: %q", format, csp)
		}
		again := get("format="+format, w.Header().Get("ETag"))
		if again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s again: status %d, %d bytes", format, again.Code, again.Body.Len())
		}
		if other := get("format="+format+"&theme=light", w.Header().Get("ETag")); other.Code != http.StatusOK {
			t.Errorf("%s in other colours: status %d", format, other.Code)
		}
	}
	if w := get("format=png", ""); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "svg or html") {
		t.Errorf("a PNG without a browser: status %d, %s", w.Code, w.Body)
	}
	for query, code := range map[string]string{
		"format=png&cell=wide": "cell", "format=png&rows=-1": "rows", "format=html&cursor=maybe": "cursor", "format=svg&theme=blue": "theme", "format=gif": "format",
	} {
		w := get(query, "")
		if w.Code != http.StatusBadRequest || w.Header().Get("Content-Type") != "application/json" || !strings.Contains(w.Body.String(), code) {
			t.Errorf("%s: status %d, %s; want an error in JSON that names %s", query, w.Code, w.Body, code)
		}
	}
}
