package wsterm_test

import (
	"context"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/opcases"
)

// busy are terminals of which a follower has something to report from the start.
type busy struct{ terminals.Terminals }

func (busy) Open(context.Context, terminals.Grant, *terminals.Operation, any) (terminals.Stream, error) {
	return news{reported: make(chan struct{}, 1)}, nil
}

// news report one event.
type news struct {
	terminals.Stream
	reported chan struct{}
}

func (n news) Receive(ctx context.Context, out any) error {
	select {
	case n.reported <- struct{}{}:
		out.(*terminals.Changes).Events = []wire.Lifecycle{{Event: "session_created"}}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (news) Close() {}

// A socket is greeted before it gets anything else, also while sessions come and go.
func TestGreetedFirst(t *testing.T) {
	srv := serve(t, busy{opcases.New(t, opcases.Case{})}, terminals.Everything)
	for range 300 { // a race that the greeting lost now and then, under the race detector
		c := srv.dial(t, "/ws/json") // reads the greeting
		if d := opcases.Diff(`{"event":"session_created","params":{"name":""}}`, c.read(t)); d != "" {
			t.Fatal(d)
		}
		_ = c.CloseNow()
	}
}
