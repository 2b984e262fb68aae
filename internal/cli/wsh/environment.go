package wsh

import (
	"bufio"
	"os"
	"os/user"
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
