package terminals_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
)

// Another host of a hub learns nothing of the servers that this one knows.
func TestGuest(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	guest := terminals.Grant{Rights: terminals.Read, Guest: true}
	if list, err := terminals.ListServers.Do(t.Context(), l, guest, terminals.None{}); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	_, want := terminals.GetKnownServer.Do(t.Context(), l, guest, terminals.ServerName{Hostname: "none"})
	if s, err := terminals.GetKnownServer.Do(t.Context(), l, guest, terminals.ServerName{Hostname: "other"}); err == nil || s.Address != "" || want == nil {
		t.Errorf("%+v, %v", s, err)
	}
}

// A guest whose queries take long holds up no other guest.
func TestGuestsHaveTheirOwnPlaces(t *testing.T) {
	r := registry.New(registry.Config{Start: opcases.Start, Sessions: 1, Log: slog.New(slog.DiscardHandler)})
	l := terminals.NewLocal(r, terminals.Host{PNG: func(ctx context.Context, _ []byte, _, _ int) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	t.Cleanup(func() { must(t, r.Close()) })
	_, err := terminals.CreateSession.Do(t.Context(), l, terminals.Everything, terminals.NewSession{Name: "a"})
	must(t, err)
	one, other := terminals.Grant{Rights: terminals.Read, Guest: true, Client: "ONE"}, terminals.Grant{Rights: terminals.Read, Guest: true, Client: "OTHER"}
	ctx, cancel := context.WithCancel(t.Context())
	var drawing sync.WaitGroup
	for range 16 {
		drawing.Go(func() {
			_, _ = terminals.DrawPicture.Do(ctx, l, one, terminals.Drawing{Target: terminals.Target{Session: "a"}, Format: "png"})
		})
	}
	defer drawing.Wait()
	defer cancel()
	asks := func(by terminals.Grant, within time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		_, err := terminals.GetServer.Do(ctx, l, by, terminals.None{})
		return err
	}
	wait.Until(t, "the guest has as many queries as it may", func() bool { return asks(one, time.Millisecond) != nil })
	must(t, asks(other, wait.Patience))
}

// A client of a guest says on which host it is, whatever it calls itself.
func TestGuestClients(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	by := terminals.Grant{Rights: terminals.AllRights, Guest: true, From: core.Sender{Peer: "lap top~é.x"}}
	long := strings.Repeat("n", label.MaxName)
	for range 2 {
		for _, name := range []string{"", "ana", long} {
			v, err := l.Attach(t.Context(), by, "a", term.ViewerOptions{Client: clients.Options{Name: name}})
			must(t, err)
			t.Cleanup(v.Close)
			c, err := terminals.Join.Open(t.Context(), l, by, terminals.JoinQuery{Target: terminals.Target{Session: "a"}, Count: terminals.Count{Name: name, Kind: clients.KindRaw}})
			must(t, err)
			t.Cleanup(c.Close)
		}
	}
	s, err := terminals.GetSession.Do(t.Context(), l, terminals.Everything, terminals.Target{Session: "a"})
	if err != nil || len(s.Attached) != 12 {
		t.Fatalf("%+v, %v", s.Attached, err)
	}
	for _, c := range s.Attached {
		if !strings.Contains(c.Name, "@lap_top___.x") && !strings.Contains(c.Name, "@lap_top__.x") {
			t.Errorf("a client is called %q", c.Name)
		}
	}
}
