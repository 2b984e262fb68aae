package guard

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/transport/ticket"
)

const (
	// ticketParameter is the query parameter that carries a ticket.
	ticketParameter = "ticket"
	// ticketLife is how long a ticket can be used.
	ticketLife = 10 * time.Minute
	// maxTickets bounds the tickets that nobody has used; the oldest is dropped first.
	maxTickets = 100
)

// Tokens admits programs whose user the system cannot tell. A browser gets a ticket in the URL of a
// page, which is good once and becomes a cookie; programs send the token itself as "Authorization:
// Bearer". A nil *Tokens admits nobody. Tokens is safe for concurrent use.
type Tokens struct {
	token   string
	tickets ticket.Store[struct{}]
}

// NewTokens returns Tokens with the token for programs of this user, which must not be empty. Keep
// it in a file that only they can read.
func NewTokens(token string) *Tokens {
	if token == "" {
		panic("guard: the token is empty")
	}
	return &Tokens{token: token, tickets: ticket.Store[struct{}]{Life: ticketLife, Most: maxTickets, Displaces: true}}
}

// Link returns the URL of a page with a new ticket in it, for a person's browser. It returns the
// URL unchanged when t is nil.
func (t *Tokens) Link(page string) string {
	u, err := url.Parse(page)
	if t == nil || err != nil {
		return page
	}
	text, _ := t.tickets.Issue("", struct{}{}, time.Now()) // it displaces the oldest
	q := u.Query()
	q.Set(ticketParameter, text)
	u.RawQuery = q.Encode()
	if u.Path == "" {
		u.Path = "/" // not every program takes a query right after the port
	}
	return u.String()
}

// admits reports whether a request carries the token.
func (t *Tokens) admits(r *http.Request, port int) bool {
	if t == nil {
		return false
	}
	scheme, bearer, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") && t.is(bearer) {
		return true
	}
	for _, c := range r.CookiesNamed(cookieName(port)) {
		if t.is(c.Value) {
			return true
		}
	}
	return false
}

func (t *Tokens) is(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(t.token)) == 1
}

// enter answers a request with a good ticket: the token becomes a cookie, and the browser goes on
// to the page's own address, so that the ticket is in no history.
func (t *Tokens) enter(w http.ResponseWriter, r *http.Request, port int) bool {
	q := r.URL.Query()
	if t == nil || !q.Has(ticketParameter) || r.Method != http.MethodGet {
		return false
	}
	if _, ok := t.tickets.Redeem(q.Get(ticketParameter), time.Now()); !ok {
		return false
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(port), Value: t.token, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	q.Del(ticketParameter)
	// Only the path: a URL that begins with two slashes would name another server.
	to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: q.Encode()}
	http.Redirect(w, r, to.String(), http.StatusSeeOther)
	return true
}

// cookieName names the cookie of a port: cookies do not distinguish the ports of a machine.
func cookieName(port int) string { return "ui-mcp-" + strconv.Itoa(port) }
