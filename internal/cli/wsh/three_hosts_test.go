//go:build linux

package wsh

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/netns"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/client"
)

// longestSilence is how long a call may take to say that a host does not answer: 20 s as
// documented, and what a busy machine adds.
const longestSilence = 35 * time.Second

// A member is a host at a hub, with a network of its own.
type member struct {
	*client.Client
	name string
	host *netns.Host
	link *netns.Route
	key  string
	p    *process
}

// Three hosts at a hub, each a process with a network of its own, are used from a fourth: one is
// slow, one is cut off and comes back, and one is killed and starts again, while commands run
// there, terminals are attached and programs ask. Nobody waits longer than is documented, what was
// said to be done can be read, and what the person answers arrives.
func TestThreeHostsOfAHub(t *testing.T) {
	load.Long(t, "TestHubHosts has hosts of a hub, and transport/remote connections that break and fall silent")
	t.Parallel()
	m := newMachines(t)
	at := netns.New(t, "hub")
	port, cert := m.hubOn(at)
	joined := func(name, role string, seed uint64) *member {
		h := &member{name: name, host: netns.New(t, name)}
		h.link = netns.Connect(t, h.host, at, port, seed)
		h.p, h.Client = m.startOn(h.host)
		address := "nats://127.0.0.1:" + strconv.Itoa(h.link.Port)
		m.run(name, t.TempDir(), "servers", "add", address, "--ca", cert)
		h.key = awaitServer(t, h, address, terminals.Waiting).Key
		m.must("hub", "hub", "accept", h.key, "--as", role)
		awaitServer(t, h, address, terminals.Healthy)
		return h
	}
	a, slow, cut, killed := joined("a", "desk", 1), joined("slow", "worker", 2), joined("cut", "worker", 3), joined("killed", "worker", 4)
	slow.link.Set(100*time.Millisecond, 0.01) // 200 ms there and back
	hosts := []*member{slow, cut, killed}
	p := m.at("a", 80, 24, `"$WSH" --name here -c cat`)
	p.sees("here")
	for _, h := range hosts {
		on := terminals.Target{Session: h.name + "/s"}
		do(t, a, terminals.CreateSession, terminals.NewSession{Name: on.Session})
		done := do(t, a, terminals.RunCommand, terminals.CommandLine{Target: on, Line: "echo told-$((6*7))"})
		if !strings.Contains(done.Output, "told-42") {
			t.Errorf("%s: %+v", h.name, done)
		}
	}

	// What is long comes whole over the slow link, while the others fail.
	var lines strings.Builder
	for i := range 20_000 {
		fmt.Fprintln(&lines, i+1)
	}
	whole := make(chan string, 1)
	go func() {
		out, errs, status := m.run("a", m.dir, "run", "--name", "slow/", "--", "seq 1 20000")
		if out == lines.String() && status == 0 {
			errs = ""
		}
		whole <- errs
	}()

	// On each of the two others, a command runs, a terminal is attached, and a program asks.
	type failing struct {
		ran, watched chan error
		asked        chan string
	}
	begin := func(h *member) failing {
		t.Helper()
		on := terminals.Target{Session: h.name + "/s"}
		f := failing{make(chan error, 1), make(chan error, 1), make(chan string, 1)}
		go func() {
			_, err := terminals.RunCommand.Do(t.Context(), a, terminals.Everything, terminals.CommandLine{Target: on, Line: "sleep 1000"})
			f.ran <- err
		}()
		do(t, a, terminals.AwaitText, terminals.TextQuery{Target: on, Text: "sleep 1000"})
		events := watchOn(t, m.socket("a"), on.Session)
		go func() { f.watched <- events.untilEnd() }()
		go func() { f.asked <- m.ask(h.name, "Which branch of "+h.name+"?") }()
		p.sees("asked on " + h.name)
		return f
	}
	fails := func(h *member, f failing) {
		t.Helper()
		began := time.Now()
		err := wait.For(t, "the end of the command on "+h.name, f.ran)
		if !slices.Contains([]fault.Detail{terminals.HostSilent, terminals.HostAway}, fault.DetailOf(err)) {
			t.Errorf("the command on %s: %v, %q", h.name, err, fault.DetailOf(err))
		}
		if err := wait.For(t, "the end of the terminal on "+h.name, f.watched); err == nil {
			t.Errorf("the terminal on %s has ended without a reason", h.name)
		}
		if took := time.Since(began); took > longestSilence {
			t.Errorf("%s: what was under way has ended after %v", h.name, took)
		}
		awaitServer(t, a, h.name, terminals.Unavailable)
		p.answers("Which branch of "+h.name, "2")
	}
	f := begin(killed)
	if err := killed.p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	fails(killed, f)
	wait.For(t, "the end of the question on the killed host", f.asked)
	killed.p, killed.Client = m.startOn(killed.host)
	awaitServer(t, a, "killed", terminals.Healthy)
	if value := m.ask("killed", "Which branch of killed?"); value != "next" {
		t.Errorf("asked again on the host that was killed: %q", value)
	}

	f = begin(cut)
	cut.link.Cut()
	fails(cut, f)
	cut.link.Join()
	awaitServer(t, a, "cut", terminals.Healthy)
	if value := wait.For(t, "the answer", f.asked); value != "next" {
		t.Errorf("on the host that was cut off: %q", value)
	}
	if got := do(t, a, terminals.GetSession, terminals.Target{Session: "cut/s"}); !got.Running {
		t.Errorf("the session of the host that was cut off: %+v", got)
	}

	if errs := wait.For(t, "the long output", whole); errs != "" {
		t.Errorf("over the slow link: %s", errs)
	}
	for _, h := range []*member{slow, cut} { // the other one has lost its sessions
		if out := m.must("a", "scrollback", h.name+"/s"); !strings.Contains(out, "told-42") {
			t.Errorf("what was said to be done on %s: %s", h.name, out)
		}
	}
}
