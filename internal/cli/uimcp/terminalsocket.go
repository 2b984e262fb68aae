package uimcp

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"regexp"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/wsterm"
)

// A shellSocket lets the commands of wsh reach the sessions of this process: a Unix socket with the
// interface of a server of terminals, which only this user can open.
type shellSocket struct {
	http *httpserve.Server
}

// unreachable is logged when the socket cannot be made, which harms nothing else.
const unreachable = "the commands of wsh cannot reach the terminal sessions of this process"

// socketTime is how long clients of the socket may take to end.
const socketTime = 2 * time.Second

// serveShells serves the sessions on the socket of a claim. confirm matches the lines of programs
// about which a person is asked; nil: none.
func serveShells(claim *discovery.Claim, t *terminals.Local, confirm *regexp.Regexp, log *slog.Logger) (*shellSocket, error) {
	api, err := gate.New(httpterm.New(t, wsterm.Routes(t, wsterm.Options{})), gate.Options{Confirm: confirm, Tokens: t.Tokens(), MaxBody: httpterm.MaxBody, Log: log})
	if err != nil {
		return nil, err
	}
	l, err := claim.Listen()
	if err != nil {
		return nil, err
	}
	s := &shellSocket{httpserve.Serve(gate.Limit(l, log), api, httpserve.Options{
		Log: log, Stopping: httpterm.Stopping, Cause: httpterm.ErrStopping, Refuse: httpterm.Refuse,
	})}
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // it is for display only
	}
	claim.Announce(func(s *discovery.Server) { s.Working = dir })
	return s, nil
}

// close detaches all clients. Requests in progress are still answered, until ctx ends. The receiver
// may be nil.
func (s *shellSocket) close(ctx context.Context) error {
	if s == nil {
		return nil
	}
	err := s.http.Close(ctx)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return nil // clients were cut off
	}
	return err
}
