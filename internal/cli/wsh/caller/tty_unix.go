//go:build unix

package caller

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

func SizeOf(stream any) (cols, rows int, ok bool) {
	f, isFile := stream.(*os.File)
	if !isFile || f == nil {
		return 0, 0, false
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 || size.Row == 0 {
		return 0, 0, false
	}
	return int(size.Col), int(size.Row), true
}

// OpenTerminal opens a stream that is a terminal to write to it.
func OpenTerminal(stream any) (*os.File, error) {
	f, _ := stream.(*os.File)
	if path := ttyOf(f); path != "" {
		if opened, err := os.OpenFile(path, os.O_WRONLY|unix.O_NOCTTY, 0); err == nil {
			return opened, nil
		}
	}
	return os.OpenFile("/dev/tty", os.O_WRONLY, 0) // it may belong to another user, as after su
}

// ttyOf returns the path of a terminal below /dev, or "".
func ttyOf(f *os.File) string {
	if path, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd())); err == nil {
		if strings.HasPrefix(path, "/dev/") {
			return path
		}
		return ""
	}
	var wanted, found unix.Stat_t // there is no /proc on macOS
	if unix.Fstat(int(f.Fd()), &wanted) != nil {
		return ""
	}
	paths, _ := filepath.Glob("/dev/tty*") // the pattern is valid
	for _, path := range paths {
		if unix.Stat(path, &found) == nil && found.Rdev == wanted.Rdev && found.Mode&unix.S_IFMT == unix.S_IFCHR && path != "/dev/tty" {
			return path
		}
	}
	return ""
}
