package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
)

const keptFolder = "data"

// keepAway is how long a session counts as one with a page after its last page has gone: most come
// back, as when the person reloads.
const keepAway = 3 * time.Second

// keepOwners decide which session saves each kept object: the first one that has a page, until it
// has none. While no session has a page, it is the one that has saved it so far, or else the first
// that keeps it. Servers with the same base directory have a lock for each object; the first to
// take it has it until none of its sessions keeps the object. A keepOwners is safe for concurrent
// use.
type keepOwners struct {
	dir string

	mu    sync.Mutex // guards the fields below, and the files of locks
	names map[string]*keepOwner
}

// A keepOwner says who saves the object of a name: the first of its keepers does.
type keepOwner struct {
	lock    *files.Lock
	locked  bool // also where the system has no locks
	keepers []*keeper
}

// heir is the index of the keeper that should be the first.
func (o *keepOwner) heir() int {
	return max(0, slices.IndexFunc(o.keepers, func(k *keeper) bool { return k.paged && !o.keepers[0].paged }))
}

func (o *keepOwner) promote() {
	at := o.heir()
	k := o.keepers[at]
	o.keepers = slices.Insert(slices.Delete(o.keepers, at, at+1), 0, k)
}

// own reports whether a keeper may save its object; if not, by says who does. The keeper wants to
// from the first call until [keepOwners.leave]. paged says whether its session has a page. wanted
// tells the owner that another session should save: it does when the owner has called leave, or own
// with saved, which says that it has nothing to save.
func (ow *keepOwners) own(k *keeper, paged, saved bool) (by string, wanted bool, err error) {
	ow.mu.Lock()
	defer ow.mu.Unlock()
	o := ow.names[k.name]
	if o == nil {
		o = &keepOwner{}
		ow.names[k.name] = o
	}
	if k.paged = paged; !slices.Contains(o.keepers, k) {
		o.keepers = append(o.keepers, k)
	}
	if saved && o.keepers[0] == k {
		o.promote()
	}
	if first := o.keepers[0]; first != k {
		return "session " + first.ks.st.id, false, nil
	}
	if err := ow.take(k.name, o); err != nil {
		return "", false, err
	}
	if !o.locked {
		return ow.holder(k.name), false, nil
	}
	return "", o.heir() > 0, nil
}

func (ow *keepOwners) leave(k *keeper) {
	ow.mu.Lock()
	defer ow.mu.Unlock()
	o := ow.names[k.name]
	if o == nil {
		return
	}
	first := o.keepers[0]
	o.keepers = slices.DeleteFunc(o.keepers, func(other *keeper) bool { return other == k })
	switch {
	case len(o.keepers) == 0:
		if o.lock != nil {
			_ = o.lock.Unlock() // it ends with the process at the latest
		}
		delete(ow.names, k.name)
	case first == k:
		o.promote()
	}
}

func (ow *keepOwners) lockPath(name string) string {
	return filepath.Join(ow.dir, keptFolder, "."+name+".lock")
}

// take tries to get the lock that other servers see.
func (ow *keepOwners) take(name string, o *keepOwner) error {
	if o.locked {
		if o.lock == nil {
			return nil
		}
		if inPlace, _ := o.lock.InPlace(); inPlace {
			return nil
		}
		_ = o.lock.Close() // its folder was removed, and with it what the lock was good for
		o.lock, o.locked = nil, false
	}
	if err := os.Mkdir(filepath.Join(ow.dir, keptFolder), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	lock, err := files.TryLock(ow.lockPath(name), 0o644)
	if errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOLCK) {
		o.locked = true // this file system has no locks
		return nil
	}
	if lock == nil || err != nil {
		return err
	}
	o.lock, o.locked = lock, true
	_ = os.WriteFile(ow.lockPath(name), fmt.Appendf(nil, "the server with the process ID %d\n", os.Getpid()), 0o644) // only for messages
	return nil
}

// holder describes which other server has the lock.
func (ow *keepOwners) holder(name string) string {
	text, _ := regular.ReadFile(ow.lockPath(name), 200) // Windows does not let others read it
	if line, _, ok := strings.Cut(string(text), "\n"); ok && strings.HasPrefix(line, "the server ") {
		return line
	}
	return "another server"
}
