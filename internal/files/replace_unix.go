//go:build linux || darwin

package files

import (
	"errors"
	"os"
	"syscall"
)

const canHold = true

// exchange has two files of a directory change places. Its error wraps [errors.ErrUnsupported]
// where the file system cannot do that.
func exchange(root *os.Root, a, b string) error { return rename(root, a, b, exchangeFlag) }

// renameNew renames a file of a directory to a name that nothing has.
func renameNew(root *os.Root, from, to string) error { return rename(root, from, to, newFlag) }

func rename(root *os.Root, from, to string, flag uint) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	err = renameWith(int(dir.Fd()), from, to, flag)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOTSUP) {
		return errors.ErrUnsupported
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}
