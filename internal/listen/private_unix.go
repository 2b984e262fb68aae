//go:build unix

package listen

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// bind makes the socket in a new private directory, where nobody else can connect before its mode
// is right, and then moves it to its path. Changing the process's umask instead would change the
// modes of files that others create at that moment.
func bind(path string) (_ *net.UnixListener, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), ".")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	temporary := filepath.Join(dir, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: temporary, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err = os.Chmod(temporary, 0o600); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// checkProtected returns an error if another user could replace files in a directory.
func checkProtected(dir fs.FileInfo) error {
	stat, ok := dir.Sys().(*syscall.Stat_t)
	if ok && int(stat.Uid) != os.Geteuid() && stat.Uid != 0 {
		return errForeign(int(stat.Uid))
	}
	if mode := dir.Mode(); mode.Perm()&0o022 != 0 && mode&fs.ModeSticky == 0 {
		return fmt.Errorf("its mode is %#o, so other users could replace the socket", mode.Perm())
	}
	return nil
}

// checkOwner returns an error if a file belongs to another user. Root's files are trusted, as root
// is.
func checkOwner(file fs.FileInfo) error {
	if stat, ok := file.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() && stat.Uid != 0 {
		return errForeign(int(stat.Uid))
	}
	return nil
}
