package files

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// swap exchanges the names of two files in a folder at once.
func swap(root *os.Root, a, b string) error {
	a, b = filepath.Join(root.Name(), a), filepath.Join(root.Name(), b)
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
