// Package uimcp is the ui-mcp command line: it reads the flags, wires the parts
// together and owns the process's streams and signals.
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
	exitUsage   = 2 // also for what can never succeed as written
)

// Streams are the standard streams of one run of the command.
type Streams struct {
	In  io.Reader
	Out io.Writer // in the mcp command, for JSON-RPC alone
	Err io.Writer
}

// Main runs the command line of the process and returns its exit status.
func Main(version string) int {
	ctx, stop := untilSignal()
	defer stop()
	return Run(ctx, version, os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr})
}

// Run executes one command line and returns its exit status: 0 for success, 1
// for a failure, 2 for a usage error; ask has more of them. It ends early, and well, when ctx is
// done. The mcp command changes os.Stdin and os.Stdout while it runs, so only
// one may run at a time.
func Run(ctx context.Context, version string, args []string, std Streams) int {
	chosen, status := parse(version, args, std)
	if chosen == nil {
		return status
	}
	if err := chosen.run(ctx, env{Streams: std, version: version}); err != nil {
		fmt.Fprintf(std.Err, "ui-mcp: %v\n", err)
		if s, ok := errors.AsType[*statusError](err); ok {
			return s.status
		}
		if fault.KindOf(err) == fault.Invalid {
			return exitUsage
		}
		return exitFailure
	}
	return exitOK
}
