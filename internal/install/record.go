package install

import (
	"encoding/json"

	"ui-mcp/internal/fault"
)

// recordName is the file in the base directory in which the record of the bundle is kept.
const recordName = ".install.json"

// A record has the hashes of the installed files. A file that still has its recorded hash was not
// changed by the user, and a newer version may replace it.
type record struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"` // SHA-256 by file.key
}

// loadRecord reads the record. A missing or damaged one is empty: then every file counts as the
// user's, which is the safe side.
func loadRecord(t *target, name string) record {
	var r record
	data, err := t.read(name)
	if err != nil || json.Unmarshal(data, &r) != nil || r.Files == nil {
		return record{Files: map[string]string{}}
	}
	return r
}

func (r record) save(t *target, name string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fault.Wrap(fault.Internal, err, "record what was installed")
	}
	_, err = t.write(name, append(data, '\n'), 0o644, false)
	return err
}
