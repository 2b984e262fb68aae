package mcpserver

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
)

// ticketHeader carries a call's ticket from the transport to its handler: the SDK passes headers
// on, and nothing else. Clients cannot use it, since the transports set it in every request.
const ticketHeader = "Ui-Mcp-Ticket"

// arrivedKey is the key of a call's [call] in its context.
type arrivedKey struct{}

// errAbandoned is the error of a call that nobody waits for any more.
var errAbandoned = fault.New(fault.Gone, "the client has disconnected")

// arrived finds the call that a transport of ours has brought, for the middleware after it and for
// [Caller], and ends it with what it depends on, if that ends for a reason: in sessions, a client
// that merely disconnects may come back for the answer. The SDK gives every call of a session the
// context of the request that started the session, and lets calls continue.
func (s *Server) arrived(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		extra := req.GetExtra()
		if extra == nil || extra.Header.Get(ticketHeader) == "" {
			return next(ctx, method, req) // a notification
		}
		call := s.turns.claim(extra.Header.Get(ticketHeader))
		if call == nil {
			return nil, errAbandoned
		}
		if call.turn != nil {
			defer call.turn.end()
		}
		ctx, cancel := context.WithCancelCause(context.WithValue(ctx, arrivedKey{}, call))
		defer cancel(nil)
		for _, end := range call.ends {
			defer context.AfterFunc(end, func() {
				if cause := context.Cause(end); !errors.Is(cause, context.Canceled) {
					cancel(cause)
				}
			})()
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
