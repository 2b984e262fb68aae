package wsh

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"ui-mcp/internal/fault"
)

// An instance is the claim to a server's name.
type instance struct {
	lock    *flock.Flock
	scripts string // a folder for the shells' start-up files
}

// claim takes a name for this process. That another one has it is an error of kind
// Exists.
func claim(name string) (*instance, error) {
	if name == "" || strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") || len(name) > 64 {
		return nil, fault.New(fault.Invalid, "%q is no name for a server: take letters and digits", name)
	}
	dir, err := runtimeDir()
	if err != nil {
		return nil, err
	}
	i := &instance{lock: flock.New(filepath.Join(dir, name+".lock"), flock.SetPermissions(0o600)), scripts: filepath.Join(dir, name+".shell")}
	free, err := i.lock.TryLock()
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "claim the name %q", name)
	}
	if !free {
		return nil, fault.New(fault.Exists, "another server is already running as %q: stop it, or name this one with -L", name)
	}
	return i, nil
}

// release gives the name back.
func (i *instance) release() error {
	return errors.Join(os.RemoveAll(i.scripts), i.lock.Unlock())
}

// runtimeDir returns the folder for what lives as long as a server. It belongs to
// the person, so that nobody else can put anything there.
func runtimeDir() (string, error) {
	base := os.Getenv("XDG_RUNTIME_DIR")
	if base == "" {
		var err error
		if base, err = os.UserCacheDir(); err != nil {
			return "", fault.Wrap(fault.Internal, err, "find a folder for the server: set XDG_RUNTIME_DIR")
		}
	}
	dir := filepath.Join(base, "wsh")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fault.Wrap(fault.Internal, err, "make a folder for the server")
	}
	return dir, nil
}
