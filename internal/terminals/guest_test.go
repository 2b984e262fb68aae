package terminals_test

import (
	"testing"

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
