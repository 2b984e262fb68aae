package ui

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/ui/variable"
)

const (
	// MaxUpload bounds a file that a page uploads, in bytes. The page has the same bound, in
	// web/src/dom/uploads.ts, and tells the person before it sends anything.
	MaxUpload = 100 << 20
	// maxUploads bounds all files in the folder of uploads, in bytes.
	maxUploads = 1 << 30
	// uploadPace is how often an app learns of progress.
	uploadPace = 200 * time.Millisecond
	// uploadPause is longer than any pause in a file that is arriving: the server waits for a page
	// for half a minute, and for the app as long as its code may run.
	uploadPause = 5 * time.Minute
)

// uploadFolder is in the base directory. An uploaded file is there under its own name, behind some
// random characters, so that two of one name are two files. It has its name once it is whole: what
// a killed server was still receiving is removed by the next one, when it starts or receives. What
// has arrived is the app's.
var uploadFolder = filepath.Join(keptFolder, "uploads")

// uploads are the files that pages upload to a base directory. An uploads is safe for concurrent
// use.
type uploads struct {
	dir  string
	room sync.Mutex // held while a file gets its place, so that two do not take the same one
}

func newUploads(dir string) *uploads {
	if base, err := os.OpenRoot(dir); err == nil {
		files.RemoveAbandoned(base, uploadFolder, uploadPause)
		_ = base.Close()
	}
	return &uploads{dir: dir}
}

// receive stores size bytes from body as a file, and returns its path. arrived is called with the
// number of bytes so far; its error ends it. After an error, nothing of the file is kept.
func (u *uploads) receive(name string, size int64, body io.Reader, arrived func(int64) error) (path string, err error) {
	base, err := os.OpenRoot(u.dir)
	if err != nil {
		return "", err
	}
	defer base.Close()
	if err := base.MkdirAll(keptFolder, 0o755); err != nil {
		return "", err
	}
	if err := base.MkdirAll(uploadFolder, 0o700); err != nil { // what the person uploads is theirs
		return "", err
	}
	path = filepath.Join(uploadFolder, strings.ToLower(rand.Text()[:8])+"-"+files.SafeName(name))
	err = files.WriteFrom(base, path, 0o600, func(f *os.File) error {
		if err := u.reserve(base, f, size); err != nil {
			return err
		}
		n, err := io.CopyN(f, &counting{Reader: body, arrived: arrived}, size)
		if errors.Is(err, io.EOF) {
			err = fault.New(fault.Invalid, "%d of %d bytes arrived", n, size)
		}
		return err
	})
	return filepath.Join(u.dir, path), err
}

// reserve makes room for a file: what has begun to arrive counts in full.
func (u *uploads) reserve(base *os.Root, f *os.File, size int64) error {
	u.room.Lock()
	defer u.room.Unlock()
	files.RemoveAbandoned(base, uploadFolder, uploadPause)
	entries, err := fs.ReadDir(base.FS(), filepath.ToSlash(uploadFolder))
	if err != nil {
		return err
	}
	total := size
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else it was removed meanwhile
			total += info.Size()
		}
	}
	if total > maxUploads {
		return fault.New(fault.Exhausted, "there is no room for it: %s may hold %d MiB. Remove files there that the app does not need", filepath.ToSlash(uploadFolder), maxUploads>>20)
	}
	return f.Truncate(size)
}

// counting is a reader that reports how much was read.
type counting struct {
	io.Reader
	arrived func(int64) error
	n       int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	if err == nil {
		err = c.arrived(c.n)
	}
	return n, err
}

// A Sending is a file that a page sends to a binding.
type Sending struct {
	Instance int64
	Slot     int
	Epoch    string // the life of the session that the page displays
	Seen     int64  // the last batch that the page had applied
	Name     string // as the person's system has it
	Type     string // its media type, or ""
	Size     int64  // in bytes
}

// Upload stores a file that the person has chosen, and gives it to the object that its binding
// wrote to when they did. If it fails, nothing of the file is kept. The error is for the person. It
// is of kind [fault.Gone] if the binding wrote to another object already.
func (s *Session) Upload(ctx context.Context, what Sending, body io.Reader) error {
	if what.Size < 0 || what.Size > MaxUpload {
		return fault.New(fault.Invalid, "the file has %d bytes: at most %d MiB can be uploaded", what.Size, MaxUpload>>20)
	}
	var up *variable.Upload
	err := s.Do(ctx, func(tx *Tx) (err error) {
		st := tx.state()
		if what.Epoch != st.epoch {
			return st.uploadFailed(variable.ErrStale)
		}
		if up, err = st.tree.Upload(what.Instance, what.Slot, what.Seen); err != nil {
			return st.uploadFailed(err)
		}
		st.arriving = append(st.arriving, up)
		st.progress(up, 0.0)
		return nil
	})
	if err != nil {
		return err
	}
	next := time.Now().Add(uploadPace)
	path, err := s.uploads.receive(what.Name, what.Size, body, func(n int64) error {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if !up.Reports() || time.Now().Before(next) {
			return nil
		}
		next = time.Now().Add(uploadPace)
		return s.Do(ctx, func(tx *Tx) error {
			tx.state().progress(up, float64(n*100/max(what.Size, 1)))
			return nil
		})
	})
	if err != nil {
		// It has ended, also if its page has left or the session is busy.
		s.st.later.post(func() { s.st.arrived(up) }, nil)
		if fault.KindOf(err) == fault.Internal {
			err = fault.Wrap(fault.Exhausted, err, "the file was not kept")
		}
		return err
	}
	err = s.Do(context.WithoutCancel(ctx), func(tx *Tx) error {
		shown := tx.state().arrived(up)
		file := map[string]any{
			"name": safetext.Cut(safetext.Plain(what.Name), 255), "mime": safetext.Cut(safetext.Plain(what.Type), 255),
			"size": float64(what.Size), "path": path,
		}
		if err := up.Put(file); err != nil {
			return tx.state().uploadFailed(err)
		}
		if shown {
			tx.state().actionWorks(up.Location())
		}
		return nil
	})
	if err != nil {
		_ = os.Remove(path) // the app may have moved it
	}
	return err
}

// uploadFailed records why the app did not get a file, for its author. It returns the error for the
// person.
func (st *state) uploadFailed(err error) error {
	switch {
	case errors.Is(err, variable.ErrStale):
		return fault.New(fault.Gone, "the app has changed what is shown here")
	case err != nil:
		return fault.New(fault.Script, "the app did not accept it: %s", st.actionFailed(err))
	}
	return nil
}

// arrived ends an upload. It reports whether the app took that, where it wants to know.
func (st *state) arrived(up *variable.Upload) (ok bool) {
	st.arriving = slices.DeleteFunc(st.arriving, func(other *variable.Upload) bool { return other == up })
	return slices.ContainsFunc(st.arriving, up.Same) || st.progress(up, nil)
}

// progress tells the app how much has arrived, in percent; nil when nothing is under way to the
// same place.
func (st *state) progress(up *variable.Upload, percent any) (ok bool) {
	if !up.Reports() {
		return true
	}
	err := up.Progress(percent)
	if err != nil {
		st.actionFailed(err)
	}
	return err == nil
}
