package term_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/tty"
)

func clickAt(col, row int) keys.MouseEvent {
	return keys.MouseEvent{Button: keys.Left, Action: keys.Press, Col: col, Row: row}
}

func names(r *term.Registry, tags ...string) string {
	var list []string
	for _, i := range r.List(tags...) {
		list = append(list, i.Name)
	}
	return strings.Join(list, " ")
}

func rename(r *term.Registry, s *term.Session, to string, replaceTags []string) error {
	return r.Relabel(s, term.Relabel{Name: &to, ReplaceTags: replaceTags})
}

func tag(r *term.Registry, s *term.Session, add, remove []string) ([]string, error) {
	err := r.Relabel(s, term.Relabel{Add: add, Remove: remove})
	return s.Info().Tags, err
}

func TestRegistry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := []*script{newScript(), newScript(), newScript(), newScript(), newScript()}
		r := scripted(t, func(c *term.Config) { c.Sessions = 3 }, p...)
		want := func(err error, kind fault.Kind) {
			t.Helper()
			if kind == fault.Internal && err != nil || kind != fault.Internal && fault.KindOf(err) != kind {
				t.Errorf("error %v, want kind %v", err, kind)
			}
		}
		detailed := func(err error, detail fault.Detail) {
			t.Helper()
			if got := fault.DetailOf(err); got != detail {
				t.Errorf("error %v: detail %q, want %q", err, got, detail)
			}
		}
		b := create(t, r, term.CreateOptions{Name: "b", Tags: []string{"x", "y", "x"}})
		a := create(t, r, term.CreateOptions{})
		if a.Name() != "0" {
			t.Errorf("named %q", a.Name())
		}
		want(rename(r, a, "b", nil), fault.Exists)
		want(rename(r, a, "a b", nil), fault.Invalid)
		detailed(rename(r, a, "a b", nil), term.InvalidName)
		want(rename(r, a, "a", nil), fault.Internal)
		want(rename(r, a, "a", nil), fault.Internal)
		if s, err := r.Session("a"); err != nil || s.Name() != "a" {
			t.Errorf("Session = %v", err)
		}
		_, err := r.Create(t.Context(), term.CreateOptions{Name: "a"})
		want(err, fault.Exists)
		if s := create(t, r, term.CreateOptions{}); s.Name() != "1" {
			t.Errorf("named %q", s.Name())
		}
		_, err = r.Create(t.Context(), term.CreateOptions{Name: "more"})
		want(err, fault.Exhausted)
		detailed(err, term.TooManySessions)
		if len(p[3].ended) != 0 || names(r) != "1 a b" {
			t.Errorf("sessions %q", names(r))
		}

		tags, err := tag(r, a, []string{"z", "y"}, []string{"q"})
		want(err, fault.Internal)
		if diff := cmp.Diff([]string{"y", "z"}, tags); diff != "" {
			t.Errorf("tags (-want +got):\n%s", diff)
		}
		_, err = tag(r, a, []string{"not a tag"}, nil)
		want(err, fault.Invalid)
		detailed(err, term.InvalidTag)
		if names(r, "y") != "a b" || names(r, "z", "x") != "a b" || names(r, "z") != "a" || names(r, "q") != "" {
			t.Errorf("by tags: %q, %q, %q", names(r, "y"), names(r, "z"), names(r, "q"))
		}

		// An ended session's name is free, and it does not count as running.
		p[0].end(tty.Exit{})
		synctest.Wait()
		_, err = r.Create(t.Context(), term.CreateOptions{Name: "b", ReplaceTags: []string{"z"}})
		want(err, fault.Exists)
		want(rename(r, a, "b", []string{}), fault.Exists)
		second := create(t, r, term.CreateOptions{Name: "b", ReplaceTags: []string{"z", "y"}})

		// An ID means one session for ever, whatever its name.
		if s, err := r.Session(a.ID()); err != nil || s != a || a.Info().ID != a.ID() {
			t.Errorf("by ID %q: %v, %v", a.ID(), s, err)
		}
		if _, err := r.Session(b.ID()); fault.KindOf(err) != fault.NotFound {
			t.Errorf("by the ID of a session that was replaced: %v", err)
		}
		_, err = r.Create(t.Context(), term.CreateOptions{Name: a.ID()})
		detailed(err, term.InvalidName)

		// The one that was replaced no longer exists, whatever has its name.
		want(r.Remove(b), fault.NotFound)
		want(rename(r, b, "c", nil), fault.NotFound)
		_, err = tag(r, b, []string{"z"}, nil)
		want(err, fault.NotFound)
		want(r.Remove(second), fault.Internal)
		want(r.Remove(second), fault.NotFound)
		if names(r) != "1 a" {
			t.Errorf("sessions %q", names(r))
		}
		want(r.Close(), fault.Internal)
		_, err = r.Create(t.Context(), term.CreateOptions{})
		want(err, fault.Gone)
		detailed(err, term.Stopping)
		if names(r) != "" {
			t.Errorf("sessions %q", names(r))
		}
	})
}

// A name is free as soon as callers can know that its program has ended.
func TestNameIsFreeAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var programs []*script
		for range 200 {
			programs = append(programs, newScript())
		}
		r := scripted(t, func(c *term.Config) { c.Sessions = 1 }, programs...)
		for _, p := range programs {
			s := create(t, r, term.CreateOptions{Name: "s"})
			p.end(tty.Exit{})
			<-s.Ended()
		}
	})
}

// A program that does not start leaves nothing behind, and says why. The sessions of an owner count
// while they run, whatever they are called and however they end.
func TestOwnerLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := make([]*script, 7)
		for i := range p {
			p[i] = newScript()
		}
		r := scripted(t, func(c *term.Config) {}, p...)
		two := term.CreateOptions{Owner: "one", OwnerLimit: 2}
		full := func(names string) {
			t.Helper()
			_, err := r.Create(t.Context(), two)
			if fault.KindOf(err) != fault.Exhausted || fault.DetailOf(err) != term.TooManySessions || !strings.Contains(err.Error(), "("+names+")") {
				t.Errorf("Create = %v", err)
			}
		}
		first, second := create(t, r, two), create(t, r, two)
		full("0, 1")
		must(t, rename(r, first, "other", nil))
		full("1, other")
		create(t, r, term.CreateOptions{Name: "not-theirs", Owner: "another", OwnerLimit: 1})
		create(t, r, term.CreateOptions{Name: "nobodys"})
		p[0].end(tty.Exit{})
		synctest.Wait()
		create(t, r, two)
		full("1, 2")
		must(t, r.Remove(second))
		create(t, r, two)
		full("2, 3")
	})
}

// A caller that sends its environment gets the shell in it.
func TestShellOfCaller(t *testing.T) {
	var started pty.Options
	r := scripted(t, func(c *term.Config) {
		c.Shell = "/bin/sh"
		c.Start = func(o pty.Options) (term.Process, error) {
			started = o
			return nil, fault.New(fault.Invalid, "no program today")
		}
	})
	for _, tt := range []struct {
		o    term.CreateOptions
		want string
	}{
		{term.CreateOptions{}, "/bin/sh"},
		{term.CreateOptions{Env: map[string]string{"SHELL": ""}}, "/bin/sh"},
		{term.CreateOptions{Env: map[string]string{"SHELL": "/usr/bin/ksh"}}, "/usr/bin/ksh"},
		{term.CreateOptions{Env: map[string]string{"SHELL": "/usr/bin/ksh"}, Command: "ls"}, "/bin/sh"},
	} {
		if _, err := r.Create(t.Context(), tt.o); fault.KindOf(err) != fault.Invalid || started.Path != tt.want {
			t.Errorf("%+v: starts %s, want %s (%v)", tt.o, started.Path, tt.want, err)
		}
	}
}

func TestCreateFails(t *testing.T) {
	r := scripted(t, func(c *term.Config) {
		c.Start = func(pty.Options) (term.Process, error) { return nil, fault.New(fault.Invalid, "no such directory") }
	})
	many := make([]string, term.MaxTags+1)
	for i := range many {
		many[i] = fmt.Sprint("t", i)
	}
	minus, huge := -1, 1_000_001
	for _, tt := range []struct {
		o      term.CreateOptions
		kind   fault.Kind
		detail fault.Detail
	}{
		{term.CreateOptions{Name: "a"}, fault.Invalid, ""},
		{term.CreateOptions{Name: "a/b"}, fault.Invalid, term.InvalidName},
		{term.CreateOptions{Name: ".."}, fault.Invalid, term.InvalidName},
		{term.CreateOptions{Name: strings.Repeat("ä", 33)}, fault.Invalid, term.InvalidName},
		{term.CreateOptions{Name: "\xff"}, fault.Invalid, term.InvalidName},
		{term.CreateOptions{Cols: 1001}, fault.Invalid, ""},
		{term.CreateOptions{Rows: -1}, fault.Invalid, ""},
		{term.CreateOptions{Scrollback: &minus}, fault.Invalid, ""},
		{term.CreateOptions{Scrollback: &huge}, fault.Invalid, ""},
		{term.CreateOptions{Tags: []string{""}}, fault.Invalid, term.InvalidTag},
		{term.CreateOptions{Tags: many}, fault.Exhausted, ""},
		{term.CreateOptions{Env: map[string]string{"A=B": "c"}}, fault.Invalid, ""},
		{term.CreateOptions{Env: map[string]string{"A": "c\x00"}}, fault.Invalid, ""},
		{term.CreateOptions{Command: "a\x00b"}, fault.Invalid, ""},
	} {
		if _, err := r.Create(t.Context(), tt.o); err == nil || fault.KindOf(err) != tt.kind || fault.DetailOf(err) != tt.detail {
			t.Errorf("Create(%+v) = %v (%v, %q), want %v, %q", tt.o, err, fault.KindOf(err), fault.DetailOf(err), tt.kind, tt.detail)
		}
	}
	if names(r) != "" {
		t.Errorf("left behind: %q", names(r))
	}
}

// Failures of the server are distinguished from faults of the request.
func TestStartFails(t *testing.T) {
	r := scripted(t, func(c *term.Config) {
		c.Start = func(pty.Options) (term.Process, error) { return nil, errors.New("no more terminals") }
	})
	if _, err := r.Create(t.Context(), term.CreateOptions{}); fault.KindOf(err) != fault.Internal || fault.DetailOf(err) != term.CreateFailed {
		t.Errorf("Create = %v (%q)", err, fault.DetailOf(err))
	}
}

func TestDetach(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		a, err := s.Attach(term.ClientOptions{})
		b, err2 := s.Attach(term.ClientOptions{})
		must(t, errors.Join(err, err2))
		b.Close()
		if n := len(s.Info().Clients); n != 1 {
			t.Errorf("%d clients", n)
		}
		o := join(t, s, term.ClientOptions{Observer: true})
		s.DetachAll()
		<-a.Detached()
		a.Close()
		select {
		case <-b.Detached():
			t.Error("who has left was sent away")
		case <-o.Detached():
			t.Error("an observer was sent away")
		default:
		}
		if n := len(s.Info().Clients); n != 1 {
			t.Errorf("%d clients, want the observer", n)
		}
		o.Close()
		var clients []*term.Client
		for range term.DefaultClients {
			c := join(t, s, term.ClientOptions{})
			clients = append(clients, c)
		}
		if _, err := s.Attach(term.ClientOptions{}); fault.KindOf(err) != fault.Exhausted {
			t.Errorf("one too many: %v", err)
		}
		p.end(tty.Exit{})
		for _, c := range clients {
			<-c.Detached()
			c.Close()
		}
		if _, err := s.Attach(term.ClientOptions{}); fault.KindOf(err) != fault.Gone {
			t.Errorf("after the end: %v", err)
		}
	})
}

// Removing an ended session waits for its executor, which may be busy. Other sessions can be used
// meanwhile: the registry's lock is not held.
func TestRemovalHoldsNoLock(t *testing.T) {
	for name, remove := range map[string]func(r *term.Registry, old, other *term.Session) error{
		"a new session of its name": func(r *term.Registry, _, _ *term.Session) error {
			_, err := r.Create(context.Background(), term.CreateOptions{Name: "old"})
			return err
		},
		"another takes its name": func(r *term.Registry, _, other *term.Session) error { return rename(r, other, "old", nil) },
		"removed":                func(r *term.Registry, old, _ *term.Session) error { return r.Remove(old) },
		"it has lingered long enough": func(*term.Registry, *term.Session, *term.Session) error {
			time.Sleep(2 * time.Second)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newScript()
				r := scripted(t, func(c *term.Config) { c.Linger = time.Second }, p, newScript(), newScript())
				old := create(t, r, term.CreateOptions{Name: "old"})
				other := create(t, r, term.CreateOptions{Name: "other"})
				p.end(tty.Exit{})
				<-old.Ended()
				synctest.Wait()
				busy := make(chan struct{})
				old.Block(busy)
				done := make(chan error, 1)
				go func() { done <- remove(r, old, other) }()
				if strings.HasPrefix(name, "it has") {
					time.Sleep(1500 * time.Millisecond)
				}
				synctest.Wait()
				if r.IsLocked() {
					t.Error("the lock is held while the executor of a removed session closes")
				}
				close(busy)
				must(t, <-done)
				if _, err := old.Screen(t.Context()); fault.KindOf(err) != fault.Gone {
					t.Errorf("the removed session: %v", err)
				}
			})
		})
	}
}
