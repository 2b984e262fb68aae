//go:build unix

package regular

import (
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// A fileOf is a file of a user.
type fileOf struct {
	fs.FileInfo
	uid  int
	mode fs.FileMode
}

func (f fileOf) Sys() any          { return &syscall.Stat_t{Uid: uint32(f.uid)} }
func (f fileOf) Mode() fs.FileMode { return f.mode }

// Files with secrets belong to this user, or to root, and nobody else may read them.
func TestCheckPrivate(t *testing.T) {
	self := os.Geteuid()
	for _, tt := range []struct {
		file fileOf
		want bool
	}{
		{fileOf{nil, self, 0o600}, true},
		{fileOf{nil, 0, 0o400}, true},
		{fileOf{nil, self + 12345, 0o600}, false},
		{fileOf{nil, self, 0o640}, false},
		{fileOf{nil, 0, 0o604}, false},
		{fileOf{nil, self, 0o601}, false},
		{fileOf{nil, self, fs.ModeDir | 0o700}, true},
		{fileOf{nil, self, fs.ModeDir | 0o711}, false},
	} {
		if err := CheckPrivate(tt.file); (err == nil) != tt.want {
			t.Errorf("of user %d with mode %#o: %v", tt.file.uid, tt.file.mode, err)
		}
	}
}

func TestTrusted(t *testing.T) {
	for _, tt := range []struct {
		owner, self int
		want        bool
	}{{5, 5, true}, {0, 5, true}, {0, 0, true}, {6, 5, false}, {5, 0, false}} {
		if got := trusted(tt.owner, tt.self); got != tt.want {
			t.Errorf("a file of %d is trusted by %d: %v", tt.owner, tt.self, got)
		}
	}
}
