package uimcp

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that is done at the first signal to end; the second one kills the
// process.
func untilSignal() (context.Context, context.CancelFunc) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		ends = append(ends, syscall.SIGHUP)
	}
	// When a client closes our output, the write fails, and there is time to clean up; the signal
	// would end the process at once.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// reserve redirects the standard streams for everything that does not hold them yet: output of
// libraries and child processes goes to standard error, and their input is empty. Only the caller,
// who holds the streams, can reach the JSON-RPC connection. The returned function undoes it.
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
