// Package load sets how much tests that put a load on the program do: storms, floods, long random
// runs. They do little in make test, so that it stays quick, and everything in make load.
//
// The package is for tests: nothing of the program may import it.
package load

import (
	"os"
	"testing"
)

// Full reports whether UI_MCP_LOAD is set, as make load sets it.
func Full() bool { return os.Getenv("UI_MCP_LOAD") != "" }

// Count returns full in make load, and small otherwise.
func Count(small, full int) int {
	if Full() {
		return full
	}
	return small
}

// Sequential skips a test in make race, which passes -short: the test does much work, and nothing
// in it runs at the same time as anything else, or only the browser does, or other tests run the
// same code at the same time with less work.
func Sequential(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("says nothing about races")
	}
}
