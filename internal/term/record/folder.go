package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
)

// ErrFull is the error of writing to a recording that has twice its share of the folder, or when
// the folder has no room: the recording was cut. Another one may make room by removing the oldest.
var ErrFull = errors.New("the folder for recordings has no more room for this one")

// shares is how many recordings that are long enough a folder has room for: the program that writes
// most does not displace all others at once, and loses only the oldest part of its own.
const shares = 8

// stamp is the time in a file's name, in UTC, which follows the name of the session.
const stamp = ".20060102-150405"

// pruneEvery is how often a folder looks for recordings that are too old.
const pruneEvery = time.Hour

// managed matches the names of the files that a folder may remove: only those that it made.
var managed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.\d{8}-\d{6}(-\d+)?\.wsh\.cast$`) })

// A Folder holds recordings within a size and an age: the oldest are removed for new ones. Other
// files in the directory are left alone. Its methods may be called from anywhere. Servers that
// share a directory keep the bounds together, and may remove each other's oldest recordings.
type Folder struct {
	dir  string
	size int64
	age  time.Duration
	log  *slog.Logger

	remove func(file string) error // os.Remove, except in tests

	mu    sync.Mutex // guards the fields below; held while files are listed and removed, so that two do not remove at once
	used  int64      // bytes, as of the last look, and what was written since
	open  map[string]bool
	stuck map[string]bool // files that could not be removed, of which the log knows
	timer *time.Timer     // nil once the folder is closed
	clock clock
}

// OpenFolder opens a directory for recordings of at most size bytes in all, none older than age. It
// makes the directory if it does not exist, for this user only.
func OpenFolder(dir string, size int64, age time.Duration, log *slog.Logger) (*Folder, error) {
	f := &Folder{dir: dir, size: size, age: age, log: log, remove: os.Remove, open: map[string]bool{}, stuck: map[string]bool{}}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.pruneLocked(time.Now(), 0); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "open the folder for recordings")
	}
	f.timer = time.AfterFunc(min(age, pruneEvery), f.tick)
	return f, nil
}

// Close stops the removal of old recordings. Files that are open stay open.
func (f *Folder) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.timer.Stop()
	f.timer = nil
}

func (f *Folder) tick() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timer == nil {
		return
	}
	if err := f.pruneLocked(time.Now(), 0); err != nil {
		f.log.Warn("old recordings cannot be removed", "folder", f.dir, "error", err)
	}
	f.timer.Reset(min(f.age, pruneEvery))
}

// A File is a file for a recording. Write is called on one goroutine at a time; Long may be called
// from anywhere.
type File interface {
	io.WriteCloser
	// Long reports whether the recording is so long that it should end, and continue in another
	// file. It can still be written to.
	Long() bool
}

// Create makes a file for a new recording. name begins the file's name. Write keeps the whole lines
// for which there is room, and then returns [ErrFull].
func (f *Folder) Create(name string) (File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	if err := f.pruneLocked(now, 0); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "make room for a recording")
	}
	for n := 1; ; n++ {
		file := name + now.UTC().Format(stamp)
		if n > 1 {
			file += fmt.Sprintf("-%d", n)
		}
		file += ".wsh.cast"
		w, err := os.OpenFile(filepath.Join(f.dir, file), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fault.Wrap(fault.Precondition, err, "make the file of a recording")
		}
		f.open[file] = true
		return &folderFile{bounded{NewLines(w), 2 * (f.size / shares), f, ErrFull}, f, file}, nil
	}
}

// pruneLocked removes recordings that are too old, and the oldest while there is no room for n more
// bytes. Those that are being written stay, and so do those that cannot be removed. After the
// computer's clock was set, none is too old for an hour.
func (f *Folder) pruneLocked(now time.Time, n int64) error {
	if err := os.MkdirAll(f.dir, 0o700); err != nil { // it may have been removed meanwhile
		return err
	}
	old, err := f.files()
	if err != nil {
		return err
	}
	f.used = 0
	for _, info := range old {
		f.used += info.Size()
	}
	old = slices.DeleteFunc(old, func(info fs.FileInfo) bool { return f.open[info.Name()] })
	slices.SortFunc(old, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	ages := f.clock.isRight(now)
	for _, info := range old {
		if f.used+n <= f.size && !(ages && now.Sub(info.ModTime()) > f.age) {
			break
		}
		if err := f.remove(filepath.Join(f.dir, info.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			if !f.stuck[info.Name()] {
				f.stuck[info.Name()] = true
				f.log.Warn("an old recording cannot be removed", "folder", f.dir, "file", info.Name(), "error", err)
			}
			continue // it takes room, and new ones are more important
		}
		f.used -= info.Size()
	}
	return nil
}

// files returns the recordings in the folder. Other files are left out, and so are links.
func (f *Folder) files() ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	var list []fs.FileInfo
	for _, e := range entries {
		if !e.Type().IsRegular() || !managed().MatchString(e.Name()) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue // it was removed meanwhile, maybe by another server
		}
		if err != nil {
			return nil, err
		}
		list = append(list, info)
	}
	return list, nil
}

// takeLines makes room for lines if it can.
func (f *Folder) takeLines(text []byte) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := int64(len(text)); f.used+n > f.size {
		if err := f.pruneLocked(time.Now(), n); err != nil {
			f.log.Warn("no room can be made for recordings", "folder", f.dir, "error", err)
			return nil
		}
	}
	text = wholeLines(text, f.size-f.used)
	f.used += int64(len(text))
	return text
}

func (f *Folder) add(n int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.used += n
}

func (f *Folder) closed(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, name)
}

type folderFile struct {
	bounded
	folder *Folder
	name   string
}

// Long implements [File].
func (w *folderFile) Long() bool { return w.Size() >= w.most/2 }

// Close implements [File]. A file without anything in it is removed.
func (w *folderFile) Close() error {
	w.folder.closed(w.name)
	err := w.file.Close()
	if w.Size() == 0 {
		err = errors.Join(err, os.Remove(w.file.Name()))
	}
	return err
}
