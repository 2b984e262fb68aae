// Package discovery finds the servers of one user on one machine: which ones run, where they
// listen, and the token that distinguishes a server from a later one at the same port.
//
// Each server claims a name in a folder that only its user can use. The claim is a lock that the
// operating system gives up when the process ends, however it ends, so a killed server is never
// taken for a living one. Beside the lock is a document, written whole or not at all, that
// describes the server. Readers remove what killed servers left behind.
//
// The package opens no connection and asks no server anything.
package discovery

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
)

// A Server describes one running server.
type Server struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	// Address is host:port of its HTTP endpoint for programs, or "" while that is closed.
	Address string `json:"address,omitempty"`
	// Socket is the absolute path of its Unix socket, or "" if it has none.
	Socket string `json:"socket,omitempty"`
	// Token authenticates other servers of the user at Address, and the server to them.
	Token string `json:"token,omitempty"`
	// Workspaces are the clean paths of the projects whose questions the server takes.
	Workspaces []string `json:"workspaces,omitempty"`
	// Dir is the base directory whose app the server runs, absolute and with links followed, and
	// Pages is host:port of the app's pages. Both are "" while no app runs. Of a program with
	// terminals, Dir is its working directory.
	Dir   string `json:"dir,omitempty"`
	Pages string `json:"pages,omitempty"`
	// Watched says that questions which are asked at the server reach the person: a page is open,
	// or, of a server of terminals, a server on another host shows them.
	Watched bool `json:"watched,omitempty"`
}

// documentFormat is the newest format of documents that this program reads, and the one that it
// writes.
const documentFormat = 1

// A document is the description of a server as it is stored.
type document struct {
	Format int `json:"format"`
	Server
	// Claim is the ID of the claim under which it was published. The document of a killed server
	// has another one than the lock, once that is claimed again. Servers of 0.1.0 have none.
	Claim string `json:"claim,omitempty"`
}

// A Registry is the folder of claims. It is safe for concurrent use, by any number of processes.
type Registry struct {
	dir    string
	folder *files.Folder
	log    *slog.Logger
}

// Dir is the folder in which the servers of the user with an environment find each other.
func Dir(vars environ.Variables) (string, error) {
	cache, err := vars.CacheDir()
	if err != nil {
		return "", fault.Wrap(fault.Precondition, err, "find the folder of running servers")
	}
	// In the folder "servers", a server of 0.1.0 removes what it cannot read, and has no lock.
	return filepath.Join(cache, "ui-mcp", "servers2"), nil
}

// RuntimeDir is the folder for the claims and sockets of the terminal servers of the user with an
// environment.
func RuntimeDir(vars environ.Variables) (string, error) {
	if dir := vars.Get("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) { // others are invalid, and to be ignored
		return filepath.Join(dir, "wsh"), nil
	}
	cache, err := vars.CacheDir()
	if err != nil {
		return "", fault.Wrap(fault.Precondition, err, "find a folder for the server: set XDG_RUNTIME_DIR")
	}
	if !filepath.IsAbs(cache) { // it would be another folder for each working directory
		return "", fault.New(fault.Precondition, "the home directory %q is not an absolute path: set HOME, or XDG_RUNTIME_DIR", vars.Get("HOME"))
	}
	return filepath.Join(cache, "wsh"), nil
}

// Open opens the registry in a folder, and makes the folder when it does not exist. A folder that
// is a symbolic link, belongs to another user or lets others in is a [fault.Precondition].
func Open(dir string, log *slog.Logger) (*Registry, error) {
	folder, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	return &Registry{dir: dir, folder: folder, log: log}, nil
}

// Look returns the servers in a folder, the oldest first. Unlike Open, it does not make the folder,
// and it does not say what is wrong with it.
func Look(dir string) []Server {
	if _, err := os.Lstat(dir); err != nil {
		return nil
	}
	r, err := Open(dir, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil
	}
	return r.List()
}

func openFolder(dir string) (*files.Folder, error) {
	folder, err := files.Open(dir)
	if err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "the folder of running servers")
	}
	if err := trust(dir); err != nil {
		return nil, err
	}
	return folder, nil
}

// trust returns an error unless only this user can use a folder.
func trust(dir string) error {
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a directory")
	}
	if err == nil {
		err = regular.CheckPrivate(info)
	}
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "%s cannot be trusted", dir)
	}
	return nil
}

// A Claim is a name that this process holds. Its methods must not be called concurrently.
type Claim struct {
	registry *Registry
	name     string
	id       string // random
	lock     *files.Lock
	content  []byte // of its document; nil before it was published
}

// claimable reports whether a server may have a name.
func claimable(name string) bool {
	return name != "" && len(name) <= 64 && name[0] != '-' && !strings.ContainsFunc(name, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-'
	})
}

// claimTime is how long Claim tries: a reader that looks for killed servers holds a name for a
// moment.
const claimTime = 250 * time.Millisecond

// CheckName returns an error of kind [fault.Invalid] unless a server may have the name.
func CheckName(name string) error {
	if !claimable(name) {
		return fault.New(fault.Invalid, "%q cannot be the name of a server: use 1 to 64 letters, digits, - and _", name)
	}
	return nil
}

// Claim takes a name for this process until Release. If another process has it, the error is of
// kind [fault.Exists].
func (r *Registry) Claim(name string) (*Claim, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	lock, err := r.lockWithin(name, claimTime)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "claim the name %q", name)
	}
	if lock == nil {
		return nil, fault.New(fault.Exists, "another server has the name %q", name)
	}
	c := &Claim{registry: r, name: name, id: rand.Text(), lock: lock}
	if err := c.writeID(); err != nil {
		return nil, errors.Join(fault.Wrap(fault.Internal, err, "claim the name %q", name), r.unlock(name, lock))
	}
	return c, nil
}

const (
	// idAt is where the ID of a claim is in the file of its lock: on Windows, the first byte of a
	// locked file can neither be read nor written.
	idAt = 1
	// idSize is the length of such an ID in bytes.
	idSize = 26
)

func (c *Claim) writeID() error {
	file, err := regular.Open(c.registry.lockFile(c.name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt([]byte(c.id), idAt)
	return errors.Join(err, file.Close())
}

// claimOf returns the ID of the claim that a lock is held for, or "" if that is unknown.
func (r *Registry) claimOf(name string) string {
	file, err := regular.Open(r.lockFile(name), os.O_RDONLY, 0)
	if err != nil {
		return ""
	}
	defer file.Close()
	id := make([]byte, idSize)
	n, _ := file.ReadAt(id, idAt)
	return string(id[:n])
}

// Held reports whether a process has a name: a server that runs, begins or ends.
func (r *Registry) Held(name string) bool {
	if CheckName(name) != nil {
		return false
	}
	lock, err := r.tryLock(name)
	if err != nil {
		return false
	}
	if lock == nil {
		return true
	}
	_ = r.unlock(name, lock) // it ends with the process at the latest
	return false
}

// LockStart locks the start of a server of that name until unlock is called, so that of several
// processes that find no server only one starts it. It waits for the others until ctx is done.
func (r *Registry) LockStart(ctx context.Context, name string) (unlock func() error, err error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	name += ".spawn" // no name of a server
	retry := time.NewTicker(20 * time.Millisecond)
	defer retry.Stop()
	for {
		lock, err := r.tryLock(name)
		if err != nil {
			return nil, fault.Wrap(fault.Internal, err, "lock the start of a server")
		}
		if lock != nil {
			return func() error { return r.unlock(name, lock) }, nil
		}
		select {
		case <-retry.C:
		case <-ctx.Done():
			return nil, fault.Wrap(fault.Timeout, context.Cause(ctx), "another process is starting the server")
		}
	}
}

// Publish describes the server to others. It may be called again when something has changed.
func (c *Claim) Publish(s Server) (err error) {
	if c.content, err = json.Marshal(document{documentFormat, s, c.id}); err != nil {
		return err
	}
	return c.registry.folder.Put(c.name, c.content)
}

// Restore takes the name again, and describes the server again, if the files of either were
// removed. It makes the folder again under the conditions of [Open]. If another process has taken
// the name meanwhile, the error is of kind [fault.Exists].
func (c *Claim) Restore() error {
	r := c.registry
	if !c.Holds() {
		if _, err := openFolder(r.dir); err != nil {
			return err
		}
		again, err := r.Claim(c.name)
		if err != nil {
			return err
		}
		old := c.lock
		c.lock, again.id = again.lock, c.id
		if err := errors.Join(again.writeID(), old.Close()); err != nil {
			return fault.Wrap(fault.Internal, err, "claim the name %q", c.name)
		}
	}
	if c.content == nil || r.folder.Has(c.name) {
		return nil
	}
	return r.folder.Put(c.name, c.content)
}

// Holds reports whether the files of the claim are in a folder of this user's own.
func (c *Claim) Holds() bool {
	inPlace, _ := c.lock.InPlace()
	return inPlace && trust(c.registry.dir) == nil
}

// Release gives up the name and removes the description. What another process has put in their
// place stays.
func (c *Claim) Release() error {
	if !c.Holds() {
		return c.lock.Close()
	}
	return errors.Join(c.registry.folder.Delete(c.name), c.registry.unlock(c.name, c.lock))
}

// Find returns the server that has a name.
func (r *Registry) Find(name string) (Server, bool) {
	s, ok := r.living()[name]
	return s, ok
}

// List returns the servers that run, the oldest first.
func (r *Registry) List() []Server {
	return slices.SortedFunc(maps.Values(r.living()), func(a, b Server) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.PID, b.PID), cmp.Compare(a.Address, b.Address))
	})
}

// Names returns the names of the servers that run, sorted.
func (r *Registry) Names() []string { return slices.Sorted(maps.Keys(r.living())) }

// living returns the servers that run, by name, and removes what killed ones left behind.
func (r *Registry) living() map[string]Server {
	all, err := r.folder.All()
	if err != nil {
		r.log.Warn("some entries in the folder of running servers cannot be read", "error", err)
	}
	servers := map[string]Server{}
	for name, content := range all {
		if r.removeStale(name) {
			continue
		}
		if err := files.CheckFormat(content, documentFormat); err != nil {
			r.log.Warn("a server that runs is not used", "name", name, "error", err)
			continue
		}
		var d document
		if err := json.Unmarshal(content, &d); err != nil {
			r.log.Warn("ignoring an invalid entry in the folder of running servers", "name", name, "error", err)
			continue
		}
		if d.Claim != "" && d.Claim != r.claimOf(name) {
			continue // what a killed server left: the one that has the name now has not published yet
		}
		servers[name] = d.Server
	}
	return servers
}

// removeStale removes an entry that no process holds, and reports whether it did. An entry whose
// state cannot be determined is kept.
func (r *Registry) removeStale(name string) bool {
	lock, err := r.tryLock(name)
	if err != nil {
		r.log.Warn("cannot determine whether a server is still running", "name", name, "error", err)
	}
	if lock == nil {
		return false
	}
	if err := errors.Join(r.folder.Delete(name), r.unlock(name, lock)); err != nil {
		r.log.Warn("cannot remove the entry of a killed server", "name", name, "error", err)
	}
	return true
}

func (r *Registry) lockFile(name string) string { return filepath.Join(r.dir, name+".lock") }

// tryLock locks a name, or returns nil when another process has it.
func (r *Registry) tryLock(name string) (*files.Lock, error) {
	return files.TryLock(r.lockFile(name), 0o600)
}

// lockWithin is tryLock, again and again until the time is over. It counts pauses, which a busy
// machine makes longer, as it does the moment for which another process has the name.
func (r *Registry) lockWithin(name string, within time.Duration) (*files.Lock, error) {
	const retry = 5 * time.Millisecond
	for left := within; ; left -= retry {
		lock, err := r.tryLock(name)
		if err != nil || lock != nil || left <= 0 {
			return lock, err
		}
		time.Sleep(retry)
	}
}

// unlock gives a lock back and removes its file.
func (r *Registry) unlock(name string, lock *files.Lock) error {
	if err := lock.Unlock(); err != nil {
		return fmt.Errorf("unlock %q: %w", name, err)
	}
	return nil
}
