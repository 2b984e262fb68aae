package pty

import (
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
)

// private are the variables that a program does not inherit: our own settings, which may contain
// secrets, and those by which other terminals identify themselves. A name that ends with _ stands
// for all that begin with it. Settings of other terminals, such as TERMINFO_DIRS, are not among
// them.
var private = []string{
	"WSH_", "UI_MCP_",
	"TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "TERM_FEATURES", "TERMCAP", "TERMINFO", "COLORFGBG",
	"LINES", "COLUMNS", "WINDOWID", "WINDOW", "LC_TERMINAL", "LC_TERMINAL_VERSION",
	"TMUX", "TMUX_PANE", "STY", "ZELLIJ", "ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID", "VTE_VERSION",
	"KITTY_WINDOW_ID", "KITTY_PID", "KITTY_PUBLIC_KEY", "KITTY_LISTEN_ON", "KITTY_INSTALLATION_DIR", "KITTY_SHELL_INTEGRATION",
	"WEZTERM_PANE", "WEZTERM_UNIX_SOCKET", "WEZTERM_EXECUTABLE", "WEZTERM_EXECUTABLE_DIR",
	"ITERM_", "ALACRITTY_", "GHOSTTY_", "KONSOLE_", "VSCODE_", "WT_SESSION", "WT_PROFILE_ID", "SHELL_SESSION_",
}

// isPrivate reports whether a program does not inherit a variable.
func isPrivate(name string) bool {
	return slices.ContainsFunc(private, func(p string) bool {
		return name == p || strings.HasSuffix(p, "_") && strings.HasPrefix(name, p)
	})
}

// own are the variables with which our terminal identifies itself.
var own = map[string]string{
	"TERM":         "xterm-256color",
	"COLORTERM":    "truecolor",
	"TERM_PROGRAM": "wsh",
}

// Environment returns the environment of a program on our terminal: base, as from os.Environ,
// without our private variables and those of other terminals; then TERM=xterm-256color,
// COLORTERM=truecolor and TERM_PROGRAM=wsh; then extra, which takes precedence. The result is
// sorted.
func Environment(base []string, extra map[string]string) []string {
	// On Windows, names that differ only in case are the same variable.
	names := map[string]string{} // in their last spelling
	vars := map[string]string{}
	set := func(name, value string) {
		key := foldName(name)
		names[key], vars[key] = name, value
	}
	for _, entry := range base {
		name, value, ok := strings.Cut(entry, "=")
		if ok && name != "" && !isPrivate(foldName(name)) {
			set(name, value)
		}
	}
	for name, value := range own {
		set(name, value)
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		set(name, extra[name])
	}
	env := make([]string, 0, len(vars))
	for _, key := range slices.Sorted(maps.Keys(vars)) {
		env = append(env, names[key]+"="+vars[key])
	}
	return env
}

// needed are the variables that programs get even if they are not on the list of allowed ones,
// since hardly any works without them.
var needed = []string{
	"HOME", "PATH", "SHELL", "USER", "LOGNAME",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
}

// Filter returns the variables of an environment that are allowed and not denied. Both are lists of
// names, in which * stands for any characters. Without allow, all are allowed; with it, HOME, PATH
// and a few more are in any case. An error is of kind [fault.Invalid].
func Filter(environ, allow, deny []string) ([]string, error) {
	for _, pattern := range slices.Concat(allow, deny) {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" || strings.ContainsAny(pattern, "=/") {
			return nil, fault.New(fault.Invalid, "%q is not a name of a variable, in which * stands for any characters", pattern)
		}
	}
	if len(allow) > 0 {
		allow = slices.Concat(allow, needed)
	}
	var kept []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if (len(allow) == 0 || matches(allow, name)) && !matches(deny, name) {
			kept = append(kept, entry)
		}
	}
	return kept, nil
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(foldName(p), foldName(name))
		return ok
	})
}

// Home returns dir if it is a directory, and otherwise the root of the file system.
func Home(dir string) string {
	if dir != "" && checkDir(dir) == nil {
		return dir
	}
	return string(os.PathSeparator)
}
