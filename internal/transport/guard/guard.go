// Package guard checks every request before a handler sees it. It admits programs of this user and
// our own pages: another user of the machine cannot use a loopback port of ours, and a page of
// another site can neither reach us by its own name (DNS rebinding) nor send us requests with the
// person's browser (cross-site request forgery), whatever the method, WebSocket upgrades included.
package guard

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/transport/peer"
)

// DefaultMaxBody is the size limit of a request's body in bytes, unless [Options] say otherwise.
const DefaultMaxBody = 4 << 20

// Options configure a guard. The zero value is right for a listener that serves its own pages only.
type Options struct {
	// Links admits navigation from anywhere: a person follows a link on a page of another site to
	// one of ours. It is for listeners where a GET of a document changes nothing.
	Links bool
	// Frames reports whether a page of another site may request a document for a frame, if its
	// other headers allow it. The document must say itself which pages may show it
	// (frame-ancestors). nil admits none.
	Frames func(*http.Request) bool
	// MaxBody is the size limit of a body in bytes; 0 means DefaultMaxBody.
	MaxBody int64
	// FrameAncestors lists the origins that may show our pages in a frame, as sources of a
	// Content-Security-Policy; "" means 'self'.
	FrameAncestors string
	// Known reports whether the name in a request's Host header is a secret that its sender has
	// been given, which admits it: see httpui.Observers. nil means that there are none.
	Known func(*http.Request) bool
	// Peer says whose program sent a request; nil means [peer.OfRequest].
	Peer func(*http.Request) (peer.Standing, error)
	// Tokens admits programs of unknown users, where the system does not tell whose they are; nil
	// admits none of them.
	Tokens *Tokens
	// Refuse answers the requests that are not admitted; nil means plain text.
	Refuse Refuser
}

// New returns a handler that refuses requests of strangers with 403 and bodies that are too long
// with 413, and passes the others on, with security headers set on the response.
//
// Host must be a loopback name, or a secret that Known accepts. Its port may be any, since
// connections are forwarded: by SSH, into a container. Origin must be absent, the same as Host, or
// a loopback name with the port of the connection, which must therefore be TCP.
func New(next http.Handler, opts Options) http.Handler {
	if next == nil {
		panic("guard: nil handler")
	}
	if opts.MaxBody == 0 {
		opts.MaxBody = DefaultMaxBody
	}
	if opts.FrameAncestors == "" {
		opts.FrameAncestors = "'self'"
	}
	if opts.Peer == nil {
		opts.Peer = peer.OfRequest
	}
	if opts.Refuse == nil {
		opts.Refuse = inText
	}
	return &guard{bodies: opts.Refuse.LimitBody(next, opts.MaxBody), opts: opts}
}

type guard struct {
	bodies http.Handler // limits bodies and passes requests on
	opts   Options
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.setHeaders(w.Header())
	if reason, text := g.check(r); text != "" {
		g.opts.Refuse(w, r, Refusal{http.StatusForbidden, reason, "Refused: " + text})
		return
	}
	if done := g.checkPeer(w, r); done {
		return
	}
	g.bodies.ServeHTTP(w, r)
}

func (g *guard) setHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Content-Security-Policy", "frame-ancestors "+g.opts.FrameAncestors)
}

// check returns why a request is refused; no text means that it is admitted.
func (g *guard) check(r *http.Request) (Reason, string) {
	port, ok := localPort(r)
	if !ok {
		return ForeignHost, "the connection has no port of ours."
	}
	if name, _, ok := splitHost(r.Host); !ok || !isLoopback(name) && !g.known(r) {
		return ForeignHost, fmt.Sprintf("this server is called 127.0.0.1 or localhost, not %q.", clip(r.Host))
	}
	fromUs, text := g.checkOrigin(r, port)
	if text == "" {
		text = g.checkSite(r, fromUs)
	}
	return ForeignOrigin, text
}

// checkPeer answers requests that a program of another user has sent, and those that arrive with a
// ticket. It reports whether it has answered.
func (g *guard) checkPeer(w http.ResponseWriter, r *http.Request) bool {
	standing, err := g.opts.Peer(r)
	port, _ := localPort(r)
	text := "this server belongs to another user of this machine."
	switch {
	case standing == peer.Own || standing == peer.Unknown && g.known(r):
		return false
	case standing == peer.Unknown && g.opts.Tokens.admits(r, port):
		return false
	case standing == peer.Unknown && g.opts.Tokens.enter(w, r, port):
		return true
	case standing == peer.Unknown && g.opts.Tokens != nil:
		text = "this system does not tell whose program asks. Open the page with the address that the server gives, " +
			"which is good once; programs send the server's token."
	case standing == peer.Unknown:
		text = fmt.Sprintf("this server cannot tell whose program asks: %v.", err)
	}
	g.opts.Refuse(w, r, Refusal{http.StatusForbidden, ForeignUser, "Refused: " + text})
	return true
}

// known reports whether a request was sent to a secret name.
func (g *guard) known(r *http.Request) bool { return g.opts.Known != nil && g.opts.Known(r) }

// checkOrigin checks the Origin header. ours reports that there is one and that it is one of our
// pages.
func (g *guard) checkOrigin(r *http.Request, port int) (ours bool, reason string) {
	origins := r.Header.Values("Origin")
	switch {
	case len(origins) == 0:
		return false, ""
	case len(origins) > 1:
		return false, "the request has more than one Origin."
	case isOurs(origins[0], r.Host, port):
		return true, ""
	}
	return false, fmt.Sprintf("pages of the origin %q may not use this server.", clip(origins[0]))
}

// isOurs reports whether an origin belongs to one of our pages.
func isOurs(origin, host string, port int) bool {
	scheme, rest, _ := strings.Cut(origin, "://")
	if scheme != "http" && scheme != "https" {
		return false
	}
	if strings.EqualFold(rest, host) {
		return true
	}
	name, p, ok := splitHost(rest)
	return ok && scheme == "http" && isLoopback(name) && p == port
}

// checkSite checks what the browser says of the page that made the request. It covers requests
// without an Origin: those of links, images, frames and scripts.
func (g *guard) checkSite(r *http.Request, fromUs bool) string {
	site := r.Header.Get("Sec-Fetch-Site")
	switch site {
	case "", "same-origin", "none":
		return ""
	case "same-site":
		// A page on another port of this machine. Ports do not make sites differ, so the Origin
		// decides.
		if fromUs {
			return ""
		}
	}
	if g.opts.Links && isNavigation(r, "document") || g.opts.Frames != nil && isNavigation(r, "iframe") && g.opts.Frames(r) {
		return ""
	}
	return "the request was made by a page of another site. If you followed a link, open the address yourself."
}

// isNavigation reports whether a browser loads a page into a tab ("document") or a frame
// ("iframe"), and not a part of a page.
func isNavigation(r *http.Request, destination string) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == destination
}

// localPort is the port at which the request arrived.
func localPort(r *http.Request) (int, bool) {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return 0, false
	}
	return tcp.Port, true
}

// splitHost splits "name:port" or "name", whose port is then HTTP's. It reports false where the
// port is not a number from 1 to 65535.
func splitHost(s string) (name string, port int, ok bool) {
	end := strings.LastIndexByte(s, ':')
	if end <= strings.LastIndexByte(s, ']') { // no colon, or only the colons of an IPv6 address
		return s, 80, true
	}
	n, err := strconv.ParseUint(s[end+1:], 10, 16)
	if err != nil || n == 0 {
		return "", 0, false
	}
	return s[:end], int(n), true
}

// isLoopback compares names literally: everything that a client of ours sends has one of these
// forms.
func isLoopback(name string) bool {
	switch strings.ToLower(name) {
	case "127.0.0.1", "localhost", "[::1]":
		return true
	}
	return false
}

// clip shortens what a stranger has sent, for the answer.
func clip(s string) string { return safetext.Clip(s, 100) }
