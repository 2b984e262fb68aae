package term

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/label"
)

// A ClientKind says what a client is.
type ClientKind string

const (
	ClientAttach    ClientKind = "attach"    // a person's terminal
	ClientWatch     ClientKind = "watch"     // a terminal that only looks
	ClientPage      ClientKind = "page"      // a person's terminal in a browser
	ClientWebSocket ClientKind = "websocket" // a program that gets events
	ClientRaw       ClientKind = "raw"       // a program that gets the output as bytes
)

// ClientOptions describe a client to be attached.
type ClientOptions struct {
	Kind ClientKind // "" means ClientAttach
	// Name is 1 to label.MaxName bytes: letters, digits, and - _ . @ : and /. If another client of
	// the session has it, a number is added. "" means the kind and a number.
	Name string
	// Exact says that the name must be free.
	Exact bool
	// ReadOnly says that the client may not type.
	ReadOnly bool
	// Observer says that the client is no person's terminal: when all clients are asked to leave,
	// it is not, unless the program ends.
	Observer bool
}

// ClientInfo describes a client.
type ClientInfo struct {
	Name       string // unique in the session
	Kind       ClientKind
	Cols, Rows int // of its terminal; 0: it has none, or always the session's size
	ReadOnly   bool
	Leads      bool      // its terminal decides the size, if the rule lets the leader do so
	Since      time.Time // when it was attached
	Typed      time.Time // when it last typed; zero: never
}

// A ClientChange is what has happened to a client.
type ClientChange string

const (
	ClientAttached ClientChange = "attached" // the size of its terminal is not known yet
	ClientDetached ClientChange = "detached" // not reported for the end of the program
	ClientLeads    ClientChange = "leads"
	ClientResized  ClientChange = "resized"
)

// A ClientEvent is a change of a client.
type ClientEvent struct {
	Change ClientChange
	Client ClientInfo // after the change
	Leader string     // the name of the client that leads when the change is reported, or ""
}

func checkClientName(name string) error {
	if !label.IsWord(name, "-_.@:/") {
		return fault.With(InvalidClient, fault.New(fault.Invalid, "%q cannot name a client: a name has 1 to %d bytes, which are letters, digits and - _ . @ : /", safetext.Clip(name, label.MaxName), label.MaxName))
	}
	return nil
}

// nameLocked gives a client a name that no other has: the one that it wants, unless that is taken.
func (l *clients) nameLocked(c *Client, exact bool) error {
	want, first := c.about.Name, 2
	if want == "" {
		want, first = string(c.about.Kind), 1
	} else if l.findLocked(want) == nil {
		return nil
	} else if exact {
		return fault.With(ClientExists, fault.New(fault.Exists, "session %q has a client %q already: take another name", c.session.Name(), want))
	}
	for n := first; ; n++ {
		end := "-" + strconv.Itoa(n)
		name := safetext.Cut(want, label.MaxName-len(end)) + end
		if l.findLocked(name) == nil {
			c.about.Name = name
			return nil
		}
	}
}

// findLocked returns the attached client of that name, or nil.
func (l *clients) findLocked(name string) *Client {
	for c := range l.attached {
		if c.about.Name == name {
			return c
		}
	}
	return nil
}

func (l *clients) find(s *Session, name string) (*Client, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.findLocked(name); c != nil {
		return c, nil
	}
	return nil, fault.With(UnknownClient, fault.New(fault.NotFound, "session %q has no client %.100q: \"wsh list --clients\" lists them", s.Name(), name))
}

// list describes the clients in the order in which they were attached. leader may have left.
func (l *clients) list(leader uint64) []ClientInfo {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.attached) == 0 {
		return nil
	}
	list := make([]ClientInfo, 0, len(l.attached))
	for c := range l.attached {
		i := c.about
		i.Leads = c.id == leader
		list = append(list, i)
	}
	slices.SortFunc(list, func(a, b ClientInfo) int {
		return cmp.Or(a.Since.Compare(b.Since), strings.Compare(a.Name, b.Name))
	})
	return list
}

func (l *clients) update(c *Client, change func(*ClientInfo)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&c.about)
}

// about returns what is known of an attached client.
func (l *clients) about(id uint64) (ClientInfo, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.attached {
		if c.id == id {
			return c.about, true
		}
	}
	return ClientInfo{}, false
}
