//go:build unix

package access

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// private returns an error if anyone but its owner may read or change a file, or if its owner is
// neither this user nor root.
func private(info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && !trusted(int(stat.Uid), os.Geteuid()) {
		return errors.New("it belongs to another user")
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("its mode is %#o, which lets other users in: make it 0600", mode)
	}
	return nil
}

// trusted reports whether a user may own the files of the user self.
func trusted(owner, self int) bool { return owner == self || owner == 0 }
