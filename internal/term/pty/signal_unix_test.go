//go:build linux || darwin

package pty_test

import (
	"bufio"
	"testing"

	"ui-mcp/internal/fault"
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
	if err := p.Signal("usr1"); err != nil {
		t.Fatal(err)
	}
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
	if err := p.Signal("SIGINT"); err != nil {
		t.Fatal(err)
	}
	await(t, out, "job interrupted")
	await(t, out, "the shell goes on")
	if e := p.Exit(); e.Code != 5 {
		t.Errorf("exit %+v", e)
	}
}
