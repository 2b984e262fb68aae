//go:build linux

package wsh

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// An sshd is OpenSSH's server on a port of this machine, run by this user, with files of its own.
type sshd struct {
	t    *testing.T
	m    machines
	dir  string
	port int
	cmd  *exec.Cmd
}

// newSSHD returns a server that does not run yet, and makes OpenSSH's client the ssh of machines.
func newSSHD(t *testing.T, m machines) *sshd {
	t.Helper()
	program := "/usr/sbin/sshd"
	for _, path := range []string{program, "/usr/bin/ssh", "/usr/bin/ssh-keygen"} {
		if _, err := os.Stat(path); err != nil {
			t.Skipf("OpenSSH is not installed: %v", err)
		}
	}
	if os.Geteuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil { // which sshd demands of root
			t.Skipf("sshd cannot run: %v", err)
		}
	}
	s := &sshd{t: t, m: m, dir: filepath.Join(m.dir, "sshd")}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.port = l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	for _, key := range []string{"host", "other", "user", "stranger"} {
		s.keygen(key, "")
	}
	s.keygen("locked", "passphrase")
	s.copy("user.pub", "authorized")
	s.knows("host")
	s.client("")
	m.script("ssh", fmt.Sprintf(`exec /usr/bin/ssh -F %s/client "$@"`, s.dir))
	m.script("wsh", fmt.Sprintf(`export HOME=%[1]s XDG_RUNTIME_DIR=%[1]s XDG_CONFIG_HOME=%[1]s WSH_TEST=run
exec "@PROGRAM@" "$@"`, filepath.Join(m.dir, "far")))
	m.env("far")
	return s
}

func (s *sshd) path(name string) string { return filepath.Join(s.dir, name) }

func (s *sshd) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sshd) copy(from, to string) {
	s.t.Helper()
	content, err := os.ReadFile(s.path(from))
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(to, string(content))
}

func (s *sshd) keygen(name, passphrase string) {
	s.t.Helper()
	if out, err := exec.Command("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", s.path(name)).CombinedOutput(); err != nil {
		s.t.Fatalf("ssh-keygen: %v: %s", err, out)
	}
}

// knows has the client know a key as that of the server; "": it knows no key.
func (s *sshd) knows(key string) {
	s.t.Helper()
	if key == "" {
		s.write("known", "")
		return
	}
	content, err := os.ReadFile(s.path(key + ".pub"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.write("known", fmt.Sprintf("[127.0.0.1]:%d %s", s.port, content))
}

// client writes the settings of the client. More settings come before the usual ones.
func (s *sshd) client(more string) {
	s.t.Helper()
	s.write("client", fmt.Sprintf("%s\nUserKnownHostsFile %s\nGlobalKnownHostsFile /dev/null\nIdentitiesOnly yes\nIdentityAgent none\nIdentityFile %s\n", more, s.path("known"), s.path("user")))
}

// start starts the server with more settings.
func (s *sshd) start(more string) {
	s.t.Helper()
	s.write("config", fmt.Sprintf(`ListenAddress 127.0.0.1
Port %d
HostKey %s
AuthorizedKeysFile %s
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
%s
`, s.port, s.path("host"), s.path("authorized"), more))
	s.cmd = exec.Command("/usr/sbin/sshd", "-D", "-e", "-f", s.path("config"))
	log, err := os.Create(s.path("log"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan struct{})
	cmd := s.cmd
	go func() {
		_ = cmd.Wait() // it is killed
		close(ended)
	}()
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	wait.Until(s.t, "sshd listens", func() bool {
		select {
		case <-ended:
			text, _ := os.ReadFile(s.path("log"))
			s.t.Fatalf("sshd has ended: %s", text)
		default:
		}
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
}

// kill kills the server and its processes for connections, but not what those have started.
func (s *sshd) kill() {
	s.t.Helper()
	var all func(pid int)
	all = func(pid int) {
		comm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
		if !strings.HasPrefix(string(comm), "sshd") {
			return
		}
		for _, child := range strings.Fields(string(children)) {
			if n, err := strconv.Atoi(child); err == nil {
				all(n)
			}
		}
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
	}
	all(s.cmd.Process.Pid)
}

// address returns the server's address. wsh is the program there.
func (s *sshd) address(wsh string) string {
	me, err := user.Current()
	if err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprintf("ssh://%s@127.0.0.1:%d?command=%s", me.Username, s.port, wsh)
}

// With OpenSSH: what a login may print or lack, and what is said if it is refused.
func TestSSHD(t *testing.T) {
	load.Long(t, "cli/reach has what ssh says")
	t.Parallel()
	m := newMachines(t)
	s := newSSHD(t, m)
	a := apiOf(t, m.start("laptop"))
	dir := t.TempDir()
	t.Cleanup(func() { m.run("far", dir, "stop", "--yes") })
	wsh := filepath.Join(m.dir, "bin", "wsh")
	s.write("banner", "Authorized users only.\nwsh-fleet is not this line\n")
	for _, tt := range []struct {
		name, server, client string
		login                string // a script that sshd runs in place of the command
		known, wsh           string
		health               terminals.Health
		reason               string
	}{
		{name: "usual", health: terminals.Healthy},
		{name: "one session a connection", server: "MaxSessions 1", client: "ControlMaster auto\nControlPath " + s.path("master") + "\nControlPersist 1", health: terminals.Healthy},
		{name: "a banner", server: "Banner " + s.path("banner") + "\nPrintMotd yes\nPrintLastLog yes", health: terminals.Healthy},
		{name: "a login that prints", login: `echo welcome; printf 'loading... '; eval "exec $SSH_ORIGINAL_COMMAND"`, health: terminals.Healthy},
		{name: "a login that prints errors", login: `echo "stty: not a tty" >&2; eval "exec $SSH_ORIGINAL_COMMAND"`, health: terminals.Healthy},
		{name: "a login that takes a terminal's place", login: `printf '\033]0;title\007\033[1mhi\033[m\r\n'; eval "exec $SSH_ORIGINAL_COMMAND"`, health: terminals.Healthy},
		{name: "fish", login: `exec fish -c "$SSH_ORIGINAL_COMMAND"`, health: terminals.Healthy},
		{name: "another command", login: `echo "This account may only read mail."`, health: terminals.Unavailable, reason: "This account may only read mail"},
		{name: "no login", login: `echo "This account is not available." >&2; exit 1`, health: terminals.Unavailable, reason: "This account is not available"},
		{name: "an unknown key", known: "none", health: terminals.Unavailable, reason: "does not know the key"},
		{name: "another key", known: "other", health: terminals.Unavailable, reason: "is not the one that ssh knows"},
		{name: "no wsh", wsh: "/nowhere/wsh", health: terminals.Unavailable, reason: "there is no program /nowhere/wsh"},
		{name: "another user key", client: "IdentityFile " + s.path("stranger") + "\nIdentityFile none", health: terminals.Unavailable, reason: "does not let this user in"},
		{name: "a locked key without an agent", client: "IdentityFile " + s.path("locked") + "\nIdentityFile none", health: terminals.Unavailable, reason: "does not let this user in"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if strings.Contains(tt.login, "fish") {
				if _, err := exec.LookPath("fish"); err != nil {
					t.Skip("fish is not installed")
				}
			}
			s := &sshd{t: t, m: m, dir: s.dir, port: s.port}
			s.knows(map[string]string{"": "host", "none": "", "other": "other"}[tt.known])
			s.client(tt.client)
			if tt.client != "" && strings.Contains(tt.client, "IdentityFile") {
				s.write("client", strings.ReplaceAll(tt.client, "IdentityFile none", "UserKnownHostsFile "+s.path("known")+"\nIdentitiesOnly yes\nIdentityAgent none")+"\n")
			}
			if tt.login != "" {
				s.write("login", tt.login+"\n")
				tt.server += "\nForceCommand /bin/sh " + s.path("login")
			}
			s.start(tt.server)
			program := tt.wsh
			if program == "" {
				program = wsh
			}
			address := s.address(program)
			do(t, a, terminals.AddServer, terminals.NewServer{Address: address, Hostname: "far"})
			defer do(t, a, terminals.RemoveServer, terminals.ServerName{Hostname: "far"})
			began := time.Now()
			got := awaitServer(t, a, "far", tt.health)
			t.Logf("%s after %v: %s", got.Health, time.Since(began).Round(time.Millisecond), got.Reason)
			if !strings.Contains(got.Reason, tt.reason) {
				t.Errorf("the reason is %q", got.Reason)
			}
			if tt.health == terminals.Healthy {
				if out, errs, status := m.run("laptop", dir, "run", "--name", "far/", "--", "echo on-$((6*7))"); out != "on-42\n" || status != 0 {
					t.Errorf("run: %d, %q, %s", status, out, errs)
				}
			}
		})
	}
}

// If sshd is killed and the server behind it is not, an attached terminal learns it, and the
// session is there when sshd is back.
func TestSSHDKilled(t *testing.T) {
	load.Long(t, "transport/remote has hosts that are killed")
	t.Parallel()
	m := newMachines(t)
	s := newSSHD(t, m)
	s.start("")
	laptop := m.start("laptop")
	a := apiOf(t, laptop)
	dir := t.TempDir()
	t.Cleanup(func() { m.run("far", dir, "stop", "--yes") })
	do(t, a, terminals.AddServer, terminals.NewServer{Address: s.address(filepath.Join(m.dir, "bin", "wsh")), Hostname: "far"})
	awaitServer(t, a, "far", terminals.Healthy)
	do(t, a, terminals.CreateSession, terminals.NewSession{Name: "far/s", Command: "PS1='ready> ' exec sh"})
	on := terminals.Target{Session: "far/s"}
	do(t, a, terminals.AwaitText, terminals.TextQuery{Target: on, Text: "ready>"})
	attached := watchOn(t, m.socket("laptop"), "far/s")
	left := make(chan error, 1)
	go func() { left <- attached.untilEnd() }()
	s.kill()
	if err := wait.For(t, "the end of the attached terminal", left); err == nil || !strings.Contains(err.Error(), "host_") {
		t.Errorf("the attached terminal: %v", err)
	}
	awaitServer(t, a, "far", terminals.Unavailable)
	s.start("")
	awaitServer(t, a, "far", terminals.Healthy)
	if got := do(t, a, terminals.GetSession, on); !got.Running {
		t.Errorf("the session: %+v", got)
	}
}
