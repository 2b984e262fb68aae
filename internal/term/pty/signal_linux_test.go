package pty_test

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
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
