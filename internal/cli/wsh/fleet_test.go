//go:build unix

package wsh

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
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

// socket returns the socket of a host's server.
func (m machines) socket(host string) string {
	return filepath.Join(m.dir, host, "wsh", "default.sock")
}

// start starts the server of a host.
func (m machines) start(name string, args ...string) *process {
	m.t.Helper()
	return launchIn(m.t, m.env(name), append([]string{"--hostname", name}, args...)...)
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
