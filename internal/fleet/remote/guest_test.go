package remote_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
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
				g.From.Kind != "" || !strings.HasSuffix(g.From.Name, " on laptop") && len(g.From.Name) != 128 {
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

// A withdrawn host's calls wait until they are ended.
type withdrawn struct {
	terminals.Terminals
	mu    sync.Mutex
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

func (w *withdrawn) Do(ctx context.Context, _ terminals.Grant, _ *terminals.Operation, _, _ any) error {
	<-ctx.Done()
	return context.Cause(ctx)
}
