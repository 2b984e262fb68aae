package wsh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"syscall"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/access"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpterm"
)

// closeTime is how long requests may take to finish when the server stops.
const closeTime = 5 * time.Second

type serverCommand struct {
	Bind        string        `default:"127.0.0.1:8080" placeholder:"ADDRESS:PORT" help:"Where to listen: an address of this machine's loopback (default: ${default}). Port 0 means any that is free."`
	ServerName  string        `short:"L" default:"default" env:"WSH_SERVER_NAME" placeholder:"NAME" help:"The name of this instance; each runs once (default: ${default})."`
	MaxSessions int           `default:"256" placeholder:"N" help:"How many programs may run at once (default: ${default})."`
	Linger      time.Duration `default:"10m" placeholder:"DURATION" help:"How long a session can be read when its program has ended (default: ${default})."`
	LogLevel    slog.Level    `default:"info" placeholder:"LEVEL" help:"What to log to standard error: debug, info, warn or error (default: ${default})."`
}

// run serves until ctx is done.
func (c serverCommand) run(ctx context.Context, e env) (err error) {
	if c.MaxSessions < 1 {
		return fault.New(fault.Invalid, "--max-sessions must be at least 1")
	}
	log := slog.New(slog.NewTextHandler(e.Err, &slog.HandlerOptions{Level: c.LogLevel}))
	instance, err := claim(c.ServerName, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, instance.release()) }()
	listener, err := listen(ctx, c.Bind)
	if err != nil {
		return err
	}
	defer listener.Close() // again, when the server has it
	if err := instance.publish(listener.Addr().String()); err != nil {
		return err
	}
	kit, err := shell.Install(instance.scripts)
	if err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		return fault.Wrap(fault.Internal, err, "find the name of this machine")
	}
	linger := c.Linger
	if linger == 0 {
		linger = -1 // none at all, rather than the default
	}
	sessions := term.NewRegistry(term.Config{
		Start:   startProcess,
		Environ: os.Environ(), Home: pty.Home(), Shell: defaultShell(), Kit: kit, Version: e.version,
		Sessions: c.MaxSessions, Linger: linger, Log: log,
	})
	defer func() { err = errors.Join(err, sessions.Close()) }()
	local := terminals.NewLocal(sessions, terminals.Host{Name: host})
	handler, err := access.New(httpterm.New(local), access.Options{Tokens: local.Tokens(), MaxBody: httpterm.MaxBody, Log: log})
	if err != nil {
		return err
	}
	server := httpserve.Serve(listener, handler, httpserve.Options{Log: log, Stopping: httpterm.Stopping})
	defer func() {
		limited, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		err = errors.Join(err, server.Close(limited))
	}()
	if _, err := fmt.Fprintf(e.Out, "Serving terminal sessions on http://%s\nPress Ctrl-C to stop.\n", listener.Addr()); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// startProcess is [pty.Start] as sessions want it.
func startProcess(o pty.Options) (term.Process, error) {
	p, err := pty.Start(o)
	if err != nil {
		return nil, err // not a Process that holds a nil pointer
	}
	return p, nil
}

// defaultShell is the person's shell, or "" where the environment does not say.
func defaultShell() string { return cmp.Or(os.Getenv("SHELL"), os.Getenv("ComSpec")) }

// listen opens a port on this machine's loopback. Anyone who can connect can run anything as the
// person, so other addresses are refused.
func listen(ctx context.Context, bind string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(bind)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "--bind wants an address and a port, such as 127.0.0.1:8080")
	}
	switch host {
	case "127.0.0.1", "::1", "localhost": // what requests may call the server: see package guard
	default:
		return nil, fault.New(fault.Invalid, "--bind takes 127.0.0.1, ::1 or localhost only: anyone who can connect can run anything as you")
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", bind)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fault.New(fault.Exists, "%s is in use: choose another port with --bind, or 0 for any", bind)
	}
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "listen on %s", bind)
	}
	return l, nil
}
