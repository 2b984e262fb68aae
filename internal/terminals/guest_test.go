package terminals_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
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
