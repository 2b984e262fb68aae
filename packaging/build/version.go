package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A version is a semantic one, or what git describe makes of it for a commit after its tag.
type version struct {
	text    string // without "v"
	number  string // X.Y.Z
	pre     string // "rc.1", or ""
	after   string // what comes after the tag: "3.g6163d96.dirty", or ""
	commits string // how many commits after the tag, or ""
}

var described = regexp.MustCompile(`^v?((\d+\.\d+\.\d+)(?:-((?:alpha|beta|rc)\.?\d+))?((?:-(\d+)-g[0-9a-f]+)?(?:-dirty)?))$`)

// parseVersion reads a version such as "0.1.0", "v0.1.0-rc.1" or "v0.1.0-3-g6163d96-dirty".
func parseVersion(text string) (version, error) {
	m := described.FindStringSubmatch(text)
	if m == nil {
		return version{}, fmt.Errorf("%q is not a version for packages: they need X.Y.Z, X.Y.Z-rc.N, or what git describe makes of such a tag", text)
	}
	return version{text: m[1], number: m[2], pre: m[3], after: strings.ReplaceAll(strings.TrimPrefix(m[4], "-"), "-", "."), commits: m[5]}, nil
}

// String returns the version as programs print it.
func (v version) String() string { return v.text }

// packaged returns number, the rest of a version before its tag, and after a plus sign what comes
// after the tag.
func (v version) packaged(pre string) string {
	return strings.TrimSuffix(v.number+pre+"+"+v.after, "+")
}

// linux returns the version for .deb and .rpm, in which a tilde sorts before the end.
func (v version) linux() string { return v.packaged(strings.TrimSuffix("~"+v.pre, "~")) }

// alpine returns the version for .apk, which knows words for what comes before and after a release.
func (v version) alpine() string {
	text := v.number
	if v.pre != "" {
		text += "_" + strings.Replace(v.pre, ".", "", 1)
	}
	if v.commits != "" {
		text += "_p" + v.commits
	}
	return text
}

// python returns the version as PyPI spells it: 0.1.0rc1, and +3.g6163d96 after it.
func (v version) python() string {
	return v.packaged(strings.NewReplacer("alpha", "a", "beta", "b", ".", "").Replace(v.pre))
}
