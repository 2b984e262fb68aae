package fleet

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/terminals"
)

const (
	// storeFormat is the newest format of the file that this program reads, and the one that it
	// writes.
	storeFormat = 1
	// maxStore is the length of the longest file that is read, in bytes.
	maxStore = 4 << 20
)

// A kept is a host as the file keeps it.
type kept struct {
	terminals.NewServer
	// Name is what the host called itself last, so that it keeps its name while it is away.
	Name string `json:"name,omitempty"`
	// HubKey is the key that a hub had when it was added; "": it has not been reached with TLS.
	HubKey string `json:"hub_key,omitempty"`
}

type document struct {
	Format  int    `json:"format"`
	Servers []kept `json:"servers"`
}

// A store keeps the hosts that were added in a file that only its user can read, since tokens are
// in it.
type store struct {
	path string

	unread error      // why the file could not be read: it must stay as it is; set by load
	mu     sync.Mutex // held while the file is written, so that the newest list wins
}

// load returns what is in the file, before anything else is called. If it fails, nothing is ever
// written to the file.
func (s *store) load() (d document, err error) {
	if s.path == "" {
		return d, nil
	}
	content, err := regular.ReadFile(s.path, maxStore)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err == nil {
		err = cmp.Or(files.CheckFormat(content, storeFormat), json.Unmarshal(content, &d))
	}
	if err != nil {
		s.unread = fault.Wrap(fault.Precondition, err, "%s, which keeps the servers that were added, cannot be read: repair it or remove it, and start this server again", s.path)
		return document{}, s.unread
	}
	return d, nil
}

// Keeps reports whether a file, which may be missing, keeps hosts that were added.
func Keeps(file string) bool {
	d, err := (&store{path: file}).load()
	return err == nil && len(d.Servers) > 0
}

// save writes what f returns. Concurrent calls are carried out one after another, so that the last
// one has written what is newest.
func (s *store) save(f func() document) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path == "" || s.unread != nil {
		return s.unread
	}
	d := f()
	d.Format = storeFormat
	content := fault.Must(json.MarshalIndent(d, "", "  ")) // texts
	err := os.MkdirAll(filepath.Dir(s.path), 0o700)
	if err == nil {
		_, err = files.WriteSynced(s.path, append(content, '\n'), 0o600, nil)
	}
	return fault.Wrap(fault.Precondition, err, "keep the servers")
}
