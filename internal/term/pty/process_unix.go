//go:build linux || darwin

package pty

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/tty"
)

// A Process is a program on a terminal. One goroutine at a time may call Read, and one Write; the
// other methods are safe for concurrent use.
type Process struct {
	cmd      *exec.Cmd
	master   *os.File
	terminal string        // name of the program's end
	ended    chan struct{} // closed when exit is set
	done     chan struct{} // closed when the waiting goroutine has finished
	started  time.Time

	exit tty.Exit // valid once ended is closed

	polled  bool // deadlines work: the poller supports terminals here
	dry     bool // a read after the end would have blocked; used by Read only
	drained int  // bytes read after the end; used by Read only

	// mu guards reaped, and is held while the program's process ID must stay valid: the system may
	// reuse it once the program is reaped and its session is empty.
	mu     sync.Mutex
	reaped bool

	list func(session int) ([]member, error) // the processes of a session; called with mu held

	unmatched atomic.Pointer[unmatched] // the last one, if any
}

// Start runs a program. The caller must Close the process. A directory or a program that does not
// exist is an error of kind Invalid.
func Start(o Options) (*Process, error) {
	stopInheritance()
	if err := checkDir(o.Dir); err != nil {
		return nil, err
	}
	master, slave, err := open(o.Cols, o.Rows)
	if err != nil {
		return nil, err
	}
	defer slave.Close()
	p := &Process{master: master, terminal: slave.Name(), ended: make(chan struct{}), done: make(chan struct{}), started: time.Now(), list: everyone.processes}
	p.polled = master.SetDeadline(time.Time{}) == nil
	p.cmd = exec.Command(o.Path, o.Args...)
	p.cmd.Dir, p.cmd.Env = o.Dir, o.Env
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = slave, slave, slave
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if err := p.cmd.Start(); err != nil {
		master.Close()
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
			return nil, fault.Wrap(fault.Invalid, err, "cannot run %q", o.Path)
		}
		if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM) {
			return nil, fault.Wrap(fault.Exhausted, err, "the system cannot start another process")
		}
		return nil, fault.Wrap(fault.Internal, err, "run %q", o.Path)
	}
	go p.wait()
	return p, nil
}

func open(cols, rows int) (master, slave *os.File, err error) {
	m, slave, err := pty.Open()
	if err != nil {
		kind := fault.Internal
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOSPC) {
			kind = fault.Exhausted
		}
		return nil, nil, fault.Wrap(kind, err, "open a terminal")
	}
	defer m.Close()
	// The library leaves the file in blocking mode, in which a reader occupies a thread and cannot
	// be interrupted. A duplicate goes to the poller instead.
	fd, err := unix.FcntlInt(m.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		if err = unix.SetNonblock(fd, true); err != nil {
			unix.Close(fd)
		}
	}
	if err != nil {
		slave.Close()
		return nil, nil, fault.Wrap(fault.Internal, err, "open a terminal")
	}
	master = os.NewFile(uintptr(fd), m.Name())
	if master.SetDeadline(time.Time{}) != nil { // the poller does not support terminals here
		_ = unix.SetNonblock(fd, false)
	}
	if err := setSize(master, cols, rows); err != nil {
		master.Close()
		slave.Close()
		return nil, nil, err
	}
	return master, slave, nil
}

func setSize(f *os.File, cols, rows int) error {
	return control(f, "set the terminal's size", func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(cols)})
	})
}

// control calls f with the file's descriptor, which stays registered with the poller.
func control(file *os.File, doing string, f func(fd int) error) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return fault.Wrap(fault.Internal, err, "%s", doing)
	}
	var failed error
	if err := conn.Control(func(fd uintptr) { failed = f(int(fd)) }); err != nil {
		return fault.Wrap(fault.Gone, err, "%s", doing)
	}
	return fault.Wrap(fault.Internal, failed, "%s", doing)
}

// wait waits for the program, and then sends SIGHUP to the processes that it left behind.
func (p *Process) wait() {
	defer close(p.done)
	awaitExit(p.PID())
	p.mu.Lock()
	left, _ := p.members() // at least the program's own group
	p.signal(left, syscall.SIGHUP)
	_ = p.cmd.Wait() // the result is in ProcessState
	p.reaped = true
	p.mu.Unlock()
	status := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		p.exit = tty.Exit{Code: 128 + int(status.Signal()), Signal: unix.SignalName(status.Signal())}
	} else {
		p.exit = tty.Exit{Code: status.ExitStatus()}
	}
	_ = p.master.SetReadDeadline(time.Now()) // interrupts Read, which then drains
	close(p.ended)
}

// PID returns the process ID of the program.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Ended returns a channel that is closed when the program has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Exit returns how the program ended. It blocks until then.
func (p *Process) Exit() tty.Exit {
	<-p.ended
	return p.exit
}

// Read reads output. It returns io.EOF when the program has ended and all its output has been read.
func (p *Process) Read(b []byte) (int, error) {
	for {
		over := false
		select {
		case <-p.ended:
			over = true // so the output that is there now is all
		default:
		}
		if over && p.polled {
			return p.drain(b)
		}
		n, err := p.master.Read(b)
		if n > 0 {
			return n, nil
		}
		if over || errors.Is(err, os.ErrClosed) {
			return 0, io.EOF
		}
		// Linux reports EIO while nobody has the terminal open. The program may open it again.
		select {
		case <-p.ended:
		case <-time.After(reopenTime):
		}
	}
}

// drain reads the output that is left when the program has ended. Processes that it left behind can
// keep the terminal open and write to it without end. So once a read would block, the rest must
// come within drainTime, and no more than drainSize is read at all.
func (p *Process) drain(b []byte) (int, error) {
	if p.drained >= drainSize {
		return 0, io.EOF
	}
	if !p.dry {
		_ = p.master.SetReadDeadline(time.Time{}) // wait's has done its work
		if n := p.readNow(b); n > 0 {
			p.drained += n
			return n, nil
		}
		p.dry = true
		_ = p.master.SetReadDeadline(time.Now().Add(drainTime))
	}
	n, _ := p.master.Read(b)
	p.drained += n
	if n > 0 {
		return n, nil
	}
	return 0, io.EOF // there is no more, or the time is over
}

// readNow reads output without waiting for it.
func (p *Process) readNow(b []byte) (n int) {
	conn, err := p.master.SyscallConn()
	if err != nil {
		return 0
	}
	_ = conn.Read(func(fd uintptr) bool {
		n, _ = unix.Read(int(fd), b)
		return true
	})
	return max(n, 0)
}

// Write writes input. It blocks while the program does not read, until Close or SignalKey.
func (p *Process) Write(b []byte) (int, error) {
	_ = p.master.SetWriteDeadline(time.Time{}) // SignalKey sets one
	return p.master.Write(b)
}

// WriteNow writes as much input as the program has room for, and returns how much that is, in
// bytes. It does not block, and must not be called while Write is. It may write nothing although
// there is room: then Write does.
func (p *Process) WriteNow(b []byte) (n int) {
	if !p.polled {
		return 0
	}
	conn, err := p.master.SyscallConn()
	if err != nil {
		return 0
	}
	_ = conn.Write(func(fd uintptr) bool {
		n, _ = unix.Write(int(fd), b)
		return true
	}) // Write reports errors
	return max(n, 0)
}

// Resize tells the program the terminal's new size.
func (p *Process) Resize(cols, rows int) error { return setSize(p.master, cols, rows) }

// Kill ends the program and all its processes. It sends SIGHUP; after half a second, or half of the
// grace time, SIGHUP and SIGTERM, since a program may miss or ignore a signal; and SIGKILL after
// all of it. Kill returns when none are left, or an error of kind Internal if one cannot be killed.
// If the program has already ended, Kill does nothing.
func (p *Process) Kill(grace time.Duration) error {
	if err := p.kill(grace); err != nil {
		return err
	}
	<-p.ended
	return nil
}

func (p *Process) kill(grace time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return nil
	}
	all, _ := p.members() // at least the program
	begin := time.Now()
	var killed time.Time // when SIGKILL was sent first
	p.signal(all, syscall.SIGHUP)
	// A shell that starts may ignore SIGHUP for a moment, or lose it before it waits for its first
	// key: it gets it again. Others get it once: some do not survive it twice.
	again, termed := hangTime, false
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		// How long that takes depends on the machine. What it finds has had the time until now.
		looked := time.Now()
		left, err := p.members()
		if len(left) == 0 {
			return nil
		}
		d := time.Since(begin)
		switch {
		case !killed.IsZero() && looked.Sub(killed) > killTime:
			if err != nil {
				return fault.Wrap(fault.Internal, err, "the processes of a program that was killed cannot be listed")
			}
			return fault.New(fault.Internal, "process %d has not ended %v after SIGKILL: it is blocked in the kernel, or the machine is very busy", left[0].pid, killTime)
		case d >= grace:
			p.signal(left, syscall.SIGKILL)
			if killed.IsZero() {
				killed = time.Now()
			}
		case d >= min(termTime, grace/2) && !termed:
			termed = true
			p.signal(left, syscall.SIGHUP)
			p.signal(left, syscall.SIGTERM)
		case d >= again && begin.Sub(p.started) < startTime:
			again = d + hangTime
			p.signal(left, syscall.SIGHUP)
		}
		time.Sleep(pause)
	}
}

const (
	startTime = 2 * time.Second        // that programs may take to start
	hangTime  = 100 * time.Millisecond // between two SIGHUP to one that starts
	termTime  = 500 * time.Millisecond // before SIGTERM
)

// Close closes the terminal, which interrupts Read and Write, and kills a running program at once.
func (p *Process) Close() error {
	var failed error
	select {
	case <-p.ended:
	default:
		failed = p.Kill(0)
	}
	err := p.master.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if failed != nil {
		return failed // the program is still there, so waiting would not end
	}
	<-p.done
	return err
}

// The limits of reading when the program has ended, but processes that it left behind keep the
// terminal open. The system keeps much less than drainSize for the reader.
const (
	drainTime = 250 * time.Millisecond
	drainSize = 1 << 20
)

// reopenTime is how long to wait before reading again from a terminal that nobody has open.
const reopenTime = 20 * time.Millisecond

// A member is a process of the program's session.
type member struct{ pid, group int }

// members returns the live processes of the program's session, and with an error the program alone,
// which may have ended. The caller must hold mu, and the program must not have been reaped.
func (p *Process) members() ([]member, error) {
	list, err := p.list(p.PID())
	if err != nil {
		return []member{{p.PID(), p.PID()}}, err
	}
	return list, nil
}

// signal signals the process groups of the given processes, and continues stopped ones.
func (p *Process) signal(to []member, s syscall.Signal) {
	done := map[int]bool{}
	for _, m := range to {
		if done[m.group] || m.group <= 1 {
			continue
		}
		done[m.group] = true
		_ = syscall.Kill(-m.group, s) // the group may be gone
		if s != syscall.SIGKILL {
			_ = syscall.Kill(-m.group, syscall.SIGCONT)
		}
	}
}
