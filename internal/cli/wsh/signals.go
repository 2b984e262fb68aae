package wsh

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// An endSignal is why a command's context has ended: a signal asks the process to end.
type endSignal struct{ syscall.Signal }

// Error implements error.
func (s endSignal) Error() string { return "signal: " + s.String() }

// status is the exit status of a process that this signal has ended.
func (s endSignal) status() int { return 128 + int(s.Signal) }

// untilSignal returns a context that the first of some signals ends, with an [endSignal] as its
// cause. The second signal has its usual effect. The caller calls stop at the end.
func untilSignal(signals ...os.Signal) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	received := make(chan os.Signal, 1)
	signal.Notify(received, signals...)
	go func() {
		select {
		case s := <-received:
			signal.Stop(received)
			number, _ := s.(syscall.Signal) // each signal is one
			cancel(endSignal{number})
		case <-ctx.Done():
			signal.Stop(received)
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}
