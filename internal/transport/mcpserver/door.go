package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
)

// errClosed is why calls end that are under way when their server closes.
var errClosed = fault.New(fault.Gone, "the server is stopping")

// A door counts the requests inside, and can be closed behind them. Its methods
// may be called from any goroutine.
type door struct {
	closing context.Context // done as soon as the door closes
	shut    context.CancelCauseFunc

	mu       sync.Mutex // guards the fields below
	inside   int
	asking   int           // of those inside: who wait for an answer, not for whatever may come
	answered chan struct{} // closed when the door is closed and asking is 0
	empty    chan struct{} // closed when the door is closed and nobody is inside
}

func newDoor() *door {
	d := &door{answered: make(chan struct{}), empty: make(chan struct{})}
	d.closing, d.shut = context.WithCancelCause(context.Background())
	return d
}

// enter reports whether a request may come in; if so, it must leave. asks says
// whether it ends by itself, with an answer.
func (d *door) enter(asks bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed() {
		return false
	}
	d.inside++
	if asks {
		d.asking++
	}
	return true
}

// leave takes what enter was given.
func (d *door) leave(asks bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inside--
	if asks {
		d.asking--
	}
	if d.closed() {
		d.signalLocked(asks)
	}
}

// close lets nobody in any more and cancels what was called inside. It may be
// called more than once.
func (d *door) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed() {
		return
	}
	d.shut(errClosed)
	d.signalLocked(true)
}

func (d *door) closed() bool { return d.closing.Err() != nil }

// signalLocked says who has gone. asked says whether asking may just have become
// 0; that happens once, as nobody comes in any more.
func (d *door) signalLocked(asked bool) {
	if asked && d.asking == 0 {
		close(d.answered)
	}
	if d.inside == 0 {
		close(d.empty)
	}
}

// doorKey is where the context of a session has the door it came in by.
type doorKey struct{}

func (d *door) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, doorKey{}, d)
}

// untilClosed cancels calls when the door closes that their session came in by.
// The SDK lets calls run on, whatever happens to the HTTP request.
func untilClosed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		d, ok := ctx.Value(doorKey{}).(*door)
		if !ok {
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(d.closing, func() { cancel(errClosed) })()
		return next(ctx, method, req)
	}
}
