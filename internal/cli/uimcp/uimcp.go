// Package uimcp is the ui-mcp command line: it reads the flags, wires the parts together and owns
// the process's streams and signals.
//
// Each command is a struct, whose tags are its flags and help, with a method run; details.go has
// the rest of its help. Those that serve (mcp, serve, demo) are wired in wire.go: an app.App, a
// popup.Broker with its channels, and with the toolset terminal a registry.Registry; then the
// listeners of pages and agents. The others are programs like any: they find a running server by
// its port files and send it requests.
//
//	mcp ── joining.go ── finds or starts the project's server, and bridges to it
//	mcp --serving, serve, demo ── wire.go ── App, Broker, Registry ── listeners
//
// A project is served by one process, which stay.go ends with its last client, unless something
// else needs it.
//
// Standard output is MCP's, and the log's is standard error.
package uimcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/ending"
	"ui-mcp/internal/cli/footprint"
)

// Main runs the command line of the process and returns its exit status.
func Main(version string) int {
	ctx, stop := ending.Context()
	defer stop()
	// When a client closes our output, the write fails, which leaves time to clean up; SIGPIPE
	// would end the process at once.
	signal.Ignore(syscall.SIGPIPE)
	defer footprint.AfterStart()()
	return Run(ctx, version, os.Args[1:], commandline.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}

// Run executes one command line and returns its exit status: 0 for success, 1 for a failure, 2 for
// a usage error; ask has more statuses. When ctx is done it returns early, which is a success for
// commands that run until they are stopped. The mcp command changes os.Stdin and os.Stdout while it
// runs, so only one may run at a time.
func Run(ctx context.Context, version string, args []string, std commandline.Streams) int {
	chosen, status := parse(version, args, std)
	if chosen == nil {
		return status
	}
	call := commandline.Call{Streams: std, Program: new(grammar).program(version, std), Version: version}
	own := func(c command) error { return c.run(ctx, env{Streams: std, version: version}) }
	err := commandline.Run(ctx, chosen, call, own)
	switch {
	case err == nil:
		return commandline.ExitOK
	case isStop(ctx, err): // who told it knows
		std.Err = io.Discard
	}
	return commandline.Fail("ui-mcp", std.Err, err)
}

// isStop reports whether an error says only that the command was told to stop.
func isStop(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, context.Canceled))
}

// reserve redirects the standard streams for all code that does not hold them already: output of
// libraries and child processes goes to standard error, and their input is empty. Only the caller,
// which holds the original streams, can reach the JSON-RPC connection. The returned function
// restores them.
func reserve() (func(), error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, fmt.Errorf("reserve the standard streams: %w", err)
	}
	in, out := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = null, os.Stderr
	return func() {
		os.Stdin, os.Stdout = in, out
		null.Close()
	}, nil
}
