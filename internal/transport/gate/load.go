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
	// maxBodiesEach and maxPendingEach are how many of these bytes, and how many requests and
	// connections, one issued token may have under way, so that some are left for others.
	maxBodiesEach, maxPendingEach = 16 << 20, 256
)

// A load counts what is under way. It is safe for concurrent use.
type load struct {
	maxBody int64 // of one request

	mu      sync.Mutex // guards the fields below
	bodies  int64
	byToken map[string]share
}

// A share is what one issued token has under way.
type share struct {
	bodies  int64
	pending int
}

func newLoad(maxBody int64) *load { return &load{maxBody: maxBody, byToken: map[string]share{}} }

// enter counts a request, until leave is called, unless there are too many.
func (l *load) enter(r *http.Request, who caller) (leave func(), refused *refusal) {
	size := min(r.ContentLength, l.maxBody)
	if size < 0 {
		size = l.maxBody
	}
	token := who.grant.Token
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.byToken[token]
	switch {
	case l.bodies+size > maxBodies:
		return nil, &refusal{http.StatusTooManyRequests, errcode.LimitReached, "too many bodies are being read: try again in a moment"}
	case token != "" && size > 0 && own.bodies+size > max(maxBodiesEach, l.maxBody):
		return nil, &refusal{http.StatusTooManyRequests, errcode.LimitReached, "too many bodies of this token are being read: try again in a moment"}
	case token != "" && own.pending >= maxPendingEach:
		return nil, &refusal{http.StatusTooManyRequests, errcode.LimitReached, "too many requests and connections of this token are under way"}
	}
	l.bodies += size
	if token != "" {
		l.byToken[token] = share{own.bodies + size, own.pending + 1}
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
	own := l.byToken[token]
	if l.byToken[token] = (share{own.bodies - size, own.pending - 1}); own.pending == 1 {
		delete(l.byToken, token)
	}
}
