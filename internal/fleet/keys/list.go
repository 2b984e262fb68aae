package keys

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
)

// A Level is how much a host may do.
type Level string

const (
	None   Level = "none"   // be seen, and see who else is there
	Look   Level = "look"   // and see sessions and their screens
	Type   Level = "type"   // and type and draw in sessions that are there
	Manage Level = "manage" // and create, remove, rename and tag sessions
	Answer Level = "answer" // and see the questions to the person here, and answer them as that person
)

// Levels are all levels, the lowest first.
var Levels = []Level{None, Look, Type, Manage, Answer}

// Rights returns the rights of a level: none for another text. No host administers another one.
func (l Level) Rights() terminals.Right {
	switch l {
	case Look:
		return terminals.Read
	case Type:
		return terminals.Read | terminals.Type | terminals.Draw
	case Manage:
		return terminals.Read | terminals.Type | terminals.Draw | terminals.Manage
	case Answer:
		return Manage.Rights() | terminals.Answer
	}
	return 0
}

// LevelOf returns the highest level whose rights are all among the given ones.
func LevelOf(r terminals.Right) Level {
	level := None
	for _, l := range Levels {
		if l.Rights()&^r == 0 {
			level = l
		}
	}
	return level
}

// An Entry is a host that is accepted.
type Entry struct {
	Key   string `json:"key"`
	Name  string `json:"name,omitempty"` // which the host had when it was accepted
	Allow Level  `json:"allow"`
	// Hub is the address of the hub at which the host was accepted, in the list of a hub's host.
	// The owner of another hub could let anyone in there with the same key.
	Hub   string    `json:"hub,omitempty"`
	Since time.Time `json:"since"`
}

// A List is a list of accepted hosts, kept in a file that belongs to one process at a time. Its
// methods may be called from anywhere.
type List struct {
	path string

	mu      sync.Mutex // guards entries; held while the file is written, so that the last change wins
	entries map[string]Entry
}

type listDocument struct {
	Format int     `json:"format"`
	Hosts  []Entry `json:"hosts"`
}

const (
	listFormat = 1
	// maxEntries is how many hosts a list has.
	maxEntries = 50_000
	// MaxName is the length of the longest name of a host, in bytes.
	MaxName = 64
)

// OpenList reads a list, which is empty if there is no file. A file of a newer version, or one that
// is malformed, stays as it is: the error is of kind [fault.Precondition].
func OpenList(path string) (*List, error) {
	l := &List{path: path, entries: map[string]Entry{}}
	content, err := regular.ReadFile(path, files.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "read the accepted hosts")
	}
	var d listDocument
	if err := cmp.Or(files.CheckFormat(content, listFormat), json.Unmarshal(content, &d)); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "the accepted hosts, %s", path)
	}
	for _, e := range d.Hosts {
		if err := e.Check(); err != nil {
			return nil, fault.Wrap(fault.Precondition, err, "the accepted hosts, %s", path)
		}
		l.entries[e.Key] = e
	}
	return l, nil
}

// Check returns an error of kind [fault.Invalid] unless a list can have the entry.
func (e Entry) Check() error {
	if !Valid(e.Key) {
		return fault.New(fault.Invalid, "%.60q is no key of a host: keys have 56 letters and digits and begin with U", e.Key)
	}
	if !slices.Contains(Levels, e.Allow) {
		return fault.New(fault.Invalid, "hosts may look, type, manage, answer or, with \"none\", only be seen: there is no %.20q", string(e.Allow))
	}
	return nil
}

// Accept adds a host, or changes what it may do. The change is on the disk when it returns.
func (l *List) Accept(e Entry) error {
	if err := e.Check(); err != nil {
		return err
	}
	e.Name = safetext.Label(e.Name, MaxName)
	l.mu.Lock()
	defer l.mu.Unlock()
	old, had := l.entries[e.Key]
	if !had && len(l.entries) >= maxEntries {
		return fault.New(fault.Exhausted, "%d hosts are accepted, which is the limit: withdraw some", maxEntries)
	}
	if e.Name == "" {
		e.Name = old.Name
	}
	l.entries[e.Key] = e
	if err := l.writeLocked(); err != nil {
		if l.entries[e.Key] = old; !had {
			delete(l.entries, e.Key)
		}
		return err
	}
	return nil
}

// Withdraw removes a host. The error is of kind [fault.NotFound] if the host was not accepted. If
// the file cannot be written, the host is withdrawn until the list is read again, and the error
// says so.
func (l *List) Withdraw(key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.entries[key]; !ok {
		return fault.New(fault.NotFound, "no host with the key %.60q is accepted", key)
	}
	delete(l.entries, key)
	return fault.Wrap(fault.Internal, l.writeLocked(), "the host is withdrawn until this program starts again")
}

func (l *List) writeLocked() error {
	b := fault.Must(json.MarshalIndent(listDocument{listFormat, l.sortedLocked()}, "", "\t")) // texts and times
	_, err := files.WriteSynced(l.path, append(b, '\n'), 0o600)
	return fault.Wrap(fault.Internal, err, "keep the accepted hosts in %s", l.path)
}

// Get returns the entry of a host, and false if it is not accepted.
func (l *List) Get(key string) (Entry, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.entries[key]
	return e, ok
}

// All returns the entries, by name and key.
func (l *List) All() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sortedLocked()
}

func (l *List) sortedLocked() []Entry {
	return slices.SortedFunc(maps.Values(l.entries), func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
	})
}
