package mcpserver

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"time"
)

const (
	// DefaultMaxLine is the longest message that Stdio accepts, in bytes.
	DefaultMaxLine = 16 << 20
	// DefaultDrain is how long calls may still take after the input has ended.
	DefaultDrain = 15 * time.Second

	// stopGrace is how long Serve waits for calls to notice that it is stopping. A client that no
	// longer reads can block a call for ever.
	stopGrace = 3 * time.Second
)

// Stdio is MCP over a pair of streams, one JSON-RPC message on each line.
type Stdio struct {
	In  io.Reader // closed at the end if it is an io.Closer
	Out io.Writer // gets whole lines, one Write for each
	Log *slog.Logger

	Plain PlainMethods // nil adds no methods

	MaxLine int           // bytes in one line; 0 means DefaultMaxLine
	Drain   time.Duration // 0 means DefaultDrain
}

// UntilGone ends a call when its client sends nothing more: it has disconnected, or is about to.
// Calls are still answered then, but a call that waits for a person should end. The caller must
// call cancel.
func UntilGone(ctx context.Context) (_ context.Context, cancel context.CancelFunc) {
	if c, ok := ctx.Value(connKey{}).(*connection); ok {
		return c.calls.awaited.Bound(ctx)
	}
	return context.WithCancel(ctx) // which ends at the same time
}

// Serve answers on t until its input ends, which is not an error, or ctx is done, whose error it
// returns. It serves both protocol eras at once.
//
// A malformed message is answered with a JSON-RPC error, and the session continues. When the input
// ends, calls that were made are still answered; when ctx is done they are cancelled, and get a few
// seconds to notice. A Read of t.In that nothing can interrupt, such as one of a terminal, outlives
// Serve.
func Serve(ctx context.Context, s *Server, t *Stdio) error {
	c := newConnection(ctx, s, t.Log, 2, context.Background(), func(message []byte) error {
		_, err := t.Out.Write(append(message, '\n'))
		return err
	})
	c.plain = t.Plain
	if in, ok := t.In.(io.Closer); ok {
		c.onClose = in.Close
	}
	defer c.calls.plain.Wait()
	defer c.close()
	if err := c.connect(nil); err != nil {
		return err
	}
	go t.read(c)

	ended := make(chan error, 1)
	go func() { ended <- c.wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case <-ended:
	case <-time.After(stopGrace):
		t.Log.Warn("calls did not stop in time", "waited", stopGrace)
	}
	return ctx.Err()
}

// read accepts lines until the input ends or the connection is closed. It must run on a goroutine
// of its own, since a read of standard input cannot be interrupted.
func (t *Stdio) read(c *connection) {
	err := c.readLines(t.In, cmp.Or(t.MaxLine, DefaultMaxLine))
	c.finish(cmp.Or(t.Drain, DefaultDrain))
	c.end(err)
}

// finish waits for the answers to the calls in flight: no more come. The SDK gives them up when it
// sees the end of the input, so that comes when all have been answered, or no client waits for the
// answers any more.
func (c *connection) finish(drain time.Duration) {
	c.leave(context.Canceled)
	select {
	case <-c.idle():
	case <-c.ctx.Done():
	case <-time.After(drain):
		c.log.Warn("the input ended with calls unanswered", "waited", drain)
	}
}
