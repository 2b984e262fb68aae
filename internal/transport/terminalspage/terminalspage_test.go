package terminalspage_test

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/terminalspage"
)

func get(ctx context.Context, path string, headers ...string) *http.Response {
	mux := http.NewServeMux()
	terminalspage.Handle(mux)
	r := httptest.NewRequestWithContext(ctx, "GET", path, nil)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The document is the same at each of its addresses, and finds its files below any prefix.
func TestDocument(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/ui", "/ui/", "/ui/deep/link", "/s/build", "/s/build1%2Fwork", "/s/build1/work"} {
		for _, prefix := range []string{"", "/some/where"} {
			res := get(httpio.WithPrefix(t.Context(), prefix), path)
			text := body(t, res.Body)
			if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(text, `<base href="`+prefix+`/">`) {
				t.Errorf("GET %s below %q: %s, %.200q", path, prefix, res.Status, text)
			}
			if policy := res.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe") || !strings.HasSuffix(policy, "frame-ancestors 'none'") {
				t.Errorf("GET %s: policy %q", path, policy)
			}
			if inline := strings.Contains(strings.ReplaceAll(text, "<script src=", ""), "<script"); inline {
				t.Errorf("GET %s has an inline script: %s", path, text)
			}
		}
	}
}

// A prefix cannot end the attribute that it is written into.
func TestPrefixIsEscaped(t *testing.T) {
	t.Parallel()
	if text := body(t, get(httpio.WithPrefix(t.Context(), `/"><script>`), "/").Body); strings.Contains(text, "<script>") {
		t.Errorf("document: %s", text)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for path, kind := range map[string]string{
		"/ui/page.js": "text/javascript; charset=utf-8", "/ui/page.css": "text/css; charset=utf-8", "/ui/icon.svg": "image/svg+xml",
		"/ui/icon-192.png": "image/png", "/ui/manifest.webmanifest": "application/manifest+json",
		"/ui/xterm/xterm.js": "text/javascript; charset=utf-8",
	} {
		plain := get(t.Context(), path)
		content := body(t, plain.Body)
		if plain.StatusCode != 200 || plain.Header.Get("Content-Type") != kind || content == "" {
			t.Errorf("GET %s: %s, %s, %d bytes", path, plain.Status, plain.Header.Get("Content-Type"), len(content))
		}
		if again := get(t.Context(), path, "If-None-Match: "+plain.Header.Get("ETag")); again.StatusCode != 304 {
			t.Errorf("GET %s again: %s", path, again.Status)
		}
		small := get(t.Context(), path, "Accept-Encoding: gzip, br")
		if small.Header.Get("Content-Encoding") == "" {
			continue
		}
		if small.Header.Get("ETag") == plain.Header.Get("ETag") || small.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("GET %s: both forms have the tag %s, or caches may mix them up", path, plain.Header.Get("ETag"))
		}
		z, err := gzip.NewReader(small.Body)
		if err != nil {
			t.Fatal(err)
		}
		if body(t, z) != content {
			t.Errorf("GET %s: the compressed form has another content", path)
		}
	}
}

// The files that a browser loads before it displays a terminal are small, as they are sent.
func TestSize(t *testing.T) {
	t.Parallel()
	const limit = 350 << 10
	size := 0
	for _, path := range []string{"/", "/ui/page.js", "/ui/page.css", "/ui/xterm/xterm.js", "/ui/xterm/webgl.js"} {
		res := get(t.Context(), path, "Accept-Encoding: gzip")
		if res.StatusCode != 200 {
			t.Errorf("GET %s: %s", path, res.Status)
		}
		size += len(body(t, res.Body))
	}
	if size > limit {
		t.Errorf("the page and its files have %d bytes, compressed; want at most %d", size, limit)
	}
}

func TestIsPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/": true, "/ui": true, "/ui/": true, "/ui/a/b": true, "/s/a": true, "/s/a/": true,
		"": false, "/s": false, "/s/": false, "/s/../sessions": false, "/ui/../sessions": false, "/ui//x": false, "//": false,
		"/sessions": false, "/server/info": false,
	} {
		if got := terminalspage.IsPath(path); got != want {
			t.Errorf("IsPath(%q) = %v", path, got)
		}
	}
}
