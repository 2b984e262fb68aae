//go:build linux

package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/term/pty"
)

// peerPatience is how long another program may take before the benchmark gives up.
const peerPatience = 2 * time.Minute

// peer returns a command that runs another program in a UTF-8 locale.
func peer(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), append(env, "LC_ALL=C.UTF-8", "SHELL=/bin/sh")...)
	return cmd
}

// output runs a command, which must succeed.
func output(b *testing.B, cmd *exec.Cmd) string {
	b.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("%q: %v\n%s", cmd.Args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// A pipe is a named pipe between a program on a terminal and the benchmark.
type pipe struct {
	b *testing.B
	*os.File
	lines *bufio.Reader
}

func newPipe(b *testing.B) pipe {
	b.Helper()
	path := filepath.Join(b.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		b.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0) // so that opening does not wait for the other end
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	return pipe{b, f, bufio.NewReader(f)}
}

// wants reads a line, which must be this one.
func (p pipe) wants(line string) {
	p.b.Helper()
	if err := p.SetReadDeadline(time.Now().Add(peerPatience)); err != nil {
		p.b.Fatal(err)
	}
	if got, err := p.lines.ReadString('\n'); err != nil || strings.TrimSpace(got) != line {
		p.b.Fatalf("the other program says %q (%v), want %q", got, err, line)
	}
}

// A peerFlood is a flood on another program's terminal.
type peerFlood struct {
	b       *testing.B
	out, in pipe // the command's output and input
	pid     int  // of the process that has the terminal
}

// command is the command on the terminal: it waits for its size and for "go", floods, and prints
// the terminal's size.
func (f peerFlood) command(p payload) string {
	size := fmt.Sprintf("%d %d", termRows, termCols)
	return fmt.Sprintf(`echo started >%s; until [ "$(stty size)" = %q ]; do sleep 0.01; done; echo sized >%[1]s; read go <%[3]s; cat %[4]s; stty size >%[1]s; exec sleep 1000`,
		f.out.Name(), size, f.in.Name(), p.path)
}

// run runs the flood and returns its cost.
func (f peerFlood) run() cost {
	f.b.Helper()
	start, cpu := time.Now(), cpuOf(f.b, f.pid)
	if _, err := io.WriteString(f.in, "go\n"); err != nil {
		f.b.Fatal(err)
	}
	f.out.wants(fmt.Sprintf("%d %d", termRows, termCols))
	return cost{time.Since(start), cpuOf(f.b, f.pid) - cpu}
}

// tmuxFlood sends a flood through a tmux server without a client. It returns false if tmux is not
// installed.
func tmuxFlood(b *testing.B, p payload) (cost, bool) {
	if _, err := exec.LookPath("tmux"); err != nil {
		return cost{}, false
	}
	tmux := func(args ...string) string {
		args = append([]string{"-L", "ui-mcp-bench", "-f", "/dev/null"}, args...)
		return output(b, peer(b.Context(), []string{"TMUX="}, "tmux", args...))
	}
	f := peerFlood{b: b, out: newPipe(b), in: newPipe(b)}
	tmux("new-session", "-d", "-x", strconv.Itoa(termCols), "-y", strconv.Itoa(termRows), "exec sleep 1000",
		";", "set-option", "-g", "history-limit", strconv.Itoa(termHistory))
	defer tmux("kill-server")
	var err error
	if f.pid, err = strconv.Atoi(tmux("display-message", "-p", "#{pid}")); err != nil {
		b.Fatal(err)
	}
	tmux("new-window", "-d", f.command(p)) // it gets the limit of the history
	f.out.wants("started")
	f.out.wants("sized")
	return f.run(), true
}

// screenFlood does the same with GNU screen. Its windows have 80x24 cells until a client attaches,
// and then that client's size: so a client attaches and detaches first.
func screenFlood(b *testing.B, p payload) (cost, bool) {
	bin, err := exec.LookPath("screen")
	if err != nil {
		return cost{}, false
	}
	dir := b.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil { // otherwise screen refuses the folder
		b.Fatal(err)
	}
	config := filepath.Join(dir, "screenrc")
	if err := os.WriteFile(config, []byte("startup_message off\ndeflogin off\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	env := []string{"SCREENDIR=" + dir, "SYSSCREENRC=" + os.DevNull, "SCREENRC=" + config, "TERM=xterm-256color", "STY="}
	screen := func(args ...string) *exec.Cmd {
		return peer(b.Context(), env, bin, append([]string{"-U", "-S", "ui-mcp-bench"}, args...)...)
	}
	f := peerFlood{b: b, out: newPipe(b), in: newPipe(b)}
	// With -D the server stays in the foreground, so the process that we start does the work.
	server := screen("-D", "-m", "-h", strconv.Itoa(termHistory), "/bin/sh", "-c", f.command(p))
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := server.Process.Signal(unix.SIGTERM); err != nil {
			b.Error(err)
		}
		_ = server.Wait() // the signal is its error
	}()
	f.pid = server.Process.Pid
	f.out.wants("started")

	client := screen("-r")
	look, err := pty.Start(pty.Options{Path: bin, Args: client.Args[1:], Env: client.Env, Cols: termCols, Rows: termRows})
	if err != nil {
		b.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = io.Copy(io.Discard, look) // until it has detached
	}()
	f.out.wants("sized")
	output(b, screen("-d"))
	<-over
	if err := look.Close(); err != nil {
		b.Fatal(err)
	}
	info := output(b, screen("-Q", "info"))
	for _, want := range []string{fmt.Sprintf("(%d,%d)+%d", termCols, termRows, termHistory), "UTF-8"} {
		if !strings.Contains(info, want) {
			b.Fatalf("screen's window is %q, want %q", info, want)
		}
	}
	return f.run(), true
}
