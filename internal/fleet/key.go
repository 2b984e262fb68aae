package fleet

import (
	"os"
	"path/filepath"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
)

// openKey reads the key of this server, which is made when it joins the first hub.
func (f *Fleet) openKey() (*keys.Own, error) {
	f.opening.Lock()
	defer f.opening.Unlock()
	file := f.opts.KeyFile
	if file == "" {
		return nil, fault.New(fault.Precondition, "a server joins a hub with a key that it keeps, and there is no home directory to keep it in")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "keep the key of this server")
	}
	return keys.Open(file)
}
