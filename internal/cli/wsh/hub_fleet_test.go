//go:build linux

package wsh

import (
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/netns"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/socketwire"
)

// startOn starts the server of a host that has a network of its own, and returns it with a client.
func (m machines) startOn(h *netns.Host) (*process, *client.Client) {
	m.t.Helper()
	p := launchBy(m.t, h.Start, m.env(h.Name), "server", "--bind", "127.0.0.1:0", "--hostname", h.Name)
	return p, connected(m.t, "unix", m.socket(h.Name))
}

// hubOn starts a hub on a host that has a network of its own, and returns its port and the file of
// its certificate.
func (m machines) hubOn(h *netns.Host) (port int, cert string) {
	m.t.Helper()
	cert, key, _ := certificate(m.t)
	hub := launchBy(m.t, h.Start, m.env(h.Name), "hub", "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key)
	port, err := strconv.Atoi(hub.address[strings.LastIndexByte(hub.address, ':')+1:])
	if err != nil {
		m.t.Fatal(err)
	}
	return port, cert
}

// must is run, which must succeed.
func (m machines) must(host string, args ...string) string {
	m.t.Helper()
	out, errs, status := m.run(host, m.t.TempDir(), args...)
	if status != 0 {
		m.t.Fatalf("wsh %s: %d, %s", strings.Join(args, " "), status, errs)
	}
	return out
}

// A hub and two of its hosts, each a process with a network of its own: who may do what, and how it
// ends. TestThreeHostsOfAHub has hosts that are cut off and killed.
func TestHubHosts(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	at, a, b := netns.New(t, "hub"), netns.New(t, "a"), netns.New(t, "b")
	port, cert := m.hubOn(at)
	linkOfA, linkOfB := netns.Connect(t, a, at, port, 1), netns.Connect(t, b, at, port, 2)
	linkOfA.Set(20*time.Millisecond, 0.01)
	addressOf := func(l *netns.Route) string { return "nats://127.0.0.1:" + strconv.Itoa(l.Port) }
	serverOfA, onA := m.startOn(a)
	serverOfB, onB := m.startOn(b)

	// A key that the hub's owner has not accepted gets nothing.
	out, errs, status := m.run("a", t.TempDir(), "servers", "add", addressOf(linkOfA), "--ca", cert)
	if status != 0 || out != "waiting\n" || !strings.Contains(errs, `"wsh hub accept U`) {
		t.Errorf("not accepted: %d, %s%s", status, out, errs)
	}
	m.run("b", t.TempDir(), "servers", "add", addressOf(linkOfB), "--ca", cert)
	keyOfA, keyOfB := awaitServer(t, onA, addressOf(linkOfA), terminals.Waiting).Key, awaitServer(t, onB, addressOf(linkOfB), terminals.Waiting).Key
	if keyOfA == "" || keyOfA == keyOfB {
		t.Fatalf("keys %q and %q", keyOfA, keyOfB)
	}
	if list := do(t, onA, terminals.ListServers, terminals.None{}); len(list) != 1 {
		t.Errorf("a host that is not accepted knows %+v", list)
	}
	m.must("hub", "hub", "accept", keyOfA, "--as", "desk")
	m.must("hub", "hub", "accept", keyOfB, "--as", "worker")
	awaitServer(t, onA, addressOf(linkOfA), terminals.Healthy)
	awaitServer(t, onB, addressOf(linkOfB), terminals.Healthy)
	awaitServer(t, onA, "b", terminals.Healthy)
	if out := m.must("b", "servers"); !strings.Contains(out, "a worker there") || strings.Contains(out, keyOfA) {
		t.Errorf("servers of b: %s", out)
	}
	if out := m.must("a", "servers"); !strings.Contains(out, "a desk there") || !strings.Contains(out, keyOfB) {
		t.Errorf("servers of a: %s", out)
	}
	create := terminals.NewSession{Name: "b/s", Command: "PS1='ready> ' exec sh"}

	// What a does there.
	if s := do(t, onA, terminals.CreateSession, create); s.Name != "b/s" || s.Server != "b" {
		t.Errorf("created: %+v", s)
	}
	on := terminals.Target{Session: "b/s"}
	do(t, onA, terminals.AwaitText, terminals.TextQuery{Target: on, Text: "ready>"}) // what is typed before may be lost
	do(t, onA, terminals.RunCommand, terminals.CommandLine{Target: on, Line: "echo on-$((6*7))"})
	if out := m.must("a", "run", "--name", "b/", "--", "echo ran-$((6*7))"); out != "ran-42\n" {
		t.Errorf("run: %q", out)
	}
	if out := m.must("a", "screen", "b/s"); !strings.Contains(out, "on-42") {
		t.Errorf("screen: %q", out)
	}
	if names := namesOf(t, onA); names != "b/s" {
		t.Errorf("sessions: %s", names)
	}
	if s := awaitServer(t, onA, "b", terminals.Healthy); s.Reason != "" {
		t.Errorf("b: %+v", s)
	}
	attachTo(t, m.socket("a"), "b/s")

	// What it may not: administer b, learn which servers b knows, reach others through it.
	do(t, onA, terminals.CreateSession, terminals.NewSession{Name: "own", Command: "exec cat"})
	over := overSocket(t, m.socket("a"))
	for _, tt := range []struct {
		method, path, body string
		status             int
		has                string
	}{
		{"GET", "/servers?server=b", "", 200, "[]"},
		{"POST", "/server/stop?server=b", "", 403, "not_allowed"},
		{"GET", "/sessions/b%2Fa%2Fown", "", 404, "session_not_found"},
	} {
		if status, body := ask(t, over, tt.method, "http://localhost"+tt.path, tt.body); status != tt.status || !strings.Contains(body, tt.has) {
			t.Errorf("%s %s: %d %s", tt.method, tt.path, status, body)
		}
	}

	// A restart of a: it keeps its key and the hub. Then the hub withdraws it while it watches.
	if err := serverOfA.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status, errs := serverOfA.status(); status != 0 {
		t.Errorf("a has ended with %d: %s", status, errs)
	}
	_, onA = m.startOn(a)
	awaitServer(t, onA, "b", terminals.Healthy)
	watched := make(chan error, 1)
	events := watchOn(t, m.socket("a"), "b/s")
	go func() { watched <- events.untilEnd() }()
	m.must("hub", "hub", "withdraw", keyOfA)
	if err := wait.For(t, "the end of the watch", watched); err == nil {
		t.Error("the watch has ended as if all were well")
	}
	_, err := terminals.GetSession.Do(t.Context(), onA, terminals.Everything, on)
	if fault.KindOf(err) != fault.Unreachable {
		t.Errorf("withdrawn: %v", err)
	}
	if got := do(t, onB, terminals.GetSession, terminals.Target{Session: "s"}); !got.Running {
		t.Errorf("the session: %+v", got)
	}
	wait.Until(t, "a asks again", func() bool { return strings.Contains(m.must("hub", "hub", "list"), keyOfA) })
	m.must("hub", "hub", "accept", keyOfA, "--as", "desk")
	awaitServer(t, onA, "b", terminals.Healthy)

	// b leaves.
	if err := serverOfB.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status, errs := serverOfB.status(); status != 0 {
		t.Errorf("b has ended with %d: %s", status, errs)
	}
	wait.Until(t, "a does not list b any more", func() bool { return len(do(t, onA, terminals.ListServers, terminals.None{})) == 1 })
	m.must("a", "servers", "remove", addressOf(linkOfA))
}

// attachTo attaches to a session, types, and leaves when the answer is displayed.
func attachTo(t *testing.T, socket, session string) {
	t.Helper()
	c := watchOn(t, socket, session)
	defer c.Close()
	if err := c.Write(c.ctx, socketwire.Frame{Kind: socketwire.StdinInput, Content: []byte("echo attached-$((6*7))\n")}); err != nil {
		t.Fatal(err)
	}
	c.await(t, socketwire.PtyOutput, "attached-42")
}
