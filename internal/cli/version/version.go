// Package version formats the version of our commands.
package version

import (
	"runtime/debug"
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

// isBare reports whether a version is a semantic one without its "v", as git describe gives for a
// tag without one. A commit's hash, which may start with a digit, is not one.
func isBare(version string) bool {
	for i, rest := 0, version; ; i++ {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 || i == 2 {
			return digits > 0
		}
		var ok bool
		if rest, ok = strings.CutPrefix(rest[digits:], "."); !ok {
			return false
		}
	}
}

// Line is what PROGRAM --version prints: "ui-mcp v0.1.0", or "ui-mcp dev" for a build that was
// given no version.
func Line(program, version string) string {
	if isBare(version) {
		version = "v" + version
	}
	return program + " " + version
}

// Number is the version for a field that is named so: without "v".
func Number(version string) string {
	if n := strings.TrimPrefix(version, "v"); isBare(n) {
		return n
	}
	return version
}
