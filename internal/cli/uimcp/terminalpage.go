package uimcp

import (
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/embeddedterm"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httppopup"
	"ui-mcp/internal/transport/httpserve"
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
		Framers: httppopup.AppOrigins,
	}), nil
}

// isFrame reports whether a request is for a document that pages of apps may have in a frame.
func isFrame(r *http.Request) bool {
	return httppopup.IsFrame(r) || httppopup.IsBeside(r) && embeddedterm.IsFrame(r, terminalsPath)
}

// socketTime is how long clients of the socket may take to end.
const socketTime = 2 * time.Second

// serveShells lets the commands of wsh reach the sessions of this process, on the socket of a
// claim, which only this user can open. confirm matches the lines of programs about which a person
// is asked; nil: none.
func serveShells(claim *discovery.Claim, t *terminals.Local, confirm *regexp.Regexp, log *slog.Logger) (*httpserve.Server, error) {
	api, err := gate.New(httpterm.New(t, wsterm.Routes(t, wsterm.Options{})), gate.Options{Confirm: confirm, Tokens: t.Tokens(), MaxBody: httpterm.MaxBody, Log: log})
	if err != nil {
		return nil, err
	}
	l, err := claim.Listen()
	if err != nil {
		return nil, err
	}
	s := httpserve.Serve(gate.Limit(l, log), api, httpserve.Options{
		Log: log, Cause: httpterm.ErrStopping, Refuse: httpterm.Refuse,
	})
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // it is for display only
	}
	claim.Announce(func(s *discovery.Server) { s.Working = dir })
	return s, nil
}
