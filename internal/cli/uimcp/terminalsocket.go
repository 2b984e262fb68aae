package uimcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"time"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	accesscontrol "ui-mcp/internal/transport/access"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/wsterm"
)

// A shellSocket lets the commands of wsh reach the sessions of this process: a Unix socket with the
// interface of a server of terminals, which only this user can open.
type shellSocket struct {
	claim *instance.Claim
	http  *httpserve.Server
}

// unreachable is logged when the socket cannot be made, which harms nothing else.
const unreachable = "the commands of wsh cannot reach the terminal sessions of this process"

// socketTime is how long clients of the socket may take to end.
const socketTime = 2 * time.Second

// claimShells takes the name by which commands of wsh find the sessions of this process, or returns
// nil.
func claimShells(log *slog.Logger) *instance.Claim {
	folder, err := instance.Open(os.Environ(), log)
	if err != nil {
		log.Warn(unreachable, "error", err)
		return nil
	}
	// In containers that share the folder, processes may have the same number.
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s%d", instance.ProgramPrefix, os.Getpid())
		if n > 1 {
			name += fmt.Sprintf("-%d", n)
		}
		c, err := folder.Claim(name, "")
		switch {
		case err == nil:
			return c
		case fault.KindOf(err) != fault.Exists || n == 9:
			log.Warn(unreachable, "error", err)
			return nil
		}
	}
}

// serveShells serves the sessions on the socket of a claim, which it takes over. confirm matches
// the lines of programs about which a person is asked; nil: none.
func serveShells(claim *instance.Claim, t *terminals.Local, confirm *regexp.Regexp, log *slog.Logger) (_ *shellSocket, err error) {
	s := &shellSocket{claim: claim}
	api, err := accesscontrol.New(wsterm.New(t, httpterm.New(t), wsterm.Options{}), accesscontrol.Options{Confirm: confirm, Tokens: t.Tokens(), MaxBody: httpterm.MaxBody, Log: log})
	if err != nil {
		return nil, errors.Join(err, claim.Release())
	}
	l, err := claim.Listen()
	if err != nil {
		return nil, errors.Join(err, claim.Release())
	}
	s.http = httpserve.Serve(accesscontrol.Limit(attachedterm.RefuseOlder(l), log), api, httpserve.Options{
		Log: log, Stopping: httpterm.Stopping, Cause: httpterm.ErrStopping, Refuse: httpterm.Refuse,
	})
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // it is for display only
	}
	if err := claim.PublishProgram(dir); err != nil {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return nil, errors.Join(err, s.close(ctx))
	}
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
		err = nil // clients were cut off
	}
	return errors.Join(err, s.claim.Release())
}
