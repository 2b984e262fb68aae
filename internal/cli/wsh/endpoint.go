package wsh

import (
	"log/slog"
	"net/http"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpterm"
)

// newMCP returns an MCP server with the tools of terminals, and its handlers over HTTP, which the
// caller must Close. The grant of each caller is in the context of the request.
func newMCP(t terminals.Terminals, linked string, log *slog.Logger) *mcpserver.HTTP {
	face := mcpterm.New(mcpterm.Options{Terminals: t})
	s := mcpserver.New(mcpserver.Options{
		Name: "wsh", Title: "Terminal sessions", Version: version.Number(linked), Instructions: mcpterm.Instructions,
		Logger: log,
	})
	face.Register(s)
	return mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Log: log})
}

// beside returns a handler that serves MCP at /mcp and passes all other requests on.
func beside(api http.Handler, overHTTP *mcpserver.HTTP) http.Handler {
	const path = "/mcp"
	endpoint := overHTTP.Routes()[path]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			endpoint.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}
