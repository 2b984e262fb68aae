// Package version formats the version of our commands.
package version

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
)

// None is the version that the linker leaves where it is given none.
const None = "dev"

// Built returns the version of this program: linked, or, if that is [None], the version that the
// go command recorded, as "go install MODULE/cmd/wsh@v0.1.0" does.
func Built(linked string) string {
	info, _ := debug.ReadBuildInfo()
	return built(linked, info)
}

func built(linked string, info *debug.BuildInfo) string {
	if linked != None || info == nil || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return linked
	}
	return info.Main.Version
}

// numbers returns the numbers with which a semantic version without its "v" begins, as git describe
// gives for a tag without one. A commit's hash, which may start with a digit, is not one.
func numbers(version string) (n [3]int, ok bool) {
	found, _ := fmt.Sscanf(version, "%d.%d.%d", &n[0], &n[1], &n[2])
	return n, found == len(n)
}

// IsNewer reports whether a version is a later release than another one.
func IsNewer(version, than string) bool {
	a, known := numbers(strings.TrimPrefix(version, "v"))
	b, knownToo := numbers(strings.TrimPrefix(than, "v"))
	return known && knownToo && slices.Compare(a[:], b[:]) > 0
}

// Line is what PROGRAM --version prints: "ui-mcp v0.1.0", or "ui-mcp dev" for a build that was
// given no version.
func Line(program, version string) string {
	if _, ok := numbers(version); ok {
		version = "v" + version
	}
	return program + " " + version
}

// Number is the version for a field that is named so: without "v".
func Number(version string) string {
	n := strings.TrimPrefix(version, "v")
	if _, ok := numbers(n); ok {
		return n
	}
	return version
}
