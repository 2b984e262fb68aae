//go:build linux

package soak

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"ui-mcp/internal/testkit"
)

// A server is a command that is run again and again. Each call to it belongs to one run: calls hold
// mu for reading, and faults that end and start the command for writing.
type server struct {
	s       *soak
	name    string
	mu      sync.RWMutex
	run     context.Context // of the calls, which end with the process
	cancel  context.CancelFunc
	process atomic.Pointer[process]
	before  usage // of the process, when it had started
}

// newServer returns a server that lets no call through before open.
func (s *soak) newServer(name string) *server {
	x := &server{s: s, name: name}
	x.mu.Lock()
	return x
}

// open lets calls through, after the process has started.
func (x *server) open() {
	x.run, x.cancel = context.WithCancel(context.Background())
	x.mu.Unlock()
}

// enter waits until a process serves, and begins a call, whose context ends with the process.
func (x *server) enter(ctx context.Context) (call context.Context, leave func(), err error) {
	x.mu.RLock()
	if err := ctx.Err(); err != nil {
		x.mu.RUnlock()
		return nil, nil, err
	}
	call, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(x.run, cancel)
	return call, func() {
		stop()
		cancel()
		x.mu.RUnlock()
	}, nil
}

// do makes a call that has an answer soon.
func (x *server) do(ctx context.Context, f func(ctx context.Context)) error {
	call, leave, err := x.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	call, cancel := context.WithTimeout(call, patience)
	defer cancel()
	f(call)
	return nil
}

// end ends the process by a signal, and returns with mu held when no call is under way any more.
func (x *server) end(signal syscall.Signal) error {
	p := x.process.Load()
	locked := make(chan struct{})
	go func() {
		x.mu.Lock() // calls that have not begun wait from now on
		close(locked)
	}()
	err := p.end(signal)
	x.cancel()
	<-locked
	return err
}

// pid is the process, or 0 before the first one.
func (x *server) pid() int {
	if p := x.process.Load(); p != nil {
		return p.cmd.Process.Pid
	}
	return 0
}

// A process is one run of a command.
type process struct {
	name  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	log   *testkit.Log
	ended chan struct{} // closed when it has ended; then err is set
	err   error
}

// launch starts a command with the environment of the soak.
func (s *soak) launch(name string, args ...string) (*process, error) {
	p := &process{name: name, log: &testkit.Log{}, ended: make(chan struct{})}
	p.cmd = exec.Command(args[0], args[1:]...)
	p.cmd.Stderr = p.log
	p.cmd.Env = append(os.Environ(),
		"DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=", "GOTRACEBACK=all", "HOME="+s.dir, "TMPDIR="+filepath.Join(s.dir, "tmp"),
		"XDG_RUNTIME_DIR="+s.dir, "XDG_CACHE_HOME="+filepath.Join(s.dir, "cache"), "SHELL=/bin/bash",
		heapVariable+"="+filepath.Join(s.dir, "heaps"), "GORACE=atexit_sleep_ms=0 log_path="+filepath.Join(s.dir, "race"))
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	reader, writer, err := os.Pipe() // Wait closes StdoutPipe, even if nobody has read all of it
	if err != nil {
		return nil, err
	}
	p.cmd.Stdout = writer
	err = p.cmd.Start()
	writer.Close()
	if err != nil {
		reader.Close()
		return nil, err
	}
	p.in, p.out = in, bufio.NewReaderSize(reader, 1<<16)
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// kill ends the process at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

// end ends the process by a signal. One that is asked to end must do so in time, and says why not.
func (p *process) end(signal syscall.Signal) error {
	if signal == syscall.SIGKILL {
		p.kill()
		return nil
	}
	_ = p.cmd.Process.Signal(signal) // it may have ended
	select {
	case <-p.ended:
		return p.err
	case <-time.After(patience):
	}
	_ = p.cmd.Process.Signal(syscall.SIGQUIT) // for a dump of its goroutines
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
	}
	p.kill()
	return fmt.Errorf("it had not ended %s after %s: %s", patience, signal, tail(p.log.String(), 20_000))
}

// awaitLine reads standard output up to a line with a prefix, returns the rest of that line up to a
// blank, and discards what follows.
func (p *process) awaitLine(prefix string) (string, error) {
	for {
		line, err := p.out.ReadString('\n')
		if err != nil {
			<-p.ended
			return "", fmt.Errorf("%s ended before it served: %v: %s", p.name, p.err, tail(p.log.String(), 2000))
		}
		if _, rest, ok := strings.Cut(line, prefix); ok {
			go func() { _, _ = io.Copy(io.Discard, p.out) }() // ends with the process
			word, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			return word, nil
		}
	}
}

func tail(s string, limit int) string { return s[max(0, len(s)-limit):] }
