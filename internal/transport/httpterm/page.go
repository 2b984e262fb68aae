package httpterm

import (
	"embed"
	"html/template"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"ui-mcp/internal/transport/httpio"
)

// The page lists the sessions as text. It asks for them with the requests that any client uses, so
// it has nothing that a stranger may not see.
var (
	//go:embed ui
	pageFiles embed.FS
	pageIndex = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(pageFiles, "ui/index.html")) })
)

// isPagePath reports whether a path is that of one of the page's files, which may end in a slash.
func isPagePath(p string) bool {
	return strings.HasPrefix(p, "/ui/") && path.Clean(p) == strings.TrimSuffix(p, "/")
}

// servePage adds the page to a mux: its files, and the page itself at every other path below /ui.
func servePage(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", httpio.Prefix(r.Context())+"/ui")
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("GET /ui", index)
	mux.HandleFunc("GET /ui/", func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		content, err := pageFiles.ReadFile(name)
		if err != nil || path.Ext(name) == ".html" {
			index(w, r)
			return
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(content) // a client that has disconnected needs no answer
	})
}

// index serves the page. Its files are relative to the server's base, wherever the page is.
func index(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	_ = pageIndex().Execute(w, httpio.Prefix(r.Context())) // a client that has disconnected needs no answer
}
