//go:build linux || darwin

package pty

import "time"

// A census finds the processes of sessions. Looking through all processes of the machine costs as
// much as there are, so callers at the same time share a look: else ending n programs would cost as
// much as n times n. It is safe for concurrent use.
type census struct {
	list func() (map[int][]member, error) // all processes, by session

	turn  chan struct{} // capacity 1; its token guards the fields below
	began time.Time     // when the last look did
	found map[int][]member
	err   error
}

var everyone = newCensus(sessions)

func newCensus(list func() (map[int][]member, error)) *census {
	return &census{list: list, turn: make(chan struct{}, 1)}
}

// of returns the processes of a session, as a look has found them that began after the call did.
func (c *census) of(session int) ([]member, error) {
	called := time.Now()
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	if !c.began.After(called) {
		c.began = time.Now()
		c.found, c.err = c.list()
	}
	return c.found[session], c.err
}
