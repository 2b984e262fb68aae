package wsh

import (
	"os"
	"path/filepath"
	"strings"

	"ui-mcp/internal/fault"
)

// A noAuthFlag is refused on a command line.
type noAuthFlag bool

// BeforeReset is called by kong when the flag is given.
func (noAuthFlag) BeforeReset() error {
	return fault.New(fault.Invalid, "a server cannot do without a token where other machines reach it: leave --no-auth out. On 127.0.0.1, the programs of this user need none")
}

// checkShell returns an error if the shell for new sessions is this program, which would start
// itself.
func checkShell(path string) error {
	if !isWsh(path) {
		return nil
	}
	return fault.New(fault.Invalid, "the shell for new sessions would be %s, which starts sessions itself: set SHELL to another one, such as SHELL=/bin/sh, or give one with --shell", path)
}

// isWsh reports whether a program is this one.
func isWsh(path string) bool {
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
