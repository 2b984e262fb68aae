package pty

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/sys/windows"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/tty"
)

// A Process is a program on a terminal. One goroutine at a time may call Read, and one Write; the
// other methods are safe for concurrent use.
type Process struct {
	pid     int
	console *console
	process windows.Handle
	job     job
	command tty.Command
	ended   chan struct{} // closed when exit is set
	done    chan struct{} // closed when the waiting goroutine has finished

	exit tty.Exit // valid once ended is closed

	mu     sync.Mutex // guards closed, and the job against use after closing
	closed bool
}

// Start runs a program. The caller must Close the process. A directory or a program that does not
// exist is an error of kind Invalid.
func Start(o Options) (*Process, error) {
	if err := checkDir(o.Dir); err != nil {
		return nil, err
	}
	path, err := exec.LookPath(o.Path)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "cannot run %q", o.Path)
	}
	p := &Process{command: tty.Command{Args: append([]string{path}, o.Args...), Started: time.Now()}, ended: make(chan struct{}), done: make(chan struct{})}
	if p.job, err = newJob(); err != nil {
		return nil, err
	}
	if p.console, err = newConsole(o.Cols, o.Rows); err != nil {
		return nil, errors.Join(err, p.job.close())
	}
	if err := p.start(path, o); err != nil {
		// There is no output yet that would have to be read first.
		p.console.end()
		return nil, errors.Join(err, p.console.in.Close(), p.console.out.Close(), p.job.close())
	}
	go p.wait()
	return p, nil
}

// start creates the process. The process runs only once it is in its job, so that the job contains
// everything it starts.
func (p *Process) start(path string, o Options) error {
	process, thread, pid, err := spawn(path, o, p.console.handle)
	if err != nil {
		kind := fault.Internal
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) || errors.Is(err, windows.ERROR_BAD_EXE_FORMAT) {
			kind = fault.Invalid
		}
		return fault.Wrap(kind, err, "cannot run %q", o.Path)
	}
	defer windows.CloseHandle(thread)
	if err = p.job.add(process); err == nil {
		_, err = windows.ResumeThread(thread)
	}
	if err != nil {
		return errors.Join(fault.Wrap(fault.Internal, err, "run %q in its job object", o.Path),
			windows.TerminateProcess(process, 1), windows.CloseHandle(process))
	}
	p.process, p.pid = process, pid
	return nil
}

// wait waits for the program, and then ends the pseudo-console: that flushes its output, and
// otherwise the output would never end.
func (p *Process) wait() {
	defer close(p.done)
	var code uint32
	_, err := windows.WaitForSingleObject(p.process, windows.INFINITE)
	if err == nil {
		err = windows.GetExitCodeProcess(p.process, &code)
	}
	p.exit.Code = int(code)
	if err != nil {
		p.exit.Code = -1 // unknown
	}
	close(p.ended)
	p.console.end()
}

// PID returns the process ID of the program.
func (p *Process) PID() int { return p.pid }

// Ended returns a channel that is closed when the program has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Exit returns how the program ended. It blocks until then.
func (p *Process) Exit() tty.Exit {
	<-p.ended
	return p.exit
}

// Read reads output. It returns io.EOF when the program has ended and all its output has been read.
func (p *Process) Read(b []byte) (int, error) {
	n, err := p.console.out.Read(b)
	if n > 0 {
		return n, nil
	}
	if err != nil {
		return 0, io.EOF // the pipe is broken or closed; there is no other error
	}
	return 0, nil
}

// Write writes input. It blocks while the program does not read, until the program ends or Close.
func (p *Process) Write(b []byte) (int, error) { return p.console.in.Write(b) }

// WriteNow writes nothing: input goes through a pipe on which a write may block.
func (p *Process) WriteNow([]byte) int { return 0 }

// Resize tells the program the terminal's new size.
func (p *Process) Resize(cols, rows int) error { return p.console.resize(cols, rows) }

// Mode is unknown: a pseudo-console does not tell.
func (p *Process) Mode() tty.Mode { return tty.ModeUnknown }

// HasOutput reports whether there is output that has not been read: here, that is unknown.
func (p *Process) HasOutput() bool { return false }

// HasInput reports whether there is input that no program has read: here, that is unknown.
func (p *Process) HasInput() bool { return false }

// Reads is unknown: a pseudo-console does not tell.
func (p *Process) Reads() tty.Reading { return tty.ReadingUnknown }

// Kill ends the program and all its processes at once: there is no signal that would ask them to.
// It returns when none are left, or an error of kind Internal if one cannot be killed. If the
// program has already ended, Kill ends the processes that it left behind.
func (p *Process) Kill(time.Duration) error {
	if err := p.kill(); err != nil {
		return err
	}
	<-p.ended
	return nil
}

func (p *Process) kill() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	return p.job.kill()
}

// Close closes the terminal, which interrupts Read and Write, and kills a running program at once.
func (p *Process) Close() error {
	if err := p.Kill(0); err != nil {
		return err // the program is still there, so waiting would not end
	}
	// The system may not close the pseudo-console until its output has been read.
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(io.Discard, p.console.out)
	}()
	<-p.done
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		<-read
		return nil
	}
	p.closed = true
	err := errors.Join(p.console.in.Close(), p.console.out.Close())
	<-read
	return errors.Join(err, windows.CloseHandle(p.process), p.job.close())
}
