package remote

import (
	"context"
	"encoding/json"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// A feed is what another host delivers. One goroutine reads it at a time.
type feed struct {
	*end
	limited bool // the caller's grant covers only some sessions: a lack of a name is a loss

	mu        sync.Mutex // guards the fields below
	session   begun
	uncovered chan struct{} // closed when the session of a limited caller has no name any more
}

// malformed ends a stream whose other end does not follow the rules.
func (e *end) malformed() error {
	err := fault.New(fault.Internal, "host %s has sent a malformed message", e.name)
	e.cancel(err)
	return err
}

// message returns the next message. After the last one, it returns the failure which that has, or
// ErrEnded.
func (e *end) message(ctx context.Context) ([]byte, error) {
	b, last, err := e.read(ctx)
	if err != nil || !last {
		return b, err
	}
	var got outcome
	if json.Unmarshal(b, &got) != nil {
		return nil, e.malformed()
	}
	if err := got.Error.error(e.name, e.op); err != nil {
		return nil, err
	}
	return nil, ErrEnded
}

// next returns the next message that is not a new name, without its first byte, which it returns as
// kind. A failure is an error.
func (f *feed) next(ctx context.Context) (kind byte, content []byte, err error) {
	for {
		b, err := f.message(ctx)
		if err != nil {
			return 0, nil, err
		}
		if len(b) == 0 {
			return 0, nil, f.malformed()
		}
		switch b[0] {
		case renamed:
			f.rename(string(b[1:]))
		case failed:
			var failure failure
			if json.Unmarshal(b[1:], &failure) != nil {
				return 0, nil, f.malformed()
			}
			return 0, nil, failure.error(f.name, f.op)
		default:
			return b[0], b[1:], nil
		}
	}
}

func (f *feed) rename(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.session.Name = safetext.Plain(name); name != "" || !f.limited {
		return
	}
	select {
	case <-f.uncovered:
	default:
		close(f.uncovered)
	}
}

// Name implements the streams of package terminals.
func (f *feed) Name() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.session.Name
}

// SessionID implements the streams of package terminals.
func (f *feed) SessionID() string { return f.session.ID }

// AwaitLoss implements the streams of package terminals.
func (f *feed) AwaitLoss(ctx context.Context) error {
	select {
	case <-f.uncovered:
		return terminals.ErrUncovered
	case <-f.ctx.Done():
		if err := context.Cause(f.ctx); err != ErrEnded {
			return err
		}
	case <-ctx.Done():
	}
	return nil
}

// Close implements the streams of package terminals.
func (f *feed) Close() { f.cancel(ErrEnded) }

// A watcher implements [terminals.Watcher].
type watcher struct{ *feed }

// Next implements [terminals.Watcher].
func (w watcher) Next(ctx context.Context) ([]wire.Event, error) {
	_, b, err := w.next(ctx)
	if err != nil {
		return nil, err
	}
	if crowded(b, maxLong) {
		return nil, w.malformed()
	}
	events, err := wire.DecodeEvents(b)
	if err != nil {
		return nil, w.malformed()
	}
	if err := w.write(ctx, nil, false); err != nil { // asks for more
		return nil, err
	}
	return events, nil
}

// A lifecycle implements [terminals.Lifecycle].
type lifecycle struct{ *feed }

// A changes is a part of what a lifecycle delivers.
type changes struct {
	Events []wire.Lifecycle `json:"events"`
	Missed int              `json:"missed,omitempty"`
}

// Next implements [terminals.Lifecycle].
func (l lifecycle) Next(ctx context.Context) ([]wire.Lifecycle, int, error) {
	_, b, err := l.next(ctx)
	if err != nil {
		return nil, 0, err
	}
	c, err := decodeChanges(b)
	if err != nil {
		return nil, 0, l.malformed()
	}
	return c.Events, c.Missed, nil
}

// A client implements [terminals.Client].
type client struct {
	*feed
	detached chan struct{}
}

// follow reads what is delivered about a client until it is closed.
func (c client) follow() {
	kind, _, err := c.next(c.ctx)
	if err == nil && kind == detached {
		close(c.detached)
	}
	for err == nil { // new names still arrive
		_, _, err = c.next(c.ctx)
	}
}

// Detached implements [terminals.Client].
func (c client) Detached() <-chan struct{} { return c.detached }

// An output implements [terminals.Output].
type output struct {
	*feed
	keys.Queries
}

// Next implements [terminals.Output].
func (o *output) Next(ctx context.Context) ([]byte, error) {
	_, b, err := o.next(ctx)
	o.Output(b)
	return b, err
}
