// Package guard checks every request before a handler sees it. It admits programs of this user and
// our own pages: another user of the machine cannot use a loopback port of ours, and a page of
// another site can neither reach us by its own name (DNS rebinding) nor send us requests with the
// person's browser (cross-site request forgery), whatever the method, WebSocket upgrades included.
package guard

import (
	"fmt"
	"net"
	"net/http"

	"ui-mcp/internal/transport/peer"
	"ui-mcp/internal/transport/site"
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
// Host, Origin and Sec-Fetch-Site must be as package site says. The connection must be TCP.
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
	opens := func(r *http.Request, to site.Destination) bool {
		return to == site.Tab && opts.Links || to == site.Frame && opts.Frames != nil && opts.Frames(r)
	}
	return &guard{bodies: opts.Refuse.LimitBody(next, opts.MaxBody), opts: opts, rules: site.Rules{Known: opts.Known, Opens: opens}}
}

type guard struct {
	bodies http.Handler // limits bodies and passes requests on
	opts   Options
	rules  site.Rules
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.setHeaders(w.Header())
	if reason, text := g.check(r); text != "" {
		g.opts.Refuse(w, r, Refusal{http.StatusForbidden, reason, "Refused: " + text + "."})
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
	if _, ok := localPort(r); !ok {
		return ForeignHost, "the connection has no port of ours"
	}
	switch problem, text := g.rules.Check(r, false); problem {
	case site.ForeignHost:
		return ForeignHost, text
	default:
		return ForeignOrigin, text
	}
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

// localPort is the port at which the request arrived.
func localPort(r *http.Request) (int, bool) {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return 0, false
	}
	return tcp.Port, true
}
