//go:build linux || darwin

package pty

import "sync"

// A census finds the processes of sessions. Looking through all processes of the machine costs as
// much as there are, so callers at the same time share a look: else ending n programs would cost as
// much as n times n. It is safe for concurrent use.
type census struct {
	list func() (map[int][]member, error) // all processes, by session

	turn chan struct{} // capacity 1; has a token during a look
	mu   sync.Mutex    // guards next
	next *look         // has not begun yet; nil if nobody waits for one
}

type look struct {
	done  chan struct{} // closed when the rest is set
	found map[int][]member
	err   error
}

var everyone = newCensus(sessions)

func newCensus(list func() (map[int][]member, error)) *census {
	return &census{list: list, turn: make(chan struct{}, 1)}
}

// of returns the processes of a session, as a look has found them that began after the call did.
func (c *census) of(session int) ([]member, error) {
	c.mu.Lock()
	l, first := c.next, c.next == nil
	if first {
		l = &look{done: make(chan struct{})}
		c.next = l
	}
	c.mu.Unlock()
	if first {
		c.turn <- struct{}{}
		c.mu.Lock()
		c.next = nil // who comes from now on wants a later one
		c.mu.Unlock()
		l.found, l.err = c.list()
		<-c.turn
		close(l.done)
	}
	<-l.done
	return l.found[session], l.err
}
