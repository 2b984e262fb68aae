//go:build linux || darwin

package wsh

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"syscall"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/testkit/wait"
)

// interruptedAt runs a command, which Ctrl-C interrupts at the moment when the server answers with
// a text. The answer arrives after that.
func (d *host) interruptedAt(answer string, args ...string) (out string, status int) {
	d.t.Helper()
	ctx, cancel := context.WithCancelCause(d.t.Context())
	defer cancel(nil)
	socket, _ := d.proxy(func(b []byte) []byte {
		if bytes.Contains(b, []byte(answer)) {
			cancel(caller.EndSignal(syscall.SIGINT))
		}
		return b
	})
	var stdout, stderr bytes.Buffer
	status = Run(ctx, "dev", append([]string{"--socket", socket}, args...), vars(d.t), commandline.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
	return stdout.String() + stderr.String(), status
}

// Ctrl-C while the session of "wsh run" is being made reaches its command, or the person learns the
// session's name: no command runs on of which nobody is told.
func TestInterruptStartOfRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		flags string
		says  string // the name, of what goes on
	}{{"", ""}, {"--name named", ""}, {"-b", "0\n"}} {
		t.Run(tt.flags, func(t *testing.T) {
			d := newHost(t)
			args := append(append([]string{"run"}, strings.Fields(tt.flags)...), "--", "exec sleep 1000")
			out, status := d.interruptedAt("201 Created", args...)
			if status != caller.ExitInterrupted || tt.says != "" && out != tt.says {
				t.Errorf("status %d, want %d: %s", status, caller.ExitInterrupted, out)
			}
			if _, list := d.ask("GET", "/sessions", ""); strings.Contains(list, `"running":true`) != (tt.says != "") {
				t.Errorf("the sessions are %s", list)
			}
		})
	}
}

// A recording that is interrupted while it begins is not left running in the session.
func TestInterruptStartOfRecording(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"exec sleep 1000"}`)
	d.interruptedAt(`"recording":true`, "record", "a", "-")
	if _, session := d.ask("GET", "/sessions/a", ""); !strings.Contains(session, `"recording":false`) {
		t.Errorf("the recording goes on: %s", session)
	}
}

// A session that is interrupted while it is being made goes on, and the person learns its name.
func TestInterruptStartOfSession(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	var once sync.Once
	interrupt := make(chan struct{})
	passed := make(chan struct{})
	socket, _ := d.proxy(func(b []byte) []byte {
		if bytes.Contains(b, []byte(`"protocol"`)) { // the server has made it
			once.Do(func() { close(interrupt); <-passed })
		}
		return b
	})
	p := sit(t, 60, 8, `trap : INT; "$WSH" --socket `+socket+` --name made -c 'exec sleep 1000'; echo "status $?"; cat`)
	wait.For(t, "the session", interrupt)
	p.types("\x03")
	p.sees("^C") // the terminal's own driver has seen it
	close(passed)
	p.sees("[detached from made: wsh attach")
	p.seesLine("status 0")
	if !d.isThere("made") {
		t.Error("the session is gone")
	}
}
