package record

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
)

// A Stored describes a recording in a [Folder].
type Stored struct {
	File    string // its name
	Session string // as it was called when the file was made
	Since   time.Time
	Size    int64
	Active  bool // whether this process is writing it
}

// List returns the folder's recordings, the newest first, without other files and links.
func (f *Folder) List() ([]Stored, error) {
	files, err := f.files()
	if err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "list the folder for recordings")
	}
	list := []Stored{}
	for _, info := range files {
		list = append(list, f.describe(info))
	}
	slices.SortFunc(list, func(a, b Stored) int {
		return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(a.File, b.File))
	})
	return list, nil
}

// ReadAt reads a part of a recording from an offset on, as [io.ReaderAt] does, but returns less
// than all of b without an error at the end. It reads only files that List returns; for other
// names, the error is of kind NotFound.
func (f *Folder) ReadAt(name string, b []byte, offset int64) (int, Stored, error) {
	none := fault.New(fault.NotFound, "the folder has no recording %q", name)
	if !managed().MatchString(name) || strings.ContainsAny(name, `/\`) {
		return 0, Stored{}, none
	}
	root, err := os.OpenRoot(f.dir) // so that no link leads out of it
	if err != nil {
		return 0, Stored{}, fault.Wrap(fault.Precondition, err, "open the folder for recordings")
	}
	defer root.Close()
	before, err := root.Lstat(name)
	if err != nil || !before.Mode().IsRegular() { // to open a pipe would wait
		return 0, Stored{}, none
	}
	file, err := root.Open(name)
	if err != nil {
		return 0, Stored{}, none
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !os.SameFile(before, info) {
		return 0, Stored{}, none
	}
	stored := f.describe(info) // before reading: what is written meanwhile is read the next time
	n, err := file.ReadAt(b[:min(int64(len(b)), max(0, stored.Size-offset))], offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, stored, fault.Wrap(fault.Internal, err, "read the recording")
	}
	return n, stored, nil
}

// describe returns what the name and the state of a file say about it.
func (f *Folder) describe(info fs.FileInfo) Stored {
	name := info.Name()
	session, when := name[:managed().FindStringIndex(name)[0]], info.ModTime()
	if t, err := time.Parse(stamp, name[len(session):len(session)+len(stamp)]); err == nil {
		when = t
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return Stored{File: name, Session: session, Since: when, Size: info.Size(), Active: f.open[name]}
}
