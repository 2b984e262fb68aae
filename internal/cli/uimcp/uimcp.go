// Package uimcp is the ui-mcp command line: it reads the flags, wires the parts together and owns
// the process's streams and signals.
package uimcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"ui-mcp/internal/fault"
)

// Exit statuses.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2 // also for requests that can never succeed as written
)

// Streams are the standard streams of one run of the command.
type Streams struct {
	In  io.Reader
	Out io.Writer // in the mcp command, for JSON-RPC only
	Err io.Writer
}

// Main runs the command line of the process and returns its exit status. caught, unless nil, is
// called when signals are handled, and reports whether one to stop came before; see package early.
func Main(version string, caught func() bool) int {
	ctx, stop := untilSignal(caught)
	defer stop()
	return Run(ctx, version, os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr})
}

// Run executes one command line and returns its exit status: 0 for success, 1 for a failure, 2 for
// a usage error; ask has more statuses. When ctx is done it returns early, which is a success for
// commands that run until they are stopped. The mcp command changes os.Stdin and os.Stdout while it
// runs, so only one may run at a time.
func Run(ctx context.Context, version string, args []string, std Streams) int {
	chosen, status := parse(version, args, std)
	if chosen == nil {
		return status
	}
	failure := chosen.run(ctx, env{Streams: std, version: version})
	if failure == nil {
		return exitOK
	}
	code := exitFailure
	if s, ok := errors.AsType[*statusError](failure); ok {
		code, failure = s.status, s.err
	} else if fault.KindOf(failure) == fault.Invalid {
		code = exitUsage
	}
	if failure != nil {
		fmt.Fprintf(std.Err, "ui-mcp: %v\n", failure)
	}
	return code
}
