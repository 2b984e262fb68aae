// Package site decides whether a browser may send a request for the page that makes it: by Host,
// against DNS rebinding, and by Origin and Sec-Fetch-Site, against forged requests, whatever the
// method, WebSocket upgrades included. Every listener asks it first. It does not know who runs the
// browser or the program.
package site

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/safetext"
)

// An Origin is a scheme, a host in lower case and a port, which is never 0.
type Origin struct {
	Scheme, Host string
	Port         int
}

// ParseOrigin parses an origin in the form that browsers send: scheme://host or scheme://host:port,
// with http or https and nothing else.
func ParseOrigin(s string) (Origin, bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || scheme != "http" && scheme != "https" {
		return Origin{}, false
	}
	return parseHost(scheme, rest)
}

// parseHost returns the origin of the pages that a scheme and a Host header name.
func parseHost(scheme, s string) (Origin, bool) {
	o := Origin{Scheme: scheme, Host: s, Port: 80}
	if scheme == "https" {
		o.Port = 443
	}
	if end := strings.LastIndexByte(s, ':'); end > strings.LastIndexByte(s, ']') {
		n, err := strconv.ParseUint(s[end+1:], 10, 16) // no sign
		if err != nil || n == 0 {
			return Origin{}, false
		}
		o.Host, o.Port = s[:end], int(n)
	}
	o.Host = strings.ToLower(o.Host)
	return o, isHostName(o.Host)
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
func (o Origin) isLoopback() bool {
	if o.Host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(o.Host, "[]"))
	return err == nil && a.Unmap().IsLoopback()
}

// Rules say which pages may use a server. The zero value admits the server's own, called by a name
// of this machine. The port of that may be any, since connections are forwarded: by SSH, into a
// container.
type Rules struct {
	// Known reports whether the name in a request's Host header is a secret that its sender has
	// been given, which admits it; nil means that there are none.
	Known func(*http.Request) bool
	// Others are other sites whose pages may use the server.
	Others []Origin
	// Opens reports whether a page of another site may have a request's document loaded, by a link
	// or, as the destination says, in a frame. It must be a document of which a GET changes
	// nothing, and one in a frame must say itself which pages may show it. nil admits none.
	Opens func(r *http.Request, destination Destination) bool
}

// A Destination is where a browser loads a document, as Sec-Fetch-Dest says it.
type Destination string

const (
	Tab   Destination = "document"
	Frame Destination = "iframe"
)

// A Problem is why a request is refused.
type Problem int

const (
	None          Problem = iota
	ForeignHost           // the server is called by a name that is not its own
	ForeignOrigin         // a page of another site made the request
)

// Check returns why a request is refused, with the end of a sentence for its sender. With anyHost,
// the server may be called by any name: other machines reach it, or it is at a Unix socket.
func (rules Rules) Check(r *http.Request, anyHost bool) (Problem, string) {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	self, ok := parseHost(scheme, r.Host)
	if !anyHost && !(ok && (self.isLoopback() || rules.Known != nil && rules.Known(r))) {
		return ForeignHost, fmt.Sprintf("this server is called localhost or 127.0.0.1, not %q", clip(r.Host))
	}
	ours := false // the page is the server's own, perhaps by another name
	switch origins := r.Header.Values("Origin"); {
	case len(origins) > 1:
		return ForeignOrigin, "the request has more than one Origin"
	case len(origins) == 1:
		from, ok := ParseOrigin(origins[0])
		if ok && slices.Contains(rules.Others, from) {
			return None, ""
		}
		if !ok || !isOurs(from, self, r, anyHost) {
			return ForeignOrigin, fmt.Sprintf("pages of the origin %q may not use this server", clip(origins[0]))
		}
		ours = true
	}
	// Browsers leave the Origin out when a page follows a link or loads a picture, a script or a
	// frame. Ports do not make sites differ: of a page of the same site, the Origin decides.
	if !slices.ContainsFunc(r.Header.Values("Sec-Fetch-Site"), func(s string) bool {
		return s != "" && s != "same-origin" && s != "none" && !(ours && s == "same-site")
	}) || rules.opens(r) {
		return None, ""
	}
	return ForeignOrigin, "the request was made by a page of another site. " +
		"If you followed a link, open the address yourself"
}

// isOurs reports whether an origin has pages of the server, which they call self.
func isOurs(from, self Origin, r *http.Request, anyHost bool) bool {
	switch {
	case from == self:
		return true
	case anyHost:
		return false
	case from.Scheme == "https" && from == asHTTPS(r.Host):
		return true // forwarded by something that adds TLS
	}
	// Our own page by another name of this machine.
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return local != nil && from.Scheme == self.Scheme && from.isLoopback() && from.Port == local.Port
}

func asHTTPS(host string) Origin {
	o, _ := parseHost("https", host)
	return o
}

// opens reports whether a browser loads a document that pages of other sites may open.
func (rules Rules) opens(r *http.Request) bool {
	switch to := Destination(r.Header.Get("Sec-Fetch-Dest")); {
	case rules.Opens == nil, r.Method != http.MethodGet && r.Method != http.MethodHead, r.Header.Get("Sec-Fetch-Mode") != "navigate":
		return false
	case to == Tab, to == Frame:
		return rules.Opens(r, to)
	}
	return false
}

// clip shortens what a stranger has sent.
func clip(s string) string { return safetext.Clip(s, 100) }
