package wsh

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"ui-mcp/skills"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcppopup"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpterm"
)

// An mcpEndpoint serves the tools, resources and prompts of terminals over Streamable HTTP.
type mcpEndpoint struct {
	overHTTP *mcpserver.HTTP
	broker   *popup.Broker // of the questions for permission
	cancel   context.CancelFunc
	notified chan struct{} // closed when nobody is notified any more
}

// newMCP returns the endpoint, which the caller must Close. The grant of each caller is in the
// context of the request.
func newMCP(t terminals.Terminals, linked string, maxSessions int, log *slog.Logger) (*mcpEndpoint, error) {
	broker, err := popup.New(popup.Options{Patience: patience, Log: log})
	if err != nil {
		return nil, err
	}
	face := mcpterm.New(mcpterm.Options{Terminals: t, Skills: skills.Wsh(), Permission: mcppopup.NewPermission(broker), MaxSessions: maxSessions})
	s := mcpserver.New(mcpserver.Options{
		Name: "wsh", Title: "Terminal sessions", Version: version.Number(linked), Instructions: mcpterm.Instructions,
		Logger: log, Tune: face.Tune,
	})
	face.Register(s)
	ctx, cancel := context.WithCancel(context.Background())
	e := &mcpEndpoint{mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Log: log}), broker, cancel, make(chan struct{})}
	go func() {
		defer close(e.notified)
		face.Notify(ctx, s)
	}()
	return e, nil
}

// patience is how long a question waits for somebody who can be asked. Dialogs of clients are there
// at once.
const patience = 100 * time.Millisecond

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
