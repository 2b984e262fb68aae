package mcpterm

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/terminals"
)

// requestKey is the key of the request in the context of a call.
type requestKey struct{}

// remember puts the request into the context of a call: tools need to know whose it is.
func remember(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok {
			ctx = context.WithValue(ctx, requestKey{}, call)
		}
		return next(ctx, method, req)
	}
}

func requestOf(ctx context.Context) *mcp.CallToolRequest {
	call, _ := ctx.Value(requestKey{}).(*mcp.CallToolRequest)
	return call
}

// countedGrant returns the caller's grant with a name of the client and the limit of its sessions.
// A client that comes back with another MCP session is another one. Clients without a session count
// as one if they have the same token and say that they are the same program.
func (f *Face) countedGrant(ctx context.Context) terminals.Grant {
	by := f.grant(ctx)
	by.MaxSessions = f.maxSessions
	call := requestOf(ctx)
	if by.Client != "" || call == nil {
		return by
	}
	if id := call.Session.ID(); id != "" {
		by.Client = "session " + id
		return by
	}
	by.Client = "program"
	if info := call.ClientInfo(); info != nil {
		by.Client += " " + info.Name + " " + info.Version
	}
	by.Client += " " + by.Token
	return by
}
