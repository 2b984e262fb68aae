package clients

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

// Details of errors.
const (
	InvalidName fault.Detail = "invalid_client_name"
	NameTaken   fault.Detail = "client_name_conflict"
	Unknown     fault.Detail = "client_not_found"
)

// A Kind says what a client is.
type Kind string

const (
	KindAttach    Kind = "attach"    // a person's terminal
	KindWatch     Kind = "watch"     // a terminal that only looks
	KindPage      Kind = "page"      // a person's terminal in a browser
	KindWebSocket Kind = "websocket" // a program that gets events
	KindRaw       Kind = "raw"       // a program that gets the output as bytes
)

// Options describe a client to be attached.
type Options struct {
	Kind Kind `json:"kind"` // "" means KindAttach
	// Name is 1 to label.MaxName bytes: letters, digits, and - _ . @ : and /. If another client of
	// the session has it, a number is added. "" means the kind and a number.
	Name string `json:"name"`
	// Exact says that the name must be free.
	Exact bool `json:"exact"`
	// ReadOnly says that the client may not type.
	ReadOnly bool `json:"read_only"`
	// Observer says that the client is no person's terminal: when all clients are asked to leave,
	// it is not, unless the program ends.
	Observer bool `json:"-"`
}

// Info describes a client.
type Info struct {
	Name       string // unique in the session
	Kind       Kind
	Cols, Rows int // of its terminal; 0: it has none, or always the session's size
	ReadOnly   bool
	Leads      bool      // its terminal decides the size, if the rule lets the leader do so
	Since      time.Time // when it was attached
	Typed      time.Time // when it last typed; zero: never
}

// A Change is what has happened to a client.
type Change string

const (
	Attached Change = "attached" // the size of its terminal is not known yet
	Detached Change = "detached" // not reported for the end of the program
	Leads    Change = "leads"
	Resized  Change = "resized"
)

// An Event is a change of a client.
type Event struct {
	Change Change
	Client Info   // after the change
	Leader string // the name of the client that leads when the change is reported, or ""
}

func checkName(name string) error {
	if !label.IsWord(name, "-_.@:/") {
		return fault.With(InvalidName, fault.New(fault.Invalid, "%q cannot name a client: a name has 1 to %d bytes, which are letters, digits and - _ . @ : /", safetext.Clip(name, label.MaxName), label.MaxName))
	}
	return nil
}

// nameLocked gives a client a name that no other has: the one that it wants, unless that is taken.
func (l *Set) nameLocked(c *Client, exact bool) error {
	want, first := c.about.Name, 2
	if want == "" {
		want, first = string(c.about.Kind), 1
	} else if l.findLocked(want) == nil {
		return nil
	} else if exact {
		return fault.With(NameTaken, fault.New(fault.Exists, "session %q has a client %q already: take another name", l.name(), want))
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
func (l *Set) findLocked(name string) *Client {
	for c := range l.attached {
		if c.about.Name == name {
			return c
		}
	}
	return nil
}

// Find returns the ID and the description of an attached client. The error is of kind NotFound if
// there is none of that name.
func (l *Set) Find(name string) (id uint64, about Info, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.findLocked(name); c != nil {
		return c.id, c.about, nil
	}
	return 0, Info{}, l.unknown(name)
}

func (l *Set) unknown(name string) error {
	return fault.With(Unknown, fault.New(fault.NotFound, "session %q has no client %.100q: \"wsh list --clients\" lists them", l.name(), name))
}

// List describes the clients in the order in which they were attached. leader may have left.
func (l *Set) List(leader uint64) []Info {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.attached) == 0 {
		return nil
	}
	list := make([]Info, 0, len(l.attached))
	for c := range l.attached {
		i := c.about
		i.Leads = c.id == leader
		list = append(list, i)
	}
	slices.SortFunc(list, func(a, b Info) int {
		return cmp.Or(a.Since.Compare(b.Since), strings.Compare(a.Name, b.Name))
	})
	return list
}

// Update changes what is known of a client.
func (l *Set) Update(c *Client, change func(*Info)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&c.about)
}

// About returns what is known of an attached client.
func (l *Set) About(id uint64) (Info, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.attached {
		if c.id == id {
			return c.about, true
		}
	}
	return Info{}, false
}
