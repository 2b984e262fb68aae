package keys

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/safetext"
)

// A Role is what a host is at a hub.
type Role string

const (
	// Worker offers its sessions and asks questions. It sees nothing of other hosts.
	Worker Role = "worker"
	// Desk uses the workers.
	Desk Role = "desk"
)

// An Entry is a host that is accepted.
type Entry struct {
	Key  string `json:"key"`
	Name string `json:"name"` // as [Name] returns it; no other host of the list has it
	Role Role   `json:"role"`
	// Mutual desks use, and offer their sessions to, each other.
	Mutual bool      `json:"mutual,omitempty"`
	Since  time.Time `json:"since"`
}

// As returns the role in words.
func (e Entry) As() string {
	if e.Mutual {
		return "mutual desk"
	}
	return string(e.Role)
}

// Name returns a name as a host may have it: letters, digits, "_" and "-", and no key.
func Name(claimed string) string {
	name := safetext.Name(strings.ReplaceAll(claimed, ".", "-"), MaxName, func(c rune) bool {
		return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' || c == '-'
	})
	if name == "" || name[0] == '-' || Valid(strings.ToUpper(name)) {
		name = "host" + name
	}
	return safetext.Cut(name, MaxName)
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
	listFormat = 2
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
	switch {
	case e.Role != Worker && e.Role != Desk:
		return fault.New(fault.Invalid, "a host of a hub is a worker or a desk, and no %.20q", string(e.Role))
	case e.Mutual && e.Role != Desk:
		return fault.New(fault.Invalid, "only desks can be mutual")
	case e.Name != Name(e.Name):
		return fault.New(fault.Invalid, "a name at a hub has letters, digits, \"_\" and \"-\", which %.60q has not", e.Name)
	}
	return nil
}

// All returns the accepted hosts, by name.
func (l *List) All() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sortedLocked()
}

func (l *List) sortedLocked() []Entry {
	return slices.SortedFunc(maps.Values(l.entries), func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
}
