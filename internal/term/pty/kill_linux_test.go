package pty_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/testkit/wait"
)

// A program that ignores SIGHUP is not waited for.
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
			must(t, p.Kill(10*time.Minute))
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("Kill took %v", took)
			}
			if e := p.Exit(); e.Signal != tt.signal {
				t.Errorf("exit %+v, want by %q", e, tt.signal)
			}
		})
	}
}

// A shell that has just started ends, even if it was started with SIGHUP ignored.
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
				p := start(t, pty.Options{Path: "/bin/sh", Args: []string{"-c", "trap '' HUP; exec " + shell + " -i"}, Env: env, Cols: 80, Rows: 24})
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

func TestParseIgnored(t *testing.T) {
	for status, want := range map[string]uint64{
		"": 0, "SigIgn:": 0, "SigIgn:\tx\n": 0, "Name:\tSigIgn:\nSigIgn:\t0000000000001001\nSigCgt:\t1\n": 0x1001,
	} {
		if got := pty.ParseIgnored([]byte(status)); got != want {
			t.Errorf("%q: %x, want %x", status, got, want)
		}
	}
}
