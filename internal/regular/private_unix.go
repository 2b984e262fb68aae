//go:build unix

package regular

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// CheckPrivate returns an error if anyone but its owner may read or change a file or a directory,
// or if its owner is neither this user nor root.
func CheckPrivate(info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && !trusted(int(stat.Uid), os.Geteuid()) {
		return errors.New("it belongs to another user")
	}
	if mode := info.Mode(); mode.Perm()&0o077 != 0 {
		want := 0o600
		if mode.IsDir() {
			want = 0o700
		}
		return fmt.Errorf("its mode is %#o, which lets other users in: make it %#o", mode.Perm(), want)
	}
	return nil
}

// trusted reports whether a user may own the files of the user self.
func trusted(owner, self int) bool { return owner == self || owner == 0 }
