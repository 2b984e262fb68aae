package httpui

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"

	"ui-mcp/internal/secret"
)

// suffix ends the names of observers: browsers connect to this machine for it, and take each of the
// names for a site of its own.
const suffix = ".localhost"

// maxObserved is how long one may look: longer than a picture takes that waits for others.
const maxObserved = 10 * time.Minute

// Observers are the programs that take pictures of pages. Each gets a name of this server that is
// a secret, under which there is one session to look at and nothing else. To a browser that name is
// an origin of its own, so that scripts of the page can reach the pages of persons no more than a
// foreign site can. An Observers is safe for concurrent use. Use [NewObservers].
type Observers struct{ names *secret.Store[string] }

// NewObservers returns Observers that have not admitted anyone yet.
func NewObservers() *Observers {
	return &Observers{secret.NewStore[string](secret.Rules{Most: 1000, Displaces: true})}
}

// Admit returns a new name for who may look at a session until leave is called, which also ends the
// requests and connections under that name.
func (o *Observers) Admit(session string) (host string, leave func()) {
	text, name, _ := o.names.Issue(nil, "", session, maxObserved) // it displaces the oldest
	return strings.ToLower(text) + suffix, func() { o.names.Withdraw(name.ID) }
}

// named returns what was admitted under the name in the Host header.
func (o *Observers) named(r *http.Request) (name *secret.Issued[string], ok bool) {
	host, _, _ := strings.Cut(r.Host, ":")
	text, ok := strings.CutSuffix(strings.ToLower(host), suffix)
	if !ok {
		return nil, false
	}
	return o.names.Find(strings.ToUpper(text))
}

// Known reports whether a request was sent to the name of an observer.
func (o *Observers) Known(r *http.Request) bool {
	_, ok := o.named(r)
	return ok
}

type observedKey struct{}

// observed returns the session that a request may look at; ok is false for requests of others,
// which may do more.
func observed(ctx context.Context) (session string, ok bool) {
	session, ok = ctx.Value(observedKey{}).(string)
	return session, ok
}

// TerminalPicture returns the picture of a terminal in the colours "light" or "dark".
type TerminalPicture func(ctx context.Context, name, theme string) (svg []byte, err error)

// Wrap returns a handler that serves observers with pages, a handler of [NewUI], and all others
// with next. Observers get no questions. Terminals in pages are pictures to them, which scripts of
// the page cannot read; terminal is nil where there are none.
func (o *Observers) Wrap(next, pages http.Handler, terminal TerminalPicture) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		admitted, ok := o.named(r)
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		ctx, stop := admitted.Bind(context.WithValue(r.Context(), observedKey{}, admitted.Scope))
		defer stop()
		r = r.WithContext(ctx)
		w.Header().Set("Cache-Control", "no-store")
		switch name, isFrame := strings.CutPrefix(r.URL.Path, "/terminals/frame/"); {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "This name of the server is for looking only.", http.StatusMethodNotAllowed)
		case r.URL.Path == "/popup.js": // which would put questions into the page
			w.Header().Set("Content-Type", "text/javascript")
		case isFrame && terminal != nil:
			serveTerminal(w, r, name, terminal)
		case r.URL.Path == "/terminals/" && terminal != nil: // pages ask whether there are any
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
		default:
			pages.ServeHTTP(w, r)
		}
	})
}

// serveTerminal serves the picture of a terminal for a frame, whatever frame a script may make.
func serveTerminal(w http.ResponseWriter, r *http.Request, name string, terminal TerminalPicture) {
	if r.Header.Get("Sec-Fetch-Dest") != "iframe" {
		http.Error(w, "Refused: this is for frames only.", http.StatusForbidden)
		return
	}
	theme, background := "dark", "#16181d"
	if r.URL.Query().Get("palette") == "light" {
		theme, background = "light", "#fff"
	}
	svg, err := terminal(r.Context(), name, theme)
	if err != nil {
		writeErrorPage(w, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'")
	// A client that has disconnected needs no answer.
	_, _ = fmt.Fprintf(w, "<!doctype html><title>Terminal</title><style>html,body{margin:0;height:100%%;overflow:hidden;background:%s}img{display:block;max-width:100%%;max-height:100%%}</style>"+
		`<img alt="Terminal" src="data:image/svg+xml;base64,%s">`, background, base64.StdEncoding.EncodeToString(svg))
}
