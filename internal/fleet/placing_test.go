package fleet_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
)

// can has a machine say what it is for, and that it can run more programs.
func (m *machine) can(load float64, labels ...string) {
	m.info.Labels = labels
	m.info.Rights = []string{"read", "type", "draw", "manage"}
	m.info.Capacity = terminals.Capacity{Most: 10, CPUs: 1, Load: &load}
}

// A session that is to be on a machine with some labels is on the one with the most to spare, under
// its name there.
func TestPlacing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		busy := n.start(t, "busy", newEmpty(t))
		busy.can(5000, "os=linux", "gpu") // more than this machine can be, whatever else it does
		calm := n.start(t, "calm", newEmpty(t))
		calm.can(1, "os=linux", "gpu")
		old := n.start(t, "old", newEmpty(t)) // of a version that tells nothing
		old.info.Labels = []string{"gpu"}
		guest := n.start(t, "guest", newEmpty(t))
		guest.can(0, "gpu")
		guest.info.Rights = []string{"read"}
		r := newFleet(t, n, "busy", "calm", "old", "guest").Over(newEmpty(t))
		place := func(in terminals.NewSession) (string, error) {
			s, err := terminals.CreateSession.Do(t.Context(), r, terminals.Everything, in)
			return s.Name, err
		}
		gpu := []string{"gpu"}
		if got, err := place(terminals.NewSession{Name: "a", On: gpu}); got != "calm/a" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		// What was placed there counts before its load shows it, for a minute.
		for i := range 3 {
			if got, err := place(terminals.NewSession{On: gpu}); got[:5] != "calm/" || err != nil {
				t.Fatalf("%d: %q, %v", i, got, err)
			}
			if i == 1 { // three programs are the most in these terminals
				break
			}
		}
		// calm is full, which this server does not know yet: the next one gets it.
		if got, err := place(terminals.NewSession{Name: "b", On: gpu}); got != "busy/b" || err != nil {
			t.Errorf("of a full machine: %q, %v", got, err)
		}
		n.cut(calm)
		time.Sleep(2 * time.Minute)
		if got, err := place(terminals.NewSession{Name: "c", On: gpu}); got != "busy/c" || err != nil {
			t.Errorf("of a machine that is away: %q, %v", got, err)
		}
		if got, err := place(terminals.NewSession{Name: "d", On: []string{}}); err != nil || got == "" {
			t.Errorf("anywhere: %q, %v", got, err)
		}
		for name, tt := range map[string]struct {
			in   terminals.NewSession
			kind fault.Kind
			want fault.Detail
		}{
			"no machine has the label": {terminals.NewSession{On: []string{"gpu", "tpu"}}, fault.NotFound, terminals.NoHost},
			"a machine without them":   {terminals.NewSession{Name: "busy/x", On: gpu}, fault.NotFound, terminals.NoHost}, // its terminals say so
			"a taken name":             {terminals.NewSession{Name: "b", On: gpu}, fault.Exists, ""},
			"a malformed name":         {terminals.NewSession{Name: "x y", On: gpu}, fault.Invalid, label.InvalidName},
		} {
			if got, err := place(tt.in); fault.KindOf(err) != tt.kind || fault.DetailOf(err) != tt.want {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
		if _, err := place(terminals.NewSession{Name: "e", On: gpu}); err != nil {
			t.Fatal(err)
		}
		if _, err := place(terminals.NewSession{Name: "f", On: gpu}); fault.DetailOf(err) != registry.TooManySessions {
			t.Errorf("all are full: %v", err)
		}
	})
}

// silent is a network in which a host does not answer.
type silent struct{ *network }

// Dial implements [fleet.Dialer].
func (s silent) Dial(ctx context.Context, address, token string, start bool) (fleet.Remote, error) {
	if address != "mem://silent" {
		return s.network.Dial(ctx, address, token, start)
	}
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// Of a host that was never there, placing awaits the first attempt to reach it only.
func TestPlacingWithoutAHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		n.start(t, "b", newEmpty(t)).can(0, "gpu")
		f := fleet.New(fleet.Options{Name: "here", ID: "id-here", Dialer: silent{n}, Log: slog.New(slog.DiscardHandler), Configured: []terminals.NewServer{{Address: "mem://b"}, {Address: "mem://silent"}}})
		t.Cleanup(f.Close)
		r := f.Over(newEmpty(t))
		for range 2 {
			time.Sleep(45 * time.Second)
			if s, err := f.Get(terminals.Everything, "mem://silent"); err != nil || s.Health != terminals.Connecting {
				t.Fatalf("%+v, %v", s, err)
			}
			began := time.Now()
			if _, err := terminals.CreateSession.Do(t.Context(), r, terminals.Everything, terminals.NewSession{On: []string{"gpu"}}); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > 0 {
				t.Errorf("it took %v", took)
			}
		}
	})
}

// A caller whose grant covers some sessions only gets one on a machine that it knows, or none.
func TestPlacingForAFew(t *testing.T) {
	n := newNetwork()
	n.start(t, "b", newEmpty(t)).can(0, "gpu")
	r := newFleet(t, n, "b").Over(newEmpty(t))
	for _, tt := range []struct {
		sessions []string
		detail   fault.Detail
	}{{[]string{"a"}, terminals.NoHost}, {[]string{"b/a"}, ""}, {[]string{"b/other"}, terminals.NotAllowed}} {
		by := terminals.Grant{Rights: terminals.Manage | terminals.Read, Sessions: tt.sessions}
		if _, err := terminals.CreateSession.Do(t.Context(), r, by, terminals.NewSession{Name: "a", On: []string{"gpu"}}); fault.DetailOf(err) != tt.detail || (err == nil) != (tt.detail == "") {
			t.Errorf("%v: %v", tt.sessions, err)
		}
	}
}

// Labels of another machine are believed only as they may be.
func TestMalformedLabels(t *testing.T) {
	n := newNetwork()
	for name, labels := range map[string][]string{
		"good": {"os=linux", "arch=amd64", "gpu"}, "control": {"os=linux\x1b[2J", "arch=amd64", "gpu"}, "comma": {"os=a,b", "gpu"}, "empty": {"arch=", "gpu"},
		"bare": {"os", "gpu"}, "several": {"os=linux", "os=darwin", "os=windows", "gpu"}, "other": {"os=linux", "gpu=\x07"},
	} {
		n.start(t, name, newEmpty(t)).can(0, labels...)
	}
	f := newFleet(t, n, "good", "control", "comma", "empty", "bare", "several", "other")
	for _, s := range f.List(terminals.Everything) {
		s = await(t, f, s.Hostname, terminals.Healthy)
		if (s.Hostname == "good") != (len(s.Labels) == 3) || s.Hostname != "good" && s.Labels != nil {
			t.Errorf("%s has the labels %q", s.Hostname, s.Labels)
		}
	}
}
