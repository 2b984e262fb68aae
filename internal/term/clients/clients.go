// Package clients knows who is attached to a session: their names, what they may do, and when they
// come and leave. What they see and type is not its matter.
package clients

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
)

// A Client is one attachment to a session. It is counted until it leaves, and can be asked to
// leave. Its methods may be called from anywhere.
type Client struct {
	set      *Set
	id       uint64 // in the session; 0: it was never attached
	observer bool
	detached chan struct{} // closed when the client should leave

	about Info // guarded by the mutex of the set; Leads is not kept
}

// ID returns the number of the client in its session, or 0 if it was never attached.
func (c *Client) ID() uint64 { return c.id }

// ClientName returns the name of the client, which no other client of the session has.
func (c *Client) ClientName() string {
	c.set.mu.Lock()
	defer c.set.mu.Unlock()
	return c.about.Name
}

// Detached returns a channel that is closed when the client should leave.
func (c *Client) Detached() <-chan struct{} { return c.detached }

// Close removes the client from the session. It leaves Detached as it is.
func (c *Client) Close() { c.set.remove(c) }

// IsAttached reports whether the client has neither left nor been detached.
func (c *Client) IsAttached() bool {
	c.set.mu.Lock()
	defer c.set.mu.Unlock()
	_, ok := c.set.attached[c]
	return ok
}

// A Set is the clients of a session. Its methods may be called from anywhere.
type Set struct {
	most   int           // how many there may be
	name   func() string // of the session
	report func(id uint64, change Change, about Info)

	mu       sync.Mutex // guards the fields below
	attached map[*Client]struct{}
	numbered uint64    // how many there have been
	waiting  int       // how many callers wait for something in the session
	left     time.Time // when a client last left, or such a caller
	closed   bool      // the program has ended: there are no clients, and there will be none
}

// New returns an empty set of at most "most" clients. name returns what errors call the session,
// and report gets each change, in order. It must neither block nor call the set.
func New(most int, name func() string, report func(id uint64, change Change, about Info)) *Set {
	return &Set{most: most, name: name, report: report, attached: map[*Client]struct{}{}}
}

// Guest returns a client that is not attached.
func (l *Set) Guest(o Options) (*Client, error) {
	if o.Name != "" {
		if err := checkName(o.Name); err != nil {
			return nil, err
		}
	}
	about := Info{Name: o.Name, Kind: cmp.Or(o.Kind, KindAttach), ReadOnly: o.ReadOnly, Since: time.Now()}
	return &Client{set: l, observer: o.Observer, detached: make(chan struct{}), about: about}, nil
}

// Attach adds a client, which the caller must Close. The error is of kind Exists if the name is
// taken and no other will do.
func (l *Set) Attach(o Options) (*Client, error) {
	c, err := l.Guest(o)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return nil, fault.New(fault.Gone, "the program of session %q has ended; its last screen can still be read", l.name())
	case len(l.attached) >= l.most:
		return nil, fault.New(fault.Exhausted, "session %q has %d clients already: detach some", l.name(), l.most)
	}
	if err := l.nameLocked(c, o.Exact); err != nil {
		return nil, err
	}
	l.attached[c] = struct{}{}
	l.numbered++
	c.id = l.numbered
	l.report(c.id, Attached, c.about)
	return c, nil
}

// Detach asks a client to leave, or all but observers if name is "". The program keeps running. The
// error is of kind NotFound if there is no client of that name, and Precondition if it is an
// observer.
func (l *Set) Detach(name string) error {
	if name == "" {
		detach(l.removeAll(func(c *Client) bool { return !c.observer }))
		return nil
	}
	observer := false
	gone := l.removeAll(func(c *Client) bool {
		observer = observer || c.about.Name == name && c.observer
		return c.about.Name == name && !c.observer
	})
	switch {
	case observer:
		return fault.New(fault.Precondition, "the client %q is no attached terminal but a program's connection, which only that program can end", name)
	case len(gone) == 0:
		return l.unknown(name)
	}
	detach(gone)
	return nil
}

func detach(list []*Client) {
	for _, c := range list {
		close(c.detached)
	}
}

func (l *Set) remove(c *Client) { l.removeAll(func(other *Client) bool { return other == c }) }

// AloneSince returns when the last client left, or caller that waited, or zero if there never was
// one. It reports false while there are any.
func (l *Set) AloneSince() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.left, len(l.attached)+l.waiting == 0
}

// Wait records that a caller waits for something in the session, until leave is called.
func (l *Set) Wait() (leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.waiting--
		l.left = time.Now()
	}
}

// removeAll removes the clients for which the function reports true, and returns them.
func (l *Set) removeAll(which func(*Client) bool) []*Client {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []*Client
	for c := range l.attached {
		if which(c) {
			list = append(list, c)
			delete(l.attached, c)
			l.left = time.Now()
			if !l.closed {
				l.report(c.id, Detached, c.about)
			}
		}
	}
	return list
}

// Close asks all clients to leave for good, and reports whether one of them was no observer.
func (l *Set) Close() (persons bool) {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	there := l.removeAll(func(*Client) bool { return true })
	detach(there)
	return slices.ContainsFunc(there, func(c *Client) bool { return !c.observer })
}
