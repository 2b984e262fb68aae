// Package terminalspage serves the page of terminals: its document, script, style, icons and
// manifest. The page uses the same requests and sockets as any other client, so its files contain
// no secrets. This package knows neither sessions nor rights, and serves nothing else.
//
// All addresses in the page are relative to the server's base (see [httpio.Prefix]), so it works
// below any prefix and behind any proxy.
package terminalspage

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/web"
)

//go:embed static document.html
var static embed.FS

// IsPath reports whether a path is one of the page's own: its document at "/", at "/ui" and below,
// and at "/s/NAME" or "/s/HOST/NAME" for a session; and its files, which are in "/ui/". Only paths
// in their shortest form count, except that one may end in a slash.
func IsPath(p string) bool {
	if p == "/" || p == "/ui" {
		return true
	}
	for _, folder := range []string{"/ui/", "/s/"} {
		if rest, ok := strings.CutPrefix(p, folder); ok && (rest != "" || folder == "/ui/") {
			return path.Clean(p) == strings.TrimSuffix(p, "/")
		}
	}
	return false
}

// Handle adds the page to a mux.
func Handle(mux *http.ServeMux) {
	for _, pattern := range []string{"GET /{$}", "GET /ui", "GET /s/{name}", "GET /s/{host}/{name}"} {
		mux.HandleFunc(pattern, serveDocument)
	}
	mux.HandleFunc("GET /ui/", func(w http.ResponseWriter, r *http.Request) {
		if f, ok := files()[strings.TrimPrefix(r.URL.Path, "/ui/")]; ok {
			f.serve(w, r)
			return
		}
		serveDocument(w, r)
	})
}

// A file is one of the page's files, ready to be sent.
type file struct {
	kind         string // media type
	tag          string // of the content: its ETag without quotes
	plain, small []byte // as it is and compressed; small is nil if it would be no smaller
}

// files returns the page's files by name. They are read and compressed when the first is requested,
// which takes some milliseconds that other programs with this package need not spend.
var files = sync.OnceValue(func() map[string]file {
	list := map[string]file{}
	add := func(fsys fs.FS, folder, prefix string) {
		sub := fault.Must(fs.Sub(fsys, folder))
		err := fs.WalkDir(sub, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := fs.ReadFile(sub, name)
			if err != nil {
				return err
			}
			list[prefix+name] = newFile(name, content)
			return nil
		})
		if err != nil {
			panic(err)
		}
	}
	add(static, "static", "")
	add(web.Terminals(), "terminals", "")
	add(web.Terminals(), "xterm", "xterm/")
	return list
})

func newFile(name string, content []byte) file {
	sum := sha256.Sum256(content)
	f := file{kind: httpio.ContentType(name), tag: hex.EncodeToString(sum[:16]), plain: content}
	var small bytes.Buffer
	z, _ := gzip.NewWriterLevel(&small, gzip.BestCompression) // the level is valid
	_, _ = z.Write(content)                                   // a buffer takes everything
	_ = z.Close()
	if small.Len() < len(content)*9/10 {
		f.small = small.Bytes()
	}
	return f
}

func (f file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache")
	content, tag := f.plain, f.tag
	if f.small != nil {
		h.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r) {
			content, tag = f.small, f.tag+"-gzip"
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// acceptsGzip reports whether a client accepts gzip. Every browser lists it without a quality
// value; clients that send quality values get the content uncompressed.
func acceptsGzip(r *http.Request) bool {
	for _, part := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(part) == "gzip" && r.Header.Get("Range") == "" {
			return true
		}
	}
	return false
}

var document = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(static, "document.html")) })

// policy is the Content-Security-Policy of the document.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; " +
	"font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"

// serveDocument serves the page, whichever session its address names: the script reads that.
func serveDocument(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Frame-Options", "DENY")
	h.Set("Content-Security-Policy", policy)
	h.Set("Permissions-Policy", "geolocation=(), microphone=(), camera=(), clipboard-read=(self), clipboard-write=(self)")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	_ = document().Execute(w, struct{ Base string }{httpio.Prefix(r.Context()) + "/"}) // a client that has disconnected needs no answer
}
