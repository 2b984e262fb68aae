// Package instance finds, claims and starts the servers of terminals. Each has a name, a Unix
// socket and other files, in a folder that only its user can use. Every command that needs a server
// of terminals goes through it.
//
// It opens connections, and does not know what is sent over them.
package instance

import (
	"cmp"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
)

// Variable names the server in the environment of its sessions, for commands that run there.
const Variable = "WSH_SERVER_NAME"

// A Folder is where the servers of one user keep their sockets and locks. It is safe for concurrent
// use, by any number of processes.
type Folder struct {
	*discovery.Registry
	environ environ.Variables
}

// Open opens the folder of the user with an environment, and makes it when it does not exist.
// Servers that the folder starts inherit the environment. A folder that other users could change is
// refused with [fault.Precondition].
func Open(vars environ.Variables, log *slog.Logger) (*Folder, error) {
	registry, err := discovery.Open(vars, log)
	if err != nil {
		return nil, err
	}
	return &Folder{registry, vars}, nil
}

// LogFile returns the file to which a server of that name writes its log if [Folder.DialOrStart]
// started it.
func (f *Folder) LogFile(name string) string { return f.File(name, ".log") }

// TokenFile is where the server of a name keeps a token that it has made for itself. It stays:
// clients keep their settings.
func (f *Folder) TokenFile(name string) string { return f.File(name, ".token") }

// Taken reports whether a process has a name, and not for a moment only, as readers have it.
func (f *Folder) Taken(name string) bool {
	for range 5 {
		if !f.Held(name) {
			return false
		}
		time.Sleep(retryTime)
	}
	return true
}

// Claim is [discovery.Registry.Claim] for any path of a socket, with an error that says where the
// server is that has the name.
func (f *Folder) Claim(name, socket string) (_ *discovery.Claim, err error) {
	if socket != "" {
		if socket, err = filepath.Abs(socket); err != nil {
			return nil, fault.Wrap(fault.Precondition, err, "the path of the socket")
		}
	}
	c, err := f.Registry.Claim(name, socket)
	if fault.KindOf(err) == fault.Exists && f.Held(name) {
		return nil, fault.New(fault.Exists, "another server is already running as %q%s: stop it, or name this one with -L", name, f.whereabouts(name))
	}
	return c, err
}

// whereabouts describes where a server can be found.
func (f *Folder) whereabouts(name string) string {
	if s, ok := f.Find(name); ok {
		return " at " + cmp.Or(s.Address, s.Socket)
	}
	return ""
}

// NoteStarted forgets that a server of a name was stopped.
func (f *Folder) NoteStarted(name string) error {
	if err := os.Remove(f.stoppedFile(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.Wrap(fault.Precondition, err, "forget that the server was stopped")
	}
	return nil
}

// NoteStopped notes that a client has stopped the server of a name.
func (f *Folder) NoteStopped(name string) error { return files.Write(f.stoppedFile(name), nil, 0o600) }

// WasStopped reports whether the last server of a name was stopped by a client, and none was
// started since.
func (f *Folder) WasStopped(name string) bool {
	_, err := os.Lstat(f.stoppedFile(name))
	return err == nil
}

func (f *Folder) stoppedFile(name string) string { return f.File(name, ".stopped") }
