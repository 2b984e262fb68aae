package remote_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/wait"
)

// A witness keeps the grants of those who ask for something.
type witness struct {
	terminals.Terminals
	mu     sync.Mutex
	grants []terminals.Grant
}

func (w *witness) Do(_ context.Context, by terminals.Grant, _ *terminals.Operation, _, _ any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.grants = append(w.grants, by)
	return nil
}

// What a guest says of its caller makes nobody else of it: its host counts, also as the owner of
// what it creates.
func TestGuestClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &witness{}
		n := newNetwork(t)
		there, err := remote.NewLink(remote.Options{Conn: n.connect(t, "there"), Terminals: w, Allow: func(host string) (terminals.Grant, bool) {
			return terminals.Grant{Rights: terminals.Read | terminals.Manage, Guest: true, Client: "KEY-" + host, From: term.Sender{Peer: "laptop"}}, true
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(there.Close)
		h := newLink(t, n.connect(t, "here"), nil).Host("there", "there")
		for _, by := range []terminals.Grant{
			{Rights: terminals.AllRights, Client: "claude-1", MaxSessions: 1, From: term.Sender{Name: "claude-1", Kind: term.SenderAttach, Peer: "other"}},
			{Rights: terminals.AllRights, Token: "1", From: term.Sender{Name: strings.Repeat("long", 100), Kind: term.SenderQuestion, Token: "1"}},
			{Rights: terminals.AllRights, Client: "\x1b[2J" + strings.Repeat("x", 1000)},
		} {
			if _, err := terminals.CreateSession.Do(t.Context(), h, by, terminals.NewSession{}); err != nil {
				t.Fatal(err)
			}
		}
		for i, g := range w.grants {
			own := strings.HasPrefix(g.Client, "KEY-here") && len(g.Client) <= 128 && !strings.Contains(g.Client, "\x1b")
			if !own || !g.Guest || g.Token != "" || g.Rights != terminals.Read|terminals.Manage || g.From.Peer != "laptop" || g.From.Token != "" ||
				g.From.Kind != "" || !strings.HasSuffix(g.From.Name, " on laptop") || len(g.From.Name) > 128 {
				t.Errorf("%d: %+v", i, g)
			}
		}
		if len(w.grants) != 3 || w.grants[0].Client != "KEY-here/claude-1" || w.grants[0].MaxSessions != 1 || w.grants[1].Client != "KEY-here" {
			t.Errorf("%+v", w.grants)
		}
	})
}

// A host that is withdrawn while it opens a stream keeps no stream: it is either refused, or its
// stream is found and ended.
func TestWithdrawWhileOpening(t *testing.T) {
	w := &withdrawn{grant: terminals.Everything}
	connect := hub(t)
	var there *remote.Link
	ended := make(chan struct{})
	withdraw := func() {
		w.set(terminals.Grant{})
		there.Withdraw("here")
		close(ended)
	}
	var err error
	there, err = remote.NewLink(remote.Options{Conn: connect("there"), Terminals: w, Allow: func(string) (terminals.Grant, bool) {
		g := w.get()
		if g.Rights == 0 {
			return g, false
		}
		if there.Free() { // between the answer and the stream
			withdraw()
		} else {
			go withdraw()
		}
		return g, true
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(there.Close)
	h := newLink(t, connect("here"), nil).Host("there", "there")
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
	defer cancel()
	_, err = terminals.GetServer.Do(ctx, h, terminals.Everything, terminals.None{})
	if fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("a call that was opened meanwhile: %v", err)
	}
	<-ended
}

// A withdrawn host's calls wait until they are ended. A guest learns about the server and, at
// length, about a session.
type withdrawn struct {
	terminals.Terminals
	answer string

	mu    sync.Mutex // guards the field below
	grant terminals.Grant
}

func (w *withdrawn) get() terminals.Grant {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.grant
}

func (w *withdrawn) set(g terminals.Grant) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.grant = g
}

func (w *withdrawn) Follow(context.Context, terminals.Grant) (terminals.Lifecycle, error) {
	return w, nil
}

func (w *withdrawn) Next(ctx context.Context) ([]wire.Lifecycle, int, error) {
	<-ctx.Done()
	return nil, 0, context.Cause(ctx)
}

func (w *withdrawn) Close() {}

func (w *withdrawn) Do(ctx context.Context, _ terminals.Grant, o *terminals.Operation, _, out any) error {
	switch out := out.(type) {
	case *wire.Session:
		if o == &terminals.GetSession.Operation {
			out.Command = w.answer
			return nil
		}
	case *terminals.ServerInfo:
		if w.get().Guest {
			return nil
		}
	}
	<-ctx.Done()
	return context.Cause(ctx)
}

// TestKeptForAHost has a host send more than is kept for it, and ask for more than it takes: what
// is too much is refused, others go on, and nothing is kept in the end.
func TestKeptForAHost(t *testing.T) {
	const most = 2 << 20
	answer := strings.Repeat("x", most/10)
	for name, call := range map[string]func(ctx context.Context, h *remote.Host) error{
		"requests": func(ctx context.Context, h *remote.Host) error { // which wait
			_, err := terminals.CreateSession.Do(ctx, h, terminals.Everything, terminals.NewSession{Command: answer})
			return err
		},
		"answers": func(ctx context.Context, h *remote.Host) error { // which the host does not take
			_, err := terminals.GetSession.Do(ctx, h, terminals.Everything, terminals.Target{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := &withdrawn{grant: terminals.Grant{Rights: terminals.AllRights, Guest: true}, answer: answer}
			connect := hub(t)
			there, err := remote.NewLink(remote.Options{Conn: connect("there"), Terminals: w, Allow: func(string) (terminals.Grant, bool) { return w.get(), true }})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(there.Close)
			there.Keep(most)
			carrier := connect("greedy")
			slow := &slow{Conn: carrier}
			greedy := newLink(t, slow, nil).Host("there", "there")
			ctx, cancel := context.WithCancel(t.Context())
			refused := make(chan error, 100)
			var calls sync.WaitGroup
			slow.stop(name == "answers")
			for range 40 {
				calls.Go(func() {
					if err := call(ctx, greedy); err != nil && ctx.Err() == nil {
						refused <- err
					}
				})
			}
			if err := wait.For(t, "a refusal", refused); fault.KindOf(err) != fault.Exhausted || !strings.Contains(err.Error(), "80 MiB") {
				t.Error(err)
			}
			if one, all := there.Kept("greedy"); one > most || one < most/4 || all < most/4 {
				t.Errorf("%d bytes are kept for it, %d for all", one, all)
			}
			slow.stop(false)
			modest := newLink(t, connect("modest"), nil).Host("there", "there")
			if _, err := terminals.GetServer.Do(t.Context(), modest, terminals.Everything, terminals.None{}); err != nil {
				t.Errorf("another host: %v", err)
			}
			cancel()
			calls.Wait()
			wait.Until(t, "nothing is kept", func() bool {
				one, all := there.Kept("greedy")
				return one == 0 && all == 0
			})
		})
	}
}

// A slow connection receives nothing while it is told so.
type slow struct {
	remote.Conn
	mu      sync.Mutex // guards the fields below
	stopped bool
	kept    []remote.Message
	receive func(remote.Message)
}

func (s *slow) Receive(f func(remote.Message)) (func(), error) {
	s.receive = f
	return s.Conn.Receive(func(m remote.Message) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.stopped && m.Kind == remote.Down && len(m.Data) > 1000 {
			s.kept = append(s.kept, m)
			return
		}
		f(m)
	})
}

func (s *slow) stop(is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped = is; !is {
		for _, m := range s.kept {
			s.receive(m)
		}
		s.kept = nil
	}
}

// TestManyGuests has more hosts ask than are remembered, and one open more streams than a guest may
// have.
func TestManyGuests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &withdrawn{grant: terminals.Grant{Rights: terminals.AllRights, Guest: true}}
		n := newNetwork(t)
		there, err := remote.NewLink(remote.Options{Conn: n.connect(t, "there"), Terminals: w, Allow: func(string) (terminals.Grant, bool) { return w.get(), true }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(there.Close)
		for i := range remote.MaxGuests + 50 {
			link := newLink(t, n.connect(t, fmt.Sprintf("host%d", i)), nil)
			if _, err := terminals.GetServer.Do(t.Context(), link.Host("there", "there"), terminals.Everything, terminals.None{}); err != nil {
				t.Fatal(err)
			}
			link.Close()
		}
		if n := there.Guests(); n > remote.MaxGuests {
			t.Errorf("%d hosts are remembered", n)
		}
		h := newLink(t, n.connect(t, "greedy"), nil).Host("there", "there")
		for range remote.MaxGuestStreams {
			f, err := h.Follow(t.Context(), terminals.Everything)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(f.Close)
		}
		if _, err := h.Follow(t.Context(), terminals.Everything); fault.KindOf(err) != fault.Exhausted {
			t.Errorf("one more: %v", err)
		}
	})
}
