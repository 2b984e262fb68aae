package wsh

import (
	"bufio"
	"os"
	"os/user"
	"slices"
	"strings"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/transport/gate"
)

// completeEnvironment sets missing variables that describe the person: clients may start us with an
// empty environment.
//
// Empty variables of our own are removed: that is how scripts say that they have no value.
func completeEnvironment() {
	for _, name := range []string{instance.Variable, "WSH_CONFIG", gate.TokenVariable, "WSH_HOSTNAME", "WSH_BASE_PREFIX"} {
		if value, ok := os.LookupEnv(name); ok && value == "" {
			_ = os.Unsetenv(name)
		}
	}
	isSet := func(name string) bool { return os.Getenv(name) != "" }
	if os.PathSeparator != '/' || isSet("HOME") && isSet("USER") && isSet("LOGNAME") && isSet("SHELL") && isSet("PATH") {
		return
	}
	u, err := user.Current()
	if err != nil {
		return
	}
	for name, value := range map[string]string{
		"HOME": u.HomeDir, "USER": u.Username, "LOGNAME": u.Username, "SHELL": loginShell(u.Uid),
		"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
	} {
		if !isSet(name) && value != "" {
			_ = os.Setenv(name, value) // without a zero byte, it cannot fail
		}
	}
}

// loginShell returns the shell that the system has for a user, or "" if it is not in the file of
// users.
func loginShell(uid string) string {
	f, err := os.Open("/etc/passwd")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Split(lines.Text(), ":"); len(fields) == 7 && fields[2] == uid {
			return fields[6]
		}
	}
	return ""
}

// isBare reports whether no shell has prepared an environment, as when a desktop program has
// started us: then the shells of sessions should be login shells, which prepare it.
func isBare(environ []string) bool { return !has(environ, "TERM") && !has(environ, "SHLVL") }

// withLocale adds a locale to an environment that has none: programs would garble all that is not
// ASCII.
func withLocale(environ []string) []string {
	if os.PathSeparator != '/' || has(environ, "LANG") || has(environ, "LC_ALL") || has(environ, "LC_CTYPE") {
		return environ
	}
	return append(slices.Clip(environ), "LANG=C.UTF-8")
}

// has reports whether an environment has a variable that is not empty.
func has(environ []string, name string) bool {
	return slices.ContainsFunc(environ, func(entry string) bool {
		value, ok := strings.CutPrefix(entry, name+"=")
		return ok && value != ""
	})
}
