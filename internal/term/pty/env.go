package pty

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// private are the beginnings of names that a program on our terminal does not
// inherit: our own settings, which may hold secrets, and what other terminals say
// about themselves, which is not true of ours.
var private = []string{
	"WSH_", "UI_MCP_",
	"TERM_PROGRAM", "TERM_SESSION_ID", "TERMCAP", "TERMINFO", "COLORFGBG", "LINES", "COLUMNS", "WINDOWID", "WINDOW",
	"TMUX", "STY", "ZELLIJ", "VTE_", "KITTY_", "ITERM_", "LC_TERMINAL", "WEZTERM_", "ALACRITTY_", "GHOSTTY_", "KONSOLE_",
	"VSCODE_", "WT_", "SHELL_SESSION_",
}

// own is what our terminal says about itself.
var own = map[string]string{
	"TERM":         "xterm-256color",
	"COLORTERM":    "truecolor",
	"TERM_PROGRAM": "wsh",
}

// Environment returns the environment of a program on our terminal: base, as
// from os.Environ, without what is ours alone and without what other terminals
// have left there; then TERM=xterm-256color, COLORTERM=truecolor and
// TERM_PROGRAM=wsh; then extra, which wins. The result is sorted.
func Environment(base []string, extra map[string]string) []string {
	// Where case means nothing, a name takes the place of itself in another case.
	names := map[string]string{} // as they were written last
	vars := map[string]string{}
	set := func(name, value string) {
		key := foldName(name)
		names[key], vars[key] = name, value
	}
	for _, entry := range base {
		name, value, ok := strings.Cut(entry, "=")
		if ok && name != "" && !slices.ContainsFunc(private, func(p string) bool { return strings.HasPrefix(foldName(name), p) }) {
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

// Home returns the person's home directory, or the root of the file system when
// there is none.
func Home() string {
	if dir, err := os.UserHomeDir(); err == nil && checkDir(dir) == nil {
		return dir
	}
	return string(os.PathSeparator)
}
