// Package embeddedterm serves a document that displays one terminal, for frames in pages of other
// origins, and its files. The element <ui-terminal> of apps makes such frames: scripts of the page
// around it can neither read what is displayed and typed there, nor type. The document uses the
// interface of a server of terminals, which this package does not serve.
package embeddedterm

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"ui-mcp/internal/transport/httpio"
)

// Paths of what this package serves, below the path of the terminals.
const (
	documents = "/frame/" // and the name of a session
	script    = "/frame.js"
	dialog    = "/dialog.js" // of questions
	xterm     = "/xterm/"
)

// Options configure a handler. All of them are required.
type Options struct {
	// Base is the path of the interface of terminals, such as "/terminals".
	Base string
	// Files has terminal.js, terminals/dialog.js and the folder xterm.
	Files fs.FS
	// Framers returns the origins of the pages that may have the document in a frame: as it is, and
	// where TLS is added in front of the server.
	Framers func(*http.Request) []string
	// Next serves all other paths.
	Next http.Handler
}

// New returns a handler of the documents and their files, which passes all other requests on.
func New(o Options) http.Handler {
	serve := func(w http.ResponseWriter, r *http.Request, name string) {
		if !httpio.ServeBuiltIn(w, r, o.Files, name) {
			http.NotFound(w, r)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/", o.Next)
	for path, name := range map[string]string{script: "terminal.js", dialog: "terminals/dialog.js"} {
		mux.HandleFunc("GET "+o.Base+path, func(w http.ResponseWriter, r *http.Request) { serve(w, r, name) })
	}
	mux.HandleFunc("GET "+o.Base+xterm+"{name}", func(w http.ResponseWriter, r *http.Request) {
		serve(w, r, strings.TrimPrefix(xterm, "/")+r.PathValue("name"))
	})
	mux.HandleFunc("GET "+o.Base+documents+"{name}", o.serveDocument)
	return mux
}

// IsFrame reports whether a request is for a document, given the path of the interface of
// terminals. Browsers say that a page of another site makes it.
func IsFrame(r *http.Request, base string) bool { return strings.HasPrefix(r.URL.Path, base+documents) }

const style = `html, body { height: 100%; margin: 0; overflow: hidden; background: none } body { display: flex } main { flex: 1; min-width: 0; min-height: 0 }`

var styleHash = func() string {
	sum := sha256.Sum256([]byte(style))
	return base64.StdEncoding.EncodeToString(sum[:])
}()

var document = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("frame").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Terminal {{.Name}}</title>
<style>` + style + `</style>
<body>
<main data-terminal="{{.Name}}" data-base="{{.Base}}/" data-xterm="{{.Base}}` + xterm + `" data-palette="{{.Palette}}" data-size="{{.Size}}" data-framer="{{.Framer}}"{{if .ReadOnly}} data-readonly{{end}}{{if .Overview}} data-overview{{end}}></main>
<script src="{{.Base}}` + script + `"></script>
</body>
</html>
`))
})

// serveDocument serves the document of a session. Its query has readonly, overview (readonly, and
// one of many), fit (typing gives the session the size of the frame) and palette.
func (o *Options) serveDocument(w http.ResponseWriter, r *http.Request) {
	framers := o.Framers(r)
	page := struct {
		Name, Base, Palette, Size, Framer string
		ReadOnly, Overview                bool
	}{Name: r.PathValue("name"), Base: o.Base, Palette: r.URL.Query().Get("palette"), Size: "never", Overview: r.URL.Query().Has("overview")}
	page.ReadOnly = page.Overview || r.URL.Query().Has("readonly")
	if r.URL.Query().Has("fit") && !page.ReadOnly {
		page.Size = "typing"
	}
	if len(framers) > 0 {
		page.Framer = framers[0]
		if r.Header.Get("X-Forwarded-Proto") == "https" { // something in front of the server adds TLS
			page.Framer = framers[len(framers)-1]
		}
	}
	here := "http://" + r.Host
	h := w.Header()
	h.Del("X-Frame-Options")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-"+styleHash+"'; img-src 'self' data: blob:; font-src 'self'; "+
		"connect-src 'self' "+strings.Replace(here, "http", "ws", 1)+" "+strings.Replace(here, "http", "wss", 1)+"; base-uri 'none'; form-action 'none'; "+
		"frame-ancestors "+strings.Join(framers, " "))
	_ = document().Execute(w, page) // a client that has disconnected needs no answer
}
