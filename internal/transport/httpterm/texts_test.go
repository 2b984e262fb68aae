package httpterm_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httpterm"
)

// Errors name what clients can use: paths with the base prefix, and all formats.
func TestErrorTexts(t *testing.T) {
	h := asOwner(httpterm.New(opcases.New(t, opcases.Case{})))
	for _, tt := range []struct{ method, target, want string }{
		{"GET", "/nowhere", "there is nothing at /p/nowhere: GET /p/docs lists"},
		{"PUT", "/sessions", "/p/sessions takes GET, HEAD, POST, not PUT"},
		{"GET", "/sessions/a/screen?format=bmp", "styled, plain, html, png or svg"},
		{"GET", "/sessions/none/screen?format=bmp", "there is no session"},
		{"GET", "/sessions/a/idle?timeout_ms=0&max_wait_ms=0&last_generation=1000000", "was not quiet for 0s within 0s"},
	} {
		r := httptest.NewRequest(tt.method, tt.target, nil)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r.WithContext(httpio.WithPrefix(r.Context(), "/p")))
		if got := w.Body.String(); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: %s, want %q", tt.method, tt.target, got, tt.want)
		}
	}
}

// A person who opens an unknown path gets a page, and programs get JSON.
func TestUnknownPathInBrowser(t *testing.T) {
	h := asOwner(httpterm.New(opcases.New(t, opcases.Case{})))
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, tt := range []struct{ method, target, accept, kind, want string }{
		{"GET", "/nosuch", browser, "text/html; charset=utf-8", `There is nothing at /p/nosuch.</p>` + "\n" + `<p><a href="/p/">`},
		{"HEAD", "/nosuch", browser, "text/html; charset=utf-8", ""},
		{"GET", "/no//such/", browser, "text/html; charset=utf-8", `There is nothing at /p/no//such/.`},
		{"GET", "/%3Cscript%3E", browser, "text/html; charset=utf-8", `/p/&lt;script&gt;.`},
		{"GET", "/nosuch", "*/*", "application/json", `"code":"not_found"`},
		{"GET", "/nosuch", "", "application/json", `"code":"not_found"`},
		{"POST", "/nosuch", "application/json", "application/json", `"code":"not_found"`},
	} {
		r := httptest.NewRequest(tt.method, tt.target, nil)
		r.Header.Set("Accept", tt.accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r.WithContext(httpio.WithPrefix(r.Context(), "/p")))
		if kind, got := w.Header().Get("Content-Type"), w.Body.String(); w.Code != 404 || kind != tt.kind || !strings.Contains(got, tt.want) {
			t.Errorf("%s %s, Accept %q: %d %s %s, want 404 %s %s", tt.method, tt.target, tt.accept, w.Code, kind, got, tt.kind, tt.want)
		}
	}
}
