package httpterm

import (
	"fmt"
	"html"
	"net/http"
	"path"

	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/terminalspage"
)

// A router is a mux whose own errors are JSON, too: an unknown path, and a path without the method.
// It reports a path that is not in its shortest form as unknown, where the mux would redirect. A
// browser that a person has sent to an unknown path gets a page.
type router struct{ mux *http.ServeMux }

// newRouter returns a router for a mux that has no pattern "/" yet.
func newRouter(mux *http.ServeMux) router {
	m := router{mux}
	mux.HandleFunc("/", m.refuse) // a second look-up would cost every request
	return m
}

func (m router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := r.URL.Path; !isShortest(r) && !terminalspage.IsPath(p) || p == "*" {
		m.refuse(w, r)
		return
	}
	m.mux.ServeHTTP(w, r)
}

// isShortest reports whether a request's path is in its shortest form. An escaped slash, as in the
// session build1%2Fwork of another server, is part of a name.
func isShortest(r *http.Request) bool {
	p := r.URL.EscapedPath()
	return path.Clean(p) == p
}

// refuse answers a request for which the mux has no other handler.
func (m router) refuse(w http.ResponseWriter, r *http.Request) {
	prefix := httpio.Prefix(r.Context())
	if isShortest(r) {
		if allow := httpio.Allowed(m.mux, r); allow != "" {
			w.Header().Set("Allow", allow)
			httpio.WriteCoded(w, http.StatusMethodNotAllowed, errcode.MethodNotAllowed, fmt.Sprintf("%s takes %s, not %s", prefix+r.URL.Path, allow, r.Method))
			return
		}
	}
	if httpio.WantsPage(r) {
		httpio.WritePage(w, http.StatusNotFound, httpio.TerminalIcon, "There is no such page", fmt.Sprintf("<p>There is nothing at %s.</p>\n<p><a href=\"%s/\">Go to the terminals</a></p>",
			html.EscapeString(prefix+r.URL.Path), html.EscapeString(prefix)))
		return
	}
	httpio.WriteCoded(w, http.StatusNotFound, errcode.NotFound, fmt.Sprintf("there is nothing at %s: GET %s/docs lists the requests", prefix+r.URL.Path, prefix))
}
