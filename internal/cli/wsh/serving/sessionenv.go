package serving

import (
	"os"
	"slices"

	"ui-mcp/internal/environ"
)

// isBare reports whether no shell has prepared an environment, as when a desktop program has
// started us: then the shells of sessions should be login shells, which prepare it.
func isBare(vars environ.Variables) bool { return vars.Get("TERM") == "" && vars.Get("SHLVL") == "" }

// withLocale adds a locale to an environment that has none: programs would garble all that is not
// ASCII.
func withLocale(vars environ.Variables) environ.Variables {
	if os.PathSeparator != '/' || vars.Get("LANG") != "" || vars.Get("LC_ALL") != "" || vars.Get("LC_CTYPE") != "" {
		return vars
	}
	return append(slices.Clip(vars), "LANG=C.UTF-8")
}
