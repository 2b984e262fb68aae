// Package version formats the version of our commands.
package version

import (
	"regexp"
	"strings"
)

// bare matches a semantic version without its "v", as git describe gives for a tag without one. A
// commit's hash, which may start with a digit, does not match.
var bare = regexp.MustCompile(`^\d+\.\d+\.\d+`)

// Line is what PROGRAM --version prints: "ui-mcp v0.1.0", or "ui-mcp dev" for a build that was
// given no version.
func Line(program, version string) string {
	if bare.MatchString(version) {
		version = "v" + version
	}
	return program + " " + version
}

// Number is the version for a field that is named so: without "v".
func Number(version string) string {
	if n := strings.TrimPrefix(version, "v"); bare.MatchString(n) {
		return n
	}
	return version
}
