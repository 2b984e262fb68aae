// Package gate decides which requests reach a handler, and who makes them. It keeps out pages of
// other sites, as package site says, whatever the method, WebSocket upgrades included; and programs
// of other users of the machine, who cannot use a loopback port of ours.
//
// [Pages] is for handlers that serve everybody who is admitted. [New] is for those that ask what a
// caller may do: it maps credentials (the owner's token, issued tokens, tickets, or the user at the
// other end of a loopback connection) to a [terminals.Grant] and puts that into the request's
// context, which ends when the grant is withdrawn. Handlers check the grant; this package does not
// know what their requests mean. It limits the rate of requests, too, and what is under way. Its
// refusals are {"error":{"code","message"}}, and are logged without secrets.
//
// Both set the security headers, and limit the length of bodies.
package gate

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/peer"
	"ui-mcp/internal/transport/site"
	"ui-mcp/internal/transport/terminalspage"
)

const (
	// DefaultRate is the limit of requests a second for each address on an exposed server.
	DefaultRate = 100
	// DefaultMaxBody is the length limit of a body in bytes, unless options say otherwise.
	DefaultMaxBody = 4 << 20
)

// PageOptions configure a gate for pages. The zero value is right for a listener that serves its
// own pages only.
type PageOptions struct {
	// Links admits navigation from anywhere: a person follows a link on a page of another site to
	// one of ours. It is for listeners where a GET of a document changes nothing.
	Links bool
	// Frames reports whether a page of another site may request a document for a frame, if its
	// other headers allow it. The document must say itself which pages may show it
	// (frame-ancestors). nil admits none.
	Frames func(*http.Request) bool
	// Known reports whether the name in a request's Host header is a secret that its sender has
	// been given, which admits it: see httpui.Observers. nil means that there are none.
	Known func(*http.Request) bool
	// Tickets admit programs of unknown users, where the system does not tell whose they are; nil
	// admits none of them.
	Tickets *Tickets
	MaxBody int64                                      // as in Options
	Peer    func(*http.Request) (peer.Standing, error) // as in Options
}

// Pages returns a handler that refuses requests of strangers with 403 and bodies that are too long
// with 413, as text, and passes the others to next.
func Pages(next http.Handler, o PageOptions) http.Handler {
	if next == nil {
		panic("gate: a handler is required")
	}
	opens := func(r *http.Request, to site.Destination) bool {
		return to == site.Tab && o.Links || to == site.Frame && o.Frames != nil && o.Frames(r)
	}
	g := &gate{headers: pageHeaders, rules: site.Rules{Known: o.Known, Opens: opens}, whose: o.Peer, tickets: o.Tickets}
	g.finish(next, o.MaxBody)
	return g
}

// Options configure a gate that knows what each caller may do.
type Options struct {
	// Exposed says that the server can be reached from other machines: see [IsExposed]. Then Token
	// is required, and requests may call the server by any name.
	Exposed bool
	// Token is the owner's token, which allows everything; "" lets programs of this user do
	// everything without one. See [TokenSource.Load].
	Token string
	// Confirm matches the lines that programs with the owner's rights may enter only if a person
	// allows them; nil: none. See [terminals.Grant].
	Confirm *regexp.Regexp
	// Tokens are those that operations issue; required.
	Tokens *terminals.Tokens
	// Origins are other sites whose pages may use the server, such as https://example.com. Such a
	// page needs a token wherever programs do.
	Origins []string
	// Rate is how many requests a second each address may make, with a burst of as many; 0 means
	// [DefaultRate] on an exposed server and no limit otherwise, and a negative number no limit.
	Rate int
	// BasePrefix is the path below which the server's paths are, such as /wsh, or "". /health is at
	// the root, too; on a Unix socket, every path is.
	BasePrefix string
	// MaxBody is the length limit of a body in bytes; 0 means [DefaultMaxBody].
	MaxBody int64
	Log     *slog.Logger // required
	// Peer returns the standing of the user whose program sent a request; nil means
	// [peer.OfRequest].
	Peer func(*http.Request) (peer.Standing, error)
}

// New returns a handler that passes admitted requests to next, with the caller's grant in the
// context (see [terminals.FromContext]), which ends when the grant is withdrawn. It answers
// preflights and POST /auth/ws-ticket itself. The error is of kind [fault.Invalid].
func New(next http.Handler, o Options) (http.Handler, error) {
	if next == nil || o.Tokens == nil || o.Log == nil {
		panic("gate: a handler, Tokens and Log are required")
	}
	if o.Exposed && o.Token == "" {
		return nil, fault.New(fault.Invalid, "a server that other machines can reach needs a token")
	}
	if o.Token != "" {
		if err := CheckToken(o.Token); err != nil {
			return nil, err
		}
	}
	prefix, err := checkPrefix(o.BasePrefix)
	if err != nil {
		return nil, err
	}
	g := &gate{
		headers: terminalHeaders, exposed: o.Exposed, prefix: prefix, credentials: newCredentials(o.Token, terminals.Everything.Confirmed(o.Confirm), o.Tokens),
		whose: o.Peer, log: o.Log, pace: pace{most: maxRefusals},
		rules: site.Rules{Opens: func(r *http.Request, to site.Destination) bool { return to == site.Tab && isPage(r) }},
	}
	for _, text := range o.Origins {
		named, ok := site.ParseOrigin(text)
		if !ok {
			return nil, fault.New(fault.Invalid, "%q is not an origin: use a form such as https://example.com or http://localhost:3000", text)
		}
		g.rules.Others = append(g.rules.Others, named)
	}
	if len(o.Origins) > 0 && o.Token == "" {
		o.Log.Warn("pages of other sites may do everything on this server: give it a token, so that they need one", "origins", o.Origins)
	}
	switch {
	case o.Rate > 0:
		g.limiter = newLimiter(o.Rate)
	case o.Rate == 0 && o.Exposed:
		g.limiter = newLimiter(DefaultRate)
	}
	g.load = newLoad(g.finish(next, o.MaxBody))
	return g, nil
}

// finish completes a gate in front of a handler. It returns the length limit of a body.
func (g *gate) finish(next http.Handler, maxBody int64) int64 {
	if g.whose == nil {
		g.whose = peer.OfRequest
	}
	maxBody = cmp.Or(maxBody, DefaultMaxBody)
	g.next = g.limitBody(next, maxBody)
	return maxBody
}

// IsExposed reports whether other machines can reach a listener.
func IsExposed(listener net.Addr) bool {
	tcp, ok := listener.(*net.TCPAddr)
	return ok && !tcp.IP.IsLoopback()
}

type gate struct {
	next    http.Handler
	headers []header
	rules   site.Rules // which pages may use the server
	whose   func(*http.Request) (peer.Standing, error)

	tickets *Tickets // for pages: see [PageOptions]

	credentials *credentials // nil: for pages, without what follows
	exposed     bool
	prefix      string
	limiter     *limiter // nil: no limit
	load        *load
	log         *slog.Logger
	pace        pace // of refusals
}

// A refusal is the answer to a request that is not admitted; nil admits it.
type refusal struct {
	status        int
	code, message string
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header(), g.headers)
	g.setCORS(w.Header(), r)
	r, inside := g.strip(r)
	if g.credentials != nil && isPage(r) {
		w.Header()[openerPolicy.name] = openerPolicy.values
	}
	by, refused, answered := g.admit(w, r)
	if refused == nil && !answered && g.credentials != nil {
		refused = narrow(&by, r)
	}
	switch {
	case answered:
	case refused == nil && !inside:
		refused = &refusal{http.StatusNotFound, errcode.NotFound, "there is nothing at " + clip(r.URL.Path) + ": paths begin with " + g.prefix}
		fallthrough
	case refused != nil:
		g.refuse(w, r, *refused)
	case g.credentials == nil:
		g.next.ServeHTTP(w, r)
	case r.URL.Path == ticketPath:
		g.serveTicket(w, r, by)
	default:
		g.pass(w, r, by)
	}
}

// admit finds out whether a request is admitted, and who sent it. answered says that it needs
// nothing more.
func (g *gate) admit(w http.ResponseWriter, r *http.Request) (by terminals.Grant, refused *refusal, answered bool) {
	if r.URL.Path != "/health" {
		if wait, ok := g.limiter.allow(r.RemoteAddr, time.Now()); !ok {
			w.Header().Set("Retry-After", strconv.Itoa(wait))
			return by, &refusal{http.StatusTooManyRequests, errcode.RateLimited, "too many requests from this address: try again later"}, false
		}
	}
	if refused := g.checkSite(r); refused != nil {
		return by, refused, false
	}
	if g.credentials != nil && isPreflight(r) {
		answerPreflight(w)
		return by, nil, true
	}
	standing := peer.Own
	var unknown error
	if !g.exposed && !g.isLocal(r) { // an exposed server asks everybody for a token
		standing, unknown = g.whose(r)
	}
	switch {
	case standing == peer.Foreign:
		return by, &refusal{http.StatusForbidden, errcode.NotAllowed, "this server belongs to another user of this machine"}, false
	case g.credentials != nil:
		by, refused = g.identify(r, standing, unknown)
		return by, refused, false
	case standing == peer.Own || g.rules.Known != nil && g.rules.Known(r):
		return by, nil, false
	}
	refused, answered = g.tickets.admit(w, r, unknown)
	return by, refused, answered
}

// identify finds out what who sent a request may do.
func (g *gate) identify(r *http.Request, standing peer.Standing, unknown error) (own terminals.Grant, _ *refusal) {
	if isOpen(r) {
		return own, nil
	}
	switch by, refused := g.credentials.of(r); {
	case refused != nil:
		return own, refused
	case by != nil:
		return *by, nil
	}
	if !g.isLocal(r) && g.credentials.required() {
		return own, &refusal{http.StatusUnauthorized, errcode.AuthRequired, "send the server's token: Authorization: Bearer TOKEN"}
	}
	if standing == peer.Unknown {
		return own, &refusal{http.StatusForbidden, errcode.NotAllowed, "this server cannot tell whose program asks (" + clip(unknown.Error()) + "): start it with --token-file, and send the token"}
	}
	own = g.credentials.own
	if !g.isLocal(r) { // an agent that can send requests must not be handed the means to answer its own questions
		own.Rights &^= terminals.Answer
	}
	return own, nil
}

func (g *gate) pass(w http.ResponseWriter, r *http.Request, by terminals.Grant) {
	ctx, stop := g.credentials.issued.NewContext(r.Context(), by)
	defer stop()
	if fault.DetailOf(context.Cause(ctx)) == terminals.Withdrawn { // it came with a ticket, or the token was withdrawn just now
		g.refuse(w, r, *refuseToken)
		return
	}
	leave, refused := g.load.enter(r, by)
	if refused != nil {
		w.Header().Set("Retry-After", "1")
		g.refuse(w, r, *refused)
		return
	}
	defer leave()
	g.next.ServeHTTP(w, r.WithContext(httpio.WithPrefix(ctx, g.prefix)))
}

// narrow takes note of who sends a request, and, if that is a server, on whose behalf.
func narrow(by *terminals.Grant, r *http.Request) *refusal {
	name, _, _ := strings.Cut(r.UserAgent(), " ") // the first product: how the program calls itself
	by.From.Name, by.From.Peer = safetext.Label(name, maxSender), strings.TrimPrefix(r.RemoteAddr, "@")
	if r.Header[claimHeader] == nil {
		return nil
	}
	claim, err := parseClaim(r.Header.Get(claimHeader))
	if err == nil {
		*by, err = claim.within(*by)
	}
	if err != nil {
		return &refusal{errcode.Status(err), errcode.Of(err), err.Error()}
	}
	return nil
}

// maxSender is how long the name of a program may be, in bytes.
const maxSender = 64

// isOpen reports whether a request needs no credentials: it asks for the server's health or for a
// file of its page. Only paths in their shortest form count, which mean the same to every handler.
func isOpen(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.URL.RawPath != "" && !isSessionElsewhere(r.URL) {
		return false
	}
	return r.URL.Path == "/health" || terminalspage.IsPath(r.URL.Path)
}

// isSessionElsewhere reports whether a path is the page's for a session of another server,
// /s/HOST%2FNAME. Nothing else in it is escaped that need not be.
func isSessionElsewhere(u *url.URL) bool {
	name, ok := strings.CutPrefix(u.RawPath, "/s/")
	return ok && "/s/"+strings.Replace(name, "%2F", "/", 1) == (&url.URL{Path: u.Path}).EscapedPath()
}

// isPage reports whether a request is for a page or its files, to which other sites may link.
func isPage(r *http.Request) bool { return isOpen(r) && r.URL.Path != "/health" }

// isUpgrade reports whether a request opens a WebSocket.
func isUpgrade(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket") &&
		strings.Contains(strings.ToLower(r.Header.Get("Connection")), "upgrade") && r.Header.Get("Sec-Websocket-Key") != ""
}

func (g *gate) refuse(w http.ResponseWriter, r *http.Request, because refusal) {
	if g.credentials == nil {
		if because.status == http.StatusForbidden {
			because.message = "Refused: " + because.message + "."
		}
		httpserve.InText(w, r, because.status, because.message)
		return
	}
	if because.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="wsh"`)
	}
	g.report(r, because)
	httpio.WriteCoded(w, because.status, because.code, because.message)
}

// A header has a canonical name, and values that are shared by all answers, which saves most of the
// time that setting it would take.
type header struct {
	name   string
	values []string
}

// The security headers. Every answer has the common ones.
var (
	commonHeaders = []header{
		{"X-Content-Type-Options", []string{"nosniff"}},
		{"Referrer-Policy", []string{"no-referrer"}},
		{"Cross-Origin-Resource-Policy", []string{"same-origin"}},
	}
	terminalHeaders = append(slices.Clip(commonHeaders),
		header{"X-Frame-Options", []string{"DENY"}},
		header{"Content-Security-Policy", []string{"default-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'"}},
		header{"Permissions-Policy", []string{"geolocation=(), microphone=(), camera=()"}},
	)
	openerPolicy = header{"Cross-Origin-Opener-Policy", []string{"same-origin"}}
	pageHeaders  = append(slices.Clip(commonHeaders), openerPolicy, header{"Content-Security-Policy", []string{"frame-ancestors 'self'"}})
)

// SetHeaders sets the security headers of a handler of [New].
func SetHeaders(h http.Header) { setHeaders(h, terminalHeaders) }

func setHeaders(h http.Header, list []header) {
	for _, s := range list {
		h[s.name] = s.values
	}
}

// isLocal reports whether a request arrived over a Unix socket, which only its owner can open. No
// pages are there.
func (g *gate) isLocal(r *http.Request) bool {
	_, ok := r.Context().Value(http.LocalAddrContextKey).(*net.UnixAddr)
	return ok && g.credentials != nil
}

// strip removes the base prefix from a request's path. It reports false for a path outside of it,
// which the request then keeps; /health is everywhere. On the Unix socket, whose clients need not
// know the prefix, it may be left out.
func (g *gate) strip(r *http.Request) (_ *http.Request, inside bool) {
	if g.prefix == "" {
		return r, true
	}
	rest, ok := strings.CutPrefix(r.URL.Path, g.prefix)
	raw, rawOK := strings.CutPrefix(r.URL.RawPath, g.prefix)
	switch {
	case r.URL.Path == "/health":
		return r, true
	case !ok || rest != "" && rest[0] != '/' || r.URL.RawPath != "" && (!rawOK || raw == "" || raw[0] != '/'):
		return r, g.isLocal(r)
	case rest == "":
		rest = "/"
	}
	inner := r.WithContext(r.Context())
	u := *r.URL
	u.Path, u.RawPath = rest, raw
	inner.URL = &u
	return inner, true
}

// checkPrefix returns a base prefix in its canonical form.
func checkPrefix(prefix string) (string, error) {
	prefix = strings.TrimRight(prefix, "/")
	if prefix == "" {
		return "", nil
	}
	isPlain := prefix[0] == '/' && path.Clean(prefix) == prefix
	for _, c := range prefix {
		isPlain = isPlain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/-._~", c))
	}
	if !isPlain {
		return "", fault.New(fault.Invalid, "the base prefix must be a path such as /wsh, of letters, digits, - . _ and ~")
	}
	return prefix, nil
}

// clip shortens what a stranger has sent.
func clip(s string) string { return safetext.Clip(s, 100) }
