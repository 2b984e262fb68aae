package install

import (
	"encoding/json"
	"path"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
)

// recordName is the file in the base directory in which the record of the bundle is kept.
const recordName = ".install.json"

// recordFormat is the newest format of records that this program reads, and the one that it writes.
const recordFormat = 1

// A record has the hashes of the installed files. A file that still has its recorded hash was not
// changed by the user, and a newer version may replace it.
type record struct {
	Format  int               `json:"format"`
	Version string            `json:"version"`
	Files   map[string]string `json:"files"` // SHA-256 by file.key
}

// loadRecord reads the record. A missing or damaged one is empty: then every file counts as the
// user's, which is the safe side. One of a newer version is an error, and with force empty.
func loadRecord(t *target, name string, force bool) (r record, err error) {
	data, err := t.read(name)
	if newer := files.CheckFormat(data, recordFormat); newer != nil && !force {
		return r, fault.Wrap(fault.Precondition, newer, "%s, which says what is installed (--force installs all the same)", path.Join(t.reported, name))
	} else if err != nil || newer != nil || json.Unmarshal(data, &r) != nil || r.Files == nil {
		r = record{Files: map[string]string{}}
	}
	r.Format = recordFormat
	return r, nil
}

func (r record) save(t *target, name string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fault.Wrap(fault.Internal, err, "record what was installed")
	}
	_, err = t.write(name, append(data, '\n'), 0o644, false)
	return err
}
