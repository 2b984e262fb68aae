package gate

import (
	"net/http"
	"sync"

	"ui-mcp/internal/transport/errcode"
)

const (
	// maxBodies bounds the bodies of all requests under way, in bytes. A body of unknown length
	// counts as the longest one that is allowed.
	maxBodies = 256 << 20
	// maxPendingEach is how many requests and connections of one issued token may be under way, so
	// that some are left for the owner.
	maxPendingEach = 256
)

// A load counts what is under way. It is safe for concurrent use.
type load struct {
	maxBody int64 // of one request

	mu      sync.Mutex // guards the fields below
	bodies  int64
	byToken map[string]int
}

func newLoad(maxBody int64) *load { return &load{maxBody: maxBody, byToken: map[string]int{}} }

// enter counts a request, until leave is called, unless there are too many.
func (l *load) enter(r *http.Request, who caller) (leave func(), refused *refusal) {
	size := min(r.ContentLength, l.maxBody)
	if size < 0 {
		size = l.maxBody
	}
	token := who.grant.Token
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.bodies+size > maxBodies:
		return nil, &refusal{http.StatusTooManyRequests, errcode.LimitReached, "too many bodies are being read: try again in a moment"}
	case token != "" && l.byToken[token] >= maxPendingEach:
		return nil, &refusal{http.StatusTooManyRequests, errcode.LimitReached, "too many requests and connections of this token are under way"}
	}
	l.bodies += size
	if token != "" {
		l.byToken[token]++
	}
	return func() { l.leave(size, token) }, nil
}

func (l *load) leave(size int64, token string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bodies -= size
	if token == "" {
		return
	}
	if l.byToken[token]--; l.byToken[token] == 0 {
		delete(l.byToken, token)
	}
}
