package registry_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

// slowStart makes programs take some time to start, or fail then.
func slowStart(d time.Duration, id *string, fails error) func(*registry.Config) {
	return func(c *registry.Config) {
		start := c.Start
		c.Start = func(o pty.Options) (term.Process, error) {
			for _, v := range o.Env {
				if value, ok := strings.CutPrefix(v, registry.IDVariable+"="); ok {
					*id = value
				}
			}
			time.Sleep(d)
			if fails != nil {
				return nil, fails
			}
			return start(o)
		}
	}
}

// A program can look for its own session before it is there, by name and by ID, and finds it.
func TestFindWaitsForCreation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var id string
		p := newScript()
		r := scripted(t, slowStart(500*time.Millisecond, &id, nil), p)
		defer p.end(tty.Exit{})
		go func() { _, _ = r.Create(t.Context(), registry.CreateOptions{Name: "a"}) }() // what it returns is found below
		synctest.Wait()
		for _, of := range []string{"a", id} {
			if _, err := r.Session(of); fault.KindOf(err) != fault.NotFound {
				t.Fatalf("Session(%q) = %v before it is created", of, err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			if _, err := r.Find(ctx, of); fault.KindOf(err) != fault.Timeout {
				t.Errorf("Find(%q) for a moment: %v", of, err)
			}
			cancel()
		}
		found := make(chan error)
		for _, of := range []string{"a", id} {
			go func() {
				s, err := r.Find(t.Context(), of)
				if err == nil && (s.Name() != "a" || s.ID() != id) {
					t.Errorf("Find(%q) = %q, %s", of, s.Name(), s.ID())
				}
				found <- err
			}()
		}
		for range 2 {
			must(t, <-found)
		}
		if got := names(r); got != "a" {
			t.Errorf("List = %q after the creation", got)
		}
		if _, err := r.Find(t.Context(), "b"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("Find of no session: %v", err)
		}
	})
}

// Callers that wait for a session whose creation fails learn that it does not exist, and its name
// is free then. Meanwhile nobody else gets it.
func TestFindOfFailedCreation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var id string
		r := scripted(t, slowStart(time.Second, &id, fault.New(fault.Invalid, "no such directory")))
		created := make(chan error)
		go func() {
			_, err := r.Create(t.Context(), registry.CreateOptions{Name: "a"})
			created <- err
		}()
		synctest.Wait()
		if _, err := r.Create(t.Context(), registry.CreateOptions{Name: "a"}); fault.KindOf(err) != fault.Exists {
			t.Errorf("a second session of the name: %v", err)
		}
		for _, of := range []string{"a", id} {
			go func() {
				_, err := r.Find(t.Context(), of)
				created <- err
			}()
		}
		kinds := map[fault.Kind]int{}
		for range 3 {
			kinds[fault.KindOf(<-created)]++
		}
		if kinds[fault.Invalid] != 1 || kinds[fault.NotFound] != 2 {
			t.Errorf("errors by kind: %v", kinds)
		}
		if _, err := r.Create(t.Context(), registry.CreateOptions{Name: "a"}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("the name is not free: %v", err)
		}
	})
}

// A creation that fails leaves the ended session of that name, for as long as that lingers.
func TestFailedCreationReplacesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newScript()
		var r *registry.Registry
		r = scripted(t, func(c *registry.Config) {
			start := c.Start
			c.Start = func(o pty.Options) (term.Process, error) {
				if o.Args[len(o.Args)-1] == "fails" {
					if got := names(r); got != "a" {
						t.Errorf("meanwhile, the sessions are %q", got)
					}
					return nil, fault.New(fault.Invalid, "no such directory")
				}
				return start(o)
			}
		}, p)
		s := create(t, r, registry.CreateOptions{Name: "a"})
		p.end(tty.Exit{Code: 3})
		<-s.Ended()
		for range 2 {
			if _, err := r.Create(t.Context(), registry.CreateOptions{Name: "a", Command: "fails"}); err == nil {
				t.Fatal("it was created")
			}
			if got, err := r.Session("a"); got != s || err != nil {
				t.Fatalf("the session before: %v, %v", got, err)
			}
			time.Sleep(registry.DefaultLinger / 3)
		}
		time.Sleep(registry.DefaultLinger / 2)
		synctest.Wait()
		if _, err := r.Session("a"); err == nil {
			t.Error("it stays")
		}
	})
}
