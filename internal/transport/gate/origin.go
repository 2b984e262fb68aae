package gate

import (
	"net/http"
	"slices"

	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/site"
)

// checkSite refuses requests of pages that may not use the server.
func (g *gate) checkSite(r *http.Request) *refusal {
	problem, text := g.rules.Check(r, g.exposed || g.isLocal(r))
	switch {
	case problem == site.None:
		return nil
	case problem == site.ForeignHost:
		return &refusal{http.StatusForbidden, errcode.HostNotAllowed, text}
	case g.credentials != nil:
		text += " (--cors-origin admits pages of other sites)"
	}
	return &refusal{http.StatusForbidden, errcode.OriginNotAllowed, text}
}

// setCORS lets the pages of the sites that the options name read answers, refusals included.
func (g *gate) setCORS(h http.Header, r *http.Request) {
	if len(g.rules.Others) == 0 {
		return
	}
	h.Add("Vary", "Origin")
	text := r.Header.Get("Origin")
	if o, ok := site.ParseOrigin(text); ok && slices.Contains(g.rules.Others, o) {
		h.Set("Access-Control-Allow-Origin", text)
		h.Set("Access-Control-Expose-Headers", "Retry-After, Mcp-Session-Id, Mcp-Protocol-Version")
	}
}

// isPreflight reports whether a browser asks if a page may make a request.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != ""
}

// answerPreflight allows what pages of an admitted origin may do. The request itself needs
// credentials all the same.
func answerPreflight(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-Id, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}
