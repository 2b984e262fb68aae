package uimcp

import (
	"log/slog"
	"net/http"

	"ui-mcp/internal/transport/embeddedterm"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httppopup"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/peer"
	"ui-mcp/internal/transport/wsterm"
	"ui-mcp/web"
)

// terminalsPath is where the terminals of this process are, on the port of the pages: the interface
// of a server of terminals, its page, and terminals for frames in pages of apps.
const terminalsPath = "/terminals"

// newTerminalPages returns the handler of everything below terminalsPath. The gate of the pages
// has checked whose program asks.
func newTerminalPages(s *shells, log *slog.Logger) (http.Handler, error) {
	api, err := gate.New(httpterm.New(s.operations, wsterm.Routes(s.operations, wsterm.Options{})), gate.Options{
		Confirm: s.confirm, Tokens: s.operations.Tokens(), BasePrefix: terminalsPath, MaxBody: httpterm.MaxBody, Log: log,
		Peer: func(*http.Request) (peer.Standing, error) { return peer.Own, nil },
	})
	if err != nil {
		return nil, err
	}
	return embeddedterm.New(embeddedterm.Options{
		Base: terminalsPath, Files: web.Terminals(), Next: api,
		Framers: func(r *http.Request) []string { return httppopup.AppOrigins(r.Context()) },
	}), nil
}

// isFrame reports whether a request is for a document that pages of apps may have in a frame.
func isFrame(r *http.Request) bool {
	return httppopup.IsFrame(r) || httppopup.IsBeside(r) && embeddedterm.IsFrame(r, terminalsPath)
}
