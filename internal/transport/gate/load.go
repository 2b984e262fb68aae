package gate

import (
	"net/http"
	"strings"
	"sync"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
)

const (
	// maxBodies bounds the bodies of all requests under way, in bytes. A body of unknown length
	// counts as the longest one that is allowed.
	maxBodies = 256 << 20
	// maxBodiesEach and maxPendingEach are how many of these bytes, and how many requests and
	// connections, one issued token or host of a hub may have under way, so that some are left for
	// others.
	maxBodiesEach, maxPendingEach = 16 << 20, 256
)

// A load counts what is under way. It is safe for concurrent use.
type load struct {
	maxBody int64 // of one request

	mu     sync.Mutex // guards the fields below
	bodies int64
	shares map[string]share // by [terminals.Grant.Caller]
}

// A share is what one issued token or host of a hub has under way.
type share struct {
	bodies, unsent int64
	pending        int
}

func newLoad(maxBody int64) *load { return &load{maxBody: maxBody, shares: map[string]share{}} }

// enter counts a request, until leave is called, unless there are too many.
func (l *load) enter(r *http.Request, by terminals.Grant) (leave func(), refused *refusal) {
	size := min(r.ContentLength, l.maxBody)
	if size < 0 {
		size = l.maxBody
	}
	key := by.Caller()
	kind, _, _ := strings.Cut(key, " ")
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.shares[key]
	switch {
	case l.bodies+size > maxBodies:
		return nil, &refusal{http.StatusTooManyRequests, errcode.LimitReached, "too many bodies are being read: try again in a moment"}
	case own.bodies+size > max(maxBodiesEach, l.maxBody):
		return nil, &refusal{http.StatusTooManyRequests, errcode.LimitReached, "too many bodies of this " + kind + " are being read: try again in a moment"}
	case own.pending >= maxPendingEach:
		return nil, &refusal{http.StatusTooManyRequests, errcode.LimitReached, "too many requests and connections of this " + kind + " are under way"}
	}
	l.bodies += size
	l.change(key, share{bodies: size, pending: 1})
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.bodies -= size
		l.change(key, share{bodies: -size, pending: -1})
	}, nil
}

// send counts bytes of an answer, or, if they are negative, that they were sent. It reports false,
// and counts nothing, if they are too many.
func (l *load) send(key string, bytes int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if key != "" && l.shares[key].unsent+int64(bytes) > maxUnsentEach {
		return false
	}
	l.change(key, share{unsent: int64(bytes)})
	return true
}

// change adds to a share; "" has none, and no limit. The caller holds l.mu.
func (l *load) change(key string, by share) {
	if key == "" {
		return
	}
	s := l.shares[key]
	s = share{s.bodies + by.bodies, s.unsent + by.unsent, s.pending + by.pending}
	if l.shares[key] = s; s == (share{}) {
		delete(l.shares, key)
	}
}
