package fleet

import (
	"os"
	"path/filepath"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
)

// openKey returns the key of this server, which is read or made when it joins the first hub, and
// stays the same, whatever becomes of the file.
func (f *Fleet) openKey() (_ *keys.Own, err error) {
	f.opening.Lock()
	defer f.opening.Unlock()
	file := f.opts.KeyFile
	if f.own != nil {
		return f.own, nil
	}
	if file == "" {
		return nil, fault.New(fault.Precondition, "a server joins a hub with a key that it keeps, and there is no home directory to keep it in")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "keep the key of this server")
	}
	f.own, err = keys.Open(file)
	return f.own, err
}
