//go:build linux

package soak

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ui-mcp/internal/testkit"
)

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
	p.cmd.Env = append(os.Environ(), s.environment()...)
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
	s.started.Add(1)
	return p, nil
}

// kill ends the process at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

// terminate asks the process to end, and waits for it.
func (p *process) terminate(within time.Duration) error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.ended:
		return p.err
	case <-time.After(within):
		dump := ""
		if p.cmd.Process.Signal(syscall.SIGQUIT) == nil {
			select {
			case <-p.ended:
				dump = tail(p.log.String(), 20_000)
			case <-time.After(10 * time.Second):
			}
		}
		p.kill()
		return fmt.Errorf("it had not ended %s after SIGTERM: %s", within, dump)
	}
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

// usage is what a process holds.
type usage struct{ memory, descriptors, threads, children int }

// usageOf measures a process. It fails when the process has ended.
func usageOf(pid int) (u usage, err error) {
	dir := fmt.Sprintf("/proc/%d/", pid)
	files, err := os.ReadDir(dir + "fd")
	if err != nil {
		return u, err
	}
	status, err := os.ReadFile(dir + "status")
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		number, _, _ := strings.Cut(strings.TrimSpace(value), " ")
		n, err := strconv.Atoi(number)
		switch {
		case err != nil:
		case name == "VmRSS":
			u.memory = n << 10
		case name == "Threads":
			u.threads = n
		}
	}
	u.descriptors, u.children = len(files), len(childrenOf(pid))
	return u, nil
}

// childrenOf lists the child processes of a process.
func childrenOf(pid int) (list []int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is valid
	for _, file := range tasks {
		data, _ := os.ReadFile(file) // a thread may end meanwhile
		for _, word := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(word); err == nil {
				list = append(list, child)
			}
		}
	}
	return list
}
