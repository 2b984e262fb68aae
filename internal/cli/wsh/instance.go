package wsh

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
)

// An instance is a running server that holds its name.
type instance struct {
	claim   *discovery.Claim
	scripts string // a folder for the shells' start-up files
}

// claim takes a name for this process. If another server has it, the error is of kind
// [fault.Exists].
func claim(name string, log *slog.Logger) (*instance, error) {
	dir, err := discovery.RuntimeDir()
	if err != nil {
		return nil, err
	}
	registry, err := discovery.Open(dir, log)
	if err != nil {
		return nil, err
	}
	c, err := registry.Claim(name)
	if err == nil {
		return &instance{claim: c, scripts: filepath.Join(dir, name+".shell")}, nil
	}
	if fault.KindOf(err) != fault.Exists {
		return nil, err
	}
	where := ""
	if other, ok := registry.Find(name); ok {
		where = " at http://" + other.Address
	}
	return nil, fault.New(fault.Exists, "another server is already running as %q%s: stop it, or name this one with -L", name, where)
}

// publish lets others find the server at an address, host:port.
func (i *instance) publish(address string) error {
	return i.claim.Publish(discovery.Server{PID: os.Getpid(), Started: time.Now(), Address: address})
}

// release gives the name back.
func (i *instance) release() error {
	return errors.Join(os.RemoveAll(i.scripts), i.claim.Release())
}
