package popup

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/regular"
)

const (
	// filesFolder has the files of answers, below [Options.Files].
	filesFolder = "data/answers"
	// maxFilesAge and maxFilesTotal bound what is kept there: the oldest go first.
	maxFilesAge   = 30 * 24 * time.Hour
	maxFilesTotal = 1 << 30
)

// isOwnFile reports whether writeFiles gives a file such a name.
func isOwnFile(name string) bool {
	random, _, ok := strings.Cut(name, "-")
	return ok && len(random) == 8 && strings.Trim(random, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// keepFiles puts the files of a reply that the question takes where its asker finds them, and
// returns them with their paths. Files of old answers go.
func (b *Broker) keepFiles(q question.Question, r question.Reply) (kept []question.File, err error) {
	if len(r.Files) == 0 {
		return nil, nil
	}
	a, err := q.Accept(r)
	if err != nil || len(a.Files) == 0 {
		return nil, err
	}
	if err = os.MkdirAll(b.opts.Files, 0o700); err == nil {
		kept, err = writeFiles(b.opts.Files, a.Files)
	}
	if err != nil {
		b.dropFiles(kept)
		return nil, fault.Wrap(fault.Exhausted, err, "the files could not be kept")
	}
	return kept, nil
}

// writeFiles writes files below a directory that no link leads out of. With an error, it returns
// those that may be there.
func writeFiles(base string, list []question.File) (kept []question.File, err error) {
	root, err := os.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := root.MkdirAll(filesFolder, 0o700); err != nil {
		return nil, err
	}
	var more int64
	for _, f := range list {
		more += int64(len(f.Data))
	}
	removeOld(root, more, time.Now())
	for _, f := range list {
		name := filepath.Join(filepath.FromSlash(filesFolder), strings.ToLower(rand.Text()[:8])+"-"+files.SafeName(f.Name))
		file, err := regular.OpenIn(root, name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // whose name nobody knows until all is written
		if err != nil {
			return kept, err
		}
		_, err = file.Write(f.Data)
		f.Path, f.Data = filepath.Join(base, name), nil
		kept = append(kept, f)
		if err = errors.Join(err, file.Close()); err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// removeOld removes files of old answers, and makes room for more bytes.
func removeOld(root *os.Root, more int64, now time.Time) {
	entries, _ := fs.ReadDir(root.FS(), filesFolder) // who writes there learns of the error
	var list []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && isOwnFile(info.Name()) {
			list = append(list, info)
		}
	}
	slices.SortFunc(list, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range list {
		if more += info.Size(); more > maxFilesTotal || now.Sub(info.ModTime()) > maxFilesAge {
			_ = root.Remove(path.Join(filesFolder, info.Name())) // another process may be quicker
		}
	}
}

// dropFiles removes files that nobody gets.
func (b *Broker) dropFiles(list []question.File) {
	if len(list) == 0 {
		return
	}
	root, err := os.OpenRoot(b.opts.Files)
	if err != nil {
		return // with all that is there
	}
	defer root.Close()
	for _, f := range list {
		_ = root.Remove(path.Join(filesFolder, filepath.Base(f.Path)))
	}
}
