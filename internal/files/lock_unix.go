//go:build unix

package files

import (
	"os"
	"syscall"

	"ui-mcp/internal/regular"
)

// lock marks a partial file as one that is being written, until it is closed or the process ends.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// removeUnlessOpen removes a partial file that nobody is writing. Another process may be quicker.
func removeUnlessOpen(root *os.Root, path string) {
	f, err := regular.OpenIn(root, path, os.O_RDONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if lock(f) == nil {
		_ = root.Remove(path)
	}
}
