package uimcp

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that is done at the first signal to end; the second one ends the
// process the hard way.
func untilSignal() (context.Context, context.CancelFunc) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		ends = append(ends, syscall.SIGHUP)
	}
	// A client that closes our output is told apart by the failing write, which leaves time to
	// clean up; the signal would end the process at once.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// reserve takes the standard streams away from everyone who has not got them yet: what any library
// or child process writes to standard output ends up in standard error, and there is nothing to
// read. Only the caller, who has the streams in hand, can reach the JSON-RPC connection. The
// returned function undoes it.
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
