//go:build linux || darwin

package pty

import (
	"iter"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/term/tty"
)

// Image returns a number for what the process of the program executes: another one after exec, by
// which a shell puts another program into its place. It is 0 if the system does not tell, and when
// the program has ended. It does not block.
func (p *Process) Image() uint64 {
	if !p.mu.TryLock() {
		return 0
	}
	defer p.mu.Unlock()
	if p.reaped {
		return 0
	}
	return image(p.PID())
}

// Command returns what the foreground job's first process executes, if any. It does not block.
func (p *Process) Command() tty.Command {
	if pid := p.Foreground().PID; pid != 0 {
		return command(pid, p.terminal)
	}
	return tty.Command{}
}

// maxJob bounds how many processes of a job are looked at, and how many ancestors a process has.
const maxJob = 256

// FindInJob returns a process of the foreground job whose arguments match, or 0: the known one if
// it still does, else the first, before those that it has started. It does not block. That there is
// none is remembered for a moment, since a job may have many processes: all calls are to look for
// the same.
func (p *Process) FindInJob(known int, match func(args []string) bool) int {
	first := p.Foreground().PID
	group, err := unix.Getpgid(first)
	if first == 0 || err != nil {
		return 0
	}
	if at, err := unix.Getpgid(known); known != 0 && err == nil && at == group && match(arguments(known)) {
		return known
	}
	now := unmatched{group, image(first), time.Now()}
	if was := p.unmatched.Load(); was != nil && now.image != 0 && now.job == was.job && now.image == was.image && now.at.Sub(was.at) < time.Second {
		return 0
	}
	found := findInJob(first, group, match)
	if found == 0 {
		p.unmatched.Store(&now)
	}
	return found
}

// An unmatched is a job in which no process matched, as its first process was then.
type unmatched struct {
	job   int
	image uint64
	at    time.Time
}

// Ancestors returns the processes that have started a process, and the one, and so on, each with
// its arguments.
func Ancestors(pid int) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		for range maxJob {
			if pid = parent(pid); pid <= 1 || !yield(pid, arguments(pid)) {
				return
			}
		}
	}
}

// splitArgs returns the arguments in a list of them, each with a zero behind it.
func splitArgs(list []byte) []string {
	return strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
}

// Foreground returns the job in the foreground of the terminal: a shell, or what it runs. It
// returns the zero value when the program has ended or is being killed, and does not block.
func (p *Process) Foreground() tty.Foreground {
	if !p.mu.TryLock() {
		return tty.Foreground{}
	}
	defer p.mu.Unlock()
	if p.reaped {
		return tty.Foreground{}
	}
	group, _ := p.foreground()
	f := describe(group)
	if f.PID != 0 {
		return f
	}
	left, _ := p.members()
	for _, m := range left { // its leader has ended: it is the rest of a pipeline
		if m.group == group {
			return describe(m.pid)
		}
	}
	return tty.Foreground{}
}
