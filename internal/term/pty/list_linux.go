package pty

import (
	"bytes"
	"errors"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/term/tty"
)

const getTermios = unix.TCGETS

// awaitExit waits until a child has ended, without reaping it, by a descriptor that the poller
// watches (pidfd_open(2), since Linux 5.3): a blocking wait would take a thread for each process.
func awaitExit(pid int) {
	if awaitDescriptor(pid) {
		return
	}
	for errors.Is(unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
}

// awaitDescriptor waits by a pidfd, and reports whether that worked.
func awaitDescriptor(pid int) bool {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	if err := unix.SetNonblock(fd, true); err != nil { // otherwise NewFile would not use the poller
		unix.Close(fd)
		return false
	}
	file := os.NewFile(uintptr(fd), "pidfd")
	defer file.Close()
	conn, err := file.SyscallConn()
	if err != nil {
		return false
	}
	ended := false
	err = conn.Read(func(fd uintptr) bool {
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(ready, 0)
		ended = n == 1
		return ended || err != nil && !errors.Is(err, unix.EINTR)
	})
	return err == nil && ended
}

// sessions returns all processes by session, without their groups. It fails if it may have missed
// one, as when this process has no descriptors left.
func sessions() (map[int][]member, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	all := map[int][]member{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if session, err := unix.Getsid(pid); err == nil { // much cheaper than reading the file
			all[session] = append(all[session], member{pid: pid})
		}
	}
	return all, nil
}

// processes returns the processes of a session, except zombies. It fails as sessions does.
func (c *census) processes(session int) ([]member, error) {
	found, err := c.of(session)
	if err != nil {
		return nil, err
	}
	var all []member
	for _, m := range found {
		fields, err := statOf(m.pid)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ESRCH) { // it has not ended
			return nil, err
		}
		if len(fields) < 4 || bytes.ContainsAny(fields[0], "ZX") || string(fields[3]) != strconv.Itoa(session) {
			continue // dead, or another process by now
		}
		if group, err := strconv.Atoi(string(fields[2])); err == nil {
			all = append(all, member{m.pid, group})
		}
	}
	return all, nil
}

// statOf returns what /proc/PID/stat has after the process's name, which can contain anything: its
// state, parent, group... See proc_pid_stat(5). There is nothing if it cannot be read.
func statOf(pid int) ([][]byte, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]), err
}

// disabledKey is the value of a special character that is switched off (_POSIX_VDISABLE).
const disabledKey = 0

// flushInput drops the input that a program on the terminal has not read.
func flushInput(master int) {
	_ = atPeer(master, func(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) })
}

// unread returns how many bytes of input a program on the terminal could read at once: at most
// about 4 KiB, however much there is, and only whole lines if it reads those.
func unread(master int) (n int) {
	_ = atPeer(master, func(fd int) (err error) {
		n, err = unix.IoctlGetInt(fd, unix.TIOCINQ)
		return err
	})
	return n
}

// atPeer calls f with the program's end of a terminal, since some things can be done only there.
func atPeer(master int, f func(fd int) error) error {
	const flags = unix.O_RDWR | unix.O_NOCTTY | unix.O_NONBLOCK | unix.O_CLOEXEC
	peer, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(master), unix.TIOCGPTPEER, flags)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(peer))
	return f(int(peer))
}

// describe describes a process, and returns the zero value if there is none.
func describe(pid int) tty.Foreground {
	at := "/proc/" + strconv.Itoa(pid)
	name, err := os.ReadFile(at + "/comm")
	if err != nil {
		return tty.Foreground{}
	}
	dir, err := os.Readlink(at + "/cwd")
	if err != nil {
		dir = "" // of another user
	}
	return tty.Foreground{PID: pid, Name: string(bytes.TrimSuffix(name, []byte("\n"))), Dir: dir}
}

// image returns a number for what a process has executed last, from /proc/PID/stat: the addresses
// of its code and stack, which the system chooses by chance. It is 0 if that is not known.
func image(pid int) uint64 {
	const first, last = 23, 25 // startcode, endcode, startstack
	fields, _ := statOf(pid)
	if len(fields) <= last || string(fields[last]) == "0" {
		return 0 // of another user
	}
	h := fnv.New64a()
	for _, f := range fields[first : last+1] {
		_, _ = h.Write(append(f, ' ')) // it never fails
	}
	return h.Sum64()
}

// maxCommand is how much of a command is read, in bytes.
const maxCommand = 4 << 10

// clockTick is the unit of times in /proc, which is the same on all of Go's platforms.
const clockTick = time.Second / 100

// command returns what a process executes, given the name of the terminal.
func command(pid int, terminal string) tty.Command {
	args := arguments(pid)
	if args == nil {
		return tty.Command{}
	}
	c := tty.Command{Args: args, Fed: isFed("/proc/"+strconv.Itoa(pid)+"/fd/0", terminal)}
	const startTime = 19
	if fields, _ := statOf(pid); len(fields) > startTime {
		if ticks, err := strconv.ParseInt(string(fields[startTime]), 10, 64); err == nil {
			c.Started = booted().Add(time.Duration(ticks+1) * clockTick)
		}
	}
	return c
}

// arguments returns the arguments of a process, or nil.
func arguments(pid int) []string {
	line, err := readStart("/proc/"+strconv.Itoa(pid)+"/cmdline", maxCommand)
	if err != nil {
		return nil
	}
	return splitArgs(line)
}

// parent returns the process that has started another one, or 0.
func parent(pid int) int {
	fields, _ := statOf(pid)
	if len(fields) < 2 {
		return 0
	}
	n, _ := strconv.Atoi(string(fields[1])) // else 0
	return n
}

// children returns the processes that a thread of a process has started, given its folder.
func children(thread string) (pids []int, err error) {
	text, err := os.ReadFile(thread + "/children")
	for _, child := range bytes.Fields(text) {
		if pid, err := strconv.Atoi(string(child)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids, err
}

// asOthers start a program as another user, maybe in a session and a terminal of its own.
var asOthers = []string{"sudo", "su", "doas", "runuser"}

// findInJob looks at a process, at what it has started in its group, and at what those did that run
// it as another user.
func findInJob(first, group int, match func(args []string) bool) int {
	for left, next := maxJob, []int{first}; len(next) > 0 && left > 0; left-- {
		pid := next[0]
		next = next[1:]
		args := arguments(pid)
		if len(args) == 0 {
			continue
		}
		if match(args) {
			return pid
		}
		isOther := slices.Contains(asOthers, path.Base(args[0]))
		threads, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*")
		for _, thread := range threads[:min(len(threads), maxJob)] {
			started, _ := children(thread) // none
			for _, child := range started {
				if at, err := unix.Getpgid(child); err == nil && (at == group || isOther) {
					next = append(next, child)
				}
			}
		}
	}
	return 0
}

// booted returns when the system was started. It reads two clocks, and something else may run in
// between, for longer than a program takes to start: then it reads them again. What is left makes
// the result too early, so that no process seems to have begun after what it has read.
func booted() (at time.Time) {
	for range 10 {
		now := time.Now()
		var up unix.Timespec
		if unix.ClockGettime(unix.CLOCK_BOOTTIME, &up) != nil {
			return at
		}
		if at = now.Add(-time.Duration(up.Nano())); time.Since(now) < time.Millisecond {
			break
		}
	}
	return at
}

// isFed reports whether a file that a process has open is not the terminal. It is false if that is
// not known, as of processes of other users.
func isFed(file, terminal string) bool {
	var input, own unix.Stat_t
	if unix.Stat(file, &input) != nil || unix.Stat(terminal, &own) != nil {
		return false
	}
	return input.Mode&unix.S_IFMT != unix.S_IFCHR || input.Rdev != own.Rdev
}

func readStart(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}
