package mcpserver

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callerHeader leads a call to the HTTP request that it came with: the SDK passes headers on, and
// gives every call of a session the context of the request that started the session. Clients cannot
// use it, since the transport sets it in every request.
const callerHeader = "Ui-Mcp-Caller"

// callers give calls the context of the HTTP request that they came with, so that handlers learn
// who is calling now. All methods may be called from any goroutine. The zero value is ready to use.
type callers struct {
	mu   sync.Mutex // guards the fields below
	open map[string]context.Context
	last uint64
}

// enter marks a request. The caller must call the function that it returns when the request has
// been answered.
func (c *callers) enter(r *http.Request) (leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		c.open = map[string]context.Context{}
	}
	c.last++
	id := strconv.FormatUint(c.last, 10)
	c.open[id] = r.Context()
	r.Header.Set(callerHeader, id)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, id)
	}
}

// of returns the context of the request that a call came with, or nil if it did not come over
// Streamable HTTP. A call whose request is over already gets a context that has ended and has no
// values.
func (c *callers) of(req mcp.Request) context.Context {
	extra := req.GetExtra()
	if extra == nil {
		return nil
	}
	id := extra.Header.Get(callerHeader)
	if id == "" {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if ctx := c.open[id]; ctx != nil {
		return ctx
	}
	return abandoned
}

// abandoned is the context of a call whose request is over.
var abandoned = func() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errAbandoned)
	return ctx
}()

var errAbandoned = errors.New("the client has disconnected")

// callerKey is the key of the request's context in the context of a call.
type callerKey struct{}

// restore lets [Caller] find the request that a call came with. The call ends with its request if
// the request was ended for a reason: in sessions, a client that merely disconnects may come back
// for the answer.
func (c *callers) restore(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		of := c.of(req)
		if of == nil {
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithCancelCause(context.WithValue(ctx, callerKey{}, of))
		defer cancel(nil)
		stop := context.AfterFunc(of, func() {
			if cause := context.Cause(of); !errors.Is(cause, context.Canceled) {
				cancel(cause)
			}
		})
		defer stop()
		return next(ctx, method, req)
	}
}

// Caller returns a context with the values of the HTTP request that a call came with, such as who
// is calling; over other transports, the call's own context. Use it for its values only.
//
// The context of a call has the values of the request that started the session, which may have been
// another client's.
func Caller(ctx context.Context) context.Context {
	if of, ok := ctx.Value(callerKey{}).(context.Context); ok {
		return of
	}
	return ctx
}
