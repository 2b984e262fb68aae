package term_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

// Closing a stream wakes the caller that waits for the next report, and those that come later.
func TestCloseWakesStreams(t *testing.T) {
	for name, open := range map[string]func(*testing.T, *registry.Registry, *term.Session) (next func(context.Context) error, close func()){
		"a watcher": func(t *testing.T, _ *registry.Registry, s *term.Session) (func(context.Context) error, func()) {
			w := watcher(t, s, term.WatchOptions{Topics: term.WatchScreen})
			return func(ctx context.Context) error { _, err := w.Next(ctx); return err }, w.Close
		},
		"a viewer": func(t *testing.T, _ *registry.Registry, s *term.Session) (func(context.Context) error, func()) {
			v := attach(t, s)
			return func(ctx context.Context) error { _, err := v.Next(ctx); return err }, v.Close
		},
		"output": func(t *testing.T, _ *registry.Registry, s *term.Session) (func(context.Context) error, func()) {
			o := output(t, s, term.OutputOptions{})
			return func(ctx context.Context) error { _, err := o.Next(ctx); return err }, o.Close
		},
		"a watcher of the registry": func(_ *testing.T, r *registry.Registry, _ *term.Session) (func(context.Context) error, func()) {
			w := r.Watch()
			return func(ctx context.Context) error { _, _, err := w.Next(ctx); return err }, w.Close
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newScript()
				r := scripted(t, nil, p)
				s := create(t, r, registry.CreateOptions{})
				defer p.end(tty.Exit{})
				next, close := open(t, r, s)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				ended := make(chan error)
				go func() {
					for {
						if err := next(ctx); err != nil {
							ended <- err
							return
						}
					}
				}()
				time.Sleep(time.Second) // until it waits for more than what there is
				close()
				close()
				for range 2 {
					if err := <-ended; fault.KindOf(err) != fault.Gone {
						t.Errorf("Next = %v", err)
					}
					go func() { ended <- next(ctx) }()
				}
				<-ended
			})
		})
	}
}
