//go:build unix

package files

import (
	"os"
	"strconv"
	"syscall"
)

// KeepInherited keeps the files that this process was started with, other than its standard
// streams, from the programs that it starts. A server would hold a lock or a pipe of the script
// that has started it for as long as it runs, and each of its sessions could use them.
func KeepInherited() {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return // without that folder, nobody knows
	}
	for _, f := range open {
		if n, err := strconv.Atoi(f.Name()); err == nil && n > 2 {
			syscall.CloseOnExec(n)
		}
	}
}
