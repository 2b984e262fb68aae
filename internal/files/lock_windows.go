package files

import (
	"os"
	"time"
)

// abandonedTime is how old a partial file is that no writer will rename any more.
const abandonedTime = time.Minute

// lock does nothing: a file that is open cannot be removed.
func lock(*os.File) error { return nil }

// removeUnlessOpen removes a partial file that nobody is writing. One that is new may have been
// closed a moment ago, to get its name next: open files cannot be renamed.
func removeUnlessOpen(root *os.Root, path string) {
	if info, err := root.Lstat(path); err == nil && time.Since(info.ModTime()) > abandonedTime {
		_ = root.Remove(path)
	}
}
