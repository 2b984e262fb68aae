package uimcp

import (
	"log/slog"
	"net/http"

	accesscontrol "ui-mcp/internal/transport/access"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/peer"
	"ui-mcp/internal/transport/wsterm"
)

// terminalsPath is where the terminals of this process are, on the port of the pages: the interface
// of a server of terminals, and its page.
const terminalsPath = "/terminals"

// newTerminalPages returns the handler of everything below terminalsPath. The guard of the pages
// has checked whose program asks.
func newTerminalPages(s *shells, log *slog.Logger) (http.Handler, error) {
	return accesscontrol.New(wsterm.New(s.operations, httpterm.New(s.operations)), accesscontrol.Options{
		Tokens: s.operations.Tokens(), BasePrefix: terminalsPath, MaxBody: httpterm.MaxBody, Log: log,
		Peer: func(*http.Request) (peer.Standing, error) { return peer.Own, nil },
	})
}
