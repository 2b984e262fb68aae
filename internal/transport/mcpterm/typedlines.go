package mcpterm

import (
	"context"
	"sync"

	"ui-mcp/internal/term/typed"
)

// typedLines are the lines that callers are typing, by the ID of the session. All methods may be
// called from any goroutine.
type typedLines struct {
	mu   sync.Mutex // guards the field below
	list map[string]*openLine
}

// An openLine is the line that is being typed in a session.
type openLine struct {
	turn  chan struct{} // capacity 1; holding its token allows using line
	line  *typed.Line
	users int // how many callers have the turn or wait for it; guarded by the list's mutex
}

func newTypedLines() *typedLines { return &typedLines{list: map[string]*openLine{}} }

// open waits until nobody else types in a session, and returns its line, for the caller alone until
// it calls close.
func (t *typedLines) open(ctx context.Context, session string) (*openLine, error) {
	t.mu.Lock()
	o := t.list[session]
	if o == nil {
		o = &openLine{turn: make(chan struct{}, 1), line: new(typed.Line)}
		o.turn <- struct{}{}
		t.list[session] = o
	}
	o.users++
	t.mu.Unlock()
	select {
	case <-o.turn:
		return o, nil
	case <-ctx.Done():
		t.leave(session, o)
		return nil, context.Cause(ctx)
	}
}

// close ends the use of a session's line.
func (t *typedLines) close(session string, o *openLine) {
	o.turn <- struct{}{}
	t.leave(session, o)
}

// leave forgets an empty line that nobody uses any more.
func (t *typedLines) leave(session string, o *openLine) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if o.users--; o.users == 0 && o.line.IsEmpty() && t.list[session] == o {
		delete(t.list, session)
	}
}

// copyOf returns a copy of what is being typed in a session, when nobody types at that moment.
func (t *typedLines) copyOf(ctx context.Context, session string) (*typed.Line, error) {
	o, err := t.open(ctx, session)
	if err != nil {
		return nil, err
	}
	defer t.close(session, o)
	return o.line.Clone(), nil
}

// forget forgets what was being typed in a session that was removed.
func (t *typedLines) forget(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.list, session)
}
