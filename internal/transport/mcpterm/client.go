package mcpterm

import (
	"context"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
)

// countedGrant returns the caller's grant for a new session, which records who creates it, with a
// name of the client and the limit of its sessions. A client that returns with another MCP session
// counts as another client. Clients without a session count as one if they have the same token and
// claim to be the same program.
func (f *Face) countedGrant(ctx context.Context) terminals.Grant {
	by := f.Grant(ctx)
	by.MaxSessions, by.From = f.MaxSessions, sender(ctx)
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

// maxSender is how long the name of a program may be in the ledger of what was typed, in bytes.
const maxSender = 64

// sender returns who types in a call of a tool: the client's program, as it calls itself.
func sender(ctx context.Context) core.Sender {
	from := core.Sender{Kind: core.SenderMCP}
	if call := mcpserver.CallOf(ctx); call != nil {
		if info := call.ClientInfo(); info != nil {
			from.Name = safetext.Label(info.Name, maxSender)
		}
	}
	return from
}
