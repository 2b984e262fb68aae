package serving

import (
	"context"
	"log/slog"
	"net/http"

	"ui-mcp/skills"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpterm"
)

// An mcpEndpoint serves the tools, resources and prompts of terminals over Streamable HTTP.
type mcpEndpoint struct {
	overHTTP *mcpserver.HTTP
	broker   *popup.Broker // of the questions for permission
	cancel   context.CancelFunc
	notified chan struct{} // closed when no client is notified any more
}

// newMCP returns the endpoint, which the caller must Close: that closes the broker, too, whose
// questions calls wait for. The grant of each caller is in the context of the request. reach is
// [mcpterm.Options.Reach]. Sessions start in the directory of the bridge, else in that of this
// process.
func newMCP(t terminals.Terminals, b *popup.Broker, linked string, maxSessions int, reach func(session string) mcpterm.Reach, log *slog.Logger) *mcpEndpoint {
	own := mcpterm.WorkingDir()
	dir := func(ctx context.Context) string {
		if bridges, ok := ctx.Value(dirKey{}).(string); ok {
			return bridges
		}
		return own
	}
	face := mcpterm.New(mcpterm.Options{Dir: dir, Terminals: t, Skills: skills.Wsh(), MaxSessions: maxSessions, Reach: reach})
	s := mcpserver.New(mcpserver.Options{
		Name: "wsh", Title: "Terminal sessions", Description: "Terminals that a person and an agent share", Icon: httpio.TerminalIcon, Version: version.Number(linked), Instructions: mcpterm.Instructions,
		Logger: log, Tune: face.Tune,
	})
	face.Register(s)
	s.AddReceivingMiddleware(mcpserver.TellNews(func(string) bool { return true }))
	ctx, cancel := context.WithCancel(context.Background())
	e := &mcpEndpoint{mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Log: log}), b, cancel, make(chan struct{})}
	go func() {
		defer close(e.notified)
		face.Notify(ctx, s)
	}()
	return e
}

// beside returns a handler that serves MCP at /mcp and passes all other requests on.
func (e *mcpEndpoint) beside(api http.Handler) http.Handler {
	const path = "/mcp"
	endpoint := e.overHTTP.Routes()[path]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			endpoint.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

// Close ends the sessions of clients. Calls in progress are still answered, until ctx ends.
func (e *mcpEndpoint) Close(ctx context.Context) error {
	e.cancel()
	<-e.notified
	e.broker.Close()
	return e.overHTTP.Close(ctx)
}
