package mcpterm

import (
	"context"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
)

// countedGrant returns the caller's grant with a name of the client and the limit of its sessions.
// A client that returns with another MCP session counts as another client. Clients without a
// session count as one if they have the same token and claim to be the same program.
func (f *Face) countedGrant(ctx context.Context) terminals.Grant {
	by := f.grant(ctx)
	by.MaxSessions = f.maxSessions
	call := mcpserver.CallOf(ctx)
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
