//go:build linux || darwin

package pty_test

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/testkit/wait"
)

func TestSignal(t *testing.T) {
	p := sh(t, `trap 'echo got USR1; exit 4' USR1; echo ready; while :; do sleep 0.02; done`)
	out := bufio.NewReader(p)
	await(t, out, "ready")
	for _, name := range []string{"", "USR3", "SIG", "9"} {
		if err := p.Signal(name); fault.KindOf(err) != fault.Invalid {
			t.Errorf("Signal(%q) = %v", name, err)
		}
	}
	must(t, p.Signal("usr1"))
	await(t, out, "got USR1")
	if e := p.Exit(); e.Code != 4 {
		t.Errorf("exit %+v", e)
	}
	if err := p.Close(); err != nil { // waits until it has been reaped
		t.Fatal(err)
	}
	if err := p.Signal("TERM"); fault.KindOf(err) != fault.Gone {
		t.Errorf("after the end: %v", err)
	}
}

// A signal reaches the job in the foreground, and not the shell that runs it.
func TestSignalForeground(t *testing.T) {
	p := sh(t, `set -m
sh -c 'trap "echo job interrupted; exit" INT; echo ready; while :; do sleep 0.02; done'
echo the shell goes on
exit 5`)
	out := bufio.NewReader(p)
	await(t, out, "ready")
	must(t, p.Signal("SIGINT"))
	await(t, out, "job interrupted")
	await(t, out, "the shell goes on")
	if e := p.Exit(); e.Code != 5 {
		t.Errorf("exit %+v", e)
	}
}

// The signal of a key gets through to a program that does not read its input, and what was typed
// before is dropped.
func TestSignalKey(t *testing.T) {
	p := sh(t, `trap 'echo interrupted' INT; echo ready; while :; do sleep 0.02; done`)
	out := bufio.NewReader(p)
	await(t, out, "ready")
	if p.SignalKey('a') {
		t.Error("a key without a signal was sent as one")
	}
	if p.HasSignalKey([]byte("abc")) || !p.HasSignalKey([]byte("ab\x03c")) {
		t.Error("HasSignalKey does not find the key")
	}
	if !p.SignalKey(3) {
		t.Fatal("Ctrl-C has no signal")
	}
	await(t, out, "interrupted")

	p = sh(t, `trap 'echo interrupted' INT; stty -echo; echo ready; while :; do sleep 0.02; done`)
	out = bufio.NewReader(p)
	await(t, out, "ready")
	written := make(chan error)
	go func() {
		var err error
		for err == nil {
			_, err = p.Write([]byte(strings.Repeat("unread\n", 1000)))
		}
		written <- err
	}()
	for interrupted := false; !interrupted; { // once the writer waits
		if !p.SignalKey(3) {
			t.Fatal("Ctrl-C has no signal")
		}
		await(t, out, "interrupted")
		select {
		case err := <-written:
			interrupted = true
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("Write = %v", err)
			}
		default:
		}
	}
}

// The key of a signal does not get through while so much input before it is unread that the system
// holds it back, whether the program reads keys or lines.
func TestKeptSignalKey(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not tell")
	}
	for _, mode := range []string{"icanon", "-icanon", "icanon noflsh"} {
		p := sh(t, "trap 'echo interrupted' INT; stty -echo "+mode+"; echo ready; while :; do sleep 0.02; done")
		out := bufio.NewReader(p)
		await(t, out, "ready")
		if _, err := p.Write([]byte{3}); err != nil {
			t.Fatal(err)
		}
		await(t, out, "interrupted")
		if p.KeepsSignalKey() {
			t.Errorf("stty %s: a key that has got through is reported as kept", mode)
		}
		if _, err := p.Write([]byte(strings.Repeat("unread\n", 1000) + "\x03")); err != nil {
			t.Fatal(err)
		}
		if mode == "icanon noflsh" { // then unread input says nothing
			if p.KeepsSignalKey() {
				t.Errorf("stty %s: a key is reported as kept", mode)
			}
			continue
		}
		wait.Until(t, "the key is kept", p.KeepsSignalKey)
		if !p.SignalKey(3) {
			t.Fatal("Ctrl-C has no signal")
		}
		await(t, out, "interrupted")
		wait.Until(t, "what was unread has been dropped", func() bool { return !p.KeepsSignalKey() })
	}
}

func TestNoSignalKey(t *testing.T) {
	for _, mode := range []string{"raw", "-isig", "intr ''"} {
		p := sh(t, "stty "+mode+"; echo ready; sleep 1000")
		await(t, bufio.NewReader(p), "ready")
		for _, key := range []byte{0, 3} {
			if p.SignalKey(key) {
				t.Errorf("stty %s: key %d was sent as a signal", mode, key)
			}
			if p.HasSignalKey([]byte{'x', key}) {
				t.Errorf("stty %s: key %d counts as one for a signal", mode, key)
			}
		}
	}
}

// The job in the foreground is the shell, and then what it runs.
func TestForeground(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	p := sh(t, `set -m
echo shell; read x
cd '`+dir+`' && sh -c 'echo job $$; read x'
echo the shell again; read x
exit 5`)
	out := bufio.NewReader(p)
	await(t, out, "shell")
	f := p.Foreground()
	if f.PID != p.PID() || f.Name == "" {
		t.Errorf("the shell: %+v", f)
	}
	press := func() {
		t.Helper()
		if _, err := p.Write([]byte("\r")); err != nil {
			t.Fatal(err)
		}
	}
	press()
	pid := number(t, await(t, out, "job "))
	f = p.Foreground()
	if f.PID != pid || f.Name == "" || runtime.GOOS == "linux" && f.Dir != dir {
		t.Errorf("the job: %+v, want process %d in %s", f, pid, dir)
	}
	press()
	await(t, out, "the shell again")
	if f := p.Foreground(); f.PID != p.PID() {
		t.Errorf("the shell again: %+v", f)
	}
	press()
	p.Exit()
	must(t, p.Close())
	if f := p.Foreground(); f != (tty.Foreground{}) {
		t.Errorf("after the end: %+v", f)
	}
}

// A process is found by its arguments wherever it is in the job, and outside the job it is not. Its
// ancestors lead back to the program.
func TestFindInJob(t *testing.T) {
	const wanted = `sh -c 'echo at $$; read x; echo' wanted`
	for name, tt := range map[string]struct {
		script string
		found  bool
	}{
		"the program":       {"exec " + wanted, true},
		"behind a command":  {"cd / && " + wanted + "; echo", true},
		"in a script":       {"(" + wanted + "; echo); echo", true},
		"a job":             {"set -m; " + wanted + "; echo", true},
		"in the background": {"set -m; " + wanted + " & read x", false},
		"not an argument":   {"sh -c 'echo at $$; read x; echo' other", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sh(t, tt.script)
			pid := number(t, await(t, bufio.NewReader(p), "at "))
			match := func(args []string) bool { return len(args) > 0 && args[len(args)-1] == "wanted" }
			want := 0
			if tt.found {
				want = pid
			}
			for _, known := range []int{0, pid, p.PID(), os.Getpid()} {
				if got := p.FindInJob(known, match); got != want {
					t.Errorf("known %d: found %d, want %d", known, got, want)
				}
			}
			var chain []int
			for at, args := range pty.Ancestors(pid) {
				if chain = append(chain, at); len(args) == 0 {
					t.Errorf("process %d has no arguments", at)
				}
			}
			if want := os.Getpid(); !slices.Contains(chain, want) || pid != p.PID() && !slices.Contains(chain, p.PID()) {
				t.Errorf("ancestors %v lack %d or %d", chain, want, p.PID())
			}
			must(t, p.Kill(0))
			if got := p.FindInJob(pid, match); got != 0 {
				t.Errorf("after the end: found %d", got)
			}
		})
	}
}

// That no process of a job matches is known for a moment, unless its first process becomes another.
func TestFindInJobAgain(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not tell when a process becomes another")
	}
	p := sh(t, `echo at; read x; exec sh -c 'echo become; read x; echo' wanted`)
	r := bufio.NewReader(p)
	await(t, r, "at")
	looks := 0
	match := func(args []string) bool {
		looks++
		return args[len(args)-1] == "wanted"
	}
	wait.Until(t, "nothing is looked at", func() bool {
		before := looks
		if got := p.FindInJob(0, match); got != 0 {
			t.Fatalf("found %d", got)
		}
		return looks == before
	})
	wait.Until(t, "it is looked at again", func() bool {
		before := looks
		p.FindInJob(0, match)
		return looks > before
	})
	if _, err := p.Write([]byte("go\n")); err != nil {
		t.Fatal(err)
	}
	await(t, r, "become")
	if got := p.FindInJob(0, match); got != p.PID() {
		t.Errorf("found %d, want %d", got, p.PID())
	}
}

// What runs as another user may have a session and a terminal of its own.
func TestFindInJobOfAnotherUser(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("only root can run programs as another user here, without a password, and only Linux tells")
	}
	p := sh(t, `su -s /bin/sh -c 'echo at $$; read x; echo' nobody wanted; echo`)
	await(t, bufio.NewReader(p), "at ")
	if got := p.FindInJob(0, func(args []string) bool { return args[0] == "sh" && slices.Contains(args, "wanted") }); got == 0 || got == p.PID() {
		t.Errorf("found %d", got)
	}
}
