//go:build unix

package wsh

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/client"
)

// machines are hosts on this machine: each has folders of its own, and ssh reaches each by its
// name.
type machines struct {
	t   *testing.T
	dir string
}

// newMachines puts programs in place of ssh and wsh: "ssh HOST COMMAND" runs the command here, as
// on the host.
func newMachines(t *testing.T) machines {
	t.Helper()
	m := machines{t, t.TempDir()}
	m.script("ssh", `echo "$@" >> "$0.log"
while [ "$1" != -- ]; do shift; done
[ -d "@DIR@/$2" ] || { echo "ssh: Could not resolve hostname $2: Name or service not known" >&2; exit 255; }
[ ! -e "@DIR@/$2/down" ] || { echo "ssh: connect to host $2 port 22: Connection refused" >&2; exit 255; }
export HOME="@DIR@/$2" XDG_RUNTIME_DIR="@DIR@/$2" XDG_CONFIG_HOME="@DIR@/$2"
echo $$ > "@DIR@/$2/ssh.pid"
shift 2
eval "exec $*"`)
	m.script("wsh", `exec "@PROGRAM@" "$@"`)
	if err := os.Symlink(os.Args[0], filepath.Join(m.dir, "bin", "wsh-hub")); err != nil { // see TestMain
		t.Fatal(err)
	}
	return m
}

func (m machines) script(name, text string) {
	m.t.Helper()
	dir := filepath.Join(m.dir, "bin")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		m.t.Fatal(err)
	}
	text = "#!/bin/sh\n" + strings.NewReplacer("@DIR@", m.dir, "@PROGRAM@", os.Args[0]).Replace(text) + "\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
		m.t.Fatal(err)
	}
}

// env returns the variables of a host.
func (m machines) env(name string) []string {
	m.t.Helper()
	dir := filepath.Join(m.dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		m.t.Fatal(err)
	}
	return []string{"HOME=" + dir, "XDG_RUNTIME_DIR=" + dir, "XDG_CONFIG_HOME=" + dir, "PATH=" + filepath.Join(m.dir, "bin") + ":" + os.Getenv("PATH")}
}

// start starts the server of a host.
func (m machines) start(name string, args ...string) *process {
	m.t.Helper()
	p := launchIn(m.t, m.env(name), append([]string{"--hostname", name}, args...)...)
	if p.address == "" {
		_, errs := p.status()
		m.t.Fatal(errs)
	}
	return p
}

// apiOf returns a client of a server.
func apiOf(t *testing.T, p *process) *client.Client {
	t.Helper()
	return connected(t, "tcp", strings.TrimPrefix(p.address, "http://"))
}

// do carries out an operation, which must succeed.
func do[In, Out any](t *testing.T, c terminals.Doer, o *terminals.Op[In, Out], in In) Out {
	t.Helper()
	out, err := o.Do(t.Context(), c, terminals.Everything, in)
	if err != nil {
		t.Fatalf("%s %+v: %v", o.Name, in, err)
	}
	return out
}

// add adds a host to a server, and waits until it is in a state.
func add(t *testing.T, c terminals.Doer, address string, h terminals.Health) terminals.KnownServer {
	t.Helper()
	do(t, c, terminals.AddServer, terminals.NewServer{Address: address})
	return awaitServer(t, c, strings.TrimPrefix(address, "ssh://"), h)
}

func awaitServer(t *testing.T, c terminals.Doer, name string, h terminals.Health) (s terminals.KnownServer) {
	t.Helper()
	wait.Until(t, fmt.Sprintf("%s is %s", name, h), func() bool {
		var err error
		s, err = terminals.GetKnownServer.Do(t.Context(), c, terminals.Everything, terminals.ServerName{Hostname: name})
		return err == nil && s.Health == h // the name may not be known yet
	})
	return s
}

func namesOf(t *testing.T, c terminals.Doer) string {
	t.Helper()
	var names []string
	for _, s := range do(t, c, terminals.ListSessions, terminals.SessionFilter{}) {
		name := s.Name
		if s.LastKnownMS != nil {
			name += "?"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// Three servers in processes of their own: what is done on one of them through another, and what is
// told when one is killed in the middle of a command.
func TestFleet(t *testing.T) {
	load.Long(t, "uses one server")
	t.Parallel()
	m := newMachines(t)
	m.env("c") // its server is started by the first that needs it
	serverOfB := m.start("b")
	serverOfA := m.start("a")
	a := apiOf(t, serverOfA)
	add(t, a, "ssh://b", terminals.Healthy)
	c := add(t, a, "ssh://c?command="+filepath.Join(m.dir, "bin", "wsh"), terminals.Healthy)
	t.Cleanup(func() {
		stop := exec.Command(os.Args[0], "stop", "--yes")
		stop.Env = append(append(vars(t), "WSH_TEST=run"), m.env("c")...)
		if out, err := stop.CombinedOutput(); err != nil {
			t.Errorf("stop the server of c: %v: %s", err, out)
		}
	})
	if c.Hostname == "" || c.LatencyMS == nil {
		t.Errorf("%+v", c)
	}

	s := do(t, a, terminals.CreateSession, terminals.NewSession{Name: "b/s", Command: "PS1='ready> ' exec sh"})
	if s.Name != "b/s" || s.Server != "b" {
		t.Errorf("created: %+v", s)
	}
	on := terminals.Target{Session: "b/s"}
	silence := terminals.Silence{TimeoutMS: new(uint64(100))}
	do(t, a, terminals.AwaitText, terminals.TextQuery{Target: on, Text: "ready>"}) // what is typed before may be lost
	do(t, a, terminals.AwaitIdle, terminals.IdleQuery{Target: on, Silence: silence})
	do(t, a, terminals.StartRecording, on)
	do(t, a, terminals.SendInput, terminals.Input{Target: on, Data: []byte("echo on-$((6*7))\n")})
	if found := do(t, a, terminals.AwaitText, terminals.TextQuery{Target: on, Pattern: `^on-42$`}); found.Text != "on-42" {
		t.Errorf("%+v", found)
	}
	if idle := do(t, a, terminals.AwaitAnyIdle, terminals.RaceQuery{Silence: silence}); idle.Session != "b/s" {
		t.Errorf("idle: %s", idle.Session)
	}
	do(t, a, terminals.Overlays.Create, terminals.NewElement{Target: on, Form: overlay.Form{X: new(1), Spans: []overlay.Span{{Text: "o"}}}})
	var overlays json.RawMessage
	if err := a.Do(t.Context(), terminals.Everything, &terminals.Overlays.List.Operation, on, &overlays); err != nil || !strings.Contains(string(overlays), `"x":1`) {
		t.Errorf("overlays: %s, %v", overlays, err)
	}
	do(t, a, terminals.StopRecording, on)
	if part := do(t, a, terminals.GetRecording, terminals.RecordingQuery{Target: on}); !strings.Contains(string(part.Data), "on-42") {
		t.Errorf("recording: %q", part.Data)
	}
	onC := do(t, a, terminals.CreateSession, terminals.NewSession{Name: c.Hostname + "/", Command: "exec cat"})
	if names := namesOf(t, a); names != strings.Join(slices.Sorted(slices.Values([]string{"b/s", onC.Name})), " ") {
		t.Errorf("sessions: %s", names)
	}

	// b is killed in the middle of a command, and cannot be reached for a while.
	ran := make(chan error, 1)
	go func() {
		_, err := terminals.RunCommand.Do(t.Context(), a, terminals.Everything, terminals.CommandLine{Target: on, Line: "sleep 1000"})
		ran <- err
	}()
	do(t, a, terminals.AwaitText, terminals.TextQuery{Target: on, Text: "sleep 1000"})
	down := filepath.Join(m.dir, "b", "down")
	if err := errors.Join(os.WriteFile(down, nil, 0o600), serverOfB.cmd.Process.Kill()); err != nil {
		t.Fatal(err)
	}
	if err := wait.For(t, "the end of the command", ran); fault.DetailOf(err) != terminals.HostSilent {
		t.Errorf("the command: %v, %q", err, fault.DetailOf(err))
	}
	wait.Until(t, "ssh says why b is away", func() bool {
		b := awaitServer(t, a, "b", terminals.Unavailable)
		return strings.Contains(b.Reason, "no SSH server listens on b")
	})
	if names := namesOf(t, a); !strings.Contains(names, "b/s?") {
		t.Errorf("sessions while b is away: %s", names)
	}
	if _, err := terminals.GetSession.Do(t.Context(), a, terminals.Everything, on); fault.DetailOf(err) != terminals.HostAway {
		t.Errorf("while b is away: %v", err)
	}
	if err := os.Remove(down); err != nil {
		t.Fatal(err)
	}
	m.start("b")
	awaitServer(t, a, "b", terminals.Healthy)
	if names := namesOf(t, a); names != onC.Name {
		t.Errorf("sessions of the new server: %s", names)
	}
	do(t, a, terminals.CreateSession, terminals.NewSession{Name: "b/s", Command: "exec cat"})

	// What was added is there after a restart, and what was removed is not.
	do(t, a, terminals.RemoveServer, terminals.ServerName{Hostname: c.Hostname})
	_ = serverOfA.cmd.Process.Kill()
	<-serverOfA.ended
	a = apiOf(t, m.start("a"))
	awaitServer(t, a, "b", terminals.Healthy)
	if names := namesOf(t, a); names != "b/s" {
		t.Errorf("sessions after a restart: %s", names)
	}
	if list := do(t, a, terminals.ListServers, terminals.None{}); len(list) != 1 {
		t.Errorf("servers after a restart: %+v", list)
	}
}

// A server that was stopped on purpose is not started again by others that connect to it by
// themselves, but by the next new session.
func TestStoppedServer(t *testing.T) {
	t.Parallel()
	m, dir := newMachines(t), t.TempDir()
	m.env("c")
	a := apiOf(t, m.start("a"))
	t.Cleanup(func() { m.run("c", dir, "stop", "--yes") })
	c := add(t, a, "ssh://c?command="+filepath.Join(m.dir, "bin", "wsh"), terminals.Healthy)
	if _, errs, status := m.run("c", dir, "stop", "--yes"); status != 0 {
		t.Fatal(errs)
	}
	attempts := func() int {
		log, err := os.ReadFile(filepath.Join(m.dir, "bin", "ssh.log"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(log), "servers pipe")
	}
	before := attempts()
	wait.Until(t, "it was tried again", func() bool { return attempts() > before })
	wait.Until(t, "a says why it is away", func() bool {
		return strings.Contains(awaitServer(t, a, c.Hostname, terminals.Unavailable).Reason, `it was stopped with "wsh stop"`)
	})
	if _, errs, _ := m.run("c", dir, "list"); !strings.Contains(errs, "no server runs") {
		t.Errorf("the sessions of c: %s", errs)
	}
	wait.Until(t, "a new session starts it", func() bool {
		_, err := terminals.CreateSession.Do(t.Context(), a, terminals.Everything, terminals.NewSession{Name: c.Hostname + "/s", Command: "exec cat"})
		if err != nil && fault.DetailOf(err) != terminals.HostAway {
			t.Fatal(err)
		}
		return err == nil
	})
}
