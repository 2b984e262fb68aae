package registry_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

func names(r *registry.Registry, tags ...string) string {
	var list []string
	for _, i := range r.List(tags...) {
		list = append(list, i.Name)
	}
	return strings.Join(list, " ")
}

func rename(r *registry.Registry, s *term.Session, to string, replaceTags []string) error {
	return r.Relabel(s, registry.Relabel{Name: &to, ReplaceTags: replaceTags})
}

func tag(r *registry.Registry, s *term.Session, add, remove []string) ([]string, error) {
	err := r.Relabel(s, registry.Relabel{Add: add, Remove: remove})
	return s.Info().Tags, err
}

func TestRegistry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := []*script{newScript(), newScript(), newScript(), newScript(), newScript()}
		r := scripted(t, func(c *registry.Config) { c.Sessions = 3 }, p...)
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
		b := create(t, r, registry.CreateOptions{Name: "b", Tags: []string{"x", "y", "x"}})
		a := create(t, r, registry.CreateOptions{})
		if a.Name() != "0" {
			t.Errorf("named %q", a.Name())
		}
		want(rename(r, a, "b", nil), fault.Exists)
		want(rename(r, a, "a b", nil), fault.Invalid)
		detailed(rename(r, a, "a b", nil), label.InvalidName)
		want(rename(r, a, "a", nil), fault.Internal)
		want(rename(r, a, "a", nil), fault.Internal)
		if s, err := r.Session("a"); err != nil || s.Name() != "a" {
			t.Errorf("Session = %v", err)
		}
		_, err := r.Create(t.Context(), registry.CreateOptions{Name: "a"})
		want(err, fault.Exists)
		if s := create(t, r, registry.CreateOptions{}); s.Name() != "1" {
			t.Errorf("named %q", s.Name())
		}
		_, err = r.Create(t.Context(), registry.CreateOptions{Name: "more"})
		want(err, fault.Exhausted)
		detailed(err, registry.TooManySessions)
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
		detailed(err, label.InvalidTag)
		if names(r, "y") != "a b" || names(r, "z", "x") != "a b" || names(r, "z") != "a" || names(r, "q") != "" {
			t.Errorf("by tags: %q, %q, %q", names(r, "y"), names(r, "z"), names(r, "q"))
		}

		// An ended session's name is free, and it does not count as running.
		p[0].end(tty.Exit{})
		synctest.Wait()
		_, err = r.Create(t.Context(), registry.CreateOptions{Name: "b", ReplaceTags: []string{"z"}})
		want(err, fault.Exists)
		want(rename(r, a, "b", []string{}), fault.Exists)
		second := create(t, r, registry.CreateOptions{Name: "b", ReplaceTags: []string{"z", "y"}})

		// An ID means one session for ever, whatever its name.
		if s, err := r.Session(a.ID()); err != nil || s != a || a.Info().ID != a.ID() {
			t.Errorf("by ID %q: %v, %v", a.ID(), s, err)
		}
		if _, err := r.Session(b.ID()); fault.KindOf(err) != fault.NotFound {
			t.Errorf("by the ID of a session that was replaced: %v", err)
		}
		_, err = r.Create(t.Context(), registry.CreateOptions{Name: a.ID()})
		detailed(err, label.InvalidName)

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
		_, err = r.Create(t.Context(), registry.CreateOptions{})
		want(err, fault.Gone)
		detailed(err, registry.Stopping)
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
		r := scripted(t, func(c *registry.Config) { c.Sessions = 1 }, programs...)
		for _, p := range programs {
			s := create(t, r, registry.CreateOptions{Name: "s"})
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
		r := scripted(t, func(c *registry.Config) {}, p...)
		two := registry.CreateOptions{Owner: "one", OwnerLimit: 2}
		full := func() {
			t.Helper()
			_, err := r.Create(t.Context(), two)
			if fault.KindOf(err) != fault.Exhausted || fault.DetailOf(err) != registry.TooManySessions {
				t.Errorf("Create = %v", err)
			}
		}
		first, second := create(t, r, two), create(t, r, two)
		full()
		must(t, rename(r, first, "other", nil))
		full()
		create(t, r, registry.CreateOptions{Name: "not-theirs", Owner: "another", OwnerLimit: 1})
		create(t, r, registry.CreateOptions{Name: "nobodys"})
		p[0].end(tty.Exit{})
		synctest.Wait()
		create(t, r, two)
		full()
		must(t, r.Remove(second))
		create(t, r, two)
		full()
	})
}

// A caller that sends its environment gets the shell in it.
func TestShellOfCaller(t *testing.T) {
	var started pty.Options
	r := scripted(t, func(c *registry.Config) {
		c.Shell = "/bin/sh"
		c.Start = func(o pty.Options) (term.Process, error) {
			started = o
			return nil, fault.New(fault.Invalid, "no program today")
		}
	})
	for _, tt := range []struct {
		o    registry.CreateOptions
		want string
	}{
		{registry.CreateOptions{}, "/bin/sh"},
		{registry.CreateOptions{Env: map[string]string{"SHELL": ""}}, "/bin/sh"},
		{registry.CreateOptions{Env: map[string]string{"SHELL": "/usr/bin/ksh"}}, "/usr/bin/ksh"},
		{registry.CreateOptions{Env: map[string]string{"SHELL": "/usr/bin/ksh"}, Command: "ls"}, "/bin/sh"},
	} {
		if _, err := r.Create(t.Context(), tt.o); fault.KindOf(err) != fault.Invalid || started.Path != tt.want {
			t.Errorf("%+v: starts %s, want %s (%v)", tt.o, started.Path, tt.want, err)
		}
	}
}

func TestCreateFails(t *testing.T) {
	r := scripted(t, func(c *registry.Config) {
		c.Start = func(pty.Options) (term.Process, error) { return nil, fault.New(fault.Invalid, "no such directory") }
	})
	many := make([]string, label.MaxTags+1)
	for i := range many {
		many[i] = fmt.Sprint("t", i)
	}
	minus, huge := -1, 1_000_001
	for _, tt := range []struct {
		o      registry.CreateOptions
		kind   fault.Kind
		detail fault.Detail
	}{
		{registry.CreateOptions{Name: "a"}, fault.Invalid, ""},
		{registry.CreateOptions{Name: "a/b"}, fault.Invalid, label.InvalidName},
		{registry.CreateOptions{Name: ".."}, fault.Invalid, label.InvalidName},
		{registry.CreateOptions{Name: strings.Repeat("ä", 33)}, fault.Invalid, label.InvalidName},
		{registry.CreateOptions{Name: "\xff"}, fault.Invalid, label.InvalidName},
		{registry.CreateOptions{Cols: 1001}, fault.Invalid, ""},
		{registry.CreateOptions{Rows: -1}, fault.Invalid, ""},
		{registry.CreateOptions{Scrollback: &minus}, fault.Invalid, ""},
		{registry.CreateOptions{Scrollback: &huge}, fault.Invalid, ""},
		{registry.CreateOptions{Tags: []string{""}}, fault.Invalid, label.InvalidTag},
		{registry.CreateOptions{Tags: many}, fault.Exhausted, ""},
		{registry.CreateOptions{Env: map[string]string{"A=B": "c"}}, fault.Invalid, ""},
		{registry.CreateOptions{Env: map[string]string{"A": "c\x00"}}, fault.Invalid, ""},
		{registry.CreateOptions{Command: "a\x00b"}, fault.Invalid, ""},
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
	r := scripted(t, func(c *registry.Config) {
		c.Start = func(pty.Options) (term.Process, error) { return nil, errors.New("no more terminals") }
	})
	if _, err := r.Create(t.Context(), registry.CreateOptions{}); fault.KindOf(err) != fault.Internal || fault.DetailOf(err) != registry.CreateFailed {
		t.Errorf("Create = %v (%q)", err, fault.DetailOf(err))
	}
}

// As many ended sessions are kept as may run; the oldest are removed first.
func TestEndedSessionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		programs := []*script{newScript(), newScript(), newScript()}
		r := scripted(t, func(c *registry.Config) { c.Sessions = 2 }, programs...)
		for i, p := range programs {
			create(t, r, registry.CreateOptions{Name: string(rune('a' + i))})
			p.end(tty.Exit{})
			time.Sleep(time.Second)
		}
		if got := names(r); got != "b c" {
			t.Errorf("kept %q, want those that ended last", got)
		}
	})
}

func TestNoLinger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newScript()
		r := scripted(t, func(c *registry.Config) { c.Linger = -1 }, p)
		create(t, r, registry.CreateOptions{Name: "s"})
		p.end(tty.Exit{})
		time.Sleep(time.Millisecond)
		if _, err := r.Session("s"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("Session = %v", err)
		}
	})
}
