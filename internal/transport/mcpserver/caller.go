package mcpserver

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
)

// arrivedKey is the key of a call's [call] in its context.
type arrivedKey struct{}

// extra carries a call from the transport to its handler: the SDK passes this on.
func (c *call) extra() *mcp.RequestExtra {
	return &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{Extra: map[string]any{"call": c}}}
}

// errAbandoned is the error of a call that nobody waits for any more.
var errAbandoned = fault.New(fault.Gone, "the client has disconnected")

// ErrGaveUp ends a call whose client says that it has waited long enough. It is of kind
// [fault.Gone], since that is no wish to stop what the call does.
var ErrGaveUp = fault.New(fault.Gone, "the client did not wait any longer")

// gaveUp reports whether the reason of a notifications/cancelled is that time is over: there is no
// member that says so. The SDKs for TypeScript and Rust, and the clients that are made with them,
// have these words.
func gaveUp(reason string) bool {
	reason = strings.ToLower(reason)
	return strings.Contains(reason, "timed out") || strings.HasSuffix(reason, "timeout")
}

// arrived finds the call that a transport of ours has brought, for the middleware after it and for
// [Caller], and has it wait for its turn. It ends it with what it depends on, if that ends for a
// reason: in sessions, a client that merely disconnects may come back for the answer. The SDK gives
// every call of a session the context of the request that started the session, and lets calls
// continue.
func (s *Server) arrived(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		extra := req.GetExtra()
		if extra == nil || extra.TokenInfo == nil {
			return next(ctx, method, req) // a notification
		}
		call, _ := extra.TokenInfo.Extra["call"].(*call)
		if !call.claim() {
			return nil, errAbandoned
		}
		if call.turn != nil {
			defer call.turn.end()
		}
		ctx, cancel := context.WithCancelCause(context.WithValue(ctx, arrivedKey{}, call))
		defer cancel(nil)
		for _, end := range call.ends {
			defer context.AfterFunc(end, func() {
				if cause := context.Cause(end); call.tied || !errors.Is(cause, context.Canceled) {
					cancel(cause)
				}
			})()
		}
		if call.turn != nil {
			if err := call.turn.wait(ctx); err != nil {
				return nil, err
			}
		}
		return next(ctx, method, req)
	}
}

// Caller returns a context with the values of the HTTP request that a call came with, such as who
// is calling; over other transports, the call's own context. Use it for its values only.
//
// The context of a call has the values of the request that started the session, which may have been
// another client's.
func Caller(ctx context.Context) context.Context {
	if call, ok := ctx.Value(arrivedKey{}).(*call); ok && call.request != nil {
		return call.request
	}
	return ctx
}
