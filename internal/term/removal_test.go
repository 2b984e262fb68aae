package term_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/testkit/wait"
)

// Removing an ended session waits for its executor, which may be busy. Other sessions can be used
// meanwhile: the registry's lock is not held.
func TestRemovalHoldsNoLock(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		linger time.Duration
		remove func(r *registry.Registry, old, other *term.Session) error
	}{
		"a new session of its name": {time.Hour, func(r *registry.Registry, _, _ *term.Session) error {
			_, err := r.Create(context.Background(), registry.CreateOptions{Name: "old"})
			return err
		}},
		"another takes its name": {time.Hour, func(r *registry.Registry, _, other *term.Session) error {
			return r.Relabel(other, registry.Relabel{Name: new("old")})
		}},
		"removed": {time.Hour, func(r *registry.Registry, old, _ *term.Session) error { return r.Remove(old) }},
		"it has lingered long enough": {50 * time.Millisecond, func(*registry.Registry, *term.Session, *term.Session) error {
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newScript()
			r := scripted(t, func(c *registry.Config) { c.Linger = tt.linger }, p, newScript(), newScript())
			old := create(t, r, registry.CreateOptions{Name: "old"})
			other := create(t, r, registry.CreateOptions{Name: "other"})
			busy := make(chan struct{})
			p.end(tty.Exit{})
			<-old.Ended()
			old.Block(busy)
			done, removed := make(chan error, 1), make(chan struct{})
			go func() { done <- tt.remove(r, old, other) }()
			go func() {
				for r.Has(old) {
					runtime.Gosched()
				}
				close(removed)
			}()
			wait.For(t, "the registry's lock, while the executor of a removed session closes", removed)
			close(busy)
			must(t, <-done)
			wait.Until(t, "the removed session is gone", func() bool {
				_, err := old.Screen(t.Context())
				return fault.KindOf(err) == fault.Gone
			})
		})
	}
}
