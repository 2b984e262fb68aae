// Package files keeps small JSON documents in a folder, one in each file, so that a reader sees a document whole or not
// at all, whenever the writer ends. A crash of the machine, rather than of the program, may lose the newest.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"ui-mcp/internal/fault"
)

// MaxSize is how long a document may be, in bytes.
const MaxSize = 16 << 20

// extension marks the documents. What is being written has another.
const extension = ".json"

// plain is what names may be made of: they come from our own ids.
var plain = regexp.MustCompile(`^[0-9A-Za-z_-]{1,100}$`)

// A Folder holds documents by name. Its methods may be called from any goroutine; of two that write the same name at
// once, either may win.
type Folder struct{ dir string }

// Open makes the folder where it is not there. Only the user who runs the program can look into it.
func Open(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for documents: %w", err)
	}
	return &Folder{dir: dir}, nil
}

// Put stores a document, in place of the one that has the name.
func (f *Folder) Put(name string, content []byte) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	if len(content) > MaxSize {
		return fault.New(fault.Exhausted, "the document has %d bytes: at most %d are kept", len(content), MaxSize)
	}
	tmp, err := os.CreateTemp(f.dir, name+".*.part") // of mode 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(content)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

// Delete removes a document; one that is not there is none to remove.
func (f *Folder) Delete(name string) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// All returns the documents by name. A file that cannot be read, or is too long, is left out and told of by the error,
// beside the others.
func (f *Folder) All() (map[string][]byte, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	var problems []error
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), extension)
		if !ok || !plain.MatchString(name) || !e.Type().IsRegular() {
			continue
		}
		content, err := f.read(e)
		switch {
		case errors.Is(err, fs.ErrNotExist): // deleted meanwhile
		case err != nil:
			problems = append(problems, err)
		default:
			all[name] = content
		}
	}
	return all, errors.Join(problems...)
}

func (f *Folder) read(e fs.DirEntry) ([]byte, error) {
	info, err := e.Info()
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxSize {
		return nil, fmt.Errorf("%s has %d bytes: at most %d are read", e.Name(), info.Size(), MaxSize)
	}
	return os.ReadFile(filepath.Join(f.dir, e.Name()))
}

func (f *Folder) path(name string) (string, error) {
	if !plain.MatchString(name) {
		return "", fault.New(fault.Invalid, "%q cannot be the name of a document", name)
	}
	return filepath.Join(f.dir, name+extension), nil
}
