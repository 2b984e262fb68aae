//go:build unix

package terminals_test

import (
	"log/slog"
	"testing"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/opcases"
)

// A person's answer in a dialog, while the program below asks for a secret, is for callers that may
// draw; those that may only read learn that something was typed.
func TestInputWhileASecretIsAskedFor(t *testing.T) {
	r := opcases.Sessions(t, registry.Config{Log: slog.New(slog.DiscardHandler)})
	l := terminals.NewLocal(r, terminals.Host{Name: "host"})
	do := func(name, in string) {
		t.Helper()
		if _, err := opcases.Do(t.Context(), l, terminals.Everything, name, in); err != nil {
			t.Fatal(err)
		}
	}
	do("session.create", `{"name":"a","command":"stty -echo; echo ready; exec cat"}`)
	do("wait.text", `{"session":"a","text":"ready"}`)
	do("input.capture", `{"session":"a"}`)
	v, err := l.Attach(t.Context(), terminals.Everything, "a", term.ViewerOptions{})
	must(t, err)
	defer v.Close()
	query := terminals.WatchQuery{Target: terminals.Target{Session: "a"}, Events: []string{"input"}}
	watch := func(rights terminals.Right) *terminals.Parts[[]wire.Event] {
		w, err := terminals.Watch.Open(t.Context(), l, terminals.Grant{Rights: rights}, query)
		must(t, err)
		return w
	}
	reads, draws := watch(terminals.Read|terminals.Type), watch(terminals.Read|terminals.Draw)
	defer reads.Close()
	defer draws.Close()
	must(t, v.Type(t.Context(), []byte("y")))
	for _, tt := range []struct {
		*terminals.Parts[[]wire.Event]
		want string
	}{
		{reads, `{"raw":[],"parsed":null,"secret":true}`},
		{draws, `{"raw":[121],"parsed":{"key":"y"},"mode":"capture"}`},
	} {
		if d := opcases.Diff(tt.want, opcases.Object((&opcases.Reader{Parts: tt.Parts}).Await(t, "input", ""))); d != "" {
			t.Error(d)
		}
	}
}
