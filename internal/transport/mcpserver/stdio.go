package mcpserver

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// DefaultMaxLine is the longest message that Stdio accepts, in bytes.
	DefaultMaxLine = 16 << 20
	// DefaultDrain is how long calls may still take when the input has ended.
	DefaultDrain = 15 * time.Second

	// stopGrace is how long Serve waits for calls to notice that it was told to
	// stop. A client that no longer reads can hold a call for ever.
	stopGrace = 3 * time.Second
)

// Stdio is MCP over a pair of streams, one JSON-RPC message on each line.
type Stdio struct {
	In  io.Reader // closed at the end if it is an io.Closer
	Out io.Writer // gets whole lines, one Write for each
	Log *slog.Logger

	Plain PlainMethods // or nil

	MaxLine int           // bytes in one line; 0 means DefaultMaxLine
	Drain   time.Duration // 0 means DefaultDrain
}

// goneKey is where the context of a call has the channel that [ClientGone] returns.
type goneKey struct{}

// ClientGone returns a channel that is closed when the client of a call sends nothing more: it has gone, or is about to. Calls
// are still answered then; one that waits for a person had better end. It is nil where the call's context says as much.
func ClientGone(ctx context.Context) <-chan struct{} {
	gone, _ := ctx.Value(goneKey{}).(chan struct{})
	return gone
}

// Serve answers on t until its input ends, which is no error, or ctx is done,
// which it reports. It serves both protocol eras at once.
//
// What is no message is answered with a JSON-RPC error, and the session goes
// on. When the input ends, calls that were made are still answered; when ctx is
// done they are cancelled, and get a few seconds to notice. A Read of t.In that
// nothing can interrupt, such as one of a terminal, outlives Serve.
func Serve(ctx context.Context, s *mcp.Server, t *Stdio) error {
	p := newPump(t, ctx.Done())
	defer p.plainCalls.Wait()
	defer p.close()
	var sessions []*mcp.ServerSession
	for _, e := range p.eras {
		session, err := s.Connect(context.WithValue(ctx, goneKey{}, p.gone), e, nil)
		if err != nil {
			return err
		}
		sessions = append(sessions, session)
	}
	go p.run()

	ended := make(chan error, 1)
	go func() {
		var first error
		for _, session := range sessions {
			if err := session.Wait(); first == nil {
				first = err
			}
		}
		ended <- first
	}()
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
