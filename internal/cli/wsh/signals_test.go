//go:build unix

package wsh

import (
	"bufio"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/cli/wsh/caller"
)

// Signals that ask "wsh run" to end reach its command: "timeout", supervisors and a terminal that
// is closed end it as they would without wsh. A session with a name stays when its terminal is
// closed, and any after KILL: it can be found and killed.
func TestRunPassesSignalsOn(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	for _, tt := range []struct {
		name    string
		signal  syscall.Signal
		command string
		session string
		status  int
		output  string // after the line that says that the command runs
		stays   bool
	}{
		{"TERM", syscall.SIGTERM, "trap '' INT; echo ready; exec sleep 1000", "", 143, "", false},
		{"TERM, caught", syscall.SIGTERM, "trap 'echo caught; exit 7' TERM; echo ready; while :; do read x; done", "", 7, "caught\n", false},
		{"TERM, named", syscall.SIGTERM, "trap '' INT; echo ready; exec sleep 1000", "named", 143, "", false},
		{"HUP", syscall.SIGHUP, "trap '' INT; echo ready; exec sleep 1000", "", 129, "", false},
		{"HUP, named", syscall.SIGHUP, "echo ready; exec sleep 1000", "closed", 129, "", true},
		{"KILL", syscall.SIGKILL, "echo ready; exec sleep 1000", "", -1, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"run"}
			if tt.session != "" {
				args = append(args, "--name", tt.session)
			}
			rest, status := ended(t, tt.signal, append(args, "--", tt.command)...)
			if status != tt.status || rest != tt.output {
				t.Errorf("status %d, want %d; output %q, want %q", status, tt.status, rest, tt.output)
			}
			_, sessions := d.ask("GET", "/sessions", "")
			if got := strings.Contains(sessions, `"running":true`); got != tt.stays {
				t.Errorf("a program runs: %v, want %v: %s", got, tt.stays, sessions)
			}
			if tt.stays {
				must(t, "kill", "--all")
			}
		})
	}
}

// ended starts a command that says first that it is ready, and sends it a signal then. It returns
// what comes after that, and the status.
func ended(t *testing.T, signal syscall.Signal, args ...string) (rest string, status int) {
	t.Helper()
	cmd := wshCommand(t, args...)
	cmd.Stderr = t.Output()
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	if line, err := out.ReadString('\n'); line != "ready\n" {
		t.Errorf("the first line is %q, %v", line, err)
	}
	if err := cmd.Process.Signal(signal); err != nil {
		t.Error(err)
	}
	after, _ := io.ReadAll(out) // until the process has ended
	_ = cmd.Wait()              // its status is in ProcessState
	return string(after), cmd.ProcessState.ExitCode()
}

// When the server goes, "wsh run" fails, and says so in one line.
func TestRunWithoutServer(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			d := newHost(t)
			p := sit(t, 80, 8, `"$WSH" run -- 'echo ready; exec sleep 1000'; echo "status $?"; cat`)
			p.seesLine("ready")
			if err := d.server.cmd.Process.Signal(signal); err != nil {
				t.Error(err)
			}
			p.seesLine("status 1")
			text := strings.TrimSpace(strings.Join(p.lines(), "\n"))
			if lines := strings.Split(text, "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], "wsh: the server is ") {
				t.Errorf("the terminal has\n%s", text)
			}
		})
	}
}

// A command that a signal ends while it waits has the status that shells give to that signal.
func TestStatusOfSignals(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"echo ready; exec sleep 1000"}`)
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGQUIT: 131} {
		if _, status := ended(t, signal, "watch", "a"); status != want {
			t.Errorf("%v: status %d, want %d", signal, status, want)
		}
	}
}

// Ctrl-C ends a command that reads standard input at once, and what it has read is not typed.
func TestInterruptReading(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"exec sleep 1000"}`)
	read := strings.Repeat("a", 256<<10) // more than a pipe holds, so that writing it ends when most of it was read
	cmd := wshCommand(t, "send", "a", "-")
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, read); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // its status is in ProcessState
	if got := cmd.ProcessState.ExitCode(); got != caller.ExitInterrupted {
		t.Errorf("status %d, want %d", got, caller.ExitInterrupted)
	}
	if typed := must(t, "typed", "a"); typed != "" {
		t.Errorf("it has typed %q", typed)
	}
}
