package chromium

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ui-mcp/internal/fault"
)

// profilePrefix begins the names of the folders of profiles, in the temporary directory. The ID of
// the process that has made the folder follows, and what makes the name unique.
const profilePrefix = "ui-mcp-browser-"

// ownPrefix is profilePrefix with the namespace of process IDs, where there are several: containers
// may share the temporary directory.
func ownPrefix() string {
	space, _ := os.Readlink("/proc/self/ns/pid") // such as "pid:[4026531836]"
	return profilePrefix + strings.Trim(space, "pid:[]") + "."
}

// newProfile makes the folder in which a browser keeps what it remembers. Other users cannot read
// it.
func newProfile() (dir string, err error) {
	dir, err = os.MkdirTemp("", fmt.Sprintf("%s%d-", ownPrefix(), os.Getpid()))
	if err != nil {
		return "", fault.Wrap(fault.Precondition, err, "the browser needs a temporary folder (set TMPDIR to one that can be written)")
	}
	return dir, nil
}

// removeProfile removes a profile. The browser must have ended; programs that it has started may
// still be ending, and write until then.
func removeProfile(dir string) (err error) {
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// sweep removes the profiles of processes that have been killed.
func sweep() {
	own := ownPrefix()
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), own+"*-*")) // none if that is no pattern
	for _, dir := range dirs {
		id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), own), "-")
		if pid, err := strconv.Atoi(id); err == nil && !lives(pid) {
			_ = os.RemoveAll(dir)
		}
	}
}

func lives(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
