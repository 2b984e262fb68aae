//go:build unix

package doctor

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// makeable returns why a folder that does not exist cannot be made.
func makeable(path string) error {
	for path != filepath.Dir(path) && !exists(path) {
		path = filepath.Dir(path)
	}
	return unix.Access(path, unix.W_OK|unix.X_OK)
}
