//go:build unix

package wsh

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/testkit/wait"
)

// A process is this program in a process of its own.
type process struct {
	cmd     *exec.Cmd
	address string // "" if it ended before it served
	errs    bytes.Buffer
	ended   chan struct{} // closed when it has ended, with its status in cmd
}

// launch runs "wsh server" until it serves or has ended. It is killed when the test is over.
func launch(t *testing.T, args ...string) *process {
	t.Helper()
	return launchIn(t, nil, args...)
}

// launchIn is launch with variables ("NAME=value") beside those of the test's environment.
func launchIn(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	return launchBy(t, (*exec.Cmd).Start, env, append([]string{"server", "--bind", "127.0.0.1:0"}, args...)...)
}

// launchBy starts any command of this program, until it has printed the address at which it serves
// or has ended.
func launchBy(t *testing.T, start func(*exec.Cmd) error, env []string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(os.Args[0], args...), ended: make(chan struct{})}
	p.cmd.Env = append(append(vars(t), "WSH_TEST=run"), env...)
	p.cmd.Stderr = &p.errs
	r, w := io.Pipe()
	p.cmd.Stdout = w
	if err := start(p.cmd); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // its status is in cmd
		w.Close()
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		<-p.ended
	})
	out := bufio.NewReader(r)
	line, _ := out.ReadString('\n')
	go io.Copy(io.Discard, out)
	if i := max(strings.Index(line, "http://"), strings.Index(line, "tls://"), strings.Index(line, "nats://")); i >= 0 {
		p.address = strings.TrimSpace(line[i:])
	}
	return p
}

// status waits until the process has ended, and returns its exit status and what it logged.
func (p *process) status() (int, string) {
	<-p.ended
	return p.cmd.ProcessState.ExitCode(), p.errs.String()
}

func left(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// A signal ends the server and every program, stubborn ones included, within bounds.
func TestSignal(t *testing.T) {
	t.Parallel()
	dir := runtimeDir(t)
	p := launch(t)
	pidFile := filepath.Join(t.TempDir(), "pid")
	if status, body := ask(t, overTCP(t, nil), "POST", p.address+"/sessions", `{"command":"trap '' HUP TERM INT; echo $$ > `+pidFile+`; while :; do read x; done"}`); status != 201 {
		t.Fatalf("create: %d %s", status, body)
	}
	var pid string
	wait.Until(t, "the program ignores signals", func() bool {
		b, _ := os.ReadFile(pidFile)
		pid = strings.TrimSpace(string(b))
		return strings.HasSuffix(string(b), "\n")
	})
	waiting := make(chan string, 1)
	c := overTCP(t, nil)
	req, err := http.NewRequestWithContext(t.Context(), "GET", p.address+"/sessions/0/idle?timeout_ms=300000&max_wait_ms=300000", nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		res, err := c.Do(req)
		if err != nil {
			waiting <- err.Error()
			return
		}
		defer res.Body.Close()
		waiting <- res.Status
	}()
	start := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	status, errs := p.status()
	if took := time.Since(start); status != 0 || took > time.Minute {
		t.Errorf("status %d after %v: %s", status, took, errs)
	}
	<-waiting // it does not wait for silence
	if err := exec.Command("kill", "-0", pid).Run(); err == nil {
		t.Errorf("the program %s runs on", pid)
	}
	if names := left(t, dir); names != "" {
		t.Errorf("left after the end: %s", names)
	}
}

// Where the server cannot start, it says what to do, and leaves nothing behind.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		prepare func(*testing.T, string) // the folder in which that of the server is
		args    []string
		want    string
	}{
		"a folder for all": {func(t *testing.T, base string) {
			if err := errors.Join(os.Mkdir(filepath.Join(base, "wsh"), 0o700), os.Chmod(filepath.Join(base, "wsh"), 0o777)); err != nil {
				t.Fatal(err)
			}
		}, nil, "make it 0700"},
		"a file instead of the socket": {func(t *testing.T, base string) {
			if err := os.WriteFile(filepath.Join(base, "file"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, []string{"--socket", "file"}, "is not a socket: choose another path, or remove it"},
		"a full disk": {func(t *testing.T, base string) {
			asRoot(t)
			if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", base).Run(); err != nil {
				t.Skip("no small disk can be made here: ", err)
			}
			t.Cleanup(func() {
				if err := exec.Command("umount", base).Run(); err != nil {
					t.Error(err)
				}
			})
		}, nil, "no space left on device"},
	} {
		t.Run(name, func(t *testing.T) {
			base := filepath.Dir(runtimeDir(t))
			tt.prepare(t, base)
			for i, a := range tt.args {
				if i > 0 {
					tt.args[i] = filepath.Join(base, a)
				}
			}
			p := launch(t, tt.args...)
			if p.address != "" {
				t.Fatal("it serves")
			}
			if status, errs := p.status(); status != 1 || !strings.Contains(errs, tt.want) {
				t.Errorf("status %d: %s", status, errs)
			}
			if dir := filepath.Join(base, "wsh"); !strings.Contains(name, "folder") && left(t, dir) != "" {
				t.Errorf("left: %s", left(t, dir))
			}
		})
	}
}

func asRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can prepare this")
	}
}

// A client whose server cannot start, nor say so in its log, says why.
func TestStartOnFullDisk(t *testing.T) {
	t.Parallel()
	asRoot(t)
	base := filepath.Dir(runtimeDir(t))
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", base).Run(); err != nil {
		t.Skip("no small disk can be made here: ", err)
	}
	t.Cleanup(func() {
		if err := exec.Command("umount", base).Run(); err != nil {
			t.Error(err)
		}
	})
	setenv(t, "WSH_TEST", "run")
	if err := os.WriteFile(filepath.Join(base, "full"), make([]byte, 128<<10), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("fill the disk: %v", err)
	}
	folder, err := instance.Open(vars(t), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	conn, _, err := folder.DialOrStart(t.Context(), instance.Options{Name: "x"})
	if err == nil {
		conn.Close()
		t.Fatal("it serves")
	}
	if !strings.Contains(err.Error(), "the disk may be full") {
		t.Errorf("the client says: %v", err)
	}
}

// A real server that is started for a client answers, is shared, and ends with its last session.
func TestStartedServer(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "darwin" {
		t.Skip("not tried there")
	}
	dir := runtimeDir(t)
	setenv(t, "WSH_TEST", "run")
	folder, err := instance.Open(vars(t), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	dial := func() *http.Client {
		t.Helper()
		transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, _, err := folder.DialOrStart(ctx, instance.Options{Name: "x", Token: "0123456789abcdef", Args: []string{"--hostname", "started"}})
			return conn, err
		}}
		t.Cleanup(transport.CloseIdleConnections)
		return &http.Client{Transport: transport}
	}
	const bearer = "Authorization: Bearer 0123456789abcdef"
	var all sync.WaitGroup
	infos := make([]string, 4)
	clients := make([]*http.Client, len(infos))
	for i := range infos {
		clients[i] = dial()
		all.Go(func() {
			_, infos[i] = ask(t, clients[i], "GET", "http://localhost/server/info", "", bearer)
		})
	}
	all.Wait()
	server, ok := folder.Find("x")
	if !ok {
		t.Fatal("the server is not published")
	}
	t.Cleanup(func() { _ = syscall.Kill(server.PID, syscall.SIGKILL) }) // it has ended, unless the test failed
	for _, info := range infos {
		if info != infos[0] || !strings.Contains(info, `"hostname":"started"`) {
			t.Errorf("two clients get %s and %s", infos[0], info)
		}
	}
	if status, body := ask(t, clients[0], "POST", "http://localhost/sessions", `{"name":"a","command":"cat"}`, bearer); status != 201 {
		t.Fatalf("create: %d %s", status, body)
	}
	if cmdline, err := os.ReadFile("/proc/self/cmdline"); err == nil && len(cmdline) > 0 {
		args, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(server.PID), "cmdline"))
		if err != nil || bytes.Contains(args, []byte("0123456789abcdef")) {
			t.Errorf("the command line: %q, %v", args, err)
		}
	}
	if status, body := ask(t, clients[0], "DELETE", "http://localhost/sessions/a", "", bearer); status != 204 {
		t.Fatalf("remove: %d %s", status, body)
	}
	wait.Until(t, "the server has ended with its last session", func() bool {
		return errors.Is(syscall.Kill(server.PID, 0), syscall.ESRCH)
	})
	if names := left(t, dir); names != "x.log" {
		t.Errorf("left: %s", names)
	}
}
