package httpui

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// newTestUI makes a UI handler over an html folder with these files; a link is "path -> target".
func newTestUI(t *testing.T, files ...string) (h http.Handler, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "html")
	for _, f := range files {
		name, content, isFile := strings.Cut(f, ": ")
		link, target, _ := strings.Cut(f, " -> ")
		var err error
		if isFile {
			path := filepath.Join(dir, name)
			if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
				err = os.WriteFile(path, []byte(content), 0o644)
			}
		} else if err = os.MkdirAll(dir, 0o755); err == nil {
			err = os.Symlink(target, filepath.Join(dir, link))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return NewUI(UIOptions{
		Sessions: rooms(map[string]*memorySession{"1": newMemorySession(), "my app": newMemorySession(), "shadow": newMemorySession()}),
		HTML:     dir,
		Client:   builtClient,
		Fallback: builtHTML,
	}), dir
}

func get(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "http://x/", nil)
	path, r.URL.RawQuery, _ = strings.Cut(path, "?")
	r.URL.Path = path
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestUIRoutes(t *testing.T) {
	t.Parallel()
	h, _ := newTestUI(t,
		"a.txt: text", "sub/b.css: style", "shadow/c.txt: shadowed", "x: no extension", "a.lua: code", "folder.js/x: inside",
		"main-ABC123.js: stale", "main.js: stale", "mainly.js: mainly", "sub/main.js: other main", "worker-9.js: worker",
		".secret: hidden", "sub/.secret.txt: hidden", "x.json: {}", "x.wasm: w", "x.woff2: f", "x.map: {}", "x.svg: s", "X.PNG: p",
		"mcp -> ../apps/mcp", "dangling.txt -> nowhere", "linked.txt -> a.txt")
	tests := []struct {
		path   string
		status int
		body   string // what it contains
		kind   string // what Content-Type is
		to     string // where Location leads
	}{
		{path: "/", status: 302, to: "/1/"},
		{path: "/?conserve=true&x=%2F", status: 302, to: "/1/?conserve=true&x=%2F"},
		{path: "/1", status: 302, to: "/1/"},
		{path: "/1?conserve=true", status: 302, to: "/1/?conserve=true"},
		{path: "/my app", status: 302, to: "/my%20app/"},
		{path: "/1/", status: 200, body: "built index", kind: "text/html; charset=utf-8"},
		{path: "/1/contacts/7", status: 200, body: "built index"},
		{path: "/1/contacts/", status: 200, body: "built index"},
		{path: "/1/john.doe", status: 200, body: "built index"},
		{path: "/1/at/10:30", status: 200, body: "built index"},
		{path: "/1/a.txt", status: 200, body: "text"},
		{path: "/1/x/", status: 200, body: "built index"},
		{path: "/1/missing.js", status: 404, body: "no such file"},
		{path: "/1/.secret", status: 404, body: "no such file"},
		{path: "/1/main-XYZ.js", status: 200, body: "built main"},
		{path: "/my app/", status: 200, body: "built index"},
		{path: "/shadow/", status: 200, body: "built index"},
		{path: "/shadow/c.txt", status: 404, body: "no such file"},

		{path: "/2", status: 404, body: "“2”", kind: "text/html; charset=utf-8"},
		{path: "/2/", status: 404, body: `href="/1/"`},
		{path: "/2/contacts", status: 404, body: "“2”"},
		{path: "/<b>", status: 404, body: "&lt;b&gt;"},
		{path: "/broken/", status: 500, body: "on fire", kind: "text/html; charset=utf-8"},

		{path: "/a.txt", status: 200, body: "text", kind: "text/plain; charset=utf-8"},
		{path: "/linked.txt", status: 200, body: "text"},
		{path: "/sub/b.css", status: 200, body: "style", kind: "text/css; charset=utf-8"},
		{path: "/x.json", status: 200, kind: "application/json"},
		{path: "/x.map", status: 200, kind: "application/json"},
		{path: "/x.wasm", status: 200, kind: "application/wasm"},
		{path: "/x.woff2", status: 200, kind: "font/woff2"},
		{path: "/x.svg", status: 200, kind: "image/svg+xml"},
		{path: "/x", status: 200, body: "no extension", kind: "application/octet-stream"},
		{path: "/a.lua", status: 200, kind: "application/octet-stream"},
		{path: "/x/", status: 404},
		{path: "/mainly.js", status: 200, body: "mainly", kind: "text/javascript; charset=utf-8"},
		{path: "/sub/main.js", status: 200, body: "other main"},
		{path: "/main.js", status: 200, body: "built main"},
		{path: "/main-ABC123.js", status: 200, body: "built main", kind: "text/javascript; charset=utf-8"},
		{path: "/main-HASH.js", status: 200, body: "built main"},
		{path: "/main-.js", status: 404},
		{path: "/worker-9.js", status: 200, body: "worker"}, // the client has none
		{path: "/assets/sl.css", status: 200, body: "built css"},
		{path: "/assets/i/x.svg", status: 200, body: "<svg/>"},
		{path: "/index.html", status: 200, body: "built index"},

		{path: "/favicon.ico", status: 204},
		{path: "/terminals/", status: 404}, // a person looks
		{path: "/missing.css", status: 404, body: "no such file", kind: "text/plain; charset=utf-8"},
		{path: "/dangling.txt", status: 404},
		{path: "/sub", status: 404},
		{path: "/sub/", status: 404},
		{path: "/folder.js", status: 404},
		{path: "/assets", status: 404},
		{path: "/.secret", status: 404, body: "no such file"},
		{path: "/sub/.secret.txt", status: 404, body: "no such file"},
		{path: "/../html/a.txt", status: 404, body: "no such file"},
		{path: "/sub/../a.txt", status: 404, body: "no such file"},
		{path: "/1/../a.txt", status: 404, body: "no such file"},
		{path: "/sub/..", status: 404},
		{path: "//a.txt", status: 404},
		{path: "/sub//b.css", status: 404},
		{path: `/sub\b.css`, status: 404, body: "no such file"},
		{path: `/..\html\a.txt`, status: 404, body: "no such file"},
		{path: "/a.txt\x00", status: 404, body: "no such file"},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			w := get(h, test.path)
			if w.Code != test.status || !strings.Contains(w.Body.String(), test.body) {
				t.Errorf("answer = %d %q, want %d with %q", w.Code, w.Body, test.status, test.body)
			}
			if got := w.Header().Get("Content-Type"); test.kind != "" && got != test.kind {
				t.Errorf("Content-Type = %q, want %q", got, test.kind)
			}
			if got := w.Header().Get("Location"); got != test.to {
				t.Errorf("Location = %q, want %q", got, test.to)
			}
			if strings.Contains(w.Body.String(), "hidden") || strings.Contains(w.Body.String(), "stale") {
				t.Errorf("served %q", w.Body)
			}
		})
	}
}

func TestSessionPageSetsCookie(t *testing.T) {
	t.Parallel()
	h, _ := newTestUI(t)
	for path, want := range map[string]string{
		"/1/":           "ui-session=1; Path=/; SameSite=Lax",
		"/1/deep":       "ui-session=1; Path=/; SameSite=Lax",
		"/my app/":      "ui-session=my%20app; Path=/; SameSite=Lax",
		"/1/index.html": "", // a file as any other
		"/main.js":      "",
		"/2/":           "",
	} {
		if got := get(h, path).Header().Get("Set-Cookie"); got != want {
			t.Errorf("%s: Set-Cookie = %q, want %q", path, got, want)
		}
	}
}

func TestFolderComesBeforeClient(t *testing.T) {
	t.Parallel()
	h, dir := newTestUI(t, "index.html: own index", "assets/sl.css: own css")
	for path, want := range map[string]string{"/1/": "own index", "/1/x": "own index", "/assets/sl.css": "own css", "/main.js": "built main"} {
		if got := get(h, path).Body.String(); got != want {
			t.Errorf("%s = %q, want %q", path, got, want)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if got := get(h, "/1/").Body.String(); got != "built index" {
		t.Errorf("without the folder, /1/ = %q", got)
	}
}

func TestETag(t *testing.T) {
	t.Parallel()
	h, dir := newTestUI(t, "a.css: one")
	for _, path := range []string{"/a.css", "/main.js", "/1/"} {
		first := get(h, path)
		tag := first.Header().Get("ETag")
		if tag == "" || first.Header().Get("Cache-Control") != "no-cache" || first.Header().Get("Last-Modified") != "" {
			t.Errorf("%s: headers = %v", path, first.Header())
		}
		if again := get(h, path, "If-None-Match", tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s, asked again = %d %q", path, again.Code, again.Body)
		}
		if other := get(h, path, "If-None-Match", `"other"`); other.Code != http.StatusOK {
			t.Errorf("%s with another tag = %d", path, other.Code)
		}
	}
	// The same size and the same time, but other content.
	path := filepath.Join(dir, "a.css")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	tag := get(h, "/a.css").Header().Get("ETag")
	if err := os.WriteFile(path, []byte("two"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if w := get(h, "/a.css", "If-None-Match", tag); w.Code != http.StatusOK || w.Body.String() != "two" {
		t.Errorf("after an edit = %d %q", w.Code, w.Body)
	}
}

func TestLargeFile(t *testing.T) {
	t.Parallel()
	h, dir := newTestUI(t, "x.mp4: ")
	if err := os.Truncate(filepath.Join(dir, "x.mp4"), 32<<20); err != nil {
		t.Fatal(err)
	}
	w := get(h, "/x.mp4", "Range", "bytes=0-9")
	if w.Code != http.StatusPartialContent || w.Body.Len() != 10 {
		t.Errorf("a part = %d with %d bytes", w.Code, w.Body.Len())
	}
	if again := get(h, "/x.mp4", "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("asked again = %d", again.Code)
	}
}

func TestUIMethods(t *testing.T) {
	t.Parallel()
	h, _ := newTestUI(t)
	for method, want := range map[string]int{"HEAD": 200, "POST": 405, "PUT": 405, "DELETE": 405, "OPTIONS": 405} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/1/", nil))
		if w.Code != want {
			t.Errorf("%s = %d, want %d", method, w.Code, want)
		}
		if want == 405 && w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: Allow = %q", method, w.Header().Get("Allow"))
		}
	}
}

func TestNewUIWantsWholeFiles(t *testing.T) {
	for name, opts := range map[string]UIOptions{
		"no main.js":    {Client: fstest.MapFS{}, Fallback: builtHTML},
		"no index.html": {Client: builtClient, Fallback: fstest.MapFS{}},
		"no client":     {Fallback: builtHTML},
		"no index.html in the client, where it is the fallback": {Client: builtClient},
	} {
		t.Run(name, func(t *testing.T) {
			opts.Sessions, opts.HTML = rooms(nil), "x"
			defer func() {
				if recover() == nil {
					t.Error("NewUI took it")
				}
			}()
			NewUI(opts)
		})
	}
}

func FuzzUIPath(f *testing.F) {
	dir := f.TempDir()
	html := filepath.Join(dir, "html")
	for path, content := range map[string]string{
		filepath.Join(html, "a.txt"):     "open",
		filepath.Join(html, ".b"):        "SECRET",
		filepath.Join(dir, "c"):          "SECRET",
		filepath.Join(html, ".d", "e"):   "SECRET",
		filepath.Join(dir, "html2", "f"): "SECRET",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	h := NewUI(UIOptions{Sessions: rooms(map[string]*memorySession{"1": newMemorySession()}), HTML: html, Client: builtClient, Fallback: builtHTML})
	for _, s := range []string{"/", "/1/", "/a.txt", "/.b", "/../c", "/1/../../c", "/.d/e", "/../html2/f", "/x", "/a.txt/", "/\\..\\c", "/ws/1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if !strings.HasPrefix(path, "/") {
			return
		}
		w := get(h, path)
		if strings.Contains(w.Body.String(), "SECRET") {
			t.Errorf("%q gives the secret away", path)
		}
		if to := w.Header().Get("Location"); strings.HasPrefix(to, "//") {
			t.Errorf("%q leads elsewhere: %s", path, to)
		}
	})
}
