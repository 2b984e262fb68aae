package fleet

import (
	"os"
	"path/filepath"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
)

// openKey returns the key of this server, which is made when it joins the first hub.
func (f *Fleet) openKey() (*keys.Own, error) {
	if err := f.prepare(f.opts.KeyFile); err != nil {
		return nil, err
	}
	return keys.Open(f.opts.KeyFile)
}

// A lazily opened value is opened when it is first needed, and again after an error: what is wrong
// may be corrected meanwhile. It is safe for concurrent use.
type lazily[T any] struct {
	open func() (T, error)

	mu    sync.Mutex // guards the fields below; held while the value is opened
	value T
	done  bool
}

func (l *lazily[T]) get() (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done {
		return l.value, nil
	}
	value, err := l.open()
	if err == nil {
		l.value, l.done = value, true
	}
	return value, err
}

// prepare makes the folder of a file that is only this user's.
func (f *Fleet) prepare(file string) error {
	if file == "" {
		return fault.New(fault.Precondition, "a server joins a hub with a key that it keeps, and there is no home directory to keep it in")
	}
	return fault.Wrap(fault.Precondition, os.MkdirAll(filepath.Dir(file), 0o700), "keep the key of this server")
}
