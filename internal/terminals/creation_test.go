//go:build unix

package terminals_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"ui-mcp/internal/testkit/opcases"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/wait"
)

// A waitedFor context closes a channel when somebody waits for its end.
type waitedFor struct {
	context.Context
	waits func()
}

// Done implements [context.Context].
func (c waitedFor) Done() <-chan struct{} {
	c.waits()
	return c.Context.Done()
}

// A program that uses an operation on its own session before that is in the registry waits until it
// is.
func TestProgramThatIsFasterThanTheRegistry(t *testing.T) {
	var (
		l     *terminals.Local
		group sync.WaitGroup
	)
	// during calls f, and returns when it waits for something or has ended.
	during := func(f func(ctx context.Context)) {
		waits := make(chan struct{})
		once := sync.OnceFunc(func() { close(waits) })
		group.Go(func() {
			defer once()
			f(waitedFor{t.Context(), once})
		})
		wait.For(t, "an operation during the creation", waits)
	}
	r := opcases.Sessions(t, registry.Config{
		Start: func(o pty.Options) (term.Process, error) {
			p, err := pty.Start(o) // the program runs from here on
			during(func(ctx context.Context) {
				if got, err := terminals.GetSession.Do(ctx, l, terminals.Everything, terminals.Target{Session: "a"}); err != nil || got.Name != "a" {
					t.Errorf("session.get: %+v, %v", got, err)
				}
			})
			return p, err
		},
		Log: slog.New(slog.DiscardHandler),
	})
	l = terminals.NewLocal(r, terminals.Host{Name: "host"})
	if _, err := terminals.CreateSession.Do(t.Context(), l, terminals.Everything, terminals.NewSession{Name: "a", Command: "cat"}); err != nil {
		t.Fatal(err)
	}
	group.Wait()
}
