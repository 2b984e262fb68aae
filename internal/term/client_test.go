package term_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/tty"
)

// join attaches a client that neither sees nor types.
func join(t testing.TB, s *term.Session, o clients.Options) *clients.Client {
	t.Helper()
	c, err := s.Attach(o)
	must(t, err)
	t.Cleanup(c.Close)
	return c
}

// A session says who is attached, since when, and who leads.
func TestClientInfo(t *testing.T) {
	bubble(t, func(t *testing.T, _ *script, s *term.Session) {
		start := time.Now()
		view := func(o clients.Options, cols, rows int) *term.Viewer {
			time.Sleep(time.Second)
			v := attachWith(t, s, term.ViewerOptions{Client: o})
			must(t, v.Resize(t.Context(), cols, rows))
			return v
		}
		laptop := view(clients.Options{Name: "laptop"}, 30, 10)
		phone := view(clients.Options{Name: "phone", ReadOnly: true}, 5, 5)
		if _, err := s.Attach(clients.Options{Observer: true, Kind: clients.KindWebSocket}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		for _, v := range []*term.Viewer{laptop, phone} {
			must(t, v.Type(t.Context(), []byte("x")))
		}
		i := s.Info()
		want := []clients.Info{
			{Name: "laptop", Kind: clients.KindAttach, Cols: 30, Rows: 10, Leads: true, Since: start.Add(time.Second), Typed: start.Add(3 * time.Second)},
			{Name: "phone", Kind: clients.KindAttach, Cols: 5, Rows: 5, ReadOnly: true, Since: start.Add(2 * time.Second)},
			{Name: "websocket-1", Kind: clients.KindWebSocket, Since: start.Add(2 * time.Second)},
		}
		if d := cmp.Diff(want, i.Clients); d != "" || i.Leader != "laptop" || i.SizeRule != core.SizeLeader {
			t.Errorf("leader %q by rule %q, clients %s", i.Leader, i.SizeRule, d)
		}
		laptop.Close()
		if i := s.Info(); i.Leader != "" || len(i.Clients) != 2 {
			t.Errorf("after the leader has left, %q leads %v", i.Leader, i.Clients)
		}
	})
}

// A watcher learns which clients attach, leave, lead and are resized, in this order, and who leads
// then.
func TestClientEvents(t *testing.T) {
	bubble(t, func(t *testing.T, _ *script, s *term.Session) {
		w := watcher(t, s, term.WatchOptions{Topics: term.WatchClients})
		other, err := s.Watch(t.Context(), term.WatchOptions{Topics: term.WatchState})
		must(t, err)
		defer other.Close()
		view := func(o clients.Options, cols int) *term.Viewer {
			v := attachWith(t, s, term.ViewerOptions{Client: o})
			must(t, v.Resize(t.Context(), cols, 10))
			return v
		}
		view(clients.Options{Name: "a"}, 30)
		b := view(clients.Options{Name: "b"}, 20)
		looks := view(clients.Options{Name: "looks", ReadOnly: true}, 20)
		program := join(t, s, clients.Options{Observer: true, Kind: clients.KindWebSocket})
		for range 2 {
			must(t, b.Type(t.Context(), []byte("x")))
		}
		if err := b.Fit(t.Context(), 20, 10); err != nil { // as before
			t.Error(err)
		}
		for _, c := range []interface{ Close() }{looks, program, b, b} {
			c.Close()
			synctest.Wait()
		}
		if _, err := s.Attach(clients.Options{Name: "a", Exact: true}); err == nil {
			t.Error("two clients have one name")
		}
		s.DetachAll()
		synctest.Wait()
		var got []string
		for _, w := range []*term.Watcher{w, other} {
			for {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				u, err := w.Next(ctx)
				cancel()
				if err != nil {
					break // there is nothing more
				}
				for _, e := range u.Events {
					got = append(got, fmt.Sprintf("%s %s %dx%d %s", e.Client.Client.Name, e.Client.Change, e.Client.Client.Cols, e.Client.Client.Rows, e.Client.Leader))
					if e.Client.Client.Leads != (e.Client.Leader == e.Client.Client.Name) {
						t.Errorf("%+v", e.Client)
					}
				}
			}
		}
		want := []string{
			"a attached 0x0 ", "a resized 30x10 ", "a leads 30x10 a",
			"b attached 0x0 a", "b resized 20x10 a",
			"looks attached 0x0 a", "looks resized 20x10 a",
			"websocket-1 attached 0x0 a",
			"b leads 20x10 b",
			"looks detached 20x10 b", "websocket-1 detached 0x0 b",
			"b detached 20x10 ",
			"a detached 30x10 ",
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	})
}

// Clients whose terminal cannot decide the size do not lead. Whichever is last of those that take
// the lead at once has it wholly.
func TestLead(t *testing.T) {
	bubble(t, func(t *testing.T, _ *script, s *term.Session) {
		for _, v := range []*term.Viewer{attachWith(t, s, term.ViewerOptions{Client: clients.Options{ReadOnly: true}}), attach(t, s)} {
			if err := s.Lead(t.Context(), v.ClientName()); fault.KindOf(err) != fault.Precondition {
				t.Errorf("%s: %v", v.ClientName(), err)
			}
		}
		cols := map[string]int{}
		var all sync.WaitGroup
		for _, n := range []int{25, 30, 35} {
			v := attach(t, s)
			must(t, v.Resize(t.Context(), n, 10))
			cols[v.ClientName()] = n
			all.Go(func() {
				if err := s.Lead(t.Context(), v.ClientName()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if i := s.Info(); i.Cols != cols[i.Leader] {
			t.Errorf("%q leads, and there are %d columns", i.Leader, i.Cols)
		}
	})
}

// A window that gets the focus, or over which the mouse moves, does not lead.
func TestLookingDoesNotLead(t *testing.T) {
	bubble(t, func(t *testing.T, _ *script, s *term.Session) {
		a, b := attach(t, s), attach(t, s)
		for v, cols := range map[*term.Viewer]int{a: 30, b: 20} {
			must(t, v.Resize(t.Context(), cols, 10))
		}
		for _, tt := range []struct {
			typed string
			leads bool
		}{
			{"\x1b[I", false},
			{"\x1b[O\x1b[<35;3;4M\x1b[<35;3;5M", false},
			{"\x1b[<64;3;4M", false},
			{"\x1b[<0;3;4m", false},
			{"\x1b[<35;3", false}, // the rest comes later
			{";4M", false},
			{"\x1b[<0;3;4M", true},
			{"\x1b[<32;3;4M", true},
			{"\x1b[Ix", true},
			{"M", true},
			{"\x1b[A", true},
		} {
			must(t, s.Lead(t.Context(), a.ClientName()))
			must(t, b.Type(t.Context(), []byte(tt.typed)))
			if got := s.Info().Leader == b.ClientName(); got != tt.leads {
				t.Errorf("after %q, it leads: %v", tt.typed, got)
			}
		}
	})
}

// A terminal that is larger than the session is clean at the end.
func TestLargerTerminal(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		v, w := attachWith(t, s, term.ViewerOptions{Screens: true}), window(t, 24, 6)
		must(t, v.Fit(t.Context(), 24, 6))
		p.say("hello")
		follow(t, v, w)
		wantWindow(t, w, "hello||||────────────────────┘···|························")
		p.end(tty.Exit{})
		follow(t, v, w)
		if got := strings.Join(plain(w.Snapshot()), "|"); strings.ContainsAny(got, "─┘·") || !strings.Contains(got, "hello") {
			t.Errorf("it displays %s afterwards", got)
		}
	})
}
