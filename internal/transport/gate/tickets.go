package gate

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/secret"
	"ui-mcp/internal/transport/errcode"
)

const (
	// linkLife is how long the ticket in a link can be used.
	linkLife = 10 * time.Minute
	// maxLinks bounds the tickets that nobody has used; the oldest is dropped first.
	maxLinks = 100
	// maxCookies bounds the browsers that are known; the oldest is dropped first.
	maxCookies = 1000
)

// Tickets admit programs whose user the system cannot tell. A browser gets a ticket in the URL of a
// page, which is good once and becomes a cookie; programs send a token as "Authorization: Bearer".
// Nil Tickets admit nobody. They are safe for concurrent use.
type Tickets struct {
	token          secret.Known
	links, cookies *secret.Store[struct{}]
}

// NewTickets returns Tickets with the token for programs of this user, which must not be empty.
// Keep it in a file that only they can read.
func NewTickets(token string) *Tickets {
	if token == "" {
		panic("gate: the token is empty")
	}
	return &Tickets{
		secret.Know(token), secret.NewStore[struct{}](secret.Rules{Most: maxLinks, Displaces: true}),
		secret.NewStore[struct{}](secret.Rules{Most: maxCookies, Displaces: true}),
	}
}

// Link returns the URL of a page with a new ticket in it, for a person's browser. It returns the
// URL unchanged when t is nil.
func (t *Tickets) Link(page string) string {
	u, err := url.Parse(page)
	if t == nil || err != nil {
		return page
	}
	text, _, _ := t.links.Issue(nil, "", struct{}{}, linkLife) // it displaces the oldest
	q := u.Query()
	q.Set(ticketParameter, text)
	u.RawQuery = q.Encode()
	if u.Path == "" {
		u.Path = "/" // not every program takes a query right after the port
	}
	return u.String()
}

// admit decides about a request of an unknown user. answered says that it came with a ticket, and
// needs nothing more.
func (t *Tickets) admit(w http.ResponseWriter, r *http.Request, unknown error) (_ *refusal, answered bool) {
	switch {
	case t == nil:
		return &refusal{http.StatusForbidden, errcode.NotAllowed, fmt.Sprintf("this server cannot tell whose program asks: %v", unknown)}, false
	case t.knows(r):
		return nil, false
	case t.enter(w, r):
		return nil, true
	}
	return &refusal{http.StatusForbidden, errcode.NotAllowed, "this system does not tell whose program asks. Open the page with the address that the server gives, " +
		"which is good once; programs send the server's token"}, false
}

// knows reports whether a request carries the token, or a cookie.
func (t *Tickets) knows(r *http.Request) bool {
	if text, ok := bearer(r.Header.Get("Authorization")); ok && t.token.Is(text) {
		return true
	}
	return slices.ContainsFunc(r.CookiesNamed(cookieName(r)), func(c *http.Cookie) bool {
		_, known := t.cookies.Find(c.Value)
		return known
	})
}

// enter answers a request with a good ticket, which becomes a cookie, and the browser goes on
// to the page's own address, so that the ticket is in no history.
func (t *Tickets) enter(w http.ResponseWriter, r *http.Request) bool {
	q := r.URL.Query()
	if _, ok := redeem(t.links, q, r.Method == http.MethodGet); !ok {
		return false
	}
	cookie, _, _ := t.cookies.Issue(nil, "", struct{}{}, secret.MaxLife) // it displaces the oldest
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: cookie, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	q.Del(ticketParameter)
	// Only the path: a URL that begins with two slashes would name another server.
	to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: q.Encode()}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
	return true
}

// cookieName names the cookie of the port at which a request arrived: cookies do not distinguish
// the ports of a machine.
func cookieName(r *http.Request) string {
	at, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if at == nil {
		at = new(net.TCPAddr)
	}
	return "ui-mcp-" + strconv.Itoa(at.Port)
}

// ticketParameter is the query parameter that carries a ticket.
const ticketParameter = "ticket"

// redeem returns what the ticket in a query opens, if the request that has it may use one.
func redeem[T any](tickets *secret.Store[T], query url.Values, mayUse bool) (scope T, ok bool) {
	if texts := query[ticketParameter]; mayUse && len(texts) == 1 {
		return tickets.Redeem(texts[0])
	}
	return scope, false
}
