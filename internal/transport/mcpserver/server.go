// Package mcpserver is what every MCP server of this module shares: how a
// server is made, how tools are declared, what each kind of error looks like
// to a client, and the transports: stdio, Streamable HTTP in both protocol
// eras, and HTTP with server-sent events.
//
// It knows no tool. Handlers speak domain types and return errors of package
// fault; nothing outside this package names a JSON-RPC code.
package mcpserver

import (
	"context"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listTTL is how long a client may keep the lists and the discovery answer.
// They change only with the program, so it bounds what a client misses when
// the program is replaced under it.
const listTTL = time.Minute

// Options describe a server to its clients.
type Options struct {
	Name         string // the programmatic name, such as "ui-mcp"
	Title        string // the name people see
	Version      string // without a leading "v"
	Instructions string // how the tools work together; clients cut it at 2 KB
	Logger       *slog.Logger

	// Tune, unless nil, may change what the SDK is told beyond that: handlers
	// of completion and subscriptions, further capabilities.
	Tune func(*mcp.ServerOptions)
}

// New returns a server without tools. It offers both protocol eras: the
// initialize handshake and the stateless revision 2026-07-28.
//
// The set of tools must be complete before the first client connects: the
// server promises not to change it.
func New(o Options) *mcp.Server {
	opts := &mcp.ServerOptions{
		Instructions: o.Instructions,
		Logger:       o.Logger,
		// Left out, the SDK would advertise protocol logging, which is
		// deprecated; our log goes to standard error.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SetCacheable: setCacheable,
	}
	if o.Tune != nil {
		o.Tune(opts)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: o.Name, Title: o.Title, Version: o.Version}, opts)
	s.AddReceivingMiddleware(contain(o.Logger), untilClosed)
	return s
}

// setCacheable lets clients keep what cannot change while the server runs, and
// nothing else: what a resource holds is the state of a live app.
func setCacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	if _, live := req.GetParams().(*mcp.ReadResourceParams); live {
		return
	}
	c.TTLMs = int(listTTL.Milliseconds())
}
