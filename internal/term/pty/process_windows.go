package pty

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"github.com/charmbracelet/x/conpty"
	"golang.org/x/sys/windows"

	"ui-mcp/internal/fault"
)

// A Process is a program on a terminal. Read may be called from one goroutine,
// Write from another, everything else from anywhere.
type Process struct {
	pid    int
	handle windows.Handle
	job    windows.Handle // what the program starts is in it
	ended  chan struct{}  // closed when exit is set
	done   chan struct{}  // closed when the waiting goroutine has finished
	read   chan struct{}  // closed when Read has returned io.EOF

	exit Exit // valid once ended is closed

	eof    sync.Once
	mu     sync.Mutex // guards the terminal against use after Close
	con    *conpty.ConPty
	closed bool
}

// Start runs a program. The caller must Close the process. A directory or a
// program that does not exist is an error of kind Invalid.
func Start(o Options) (*Process, error) {
	if err := checkDir(o.Dir); err != nil {
		return nil, err
	}
	path, err := exec.LookPath(o.Path)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "cannot run %q", o.Path)
	}
	job, err := newJob()
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "make a job object")
	}
	con, err := conpty.New(o.Cols, o.Rows, 0)
	if err != nil {
		windows.CloseHandle(job)
		return nil, fault.Wrap(fault.Internal, err, "open a terminal")
	}
	pid, handle, err := con.Spawn(path, append([]string{path}, o.Args...), &syscall.ProcAttr{Dir: o.Dir, Env: o.Env})
	if err != nil {
		con.Close()
		windows.CloseHandle(job)
		return nil, fault.Wrap(fault.Internal, err, "run %q", o.Path)
	}
	p := &Process{
		pid: pid, handle: windows.Handle(handle), job: job, con: con,
		ended: make(chan struct{}), done: make(chan struct{}), read: make(chan struct{}),
	}
	// What the program starts before this line is not in the job. There is no
	// way to start it suspended through the library.
	if err := windows.AssignProcessToJobObject(job, p.handle); err != nil {
		_ = windows.TerminateProcess(p.handle, 1)
		windows.CloseHandle(p.handle)
		windows.CloseHandle(job)
		con.Close()
		return nil, fault.Wrap(fault.Internal, err, "put %q into its job object", o.Path)
	}
	go p.wait()
	return p, nil
}

// newJob makes a job object whose processes end when its handle is closed.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

// wait waits for the program. The pseudo-console would keep its output open, so
// it is closed, which writes out what is still in it.
func (p *Process) wait() {
	defer close(p.done)
	if _, err := windows.WaitForSingleObject(p.handle, windows.INFINITE); err != nil {
		p.exit.Code = -1
	}
	var code uint32
	if err := windows.GetExitCodeProcess(p.handle, &code); err == nil {
		p.exit.Code = int(code)
	}
	close(p.ended)
	windows.ClosePseudoConsole(windows.Handle(p.con.Fd()))
}

// PID returns the process ID of the program.
func (p *Process) PID() int { return p.pid }

// Ended returns a channel that is closed when the program has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Exit returns how the program ended. It blocks until then.
func (p *Process) Exit() Exit {
	<-p.ended
	return p.exit
}

// Read reads output. It returns io.EOF when there will be no more: when the
// program has ended and everything that it wrote has been read.
func (p *Process) Read(b []byte) (int, error) {
	n, err := p.con.Read(b)
	if err != nil || n == 0 {
		p.eof.Do(func() { close(p.read) })
		return 0, io.EOF
	}
	return n, nil
}

// Write writes input. It blocks while the program does not read.
func (p *Process) Write(b []byte) (int, error) {
	select {
	case <-p.ended:
		return 0, os.ErrClosed
	default:
		return p.con.Write(b)
	}
}

// Resize tells the program the terminal's new size.
func (p *Process) Resize(cols, rows int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ended:
		return fault.New(fault.Gone, "the program has ended")
	default:
	}
	return fault.Wrap(fault.Internal, p.con.Resize(cols, rows), "set the terminal's size")
}

// Asks reports whether the program has taken the keyboard for itself. A
// pseudo-console does not tell, so that is never known.
func (p *Process) Asks() bool { return false }

// Kill ends the program and all that belongs to it, at once: there is no signal
// that would ask them. It returns when the program has ended.
func (p *Process) Kill(time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	if err := windows.TerminateJobObject(p.job, 1); err != nil {
		return fault.Wrap(fault.Internal, err, "end the program")
	}
	<-p.ended
	return nil
}

// Close gives the terminal back. A program that still runs is killed at once.
// Someone must be reading until io.EOF: the system does not let go before.
func (p *Process) Close() error {
	err := p.Kill(0)
	<-p.done
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	return errors.Join(err, p.release())
}

// release closes what is left when the pseudo-console is closed already.
func (p *Process) release() error {
	err := errors.Join(
		windows.CloseHandle(windows.Handle(p.con.InPipeReadFd())),
		windows.CloseHandle(windows.Handle(p.con.OutPipeWriteFd())),
	)
	<-p.read // both writing ends are closed, so it comes
	return errors.Join(err,
		windows.CloseHandle(windows.Handle(p.con.InPipeWriteFd())),
		windows.CloseHandle(windows.Handle(p.con.OutPipeReadFd())),
		windows.CloseHandle(p.handle),
		windows.CloseHandle(p.job),
	)
}
