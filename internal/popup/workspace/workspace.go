// Package workspace compares the paths of workspaces, however editors, agents and shells write
// them, and finds the workspace that a question belongs to. It is pure: callers follow links on
// disk.
package workspace

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// drive matches the start of a path on Windows: "C:", or "/c:" as URIs have it.
var drive = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/?([A-Za-z]:)(/|$)`) })

// Clean returns a path in the form in which paths are compared: forward slashes, none at the end,
// no "." and no "..". file: URIs become paths. Windows paths, which begin with a drive or two
// backslashes, become lower case, since case means nothing there. Relative paths and "" become "".
func Clean(p string) string {
	p = strings.TrimSpace(p)
	if len(p) >= len("file:") && strings.EqualFold(p[:len("file:")], "file:") {
		u, err := url.Parse(p)
		if err != nil {
			return ""
		}
		p = u.Path
		if u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
			p = `\\` + u.Host + p
		}
	}
	if strings.HasPrefix(p, `\\`) {
		return "/" + path.Clean(strings.ToLower(strings.ReplaceAll(p[1:], `\`, "/")))
	}
	if slashed := strings.ReplaceAll(p, `\`, "/"); drive().MatchString(slashed) {
		return path.Clean(strings.ToLower(strings.TrimPrefix(slashed, "/")))
	}
	if !strings.HasPrefix(p, "/") {
		return ""
	}
	return path.Clean(p)
}

// Route finds the workspace that p belongs to among the known ones, all of them clean: p itself,
// else the deepest one above it, else the only one.
func Route(known []string, p string) (string, bool) {
	best, found := "", false
	for _, k := range known {
		if k == p {
			return k, true
		}
		if isAbove(k, p) && (!found || len(k) > len(best)) {
			best, found = k, true
		}
	}
	if !found && len(known) > 0 && !slices.ContainsFunc(known, func(k string) bool { return k != known[0] }) {
		return known[0], true // the only one, however often it is listed
	}
	return best, found
}

// Related reports whether one of two clean paths is the other, or above it. Every path is related
// to "".
func Related(a, b string) bool { return a == b || isAbove(a, b) || isAbove(b, a) || a == "" || b == "" }

// isAbove reports whether p is somewhere below dir.
func isAbove(dir, p string) bool {
	return strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}
