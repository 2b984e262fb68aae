package httpterm_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httpterm"
)

// replaced has a long recording, which another one replaces after its first part was read.
type replaced struct {
	terminals.Terminals
	parts int
}

func (r *replaced) Do(_ context.Context, _ terminals.Grant, _ *terminals.Operation, in, out any) error {
	const size = 1 << 20
	q, part := in.(*terminals.RecordingQuery), out.(*terminals.RecordingPart)
	if r.parts++; r.parts == 1 {
		*part = terminals.RecordingPart{RecordingState: wire.RecordingState{ID: "one", Bytes: size}, Data: bytes.Repeat([]byte("1"), size/2)}
		return nil
	}
	if q.ID != "" && q.ID != "two" {
		return fault.With(record.NoRecording, fault.New(fault.NotFound, "there is another recording"))
	}
	*part = terminals.RecordingPart{RecordingState: wire.RecordingState{ID: "two", Bytes: size}, Data: bytes.Repeat([]byte("2"), size/2)}
	return nil
}

// A download ends with an error rather than with a part of another recording.
func TestDownloadOfReplacedRecording(t *testing.T) {
	s := httptest.NewServer(asOwner(httpterm.New(&replaced{})))
	defer s.Close()
	response, err := http.Get(s.URL + "/sessions/a/recording")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(response.Body); err == nil {
		t.Error("the download seems to be complete")
	}
	if bytes.Contains(body.Bytes(), []byte("2")) {
		t.Error("two recordings in one download")
	}
}

// asOwner lets every request do everything.
func asOwner(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(terminals.NewContext(r.Context(), terminals.Everything)))
	})
}

// What a form on a page can send without asking does nothing, whatever the method.
func TestJSONIsDeclared(t *testing.T) {
	h := asOwner(httpterm.New(opcases.New(t, opcases.Case{})))
	for request, body := range map[string]string{
		"POST /sessions": `{}`, "PUT /server/persist": `{"persistent":true}`, "PATCH /sessions/a": `{}`, "POST /sessions/a/input/keys": `{"keys":["a"]}`,
	} {
		method, path, _ := strings.Cut(request, " ")
		for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=latin1"} {
			r, w := httptest.NewRequest(method, path, strings.NewReader(body)), httptest.NewRecorder()
			r.Header.Set("Content-Type", kind)
			if h.ServeHTTP(w, r); w.Code != http.StatusUnsupportedMediaType {
				t.Errorf("%s as %q: %d %s", request, kind, w.Code, w.Body)
			}
		}
	}
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
