//go:build linux || darwin

package pty_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/testkit/wait"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, o pty.Options) *pty.Process {
	t.Helper()
	if o.Env == nil {
		o.Env = pty.Environment(os.Environ(), map[string]string{"PS1": "$ ", "HISTFILE": ""})
	}
	if o.Cols == 0 {
		o.Cols, o.Rows = 80, 24
	}
	p, err := pty.Start(o)
	must(t, err)
	// A test that waits for output in vain fails instead of blocking.
	late := time.AfterFunc(wait.Patience, func() {
		t.Errorf("process %d still runs after %v", p.PID(), wait.Patience)
		_ = p.Close() // again at the end
	})
	t.Cleanup(func() {
		late.Stop()
		if err := p.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	})
	return p
}

func sh(t *testing.T, script string) *pty.Process {
	t.Helper()
	return start(t, pty.Options{Path: "/bin/sh", Args: []string{"-c", script}})
}

// await reads lines until one has the prefix, and returns the rest of that line.
func await(t *testing.T, r *bufio.Reader, prefix string) string {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return strings.TrimSpace(rest)
		}
		if err != nil {
			t.Fatalf("no line starts with %q: %v", prefix, err)
		}
	}
}

// gone waits until a process no longer exists, except as a zombie of another parent.
func gone(t *testing.T, pid int) {
	t.Helper()
	wait.Until(t, fmt.Sprintf("process %d ends", pid), func() bool {
		return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid)
	})
}

// zombie reports whether a process is dead and waits for another parent to reap it: the adopter of
// orphans on this machine may be slow.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	return fields[0] == "Z" && fields[1] != strconv.Itoa(os.Getpid())
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	must(t, err)
	return n
}

func TestExit(t *testing.T) {
	for _, tt := range []struct {
		script string
		want   tty.Exit
	}{
		{"exit 0", tty.Exit{}},
		{"exit 7", tty.Exit{Code: 7}},
		{"kill -TERM $$", tty.Exit{Code: 143, Signal: "SIGTERM"}},
		{"kill -KILL $$", tty.Exit{Code: 137, Signal: "SIGKILL"}},
	} {
		t.Run(tt.script, func(t *testing.T) {
			p := sh(t, tt.script)
			if _, err := io.ReadAll(p); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, p.Exit()); d != "" {
				t.Errorf("Exit (-want +got):\n%s", d)
			}
		})
	}
}

func TestReadsAllOutput(t *testing.T) {
	p := sh(t, "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done")
	out, err := io.ReadAll(p)
	must(t, err)
	lines := strings.Split(strings.TrimSuffix(string(out), "\r\n"), "\r\n")
	if len(lines) != 3000 || lines[2999] != "line 2999" {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

func TestTerminal(t *testing.T) {
	p := start(t, pty.Options{
		Path: "/bin/sh", Args: []string{"-c", `tty; stty size; pwd; echo "$TERM $COLORTERM"; read go; stty size; exit 3`},
		Dir: "/", Cols: 91, Rows: 17,
	})
	r := bufio.NewReader(p)
	if tty := await(t, r, "/dev/"); tty == "" {
		t.Error("not on a terminal")
	}
	for _, want := range []string{"17 91", "/", "xterm-256color truecolor"} {
		await(t, r, want+"\r")
	}
	must(t, p.Resize(120, 40))
	if _, err := p.Write([]byte("go\n")); err != nil {
		t.Fatal(err)
	}
	await(t, r, "40 120\r")
	if code := p.Exit().Code; code != 3 {
		t.Errorf("exit code %d", code)
	}
}

func TestStartRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, tt := range []struct {
		name string
		o    pty.Options
		want string
	}{
		{"directory that does not exist", pty.Options{Path: "/bin/sh", Dir: "/does/not/exist"}, "does not exist"},
		{"directory that is a file", pty.Options{Path: "/bin/sh", Dir: file}, "is not a directory"},
		{"relative directory", pty.Options{Path: "/bin/sh", Dir: "tmp"}, "not an absolute path"},
		{"program that does not exist", pty.Options{Path: "/does/not/exist"}, "cannot run"},
		{"name that is not in PATH", pty.Options{Path: "no-such-program"}, "cannot run"},
		{"file that cannot run", pty.Options{Path: file}, "cannot run"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Cols, tt.o.Rows = 80, 24
			p, err := pty.Start(tt.o)
			if err == nil {
				p.Close()
			}
			if fault.KindOf(err) != fault.Invalid || !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("Start = %v (%v)", err, fault.KindOf(err))
			}
		})
	}
}

// A program may close its terminal and open it again.
func TestReopens(t *testing.T) {
	p := sh(t, "exec 0<&- 1>&- 2>&-; sleep 0.1; exec >/dev/tty; echo back; exit 4")
	out, err := io.ReadAll(p)
	if err != nil || strings.TrimSpace(string(out)) != "back" || p.Exit().Code != 4 {
		t.Errorf("output %q, %v, exit %+v", out, err, p.Exit())
	}
}

// Job control puts each job into its own process group: signalling only the shell's group would
// miss them.
func TestKillEndsJobs(t *testing.T) {
	p := sh(t, `set -m
sleep 1001 & echo one $!
(trap '' HUP TERM INT; echo two $(exec sh -c 'echo $PPID'); while :; do sleep 1002; done) & 
sh -c 'kill -STOP $$' & echo three $!
echo ready
wait`)
	r := bufio.NewReader(p)
	pids := map[string]int{}
	for len(pids) < 4 {
		line, err := r.ReadString('\n')
		must(t, err)
		name, pid, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch name {
		case "one", "two", "three":
			pids[name] = number(t, pid)
		case "ready":
			pids[name] = p.PID()
		}
	}
	must(t, p.Kill(500*time.Millisecond))
	for name, pid := range pids {
		t.Run(name, func(t *testing.T) { gone(t, pid) })
	}
	if e := p.Exit(); e.Signal != "SIGHUP" {
		t.Errorf("exit %+v, want SIGHUP", e)
	}
}

// Processes left behind keep the terminal open, but the output must still end.
func TestLeftBehind(t *testing.T) {
	// The shell exits when the other process ignores SIGHUP, and not before.
	ignores := filepath.Join(t.TempDir(), "ignores")
	p := sh(t, `set -m; sleep 1003 & echo plain $!; nohup sh -c 'touch "$0"; exec sleep 1004' '`+ignores+`' >/dev/null 2>&1 & echo nohup $!
until [ -e '`+ignores+`' ]; do sleep 0.01; done; exit 5`)
	r := bufio.NewReader(p)
	plain, stays := number(t, await(t, r, "plain ")), number(t, await(t, r, "nohup "))
	defer syscall.Kill(stays, syscall.SIGKILL)
	if _, err := io.Copy(io.Discard, r); err != nil {
		t.Fatal(err)
	}
	if e := p.Exit(); e.Code != 5 {
		t.Errorf("exit %+v", e)
	}
	gone(t, plain)
	if err := syscall.Kill(stays, 0); err != nil || zombie(stays) {
		t.Errorf("the process protected by nohup ended: %v", err)
	}
}

// A process that leaves the session on purpose is not followed.
func TestKillLeavesDaemons(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("setsid is not installed")
	}
	p := sh(t, "setsid sleep 1006 </dev/null >/dev/null 2>&1 & echo daemon $!; exec sleep 1007")
	daemon := number(t, await(t, bufio.NewReader(p), "daemon "))
	defer syscall.Kill(daemon, syscall.SIGKILL)
	wait.Until(t, "the daemon leaves the session", func() bool {
		sid, err := unix.Getsid(daemon)
		return err != nil || sid == daemon
	})
	must(t, p.Kill(0))
	if err := syscall.Kill(daemon, 0); err != nil {
		t.Errorf("the daemon: %v", err)
	}
}

func TestCloseInterrupts(t *testing.T) {
	p := sh(t, "stty raw -echo; echo ready; exec sleep 1005")
	r := bufio.NewReader(p)
	await(t, r, "ready")
	if got := p.Mode(); got != tty.ModeKeys {
		t.Errorf("Mode = %v in raw mode", got)
	}
	wrote, read := make(chan error, 1), make(chan error, 1)
	go func() {
		for {
			if _, err := p.Write(make([]byte, 64<<10)); err != nil {
				wrote <- err
				return
			}
		}
	}()
	go func() {
		_, err := io.Copy(io.Discard, r)
		read <- err
	}()
	must(t, p.Close())
	if err := <-read; err != nil {
		t.Errorf("Read = %v", err)
	}
	if err := <-wrote; err == nil {
		t.Error("Write never failed")
	}
	gone(t, p.PID())
}

func TestMode(t *testing.T) {
	p := sh(t, "echo ready; read a; stty -echo; echo secret; read b; stty echo; echo open; read c; stty -icanon; echo keys; read d")
	r := bufio.NewReader(p)
	for _, tt := range []struct {
		word string
		want tty.Mode
	}{{"ready", tty.ModeLines}, {"secret", tty.ModeSecret}, {"open", tty.ModeLines}, {"keys", tty.ModeKeys}} {
		await(t, r, tt.word)
		if got := p.Mode(); got != tt.want {
			t.Errorf("Mode at %q = %v, want %v", tt.word, got, tt.want)
		}
		if _, err := p.Write([]byte("\n")); err != nil {
			t.Fatal(err)
		}
	}
	p.Exit()
	must(t, p.Close())
	if got := p.Mode(); got != tty.ModeUnknown {
		t.Errorf("Mode of a closed terminal = %v", got)
	}
}

// A reader that is late gets what a program wrote last, although another process keeps the terminal
// open.
func TestLateReader(t *testing.T) {
	p := sh(t, `trap "" HUP; sleep 1000 & echo other $!; i=0; while [ $i -lt 100 ]; do echo line $i; i=$((i+1)); done`)
	<-p.Ended()
	wait.Pause(time.Second) // this is what is tested: more than the time that is left for later output
	out := bufio.NewReader(p)
	other, err := strconv.Atoi(await(t, out, "other "))
	must(t, err)
	defer syscall.Kill(other, syscall.SIGKILL)
	rest, err := io.ReadAll(out)
	if lines := strings.Count(string(rest), "line"); lines != 100 || err != nil {
		t.Errorf("%d lines, %v", lines, err)
	}
}

// A process that is left behind and writes without end does not keep the reader.
func TestLeftBehindWrites(t *testing.T) {
	p := sh(t, `trap "" HUP; (while :; do echo more; done) & echo $!`)
	out := bufio.NewReader(p)
	line, err := out.ReadString('\n')
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "more")))
	for err != nil { // it was faster
		line, readErr := out.ReadString('\n')
		if readErr != nil {
			t.Fatal(readErr)
		}
		pid, err = strconv.Atoi(strings.TrimSpace(line))
	}
	defer syscall.Kill(pid, syscall.SIGKILL)
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Error(err)
	}
}
