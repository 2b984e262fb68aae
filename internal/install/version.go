package install

import (
	"path/filepath"
	"regexp"
	"sync"

	"golang.org/x/mod/semver"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
)

var versionLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\*\*Version:[ \t]*v?([^* \t\r\n]+)\*\*`) })

// Version returns the semantic version, without a leading v, that a README gives in its first line
// of the form **Version: X.Y.Z**.
func Version(readme string) (string, error) {
	m := versionLine().FindStringSubmatch(readme)
	if m == nil {
		return "", fault.New(fault.NotFound, "no line **Version: X.Y.Z**")
	}
	if !semver.IsValid("v" + m[1]) {
		return "", fault.New(fault.Invalid, "%q is no semantic version", m[1])
	}
	return m[1], nil
}

// ours matches the README of this product: a base directory may hold the README of another product.
var ours = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^# ui-mcp\s*$`) })

// installedVersion returns the version in base, or "" if there is no readable one, or one of
// another product: then everything is installed.
func installedVersion(base string) string {
	data, err := regular.ReadFile(filepath.Join(base, readme), maxReadme)
	if err != nil {
		return ""
	}
	v, err := Version(string(data))
	if err != nil || !ours().Match(data) {
		return ""
	}
	return v
}
