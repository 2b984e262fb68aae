package pty_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/testkit/wait"
)

// signalAsOther sends a signal as a user who may not send any to the processes of others.
func signalAsOther(p *pty.Process, name string) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var data [2]unix.CapUserData
		err := unix.Capget(&header, &data[0])
		if err == nil {
			data[0].Effective &^= 1 << unix.CAP_KILL
			err = unix.Capset(&header, &data[0])
		}
		if err == nil {
			err = p.Signal(name)
		}
		result <- err
	}()
	return <-result
}

// A job of another user, as under sudo, gets the signals of keys by way of the terminal. Nobody
// else can send it others, and the error says so.
func TestSignalToOtherUser(t *testing.T) {
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Getuid() != 0 {
		t.Skip("only root can run a job as another user here")
	}
	for _, job := range []string{"%s", "%s | cat"} { // cat belongs to the user
		p := sh(t, `set -m; `+strings.ReplaceAll(job, "%s", setpriv+` --reuid 65534 --clear-groups /bin/sh -c '
trap "echo got INT >/dev/tty" INT; trap "echo got QUIT" QUIT; trap "echo got TSTP" TSTP; trap "echo got USR1" USR1
echo ready; while :; do :; done'`))
		out := bufio.NewReader(p)
		await(t, out, "ready")
		if job == "%s" {
			for _, name := range []string{"USR1", "TERM", "KILL"} {
				err := signalAsOther(p, name)
				if fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "another user") {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		for _, name := range []string{"INT", "QUIT", "SIGTSTP"} {
			if err := signalAsOther(p, name); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if job == "%s" {
				await(t, out, "got "+strings.TrimPrefix(name, "SIG"))
			} else if name == "INT" {
				await(t, out, "got INT") // cat has got it, too, and has ended
				break
			}
		}
		if err := p.Signal("KILL"); err != nil {
			t.Error(err)
		}
	}
}

// A program that ignores signals is not waited for longer than it must be.
func TestKillWhatIgnoresSignals(t *testing.T) {
	// A shell may miss a signal that arrives just before it waits, so it never waits for long.
	for _, tt := range []struct{ name, script, signal string }{
		{"hangups", "trap '' HUP; echo ready; while :; do sleep 1000; done", "SIGTERM"},
		{"hangups, but not SIGTERM", "trap '' HUP; trap 'exit 3' TERM; echo ready; while :; do sleep 1 & wait; done", ""},
		{"both", "trap '' HUP TERM; echo ready; while :; do sleep 1000; done", "SIGKILL"},
		{"both, below a shell", "trap 'exit 3' HUP; (trap '' HUP TERM; echo ready; exec sleep 1000) & while :; do sleep 1 & wait $!; done", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sh(t, tt.script)
			await(t, bufio.NewReader(p), "ready")
			begin := time.Now()
			must(t, p.Kill(2*time.Second))
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("Kill took %v", took)
			}
			if e := p.Exit(); e.Signal != tt.signal {
				t.Errorf("exit %+v, want by %q", e, tt.signal)
			}
		})
	}
}

// A shell that has just started ends by SIGHUP, whenever that comes.
func TestKillStartingShells(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "sh"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip(shell + " is not installed")
			}
			home := t.TempDir() // fish writes into it
			env := pty.Environment(os.Environ(), map[string]string{"PS1": "$ ", "HISTFILE": "", "HOME": home, "TMPDIR": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home})
			grace := 10 * time.Minute // far more than wait.Patience: a signal that is missed fails the test
			if shell == "fish" {
				// At its first start in a folder it runs others, which may miss the signal on a
				// busy machine. They get it again after half of the grace time.
				grace = 10 * time.Second
			}
			for i := range 12 {
				p := start(t, pty.Options{Path: "/bin/sh", Args: []string{"-c", "exec " + shell + " -i"}, Env: env, Cols: 80, Rows: 24})
				read := make(chan struct{})
				go func() {
					defer close(read)
					_, _ = io.Copy(io.Discard, p)
				}()
				wait.Pause(time.Duration(i*i) * time.Millisecond) // at different moments of its start
				must(t, p.Kill(grace))
				if err := p.Close(); err != nil { // ends the reader, even if another process has the terminal open
					t.Fatal(err)
				}
				<-read
			}
		})
	}
}

// Running programs do not take a thread each: a hundred threads are a hundred stacks.
func TestThreads(t *testing.T) {
	if fd, err := unix.PidfdOpen(os.Getpid(), 0); err != nil {
		t.Skipf("this system cannot wait for a process without a thread: %v", err)
	} else {
		unix.Close(fd)
	}
	threads := func() int {
		list, err := os.ReadDir("/proc/self/task")
		must(t, err)
		return len(list)
	}
	sh(t, "exec sleep 1000") // once, for what stays
	before := threads()
	const programs = 40
	for range programs {
		sh(t, "exec sleep 1000")
	}
	if more := threads() - before; more > programs/2 {
		t.Errorf("%d programs take %d threads", programs, more)
	}
}

func TestReads(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		want         tty.Reading
	}{
		{"a shell reads", "echo ready; read a", tty.Reads},
		{"a program reads", "echo ready; cat; :", tty.Reads},
		{"it has opened the terminal itself", "echo ready; exec cat < /dev/tty", tty.Reads},
		{"at the end of a pipeline", "echo ready; sleep 1000 | cat < /dev/tty", tty.Reads},
		{"below a program that waits", "echo ready; sh -c 'sh -c \"read a; :\"; :'; :", tty.Reads},
		{"in a session of its own", "echo ready; setsid cat; :", tty.Reads},
		{"nor does one in a session of its own", "echo ready; setsid sleep 30; :", tty.ReadsNot},
		{"it sleeps", "echo ready; exec sleep 1000", tty.ReadsNot},
		{"it works", "echo ready; while :; do :; done", tty.ReadsNot},
		{"it reads from elsewhere", "echo ready; sleep 1000 | cat", tty.ReadsNot},
		{"another job reads", "set -m; echo ready; cat & sleep 1000", tty.ReadsNot},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sh(t, tt.script)
			await(t, bufio.NewReader(p), "ready")
			wait.Until(t, "the program gets there", func() bool { return p.Reads() == tt.want })
			must(t, p.Kill(0))
			if got := p.Reads(); got != tty.ReadsNot {
				t.Errorf("when it has ended: %v", got)
			}
		})
	}
}

// A program that waits for several things may be waiting for input.
func TestReadsOfPrograms(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	for _, tt := range []struct {
		name, script string
		want         tty.Reading
	}{
		{"another thread reads", "import sys, threading; t = threading.Thread(target=sys.stdin.readline); t.start(); t.join()", tty.Reads},
		{"it polls", "import select; select.select([0], [], [])", tty.ReadingUnknown},
		{"it polls something else", "import os, select; os.close(0); os.pipe(); select.select([0], [], [])", tty.ReadsNot},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sh(t, "echo ready; exec "+python+" -c '"+tt.script+"'")
			await(t, bufio.NewReader(p), "ready")
			wait.Until(t, "the program gets there", func() bool { return p.Reads() == tt.want })
		})
	}
}
