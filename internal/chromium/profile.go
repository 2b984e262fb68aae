package chromium

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
)

const (
	// profilePrefix begins the names of the folders of profiles, in the temporary directory.
	profilePrefix = "ui-mcp-browser-"
	// profileLock is the file in a profile that the process locks whose browser uses it.
	profileLock = "ui-mcp.lock"
	// unlockedFor is how long a folder may be without a lock before it counts as left over: its
	// owner makes the lock right after the folder.
	unlockedFor = time.Minute
	// profileAttempts is how many profiles are made until one is not taken by a sweep.
	profileAttempts = 10
)

// A profile is the folder in which a browser keeps what it remembers. Other users cannot read it.
type profile struct {
	dir  string
	lock *files.Lock
}

func newProfile() (*profile, error) {
	for attempt := 1; ; attempt++ {
		dir, err := os.MkdirTemp("", profilePrefix)
		if err != nil {
			return nil, fault.Wrap(fault.Precondition, err, "the browser needs a temporary folder (set TMPDIR to one that can be written)")
		}
		lock, err := files.TryLock(filepath.Join(dir, profileLock), 0o600)
		if err == nil && lock != nil {
			return &profile{dir, lock}, nil
		}
		_ = os.RemoveAll(dir)
		// A sweep of another process can lock the file first, in the moment in which it exists and
		// is not locked. Then it removes the folder.
		if taken := err == nil || errors.Is(err, fs.ErrNotExist); !taken || attempt == profileAttempts {
			return nil, fault.New(fault.Precondition, "the browser's temporary folder %s cannot be locked: %v", dir, err)
		}
	}
}

// remove removes the profile. The browser must have ended; programs that it has started may still
// be ending, and write until then.
func (p *profile) remove() error {
	var err error
	for range 20 {
		if err = os.RemoveAll(p.dir); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.Join(err, p.lock.Close())
}

// Sweep removes the profiles that processes of this user have left which were killed. It never
// waits for one that is in use.
func Sweep() {
	dirs, err := filepath.Glob(filepath.Join(os.TempDir(), profilePrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		sweep(dir, time.Now())
	}
}

func sweep(dir string, now time.Time) {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || !owned(info) || !strings.HasPrefix(filepath.Base(dir), profilePrefix) {
		return
	}
	path := filepath.Join(dir, profileLock)
	if file, err := os.Lstat(path); err != nil {
		if now.Sub(info.ModTime()) > unlockedFor {
			_ = os.RemoveAll(dir)
		}
		return
	} else if !file.Mode().IsRegular() {
		return
	}
	lock, err := files.TryLock(path, 0o600)
	if err != nil || lock == nil {
		return
	}
	_ = os.RemoveAll(dir)
	_ = lock.Close()
}
