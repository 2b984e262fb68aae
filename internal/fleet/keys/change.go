package keys

import (
	"encoding/json"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
)

// maxEntries is how many hosts a list has.
const maxEntries = 50_000

// Accept adds a host, or changes what it is; without a name it keeps the one that it had. The
// change is on the disk when it returns. The error is of kind [fault.Exists] if another host has
// the name.
func (l *List) Accept(e Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	old, had := l.entries[e.Key]
	if e.Name == "" {
		e.Name = old.Name
	}
	if e.Name == "" {
		return fault.New(fault.Precondition, "this host has not asked lately: it is accepted while it asks, with the name that it claims")
	}
	if err := e.Check(); err != nil {
		return err
	}
	for _, other := range l.entries {
		if other.Key != e.Key && strings.EqualFold(other.Name, e.Name) {
			return fault.New(fault.Exists, "the host with the key %s is called %q already: withdraw that one, or have this one claim another name, with \"wsh servers add\" and --name", other.Key, e.Name)
		}
	}
	if !had && len(l.entries) >= maxEntries {
		return fault.New(fault.Exhausted, "%d hosts are accepted, which is the limit: withdraw some", maxEntries)
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
	_, err := files.WriteSynced(l.path, append(b, '\n'), 0o600, nil)
	return fault.Wrap(fault.Internal, err, "keep the accepted hosts in %s", l.path)
}

// Get returns the entry of a host, and false if it is not accepted.
func (l *List) Get(key string) (Entry, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.entries[key]
	return e, ok
}
