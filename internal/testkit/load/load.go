// Package load sets how much make test does, so that it stays quick. Tests that put a load on the
// program (storms, floods, long random runs) do little in it, and everything in make load. Long
// stories are left to make e2e.
package load

import (
	"flag"
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

// Long leaves a test to make e2e, since make test is to take two minutes at most on two processors.
// make check, make race and .ci/run run the test, too, and so does a run that names tests with
// -run. why says what makes the rest of make test do for a quick answer, such as a shorter test
// that covers most of it. The call belongs at the top level of a test, where tools/e2e finds it.
func Long(t testing.TB, why string) {
	t.Helper()
	if !All() {
		t.Skip("left to make e2e: " + why)
	}
}

// All reports whether nothing is left to make e2e, for tests that do a part of their work in make
// test.
func All() bool {
	asked := flag.Lookup("test.run")
	return os.Getenv("UI_MCP_E2E") != "" || Full() || asked != nil && asked.Value.String() != ""
}
