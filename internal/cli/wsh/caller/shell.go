package caller

import (
	"os"
	"path/filepath"
	"strings"

	"ui-mcp/internal/fault"
)

// CheckShell returns an error if the shell for new sessions is this program, which would start
// itself.
func CheckShell(path string) error {
	if !IsWsh(path) {
		return nil
	}
	return fault.New(fault.Invalid, "the shell for new sessions would be %s, which starts sessions itself: set SHELL to another one, such as SHELL=/bin/sh, or give one with --shell", path)
}

// IsWsh reports whether a program is this one.
func IsWsh(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
	if strings.TrimPrefix(name, "-") == "wsh" {
		return true
	}
	if !filepath.IsAbs(path) {
		return false
	}
	self, err := os.Executable()
	if err != nil {
		return false
	}
	a, errA := os.Stat(self)
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
