//go:build unix

package wsh

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/testkit/wait"
)

// wshCommand returns this program with arguments, as a process that a test may start. It is
// killed when the test is over, or has waited too long.
func wshCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), wait.Patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(vars(t), "WSH_TEST=run")
	return cmd
}

// A process is a server in a process of its own.
type process struct {
	cmd     *exec.Cmd
	address string
	errs    bytes.Buffer
	ended   chan struct{} // closed when it has ended, with its status in cmd
}

// launch runs "wsh server" until it serves. It is killed when the test is over.
func launch(t *testing.T, args ...string) *process {
	t.Helper()
	return launchIn(t, nil, args...)
}

// launchIn is launch with variables ("NAME=value") beside those of the test's environment.
func launchIn(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	return launchBy(t, (*exec.Cmd).Start, env, append([]string{"server", "--bind", "127.0.0.1:0"}, args...)...)
}

// launchBy starts any command of this program, until it has printed the address at which it serves.
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
		return p
	}
	_, errs := p.status()
	t.Fatal(errs)
	return nil
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
		prepare func(t *testing.T, base string) // the folder in which that of the server is
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
		"a full disk": {func(t *testing.T, base string) { smallDisk(t, base, "8k") }, nil, "no space left on device"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := runtimeDir(t)
			tt.prepare(t, filepath.Dir(dir))
			cmd := wshCommand(t, append([]string{"server", "--bind", "127.0.0.1:0"}, tt.args...)...)
			cmd.Dir = filepath.Dir(dir)
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), tt.want) {
				t.Errorf("%v: %s", err, out)
			}
			if names := left(t, dir); names != "" {
				t.Errorf("left: %s", names)
			}
		})
	}
}

// smallDisk puts a disk of a size at a folder, as root.
func smallDisk(t *testing.T, folder, size string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can prepare this")
	}
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", folder).Run(); err != nil {
		t.Skip("no small disk can be made here: ", err)
	}
	t.Cleanup(func() {
		if err := exec.Command("umount", folder).Run(); err != nil {
			t.Error(err)
		}
	})
}

// A client whose server cannot start, nor say so in its log, says why.
func TestStartOnFullDisk(t *testing.T) {
	t.Parallel()
	base := filepath.Dir(runtimeDir(t))
	smallDisk(t, base, "64k")
	if err := os.WriteFile(filepath.Join(base, "full"), make([]byte, 128<<10), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("fill the disk: %v", err)
	}
	if out, err := wshCommand(t, "run", "-L", "x", "true").CombinedOutput(); err == nil || !strings.Contains(string(out), "the disk may be full") {
		t.Errorf("the client says: %v, %s", err, out)
	}
}
