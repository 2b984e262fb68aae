package guard

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/secret"
)

const (
	// ticketParameter is the query parameter that carries a ticket.
	ticketParameter = "ticket"
	// ticketLife is how long a ticket can be used.
	ticketLife = 10 * time.Minute
	// maxTickets bounds the tickets that nobody has used; the oldest is dropped first.
	maxTickets = 100
	// maxCookies bounds the browsers that are known; the oldest is dropped first.
	maxCookies = 1000
)

// Tokens admits programs whose user the system cannot tell. A browser gets a ticket in the URL of a
// page, which is good once and becomes a cookie; programs send the token as "Authorization:
// Bearer". A nil *Tokens admits nobody. Tokens is safe for concurrent use.
type Tokens struct {
	token            secret.Known
	tickets, cookies *secret.Store[struct{}]
}

// NewTokens returns Tokens with the token for programs of this user, which must not be empty. Keep
// it in a file that only they can read.
func NewTokens(token string) *Tokens {
	if token == "" {
		panic("guard: the token is empty")
	}
	return &Tokens{
		secret.Know(token), secret.NewStore[struct{}](secret.Rules{Most: maxTickets, Displaces: true}),
		secret.NewStore[struct{}](secret.Rules{Most: maxCookies, Displaces: true}),
	}
}

// Link returns the URL of a page with a new ticket in it, for a person's browser. It returns the
// URL unchanged when t is nil.
func (t *Tokens) Link(page string) string {
	u, err := url.Parse(page)
	if t == nil || err != nil {
		return page
	}
	text, _, _ := t.tickets.Issue(nil, "", struct{}{}, ticketLife) // it displaces the oldest
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
	if strings.EqualFold(scheme, "Bearer") && t.token.Is(bearer) {
		return true
	}
	return slices.ContainsFunc(r.CookiesNamed(cookieName(port)), func(c *http.Cookie) bool {
		_, known := t.cookies.Find(c.Value)
		return known
	})
}

// enter answers a request with a good ticket, which becomes a cookie, and the browser goes on
// to the page's own address, so that the ticket is in no history.
func (t *Tokens) enter(w http.ResponseWriter, r *http.Request, port int) bool {
	q := r.URL.Query()
	if t == nil || !q.Has(ticketParameter) || r.Method != http.MethodGet {
		return false
	}
	if _, ok := t.tickets.Redeem(q.Get(ticketParameter)); !ok {
		return false
	}
	cookie, _, _ := t.cookies.Issue(nil, "", struct{}{}, secret.MaxLife) // it displaces the oldest
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(port), Value: cookie, Path: "/",
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
