// Package terminalspage serves the page of terminals: its document, script, style, icons and
// manifest. The page uses the same requests and sockets as any other client, so its files contain
// no secrets. This package knows neither sessions nor rights, and serves nothing else.
//
// All addresses in the page are relative to the server's base (see [httpio.Prefix]), so it works
// below any prefix and behind any proxy.
package terminalspage

import (
	"embed"
	"html/template"
	"net/http"
	"path"
	"strings"
	"sync"

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
		if !serveFile(w, r, strings.TrimPrefix(r.URL.Path, "/ui/")) {
			serveDocument(w, r)
		}
	})
}

// serveFile answers with one of the page's files, and reports whether there is one of that name.
func serveFile(w http.ResponseWriter, r *http.Request, name string) bool {
	built, inFolder := web.Terminals(), "terminals/"+name
	if strings.HasPrefix(name, "xterm/") {
		inFolder = name
	}
	return httpio.ServeBuiltIn(w, r, built, inFolder) || httpio.ServeBuiltIn(w, r, static, "static/"+name)
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
