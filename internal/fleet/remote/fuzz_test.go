package remote

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// FuzzMessages reads any bytes as what opens a stream and as what answers one: a claim gives no
// more than the host may do, a host that is reached by ssh neither, and an answer has no harmful
// texts.
func FuzzMessages(f *testing.F) {
	f.Add([]byte(`{"op":"session.create","by":{"rights":31,"sessions":["a"],"confirm":["x"],"client":"c","max_sessions":3,"kind":"attach","name":"n"},"in":{"name":"x"}}`))
	for _, kind := range []string{"raw", "question", "king"} {
		f.Add([]byte(`{"by":{"kind":"` + kind + `","confirm":["y"]}}`))
	}
	f.Add([]byte(`{"out":[{"name":"a\u001b","tags":["\u202e"],"attached":[{"name":"\u0007"}]}],"error":{"kind":"gone","detail":"auth_invalid","text":"\u001b"}}`))
	f.Add([]byte(`{"events":[{"event":"x","params":{"name":"\u001b","old_name":"\u001b","added":["\u001b"]}}],"missed":1}`))
	guest := terminals.Grant{Rights: terminals.Read | terminals.Type, Guest: true, Client: "KEY", From: term.Sender{Peer: "laptop"}, MaxSessions: 5}.Confirmed(regexp.MustCompile("x"))
	ssh := guest
	ssh.Guest = false
	f.Fuzz(func(t *testing.T, b []byte) {
		var o opening
		if json.Unmarshal(b, &o) == nil {
			for _, limit := range []terminals.Grant{guest, ssh} {
				g, err := o.By.within(limit)
				isProgram := slices.Contains([]term.SenderKind{"", term.SenderMCP, term.SenderHTTP, term.SenderWebSocket, term.SenderApp}, g.From.Kind)
				if err == nil && (g.Rights&^limit.Rights != 0 || g.Guest != limit.Guest || g.Client != "KEY" || g.From.Peer != "laptop" || g.Token != "" ||
					g.MaxSessions < 1 || g.MaxSessions > 5 || len(g.Confirm) != 1 || len(g.OwnConfirm) != len(o.By.Confirm) || !isProgram) {
					t.Errorf("%+v", g)
				}
			}
		}
		var out outcome
		if json.Unmarshal(b, &out) == nil {
			if err := out.Error.error("build1", terminals.Follow); err != nil && strings.ContainsAny(err.Error(), "\x1b\x07\u202e") {
				t.Error(err)
			}
			var list []wire.Session
			if len(out.Out) > 0 && Decode(&terminals.ListSessions.Operation, out.Out, &list) == nil {
				for i := range list {
					list[i].Command = ""
				}
				harmlessIn(t, list)
			}
		}
		if c, err := decodeChanges(b); err == nil {
			for i := range c.Events {
				c.Events[i].Params.Command = ""
			}
			harmlessIn(t, c)
		}
	})
}

// harmlessIn fails if a text in a value disturbs others.
func harmlessIn(t *testing.T, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if strings.ContainsFunc(v, safetext.Disturbs) {
				t.Errorf("%q", v)
			}
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, one := range v {
				walk(one)
			}
		}
	}
	var decoded any
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	walk(decoded)
}
