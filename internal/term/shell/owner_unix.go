//go:build unix

package shell

import (
	"os"
	"syscall"

	"ui-mcp/internal/fault"
)

// checkOwner checks that nobody but this user can change what is in a directory.
func checkOwner(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fault.Wrap(fault.Internal, err, "write the shell scripts")
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(stat.Uid) != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return fault.New(fault.Precondition, "%s is not a directory that only this user can write to", dir)
	}
	return nil
}
