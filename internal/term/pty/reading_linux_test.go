package pty_test

import (
	"bufio"
	"os/exec"
	"testing"

	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/testkit/wait"
)

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
