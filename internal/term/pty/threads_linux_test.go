package pty_test

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Running programs do not take a thread each: a hundred threads are a hundred stacks.
func TestThreads(t *testing.T) {
	if fd, err := unix.PidfdOpen(os.Getpid(), 0); err != nil {
		t.Skipf("this system cannot wait for a process without a thread: %v", err)
	} else {
		unix.Close(fd)
	}
	threads := func() int {
		list, err := os.ReadDir("/proc/self/task")
		must(t, err)
		return len(list)
	}
	sh(t, "exec sleep 1000") // once, for what stays
	before := threads()
	const programs = 40
	for range programs {
		sh(t, "exec sleep 1000")
	}
	if more := threads() - before; more > programs/2 {
		t.Errorf("%d programs take %d threads", programs, more)
	}
}
