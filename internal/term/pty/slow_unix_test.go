//go:build unix

package pty

import (
	"runtime"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// deafProgram starts a program that only SIGKILL ends.
func deafProgram(t *testing.T) *Process {
	t.Helper()
	p, err := Start(Options{Path: "/bin/sh", Args: []string{"-c", "trap '' HUP TERM; echo ready; while :; do sleep 1000; done"}, Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.lists(processes)
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	for text := ""; text != "ready\r\n"; {
		b := make([]byte, 100)
		n, err := p.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		text += string(b[:n])
	}
	return p
}

// lists lets f list the processes of a session. It is called with mu held.
func (p *Process) lists(f func(session int) ([]member, error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = f
}

// processes lists the processes of a session for itself: sharing a look with others would tie a
// bubble to what is outside it.
func processes(session int) ([]member, error) { return newCensus(sessions).processes(session) }

// gone returns the processes of a session once there are none.
func gone(session int) (left []member, err error) {
	for {
		if left, err = processes(session); len(left) == 0 {
			return left, err
		}
		runtime.Gosched()
	}
}

// On a machine so busy that looking at the processes takes longer than they get to end, they are
// killed nevertheless.
func TestKillOnABusyMachine(t *testing.T) {
	p := deafProgram(t)
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		p.lists(func(session int) ([]member, error) {
			if looks++; looks > 2 {
				return gone(session)
			}
			time.Sleep(2 * killTime)
			return processes(session)
		})
		if err := p.kill(0); err != nil {
			t.Error(err)
		}
	})
}

// While this process has no descriptors to look at others, it kills the program, and does not take
// it for ended.
func TestKillWithoutDescriptors(t *testing.T) {
	p := deafProgram(t)
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		p.lists(func(session int) ([]member, error) {
			if looks++; looks > 2 {
				return gone(session)
			}
			return nil, syscall.EMFILE
		})
		if err := p.kill(0); err != nil {
			t.Error(err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if looks < 3 {
			t.Error("it was taken for ended")
		}
	})
	p = deafProgram(t)
	synctest.Test(t, func(t *testing.T) {
		p.lists(func(int) ([]member, error) { return nil, syscall.EMFILE })
		if err := p.kill(0); err == nil {
			t.Error("what cannot be seen has ended")
		}
	})
}
