package remote

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
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
	w := &witness{}
	limit := terminals.Grant{Rights: terminals.Read | terminals.Manage, Guest: true, Client: "KEY-here", From: core.Sender{Peer: "laptop"}}
	h := serve(t, w, limit)
	for _, by := range []terminals.Grant{
		{Rights: terminals.AllRights, Client: "claude-1", MaxSessions: 1, From: core.Sender{Name: "claude-1", Kind: core.SenderAttach, Peer: "other"}},
		{Rights: terminals.AllRights, Token: "1", From: core.Sender{Name: strings.Repeat("long", 100), Kind: core.SenderQuestion, Token: "1"}},
		{Rights: terminals.AllRights, Client: "\x1b[2J" + strings.Repeat("x", 1000)},
	} {
		if _, err := terminals.CreateSession.Do(t.Context(), h, by, terminals.NewSession{}); err != nil {
			t.Fatal(err)
		}
	}
	for i, g := range w.grants {
		own := strings.HasPrefix(g.Client, "KEY-here") && len(g.Client) <= 128 && !strings.Contains(g.Client, "\x1b")
		if !own || !g.Guest || g.Token != "" || g.Rights != terminals.Read|terminals.Manage || g.From.Peer != "laptop" || g.From.Token != "" ||
			g.From.Kind != core.SenderHTTP || !strings.HasSuffix(g.From.Name, " on laptop") || len(g.From.Name) > 128 {
			t.Errorf("%d: %+v", i, g)
		}
	}
	if len(w.grants) != 3 || w.grants[0].Client != "KEY-here/claude-1" || w.grants[0].MaxSessions != 1 || w.grants[1].Client != "KEY-here" {
		t.Errorf("%+v", w.grants)
	}
}

// The programs of a host that is no guest are what they say, but no person.
func TestClaimedSenders(t *testing.T) {
	for kind, want := range map[core.SenderKind]core.SenderKind{
		core.SenderMCP: core.SenderMCP, core.SenderApp: core.SenderApp, core.SenderRaw: core.SenderWebSocket, core.SenderAttach: core.SenderHTTP, core.SenderQuestion: core.SenderHTTP, "": core.SenderHTTP,
	} {
		l := opcases.New(t, opcases.Case{})
		by := terminals.Grant{Rights: terminals.AllRights, From: core.Sender{Kind: kind, Name: "claude"}}
		if _, err := terminals.SendInput.Do(t.Context(), serve(t, l, all), by, terminals.Input{Target: terminals.Target{Session: "a"}, Data: []byte("x")}); err != nil {
			t.Fatal(err)
		}
		got, err := opcases.Do(t.Context(), l, all, "session.typed", `{"session":"a"}`)
		if err != nil || !strings.Contains(got, fmt.Sprintf(`{"kind":%q,"name":"claude"}`, want)) {
			t.Errorf("%q: %s, %v", kind, got, err)
		}
	}
}

// Rights that are too many to be passed on are refused here, and tokens issue none elsewhere.
func TestWhatCannotCross(t *testing.T) {
	h := serve(t, opcases.New(t, opcases.Case{}), all)
	many := make([]string, 65)
	for name, by := range map[string]terminals.Grant{
		"sessions": {Rights: terminals.AllRights, Sessions: many},
		"pattern":  all.Confirmed(regexp.MustCompile(strings.Repeat("x", 2000))),
		"program":  all.Confirmed(regexp.MustCompile(`((\pL{10}){10}){9}`)),
	} {
		if _, err := terminals.GetServer.Do(t.Context(), h, by, terminals.None{}); fault.DetailOf(err) != terminals.NotAllowed {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := terminals.Follow.Open(t.Context(), h, by, terminals.None{}); fault.DetailOf(err) != terminals.NotAllowed {
			t.Errorf("%s, a stream: %v", name, err)
		}
	}
	if _, err := terminals.CreateToken.Do(t.Context(), h, terminals.Grant{Rights: terminals.AllRights, Token: "1"}, terminals.NewToken{Rights: []string{"read"}}); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("a token: %v", err)
	}
}

// TestGuestIsNoPerson types at a terminal that a host has attached, to a session that asks persons
// who may type: what a guest types is a program's, also in a session that it creates itself, and so
// is what a terminal types that programs may use.
func TestGuestIsNoPerson(t *testing.T) {
	const client = `"rows":6,"cols":60,"client":{}`
	for kind, request := range map[socketwire.Kind]string{
		socketwire.AttachSession: `{"name":"new",` + client + `}`,
		socketwire.CreateSession: `{"name":"new","command":"here> ","ask_to_type":true,` + client + `}`,
	} {
		for _, who := range []string{"person", "guest", "untrusted"} {
			t.Run(fmt.Sprintf("%02x %s", byte(kind), who), func(t *testing.T) {
				l := opcases.New(t, opcases.Case{})
				if kind == socketwire.AttachSession {
					if _, err := terminals.CreateSession.Do(t.Context(), l, all, terminals.NewSession{Name: "new", Command: "here> ", AskToType: true}); err != nil {
						t.Fatal(err)
					}
				}
				limit := all
				limit.Guest = who == "guest"
				p := attach(t, serve(t, l, limit), frameOf(kind, request), attachedterm.Options{By: all, Untrusted: who == "untrusted"})
				p.await(t, socketwire.PtyOutput, "here>")
				_ = p.Write(t.Context(), frameOf(socketwire.StdinInput, "typed"))
				if who == "person" {
					p.await(t, socketwire.PtyOutput, "typed")
					return
				}
				p.await(t, socketwire.Failed, "not_permitted")
				s, err := terminals.GetScreen.Do(t.Context(), l, all, terminals.ScreenQuery{Target: terminals.Target{Session: "new"}})
				if err != nil || strings.Contains(fmt.Sprint(s), "typed") {
					t.Errorf("the screen is %v, %v", s, err)
				}
			})
		}
	}
}

// A terminal whose person may not type there only looks, and says so.
func TestAttachOnlyLooks(t *testing.T) {
	held := terminals.Grant{Rights: terminals.AllRights, Guest: true, Confirm: []*regexp.Regexp{regexp.MustCompile("rm")}}
	for name, c := range map[string]struct{ limit, by terminals.Grant }{
		"its caller may not type":             {all, terminals.Grant{Rights: terminals.Read}},
		"lines of guests are held back there": {held, all},
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, opcases.New(t, opcases.Case{}), c.limit)
			p := attach(t, h, frameOf(socketwire.AttachSession, `{"name":"build1/a","rows":6,"cols":60,"client":{"greeting":"help"}}`), attachedterm.Options{By: c.by, Prefix: "build1/"})
			p.await(t, socketwire.PtyOutput, "build1/a  you may only look here  help")
		})
	}
}

// Lines that a host's owner holds back are held back for its guests, however they type them.
func TestGuestIsHeldBack(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	limit := terminals.Grant{Rights: terminals.AllRights, Guest: true, Client: "KEY", Confirm: []*regexp.Regexp{regexp.MustCompile("sudo")}}
	h := serve(t, l, limit)
	by := terminals.Grant{Rights: terminals.AllRights, From: core.Sender{Kind: core.SenderAttach}}
	_, err := terminals.SendInput.Do(t.Context(), h, by, terminals.Input{Target: terminals.Target{Session: "a"}, Data: []byte("sudo x\r")})
	wantError(t, err, fault.Precondition, core.NotPermitted, "")
	_, err = terminals.CreateSession.Do(t.Context(), h, by, terminals.NewSession{Name: "n", Command: "sudo x"})
	wantError(t, err, fault.Precondition, core.NotPermitted, "")
	p := attach(t, h, frameOf(socketwire.CreateSession, `{"name":"n","command":"sudo x","rows":6,"cols":60,"client":{}}`), attachedterm.Options{By: by})
	p.await(t, socketwire.Failed, "not_permitted")
}

// await returns the next frame of a kind that contains a text.
func (p *person) await(t *testing.T, k socketwire.Kind, text string) socketwire.Frame {
	t.Helper()
	for {
		f := wait.For(t, fmt.Sprintf("frame %02x with %q", byte(k), text), p.got)
		if f.Kind == k && strings.Contains(string(f.Content), text) {
			return f
		}
		if f.Kind == socketwire.Failed {
			t.Fatalf("%s", f.Content)
		}
	}
}

// wantError checks an error.
func wantError(t *testing.T, err error, kind fault.Kind, detail fault.Detail, says string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || fault.DetailOf(err) != detail || !strings.Contains(err.Error(), says) {
		t.Errorf("%v (%v, %q), want %v, %q, with %q", err, fault.KindOf(err), fault.DetailOf(err), kind, detail, says)
	}
}
