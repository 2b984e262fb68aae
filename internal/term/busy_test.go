package term_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"testing"
	"testing/synctest"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/testkit/wait"
)

// Calls that end before a busy session gets to them leave nothing behind: no recording, no
// subscription, nothing typed.
func TestCallsThatEndBeforeTheirTurn(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		until := make(chan struct{})
		s.Block(until)
		calls := map[string]func(context.Context) error{
			"Record":  func(c context.Context) error { _, err := s.Record(c, new(bytes.Buffer)); return err },
			"Watch":   func(c context.Context) error { _, err := s.Watch(c, term.WatchOptions{}); return err },
			"Send":    func(c context.Context) error { return s.Send(c, []byte("x")) },
			"Next":    func(c context.Context) error { _, err := s.Next(c, 0); return err },
			"Quiesce": func(c context.Context) error { _, err := s.Quiesce(c, term.QuiesceOptions{}); return err },
			"WaitFor": func(c context.Context) error { _, err := s.WaitForText(c, "x", 0); return err },
			"RunCommand": func(c context.Context) error {
				_, err := s.RunCommand(c, "x", term.RunOptions{})
				return err
			},
		}
		for name, call := range calls {
			ctx, cancel := context.WithCancelCause(t.Context())
			failed := make(chan error, 1)
			go func() { failed <- call(ctx) }()
			synctest.Wait()
			gone := errors.New(name + " is cancelled")
			cancel(gone)
			if err := <-failed; !errors.Is(err, gone) {
				t.Errorf("%s = %v", name, err)
			}
		}
		close(until)
		synctest.Wait()
		if n := s.Subscriptions(); n != 0 {
			t.Errorf("%d subscriptions are left", n)
		}
		if in := p.input(); in != "" {
			t.Errorf("typed %q", in)
		}
		r, err := s.Record(t.Context(), new(bytes.Buffer))
		must(t, err)
		must(t, r.Close())
	})
}

// A call that is cancelled while the session gets to it has either happened or not.
func TestCallsCancelledMeanwhile(t *testing.T) {
	t.Parallel()
	p := newScript()
	r := scripted(t, nil, p)
	s := create(t, r, registry.CreateOptions{Name: "s"})
	for range 2000 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if w, err := s.Watch(ctx, term.WatchOptions{}); err == nil {
			w.Close()
		}
		_, _ = s.Next(ctx, 1<<63)
		recorder, err := s.Record(ctx, io.Discard)
		if fault.KindOf(err) == fault.Precondition {
			t.Fatal("a recording whose call failed goes on")
		}
		if err == nil {
			must(t, recorder.Close())
		}
		<-ctx.Done()
	}
	if n := s.Subscriptions(); n != 0 {
		t.Errorf("%d subscriptions are left", n)
	}
	must(t, r.Close())
}

// Sessions that are busy with other work keep no slots from others that have output.
func TestBusySessionsKeepNoPlace(t *testing.T) {
	t.Parallel()
	busy := runtime.GOMAXPROCS(0)
	var programs []*script
	for range busy + 1 {
		programs = append(programs, newScript())
	}
	r := scripted(t, nil, programs...)
	until := make(chan struct{})
	for i, p := range programs[:busy] {
		s := create(t, r, registry.CreateOptions{Name: fmt.Sprint(i)})
		s.Block(until)
		go p.say("held up")
		wait.Until(t, "the output is read", s.Unread)
	}
	s := create(t, r, registry.CreateOptions{Name: "other"})
	go programs[busy].say("hello")
	_, err := s.WaitForText(t.Context(), "hello", wait.Patience)
	close(until)
	if err != nil {
		t.Errorf("the other session: %v", err)
	}
	must(t, r.Close())
}
