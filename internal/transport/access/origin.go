package access

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/transport/errcode"
)

// An origin is a scheme, a host in lower case and a port, which is never 0.
type origin struct {
	scheme, host string
	port         int
}

// parseOrigin parses an origin in the form that browsers send: scheme://host or scheme://host:port,
// with http or https and nothing else.
func parseOrigin(s string) (origin, bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || scheme != "http" && scheme != "https" {
		return origin{}, false
	}
	return parseHost(scheme, rest)
}

// parseHost returns the origin of the pages that a scheme and a Host header name.
func parseHost(scheme, s string) (origin, bool) {
	o := origin{scheme: scheme, host: s, port: 80}
	if scheme == "https" {
		o.port = 443
	}
	if end := strings.LastIndexByte(s, ':'); end > strings.LastIndexByte(s, ']') {
		n, err := strconv.ParseUint(s[end+1:], 10, 16) // no sign
		if err != nil || n == 0 {
			return origin{}, false
		}
		o.host, o.port = s[:end], int(n)
	}
	o.host = strings.ToLower(o.host)
	return o, isHostName(o.host)
}

// isHostName reports whether a host has only the characters of names and addresses: no user, path
// or zone.
func isHostName(host string) bool {
	if address, ok := strings.CutPrefix(host, "["); ok {
		address, ok = strings.CutSuffix(address, "]")
		a, err := netip.ParseAddr(address)
		return ok && err == nil && a.Is6() && a.Zone() == ""
	}
	for _, c := range []byte(host) {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_') {
			return false
		}
	}
	return host != ""
}

// isLoopback reports whether the host is a name of this machine that no name server can give to
// another one: localhost, or an address of the loopback.
func (o origin) isLoopback() bool {
	if o.host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(o.host, "[]"))
	return err == nil && a.Unmap().IsLoopback()
}

// checkSite refuses requests by which a page of another site could use the server: those that call
// it by a foreign name, and those that a foreign page has made.
func (g *gate) checkSite(r *http.Request) *refusal {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	self, ok := parseHost(scheme, r.Host)
	if !g.exposed && !isLocal(r) && (!ok || !self.isLoopback()) {
		return &refusal{http.StatusForbidden, errcode.HostNotAllowed, "this server is called localhost or 127.0.0.1, not " + strconv.Quote(clip(r.Host))}
	}
	switch origins := r.Header.Values("Origin"); {
	case len(origins) > 1:
		return &refusal{http.StatusForbidden, errcode.OriginNotAllowed, "the request has more than one Origin"}
	case len(origins) == 1:
		if !g.admits(origins[0], self, r) {
			return &refusal{http.StatusForbidden, errcode.OriginNotAllowed, "pages of the origin " + strconv.Quote(clip(origins[0])) + " may not use this server: --cors-origin admits them"}
		}
		return nil
	}
	// Browsers leave the Origin out when a page follows a link or loads a picture, a script or a
	// frame.
	switch sites := r.Header.Values("Sec-Fetch-Site"); {
	case len(sites) == 0, len(sites) == 1 && (sites[0] == "" || sites[0] == "same-origin" || sites[0] == "none"):
		return nil
	case isPage(r) && isNavigation(r):
		return nil
	}
	return &refusal{http.StatusForbidden, errcode.OriginNotAllowed, "a page of another site made the request; if you followed a link, open the address yourself"}
}

// admits reports whether pages of an origin may use the server that they call self.
func (g *gate) admits(text string, self origin, r *http.Request) bool {
	o, ok := parseOrigin(text)
	switch {
	case !ok:
		return false
	case o == self || slices.Contains(g.origins, o):
		return true
	case g.exposed || isLocal(r):
		return false
	case o.scheme == "https" && strings.EqualFold(strings.TrimPrefix(text, "https://"), r.Host):
		return true // forwarded by something that adds TLS
	}
	// Our own page by another name of this machine.
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return local != nil && o.scheme == self.scheme && o.isLoopback() && o.port == local.Port
}

// isNavigation reports whether a browser loads a page into a tab.
func isNavigation(r *http.Request) bool {
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// setCORS lets the pages of the sites that the options name read answers, refusals included.
func (g *gate) setCORS(h http.Header, r *http.Request) {
	if len(g.origins) == 0 {
		return
	}
	h.Add("Vary", "Origin")
	text := r.Header.Get("Origin")
	if o, ok := parseOrigin(text); ok && slices.Contains(g.origins, o) {
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
