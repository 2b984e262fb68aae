package ui

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"ui-mcp/internal/regular"
	"ui-mcp/internal/ui/keep"
)

const (
	// keepGrace is how long a replaced file is looked at after it was replaced or written to. An
	// editor that had it open may not have written everything: many empty a file and then write it.
	keepGrace = 5 * time.Second
	// maxReplaced bounds how many replaced files of one object are open.
	maxReplaced = 16
)

// A replacedFile is a file that saving has replaced. Another program may still have it open.
type replacedFile struct {
	file  *os.File
	was   fs.FileInfo // when its content was looked at last, or nil if it was not
	hash  [sha256.Size]byte
	aside string // where that content was set aside, or ""
	until time.Time
}

// rescue sets aside what something else has written to replaced files since they were looked at.
// What was set aside of an unfinished file gives way to what it has now. If a file cannot be set
// aside, it stays open, and rescue tries again when it is called again.
func (f *keptFile) rescue() (s saved) {
	open := f.replaced[:0]
	for _, r := range f.replaced {
		if s.err == nil {
			if f.rescueOne(r, &s); s.err == nil && time.Now().After(r.until) {
				_ = r.file.Close() // it was only read
				continue
			}
		}
		open = append(open, r)
	}
	clear(f.replaced[len(open):])
	f.replaced = open
	return s
}

func (f *keptFile) rescueOne(r *replacedFile, s *saved) {
	info, err := r.file.Stat()
	if err != nil || r.was != nil && sameFile(info, r.was) {
		return
	}
	content, err := io.ReadAll(io.NewSectionReader(r.file, 0, keep.MaxSize+1))
	if err == nil && len(content) > keep.MaxSize {
		err = fmt.Errorf("something else writes more than %d MiB to it", keep.MaxSize>>20)
	}
	if err != nil {
		if s.err = err; time.Now().After(r.until) {
			s.err = nil // nothing can be done about it
		}
		return
	}
	hash := sha256.Sum256(content)
	if len(content) > 0 && hash != r.hash {
		unfinished, before := r.aside, r.hash
		if r.aside, _ = f.others(content, f.last(), s); s.err != nil {
			r.aside = unfinished
			return
		}
		if unfinished != "" && unfinished != r.aside {
			f.removeAside(unfinished, before)
		}
		r.hash, r.until = hash, time.Now().Add(keepGrace)
	}
	r.was = info
}

// removeAside removes a file that was set aside, unless it was changed.
func (f *keptFile) removeAside(name string, hash [sha256.Size]byte) {
	content, err := regular.ReadFile(f.path(name), keep.MaxSize)
	if err == nil && sha256.Sum256(content) == hash {
		_ = os.Remove(f.path(name)) // else it is there for the person to remove
	}
}

// forget closes the oldest n replaced files.
func (f *keptFile) forget(n int) {
	for range n {
		_ = f.replaced[0].file.Close() // it was only read
		f.replaced = f.replaced[1:]
	}
}
