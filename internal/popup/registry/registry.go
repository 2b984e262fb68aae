// Package registry lets the servers of one person on one machine find each other: each leaves a file that says which
// workspaces it serves, at which port, and the token by which it can be told from whoever has that port next.
package registry

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"ui-mcp/internal/popup/files"
)

// An Entry is one server.
type Entry struct {
	PID        int       `json:"pid"`
	Port       int       `json:"port"`  // of its door for agents, on 127.0.0.1
	Token      string    `json:"token"` // what it must be shown, and what it proves to know
	Workspaces []string  `json:"workspaces"`
	Started    time.Time `json:"started"`
}

// A Registry is the folder of the files. Its methods may be called from any goroutine.
type Registry struct {
	folder *files.Folder
	log    *slog.Logger
	alive  func(pid int) bool
}

// Dir is where the registry of this user is unless somebody says otherwise.
func Dir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "ui-mcp", "servers"), nil
}

// Open opens the registry in a folder, and makes it where there is none.
func Open(dir string, log *slog.Logger) (*Registry, error) {
	folder, err := files.Open(dir)
	if err != nil {
		return nil, err
	}
	return &Registry{folder: folder, log: log, alive: alive}, nil
}

// Add tells the others of a server. What it returns takes the server out again.
func (r *Registry) Add(e Entry) (remove func(), err error) {
	content, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	name := strconv.Itoa(e.PID) + "-" + strconv.Itoa(e.Port)
	if err := r.folder.Put(name, content); err != nil {
		return nil, err
	}
	return func() { r.delete(name) }, nil
}

// List returns the servers that may be running, oldest first, and takes out those whose process has ended. That a process
// of that number exists does not say that it is the server: only the token does.
func (r *Registry) List() []Entry {
	all, err := r.folder.All()
	if err != nil {
		r.log.Warn("the registry of servers cannot be read wholly", "error", err)
	}
	var list []Entry
	for name, content := range all {
		var e Entry
		if err := json.Unmarshal(content, &e); err != nil || e.PID <= 0 || e.Port <= 0 || e.Port > 65535 || e.Token == "" {
			r.log.Warn("an entry of the registry of servers makes no sense: it is removed", "name", name, "error", err)
			r.delete(name)
			continue
		}
		if !r.alive(e.PID) {
			r.delete(name)
			continue
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.PID, b.PID), cmp.Compare(a.Port, b.Port))
	})
	return list
}

func (r *Registry) delete(name string) {
	if err := r.folder.Delete(name); err != nil {
		r.log.Warn("an entry of the registry of servers was not removed", "name", name, "error", err)
	}
}
