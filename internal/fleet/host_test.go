package fleet_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
)

// newEmpty returns terminals with the given sessions only.
func newEmpty(t *testing.T, names ...string) *terminals.Local {
	t.Helper()
	l := opcases.New(t, opcases.Case{Before: []opcases.Step{{Op: "session.remove", In: `{"session":"a"}`}, {Op: "session.remove", In: `{"session":"over"}`}}})
	for _, name := range names {
		create(t, l, terminals.NewSession{Name: name})
	}
	return l
}

func create(t *testing.T, ts terminals.Doer, in terminals.NewSession) {
	t.Helper()
	if _, err := terminals.CreateSession.Do(t.Context(), ts, terminals.Everything, in); err != nil {
		t.Fatal(err)
	}
}

// sessions lists sessions; those that were known last have a "?".
func sessions(t *testing.T, ts terminals.Doer, by terminals.Grant, tags ...string) string {
	t.Helper()
	list, err := terminals.ListSessions.Do(t.Context(), ts, by, terminals.SessionFilter{Tags: tags})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range list {
		if s.LastKnownMS != nil {
			s.Name += "?"
		}
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}

// A host that is down is tried again after pauses that grow to a minute, and at once when it is
// used. What was known of its sessions is listed meanwhile, for a day.
func TestAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.start(t, "b", newEmpty(t, "s"))
		f := newFleet(t, n, "b")
		r := f.Over(newEmpty(t, "l"))
		if got := sessions(t, r, terminals.Everything); got != "l b/s" {
			t.Errorf("sessions: %s", got)
		}
		there := b.Terminals
		n.cut(b)
		s := await(t, f, "b", terminals.Unavailable)
		if s.LatencyMS != nil || s.LastSeenMS == nil || s.Reason == "" {
			t.Errorf("away: %+v", s)
		}
		if got := sessions(t, r, terminals.Everything); got != "l b/s?" {
			t.Errorf("sessions: %s", got)
		}
		if got := sessions(t, r, terminals.Everything, "none"); got != "" {
			t.Errorf("sessions with a tag: %s", got)
		}
		n.change(func() { n.dials = 0 })
		time.Sleep(time.Hour)
		n.change(func() {
			if n.dials < 45 || n.dials > 90 {
				t.Errorf("%d attempts in an hour", n.dials)
			}
		})
		began := time.Now()
		_, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/s"})
		if took := time.Since(began); fault.DetailOf(err) != terminals.HostAway || took > 6*time.Second || !strings.Contains(err.Error(), "nothing answers at mem://b") {
			t.Errorf("a call: %v, after %v", err, took)
		}
		n.change(func() { b.Terminals = there })
		if _, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/s"}); err != nil {
			t.Errorf("a call of a host that is back: %v", err)
		}
		n.cut(b)
		await(t, f, "b", terminals.Unavailable)
		time.Sleep(25 * time.Hour)
		if got := sessions(t, r, terminals.Everything); got != "l" {
			t.Errorf("sessions after a day: %s", got)
		}
	})
}

// A host that does not answer delays lists by a second at most.
func TestSlowList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.start(t, "b", newEmpty(t, "s"))
		n.start(t, "c", newEmpty(t, "s"))
		r := newFleet(t, n, "b", "c").Over(newEmpty(t))
		slow := make(chan struct{})
		n.change(func() { b.slow = slow })
		began := time.Now()
		if got := sessions(t, r, terminals.Everything); got != "b/s? c/s" {
			t.Errorf("sessions: %s", got)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v", took)
		}
		began = time.Now()
		if got := sessions(t, atOnce{r}, terminals.Everything); got != "b/s? c/s?" || time.Since(began) > 0 {
			t.Errorf("at once: %s", got)
		}
		close(slow)
		if got := sessions(t, r, terminals.Everything); got != "b/s c/s" {
			t.Errorf("sessions: %s", got)
		}
	})
}

// The servers of another server are not reached through it.
func TestThirdHost(t *testing.T) {
	n := newNetwork()
	c := newNetwork()
	c.start(t, "c", newEmpty(t, "s"))
	n.start(t, "b", newFleet(t, c, "c").Over(newEmpty(t)))
	r := newFleet(t, n, "b").Over(newEmpty(t))
	if _, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/c/s"}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a session of a third host: %v", err)
	}
	if _, err := terminals.ReadOutput.Open(t.Context(), r, terminals.Everything, terminals.OutputQuery{Target: terminals.Target{Session: "b/c/s"}}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("its output: %v", err)
	}
}

// A grant for some sessions covers those of other hosts that it names with their host, and rights
// are checked here before a host is asked.
func TestGrants(t *testing.T) {
	n := newNetwork()
	b := n.start(t, "b", newEmpty(t, "a", "x"))
	n.start(t, "c", newEmpty(t, "a"))
	create(t, b.Terminals, terminals.NewSession{Name: "tagged", Tags: []string{"t"}})
	f := newFleet(t, n, "b", "c")
	r := f.Over(newEmpty(t, "a"))
	for _, tt := range []struct {
		sessions, tags []string
		lists          string
		servers        string
	}{
		{nil, nil, "a b/a b/tagged b/x c/a", "b c"},
		{[]string{"a"}, nil, "a", ""},
		{[]string{"b/a"}, nil, "b/a", "b"},
		{[]string{"a", "b/x", "c/none"}, nil, "a b/x", "b c"},
		{nil, []string{"t"}, "", ""},
		{nil, []string{"b/t"}, "b/tagged", "b"},
		{[]string{"b/"}, nil, "", ""},
	} {
		by := terminals.Grant{Rights: terminals.AllRights, Sessions: tt.sessions, Tags: tt.tags}
		for _, from := range []terminals.Doer{r, atOnce{r}} {
			if got := strings.ReplaceAll(sessions(t, from, by), "?", ""); got != tt.lists {
				t.Errorf("%v %v: sessions %q, want %q", tt.sessions, tt.tags, got, tt.lists)
			}
		}
		for _, session := range []string{"a", "b/a", "b/x", "b/tagged", "c/a"} {
			_, err := terminals.GetSession.Do(t.Context(), r, by, terminals.Target{Session: session})
			if covered := slices.Contains(strings.Fields(tt.lists), session); covered != (err == nil) || err != nil && fault.KindOf(err) != fault.NotFound {
				t.Errorf("%v %v: %s: %v", tt.sessions, tt.tags, session, err)
			}
			w, err := terminals.ReadOutput.Open(t.Context(), r, by, terminals.OutputQuery{Target: terminals.Target{Session: session}})
			if covered := slices.Contains(strings.Fields(tt.lists), session); covered != (err == nil) {
				t.Errorf("%v %v: output of %s: %v", tt.sessions, tt.tags, session, err)
			}
			if err == nil {
				if w.Name() != session {
					t.Errorf("the output of %s has the name %s", session, w.Name())
				}
				w.Close()
			}
		}
		var servers []string
		for _, s := range f.List(by) {
			servers = append(servers, s.Hostname)
		}
		if got := strings.Join(servers, " "); got != tt.servers {
			t.Errorf("%v %v: servers %q, want %q", tt.sessions, tt.tags, got, tt.servers)
		}
	}
	n.cut(b)
	await(t, f, "b", terminals.Unavailable)
	reader := terminals.Grant{Rights: terminals.Read}
	if _, err := terminals.RemoveSession.Do(t.Context(), r, reader, terminals.Target{Session: "b/a"}); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("without the right: %v", err)
	}
}

// A host that has stopped in the middle of everything, but not its connection, is away soon after
// somebody has missed its answer.
func TestFrozen(t *testing.T) {
	for how, use := range map[string]func(t *testing.T, r *fleet.Router){
		"a list": func(t *testing.T, r *fleet.Router) { sessions(t, r, terminals.Everything) },
		"a call": func(t *testing.T, r *fleet.Router) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			b, err := r.OnServer("b")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := terminals.ListSessions.Do(ctx, b, terminals.Everything, terminals.SessionFilter{}); err == nil {
				t.Error("a host that is frozen has answered")
			}
		},
	} {
		t.Run(how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				b := n.start(t, "b", newEmpty(t, "s"))
				f := newFleet(t, n, "b")
				r := f.Over(newEmpty(t))
				frozen := make(chan struct{})
				defer close(frozen)
				n.change(func() { b.slow = frozen })
				began := time.Now()
				use(t, r)
				await(t, f, "b", terminals.Unavailable)
				if took := time.Since(began); took > 14*time.Second {
					t.Errorf("it is known as away after %v", took)
				}
			})
		})
	}
}

// A host that answers nothing but pings holds up no call for ever, and what may have been done is
// said.
func TestOnlyPings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.start(t, "b", newEmpty(t, "s"))
		f := newFleet(t, n, "b")
		r := f.Over(newEmpty(t))
		n.change(func() { b.deaf = true })
		began := time.Now()
		in := terminals.NewLabel{Target: terminals.Target{Session: "b/s"}, Name: new("b/t")}
		if _, err := terminals.UpdateSession.Do(t.Context(), r, terminals.Everything, in); fault.DetailOf(err) != terminals.HostSilent || !strings.Contains(err.Error(), "may have been done") {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

// A host that is too busy to list its sessions stays in lists, and one that does not allow it does
// not.
func TestBusyHostIsListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.start(t, "b", newEmpty(t, "s"))
		r := newFleet(t, n, "b").Over(newEmpty(t))
		for _, tt := range []struct {
			err  error
			want string
		}{
			{fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "no")), ""},
			{fault.New(fault.Exhausted, "too many requests"), "b/s?"},
		} {
			n.change(func() { b.refuses = tt.err })
			if got := sessions(t, r, terminals.Everything); got != tt.want {
				t.Errorf("%v: %q", tt.err, got)
			}
		}
	})
}

// Many hosts that are slow together hold up a list no longer than one, and no quick one, and few
// are asked at once: each may answer with some MiB.
func TestManySlowHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		frozen := make(chan struct{})
		defer close(frozen)
		slow := newEmpty(t, "s")
		var names []string
		for i := range 200 {
			names = append(names, fmt.Sprint("h", i))
			n.start(t, names[i], slow).far = 10 * time.Millisecond
		}
		n.start(t, "quick", newEmpty(t, "q")).far = time.Millisecond
		f := newFleet(t, n, append(names, "quick")...)
		r := f.Over(newEmpty(t))
		n.change(func() {
			for _, name := range names {
				n.hosts["mem://"+name].slow = frozen
			}
		})
		began := time.Now()
		got := sessions(t, r, terminals.Everything)
		if took := time.Since(began); took > 1100*time.Millisecond || strings.Count(got, "/s?") != 200 || !strings.HasSuffix(got, " quick/q") {
			t.Errorf("%v: %s", took, got)
		}
		n.change(func() {
			if n.most > 64 {
				t.Errorf("%d were asked at once", n.most)
			}
		})
	})
}

// How things are with a host is in the log when it changes, and not once more after each attempt.
func TestLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		f := fleet.New(fleet.Options{
			Name: "here", ID: "id-here", Dialer: newNetwork(), Log: slog.New(slog.NewTextHandler(&log, nil)),
			Configured: []terminals.NewServer{{Address: "mem://b"}},
		})
		time.Sleep(time.Hour)
		f.Close()
		if n := strings.Count(log.String(), "has changed"); n != 1 {
			t.Errorf("%d lines:\n%s", n, &log)
		}
	})
}

// Hosts that cannot be used are rejected, and say why; those that may be used later are tried then.
func TestRejected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		n.start(t, "b", newEmpty(t))
		f := newFleet(t, n, "b")
		for name, tt := range map[string]struct {
			info terminals.ServerInfo
			says string
		}{
			"self":    {terminals.ServerInfo{Hostname: "x", ID: "id-here", Protocol: terminals.Protocol}, "this server itself"},
			"twice":   {terminals.ServerInfo{Hostname: "b", ID: "id-b", Protocol: terminals.Protocol}, "known at mem://b already"},
			"named":   {terminals.ServerInfo{Hostname: "b", ID: "id-2", Protocol: terminals.Protocol}, `it calls itself "b"`},
			"mine":    {terminals.ServerInfo{Hostname: "here", ID: "id-3", Protocol: terminals.Protocol}, "as this server"},
			"version": {terminals.ServerInfo{Hostname: "v", ID: "id-4", Version: "9.9", Protocol: terminals.Protocol + 1}, "9.9"},
			"strange": {terminals.ServerInfo{Hostname: "a/b", ID: "id-5", Protocol: terminals.Protocol}, "a name of your own"},
		} {
			n.start(t, name, newEmpty(t, "s")).info = tt.info
			if s, err := f.Add(t.Context(), terminals.NewServer{Address: "mem://" + name}); err != nil || s.Health != terminals.Connecting {
				t.Fatalf("%s: %+v, %v", name, s, err)
			}
			if s := await(t, f, name, terminals.Rejected); !strings.Contains(s.Reason, tt.says) {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if got := sessions(t, f.Over(newEmpty(t)), terminals.Everything); got != "" {
			t.Errorf("sessions of rejected hosts: %s", got)
		}
		// A name of our own settles it, as the reason says.
		if _, err := f.Add(t.Context(), terminals.NewServer{Address: "mem://named", Hostname: "other"}); err != nil {
			t.Fatal(err)
		}
		await(t, f, "other", terminals.Healthy)
		if err := f.Remove(t.Context(), "mem://b"); err != nil {
			t.Fatal(err)
		}
		wait.Until(t, "the other of its kind takes the place of b", func() bool {
			s, err := f.Get(terminals.Everything, "b")
			return err == nil && s.Health == terminals.Healthy
		})
	})
}

// A host that comes back as another process, or with another name, is that from then on.
func TestAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.start(t, "b", newEmpty(t, "s"))
		f := newFleet(t, n, "b")
		r := f.Over(newEmpty(t))
		n.change(func() { b.info.ID, b.Terminals = "id-2", newEmpty(t, "new") })
		wait.Until(t, "the new process is known", func() bool {
			s, err := f.Get(terminals.Everything, "b")
			return err == nil && s.ID == "id-2"
		})
		n.change(func() { b.info.Hostname = "c" })
		await(t, f, "c", terminals.Healthy)
		if got := sessions(t, r, terminals.Everything); got != "c/new" {
			t.Errorf("sessions: %s", got)
		}
		if _, err := f.Get(terminals.Everything, "b"); err == nil || fault.DetailOf(err) == "" {
			s, _ := f.Get(terminals.Everything, "b")
			if s.Hostname != "c" { // "b" is its address without the scheme
				t.Errorf("the old name: %+v, %v", s, err)
			}
		}
		if _, err := r.OnServer("b"); fault.DetailOf(err) != terminals.ServerNotFound {
			t.Errorf("the old name: %v", err)
		}
	})
}

// A wait for any session has those of all hosts, and goes on where another wait has ended.
func TestAnyIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.start(t, "b", newEmpty(t))
		n.start(t, "c", newEmpty(t))
		r := newFleet(t, n, "b", "c").Over(newEmpty(t))
		in := terminals.RaceQuery{Silence: terminals.Silence{TimeoutMS: new(uint64(100))}, Deadline: terminals.Deadline{MaxWaitMS: new(uint64(5000))}}
		idle := func(by terminals.Grant, in terminals.RaceQuery) string {
			out, err := terminals.AwaitAnyIdle.Do(t.Context(), r, by, in)
			if err != nil {
				return string(fault.DetailOf(err))
			}
			return out.Session
		}
		if got := idle(terminals.Everything, in); got != string(registry.NoSessions) {
			t.Errorf("without sessions: %s", got)
		}
		create(t, r, terminals.NewSession{Name: "b/s"})
		if got := idle(terminals.Everything, in); got != "b/s" {
			t.Errorf("it is %s", got)
		}
		create(t, r, terminals.NewSession{Name: "tagged", Tags: []string{"x"}})
		create(t, r, terminals.NewSession{Name: "b/tagged", Tags: []string{"x"}})
		for tag, want := range map[string]string{"B/x": "b/tagged", "HERE/x": "tagged", "c/x": string(registry.NoSessions), "b/none": string(registry.NoSessions)} {
			in := in
			in.Tags = []string{tag}
			if got := idle(terminals.Everything, in); got != want {
				t.Errorf("with the tag %s: %s, want %s", tag, got, want)
			}
		}
		for _, name := range []string{"tagged", "b/tagged"} {
			if _, err := terminals.RemoveSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: name}); err != nil {
				t.Fatal(err)
			}
		}
		if got := idle(terminals.Grant{Rights: terminals.Read, Sessions: []string{"s", "c/s"}}, in); got != string(registry.NoSessions) {
			t.Errorf("of other sessions: %s", got)
		}
		if got := idle(terminals.Grant{Rights: terminals.Type}, in); got != string(terminals.NotAllowed) {
			t.Errorf("without the right: %s", got)
		}
		// Another session of the same name on another host is not the one of the earlier answer.
		first, err := terminals.AwaitAnyIdle.Do(t.Context(), r, terminals.Everything, in)
		if err != nil {
			t.Fatal(err)
		}
		in.LastSession, in.LastGeneration = first.Session, &first.Generation
		began := time.Now()
		if got := idle(terminals.Everything, in); got != string(term.NotQuiet) || time.Since(began) > 6*time.Second {
			t.Errorf("nothing new: %s, after %v", got, time.Since(began))
		}
		created := time.AfterFunc(2*time.Second, func() { create(t, r, terminals.NewSession{Name: "c/s"}) })
		defer created.Stop()
		if got := idle(terminals.Everything, in); got != "c/s" {
			t.Errorf("a session that is created meanwhile: %s", got)
		}
		n.cut(b)
		in.LastSession = "c/s"
		if got := idle(terminals.Everything, in); got == "b/s" {
			t.Errorf("a session of a host that is away is idle")
		}
	})
}

// What happens on all hosts is shown with the names of sessions here, and that something was missed
// when a host is lost, reached, added or removed.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.start(t, "b", newEmpty(t))
		n.start(t, "c", newEmpty(t))
		f := newFleet(t, n, "b")
		local := newEmpty(t)
		r := f.Over(local)
		follow, err := terminals.Follow.Open(t.Context(), r, terminals.Everything, terminals.None{})
		if err != nil {
			t.Fatal(err)
		}
		defer follow.Close()
		next := func() (list []wire.Lifecycle, missed int) {
			t.Helper()
			synctest.Wait()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			for {
				c, err := follow.Next(ctx)
				if err != nil {
					t.Fatal(err)
				}
				missed, list := c.Missed, slices.DeleteFunc(c.Events, func(e wire.Lifecycle) bool { return e.Event == "session_state_changed" })
				if len(list) > 0 || missed > 0 {
					return list, missed
				}
			}
		}
		expect := func(want ...string) {
			t.Helper()
			var got []string
			list, missed := next()
			if missed > 0 {
				got = append(got, "missed")
			}
			for _, e := range list {
				got = append(got, e.Event+" "+e.Params.Name+" "+e.Params.OldName+e.Params.NewName+"@"+e.Params.Server)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		}
		expect("missed")
		create(t, r, terminals.NewSession{Name: "b/s"})
		expect("session_created b/s @b")
		if got := sessions(t, atOnce{r}, terminals.Everything); got != "b/s?" {
			t.Errorf("known at once: %s", got)
		}
		create(t, r, terminals.NewSession{Name: "l"})
		expect("session_created l @host")
		if _, err := terminals.UpdateSession.Do(t.Context(), r, terminals.Everything, terminals.NewLabel{Target: terminals.Target{Session: "b/s"}, Name: new("b/t")}); err != nil {
			t.Fatal(err)
		}
		expect("session_renamed b/t b/sb/t@b")
		if _, err := f.Add(t.Context(), terminals.NewServer{Address: "mem://c"}); err != nil {
			t.Fatal(err)
		}
		expect("missed")
		create(t, r, terminals.NewSession{Name: "c/s"})
		expect("session_created c/s @c")
		n.cut(b)
		expect("missed")
		if err := f.Remove(t.Context(), "c"); err != nil {
			t.Fatal(err)
		}
		expect("missed")
	})
}

// Where only the stream of events has ended, it is followed again within seconds.
func TestFollowedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.start(t, "b", newEmpty(t))
		f := newFleet(t, n, "b")
		r := f.Over(newEmpty(t))
		follow, err := terminals.Follow.Open(t.Context(), r, terminals.Everything, terminals.None{})
		if err != nil {
			t.Fatal(err)
		}
		defer follow.Close()
		synctest.Wait()
		for range 2 {
			n.change(func() {
				for _, l := range b.hosts {
					l.cutEvents()
				}
			})
			synctest.Wait()
			time.Sleep(3 * time.Second)
			name := fmt.Sprint("s", time.Now().UnixNano())
			create(t, b.Terminals, terminals.NewSession{Name: name})
			began := time.Now()
			for found := false; !found; {
				got, err := follow.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				found = slices.ContainsFunc(got.Events, func(e wire.Lifecycle) bool { return e.Params.Name == "b/"+name })
				if time.Since(began) > 5*time.Second {
					t.Fatal("it is not followed again")
				}
			}
		}
	})
}

// atOnce lists without waiting.
type atOnce struct{ terminals.Doer }

func (a atOnce) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return a.Doer.Do(ctx, by, o, in, out)
}
