package term

import (
	"cmp"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
)

// A Client is one attachment to a session. It is counted until it leaves, and can be asked to
// leave. A [Viewer] is a client that also sees and types. Its methods may be called from anywhere.
type Client struct {
	session  *Session
	id       uint64 // in the session; 0: it was never attached
	observer bool
	detached chan struct{} // closed when the client should leave

	about ClientInfo // guarded by the mutex of the session's clients; Leads is not kept
}

// Attach adds a client to the session. The caller must Close it. The error is of kind Exists if the
// name is taken and no other will do.
func (s *Session) Attach(o ClientOptions) (*Client, error) {
	c, err := s.newClient(o)
	if err != nil {
		return nil, err
	}
	if err := s.clients.add(c, o.Exact); err != nil {
		return nil, err
	}
	return c, nil
}

// newClient returns a client that is not attached yet.
func (s *Session) newClient(o ClientOptions) (*Client, error) {
	if o.Name != "" {
		if err := checkClientName(o.Name); err != nil {
			return nil, err
		}
	}
	about := ClientInfo{Name: o.Name, Kind: cmp.Or(o.Kind, ClientAttach), ReadOnly: o.ReadOnly, Since: time.Now()}
	return &Client{session: s, observer: o.Observer, detached: make(chan struct{}), about: about}, nil
}

// Name returns the present name of the session.
func (c *Client) Name() string { return c.session.Name() }

// SessionID returns the ID of the client's session, which a new name of the session does not
// change.
func (c *Client) SessionID() string { return c.session.id }

// PID returns the process ID of the session's program.
func (c *Client) PID() int { return c.session.pid }

// ClientName returns the name of the client, which no other client of the session has.
func (c *Client) ClientName() string {
	c.session.clients.mu.Lock()
	defer c.session.clients.mu.Unlock()
	return c.about.Name
}

// Detached returns a channel that is closed when the client should leave.
func (c *Client) Detached() <-chan struct{} { return c.detached }

// Close removes the client from the session. It leaves Detached as it is.
func (c *Client) Close() { c.session.clients.remove(c) }

// detach asks the client to leave, unless it already left.
func (c *Client) detach() {
	if c.session.clients.remove(c) {
		close(c.detached)
	}
}

// isAttached reports whether the client has neither left nor been detached.
func (c *Client) isAttached() bool { return c.session.clients.has(c) }

func (c *Client) detachedError() error {
	return fault.New(fault.Gone, "the client is detached from session %q: attach again", c.session.Name())
}

// Detach asks a client to leave, or all but observers if name is "". The program keeps running. The
// error is of kind NotFound if there is no client of that name, and Precondition if it is an
// observer.
func (s *Session) Detach(name string) error {
	if name == "" {
		detachAll(s.clients.removeAll(func(c *Client) bool { return !c.observer }))
		return nil
	}
	c, err := s.clients.find(s, name)
	if err != nil {
		return err
	}
	if c.observer {
		return fault.New(fault.Precondition, "the client %q is no attached terminal but a program's connection, which only that program can end", name)
	}
	c.detach()
	return nil
}

func detachAll(list []*Client) {
	for _, c := range list {
		close(c.detached)
	}
}

// clients is the set of clients attached to a session.
type clients struct {
	most int // how many there may be

	mu       sync.Mutex // guards the fields below
	attached map[*Client]struct{}
	numbered uint64    // how many there have been
	waiting  int       // how many callers wait for something in the session
	left     time.Time // when a client last left, or such a caller
	closed   bool      // the program has ended: there are no clients, and there will be none
}

// add adds a client and gives it a name. exact says that it must be the one that the client has.
func (l *clients) add(c *Client, exact bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return fault.New(fault.Gone, "the program of session %q has ended; its last screen can still be read", c.session.Name())
	case len(l.attached) >= l.most:
		return fault.New(fault.Exhausted, "session %q has %d clients already: detach some", c.session.Name(), l.most)
	}
	if l.attached == nil {
		l.attached = map[*Client]struct{}{}
	}
	if err := l.nameLocked(c, exact); err != nil {
		return err
	}
	l.attached[c] = struct{}{}
	l.numbered++
	c.id = l.numbered
	l.reportLocked(c, ClientAttached)
	return nil
}

// reportLocked reports a change of a client to watchers, and lets the size follow when one has
// left. Since the clients are locked, watchers get changes in the order in which they took place.
func (l *clients) reportLocked(c *Client, change ClientChange) {
	s, about := c.session, c.about
	s.exec.Post(func() {
		s.reportClient(s.st, change, about)
		if change == ClientDetached {
			_ = s.apply(s.st, core.Leave{Terminal: c.id}) // it never fails
		}
	})
}

func (s *Session) reportClient(st *state, change ClientChange, about ClientInfo) {
	if len(st.watchers) == 0 {
		return
	}
	e := &ClientEvent{Change: change, Client: about}
	if leader, ok := s.clients.about(st.core.Sizing.Leader); ok {
		e.Leader = leader.Name
		e.Client.Leads = e.Leader == about.Name
	}
	st.report(WatchClients, Event{Client: e})
}

// remove reports whether the client was attached.
func (l *clients) remove(c *Client) bool {
	return len(l.removeAll(func(other *Client) bool { return other == c })) > 0
}

// aloneSince returns when the last client left, or caller that waited, or zero if there never was
// one. It reports false while there are any.
func (l *clients) aloneSince() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.left, len(l.attached)+l.waiting == 0
}

// wait records that a caller waits for something in the session, until leave is called.
func (l *clients) wait() (leave func()) {
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

func (l *clients) has(c *Client) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.attached[c]
	return ok
}

// removeAll removes the clients for which the function reports true, and returns them.
func (l *clients) removeAll(which func(*Client) bool) []*Client {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []*Client
	for c := range l.attached {
		if which(c) {
			list = append(list, c)
			delete(l.attached, c)
			l.left = time.Now()
			if !l.closed {
				l.reportLocked(c, ClientDetached)
			}
		}
	}
	return list
}

// close removes all clients for good, and returns them.
func (l *clients) close() []*Client {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	return l.removeAll(func(*Client) bool { return true })
}
