//go:build linux || darwin

package attach

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// guardTime is how long the end of a client waits for its guard.
const guardTime = 500 * time.Millisecond

// A guard is a process that restores the terminal when this one is killed. It reads from a pipe how
// to do so: the end of the pipe without the last message means that this process was killed. A nil
// guard does nothing.
type guard struct {
	cmd      *exec.Cmd
	pipe     *os.File
	settings struct{ saved, raw settings }
}

// A guardMessage tells a guard what to do at the end of the pipe.
type guardMessage struct {
	Saved, Raw *settings // nil: nothing is to be done
	Restore    []byte
}

// startGuard starts a guard of a terminal. Without one, a client that is killed leaves the terminal
// as it is, as most programs do: that is no reason not to attach.
func startGuard(command []string, t *terminal) *guard {
	if command == nil {
		return nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer r.Close()
	g := &guard{cmd: exec.Command(command[0], command[1:]...), pipe: w}
	g.settings.saved, g.settings.raw = t.saved, t.raw
	g.cmd.Stdin, g.cmd.Stdout = r, t.out
	g.cmd.Dir = "/"
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the terminal's signals are not for it
	if g.cmd.Start() != nil {
		w.Close()
		return nil
	}
	return g
}

// update tells the guard how to restore the terminal from now on; nil means that it need not.
func (g *guard) update(restore []byte) {
	switch {
	case g == nil:
	case restore == nil:
		g.send(guardMessage{})
	default:
		g.send(guardMessage{Saved: &g.settings.saved, Raw: &g.settings.raw, Restore: restore})
	}
}

// send sends a message. A guard that does not read, because it was stopped, is killed: the
// person's terminal must not wait for it.
func (g *guard) send(m guardMessage) {
	b, err := json.Marshal(m)
	if err != nil {
		return
	}
	_ = g.pipe.SetWriteDeadline(time.Now().Add(guardTime))
	if _, err := g.pipe.Write(b); err != nil {
		_ = g.cmd.Process.Kill()
	}
}

// end ends the guard: the terminal is restored.
func (g *guard) end() {
	if g == nil {
		return
	}
	g.update(nil)
	g.pipe.Close()
	tooLate := time.AfterFunc(guardTime, func() { _ = g.cmd.Process.Kill() })
	defer tooLate.Stop()
	_ = g.cmd.Wait()
}

// Guard is the process that startGuard starts: in is the pipe, and out the terminal. It returns
// when the client has ended, in whatever way.
func Guard(in io.Reader, out *os.File) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	var last guardMessage
	for d := json.NewDecoder(in); ; {
		var m guardMessage
		if d.Decode(&m) != nil {
			break
		}
		last = m
	}
	if last.Saved != nil {
		restore(out, last)
	}
}

// restore restores the terminal of a client that was killed. A shell may be using it already: then
// it has set the terminal up for itself.
func restore(out *os.File, m guardMessage) {
	now, err := unix.IoctlGetTermios(int(out.Fd()), getTermios)
	if err != nil {
		return // it is gone
	}
	_, _ = out.Write(m.Restore)
	if *now == *m.Raw {
		_ = setTerminal(out, m.Saved)
	}
}
