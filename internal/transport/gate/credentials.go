package gate

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/secret"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
)

const (
	// ticketPath is where browsers get tickets.
	ticketPath = "/auth/ws-ticket"
	// ticketLife is how long a ticket can be used.
	ticketLife = 30 * time.Second
	// maxTickets is how many tickets may wait to be used.
	maxTickets = 1024
	// maxTicketsEach is how many of them one issued token may have, so that it cannot use up all.
	maxTicketsEach = 256
)

// credentials identify who sent a request. They are safe for concurrent use.
type credentials struct {
	owner   secret.Known    // the owner's token, if callers need credentials
	own     terminals.Grant // of who has it
	issued  *terminals.Tokens
	tickets *secret.Store[terminals.Grant]
}

func newCredentials(owner string, allows terminals.Grant, issued *terminals.Tokens) *credentials {
	return &credentials{
		owner: secret.Know(owner), own: allows, issued: issued,
		tickets: secret.NewStore[terminals.Grant](secret.Rules{Most: maxTickets, Each: maxTicketsEach}),
	}
}

func (c *credentials) required() bool { return !c.owner.IsZero() }

// of returns what the credentials in a request allow. Without credentials, it returns neither a
// grant nor a refusal.
func (c *credentials) of(r *http.Request) (*terminals.Grant, *refusal) {
	query := r.URL.Query() // the part that can be parsed
	if query.Has("token") {
		return nil, &refusal{http.StatusUnauthorized, errcode.AuthRequired, "a token does not belong in a URL, which logs and histories keep: " +
			"send Authorization: Bearer TOKEN, or ?ticket= with a ticket from POST " + ticketPath + " to open a WebSocket"}
	}
	switch headers := r.Header.Values("Authorization"); {
	case len(headers) > 1:
		return nil, &refusal{http.StatusForbidden, errcode.AuthInvalid, "the request has more than one Authorization"}
	case len(headers) == 1:
		if text, ok := bearer(headers[0]); ok {
			return c.ofBearer(text)
		}
	}
	if !query.Has(ticketParameter) || !isUpgrade(r) {
		return nil, nil
	}
	if by, ok := redeem(c.tickets, query, true); ok {
		return &by, nil
	}
	return nil, &refusal{http.StatusUnauthorized, errcode.AuthRequired, "the ticket was used already, is older than 30 seconds, or was never issued: get another from POST " + ticketPath}
}

func (c *credentials) ofBearer(text string) (*terminals.Grant, *refusal) {
	if c.owner.Is(text) {
		return &c.own, nil
	}
	if by, ok := c.issued.Find(text); ok {
		return &by, nil
	}
	if !c.required() && !strings.HasPrefix(text, terminals.TokenPrefix) {
		// The token of another server, sent by a client that does not know that this one needs
		// none. One that was issued here is not ignored: without it, the client would be allowed
		// more.
		return nil, nil
	}
	return nil, refuseToken
}

var refuseToken = &refusal{http.StatusForbidden, errcode.AuthInvalid, "the token is wrong, has expired or was withdrawn"}

// bearer returns the token in the value of an Authorization header.
func bearer(value string) (string, bool) {
	scheme, rest, ok := strings.Cut(value, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.Trim(rest, " "), true
}

// serveTicket answers POST /auth/ws-ticket.
func (g *gate) serveTicket(w http.ResponseWriter, r *http.Request, by terminals.Grant) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		g.refuse(w, r, refusal{http.StatusMethodNotAllowed, errcode.MethodNotAllowed, fmt.Sprintf("%s takes POST, not %s", ticketPath, clip(r.Method))})
		return
	}
	text, _, ok := g.credentials.tickets.Issue(nil, by.Token, by, ticketLife)
	if !ok {
		w.Header().Set("Retry-After", strconv.Itoa(int(ticketLife.Seconds())))
		g.refuse(w, r, refusal{http.StatusTooManyRequests, errcode.LimitReached, "too many tickets wait to be used: try again in half a minute"})
		return
	}
	httpio.WriteJSON(w, http.StatusOK, map[string]string{"ticket": text})
}
