package httpui

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
)

// UIOptions configure [NewUI]. Sessions, HTML and Client are required.
type UIOptions struct {
	// Sessions finds the sessions that have pages.
	Sessions Lookup
	// HTML is the folder of files to serve, {base}/html. It need not exist.
	HTML string
	// Client is the built browser client, with main.js at its root.
	Client fs.FS
	// Fallback has the files to serve where HTML lacks them, with index.html at its root; nil means
	// Client.
	Fallback fs.FS
	// Themes lists the style sheets to link in index.html; nil means none.
	Themes func() app.Themes
	// Log gets failures; nil discards them.
	Log *slog.Logger
}

// NewUI returns the handler of the UI port.
//
//	/                   to the page of the default session
//	/{session}/...      the page of a session, whatever follows, unless that names a file
//	/{session}/variables, /{session}/variables.json    its variables, as a page and as JSON
//	POST /{session}/uploads    a file of the person for a binding of its page
//	/variables          to the variables of the default session
//	/ws/{session}       its WebSocket; close code 4404 means that there is no such session
//	/...                files: from HTML, else from Fallback, else from Client
//
// Existing sessions hide files of the same name. Scripts of the client (main.js, main-HASH.js and
// so on) always come from Client, so that page and server are of the same build. Where
// index.html has the comment ui:themes, it links the themes. NewUI panics when Client lacks main.js
// or Fallback index.html.
func NewUI(opts UIOptions) http.Handler {
	if opts.Sessions == nil || opts.HTML == "" || opts.Client == nil {
		panic("httpui: Sessions, HTML and Client are required")
	}
	if opts.Fallback == nil {
		opts.Fallback = opts.Client
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	return &uiHandler{
		sessions: opts.Sessions,
		files:    newFiles(opts.HTML, opts.Client, opts.Fallback, opts.Themes),
		log:      opts.Log,
	}
}

type uiHandler struct {
	sessions Lookup
	files    *files
	log      *slog.Logger
}

func (h *uiHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if session, ok := strings.CutSuffix(r.URL.Path, "/uploads"); ok && r.Method == http.MethodPost {
		h.upload(w, r, strings.TrimPrefix(session, "/"))
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Only GET and HEAD are understood here.", http.StatusMethodNotAllowed)
		return
	}
	path := r.URL.Path
	if path == "/" {
		redirect(w, r, "/"+DefaultSession+"/")
		return
	}
	if !isPlain(path) {
		writeNoFile(w, r)
		return
	}
	first, rest, below := strings.Cut(path[1:], "/")
	if first == "ws" && rest != "" {
		h.socket(w, r, rest)
		return
	}
	session, err := h.sessions(r.Context(), first)
	if only, ok := observed(r.Context()); ok && err == nil && (first != only || rest == "variables" || rest == "variables.json") {
		err = fault.New(fault.NotFound, "there is no session %q", first)
	}
	switch {
	case err == nil && !below:
		redirect(w, r, (&url.URL{Path: path + "/"}).EscapedPath())
	case err == nil && rest == "variables":
		writeVariablesPage(w)
	case err == nil && rest == "variables.json":
		serveVariables(w, r, h.log, session.Variables)
	case err == nil:
		h.sessionPage(w, r, first, rest)
	case path == "/variables":
		redirect(w, r, "/"+DefaultSession+"/variables")
	case fault.KindOf(err) == fault.NotFound:
		h.file(w, r, first, path[1:])
	default:
		writeErrorPage(w, err)
	}
}

// sessionPage serves paths below /session/: a file if it exists, else the page, whose script reads
// the rest of the path.
func (h *uiHandler) sessionPage(w http.ResponseWriter, r *http.Request, session, rest string) {
	if h.files.serve(w, r, rest) {
		return
	}
	if looksLikeFile(rest) {
		writeNoFile(w, r)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: "ui-session", Value: url.PathEscape(session), Path: "/", SameSite: http.SameSiteLaxMode})
	h.files.serve(w, r, indexFile)
}

// file serves a path that belongs to no session.
func (h *uiHandler) file(w http.ResponseWriter, r *http.Request, first, name string) {
	switch {
	case h.files.serve(w, r, name):
	case name == "favicon.ico":
		w.WriteHeader(http.StatusNoContent) // browsers request it by themselves and log an error
	case name == "terminals/" && r.Header.Get("Sec-Fetch-Dest") == "empty":
		w.WriteHeader(http.StatusNoContent) // scripts of pages ask so whether there are any
	case looksLikeFile(name):
		writeNoFile(w, r)
	default:
		writeNoSession(w, first)
	}
}

// isPlain reports whether a path has the form of ours. It excludes "..", empty names and hidden
// files.
func isPlain(path string) bool {
	if strings.ContainsAny(path, "\\\x00") {
		return false
	}
	names := strings.Split(strings.TrimSuffix(path[1:], "/"), "/")
	return !slices.ContainsFunc(names, func(name string) bool { return name == "" || name[0] == '.' })
}

// redirect redirects to a path and keeps the query. Browsers must not cache it, since it depends on
// the sessions.
func redirect(w http.ResponseWriter, r *http.Request, path string) {
	if r.URL.RawQuery != "" {
		path += "?" + r.URL.RawQuery
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, path, http.StatusFound)
}
