// Package inflight counts work that is under way and can be closed to new work: the requests of a
// server, the calls of a connection. It starts no goroutine and does not know what it counts.
package inflight

import (
	"context"
	"sync"
)

// A Group counts the work under way. Use [New]; its methods may be called from any goroutine.
type Group struct {
	closing context.Context
	cancel  context.CancelCauseFunc
	drained chan struct{} // closed when the group is closed and n is 0

	mu sync.Mutex // guards the fields below
	n  int
}

// New returns an open group.
func New() *Group {
	g := &Group{drained: make(chan struct{})}
	g.closing, g.cancel = context.WithCancelCause(context.Background())
	return g
}

// Enter counts one more piece of work, which must Leave. It reports false once the group is closed.
func (g *Group) Enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closing.Err() != nil {
		return false
	}
	g.n++
	return true
}

// Leave says that a piece of work that entered has ended.
func (g *Group) Leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n--; g.n < 0 {
		panic("inflight: Leave without Enter")
	}
	if g.n == 0 && g.closing.Err() != nil {
		close(g.drained)
	}
}

// Close refuses new work from now on and ends the group's context with cause. It does not wait: see
// [Group.Drained]. Closing again does nothing.
func (g *Group) Close(cause error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closing.Err() != nil {
		return
	}
	g.cancel(cause)
	if g.n == 0 {
		close(g.drained)
	}
}

// Context ends when the group is closed, with the cause that Close was given.
func (g *Group) Context() context.Context { return g.closing }

// Drained returns a channel that is closed when the group is closed and all work has left.
func (g *Group) Drained() <-chan struct{} { return g.drained }

// Bound returns a context that ends with parent or when the group is closed, with the cause of
// whichever came first. The caller must call the function that comes with it.
func (g *Group) Bound(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	stop := context.AfterFunc(g.closing, func() { cancel(context.Cause(g.closing)) })
	return ctx, func() { stop(); cancel(nil) }
}
