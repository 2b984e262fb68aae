package uimcp

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"ui-mcp/internal/cli/ending"
)

// untilSignal returns a context that is done at the first signal to stop, including one that was
// caught before; a later one kills the process.
func untilSignal(caught func() bool) (_ context.Context, stop func()) {
	ctx, stop := ending.Context()
	// When a client closes our output, the write fails, which leaves time to clean up; SIGPIPE
	// would end the process at once.
	signal.Ignore(syscall.SIGPIPE)
	if caught != nil && caught() {
		stop()
	}
	return ctx, stop
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
