package pty_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
)

func TestEnvironment(t *testing.T) {
	base := []string{
		"PATH=/bin", "HOME=/home/x", "TERM=dumb", "WSH_TOKEN=secret", "UI_MCP_KEY=secret", "TMUX=/tmp/t,1,0",
		"VTE_VERSION=7000", "COLUMNS=12", "LC_ALL=C.UTF-8", "EMPTY=", "=odd", "noequals",
	}
	got := pty.Environment(base, map[string]string{"PATH": "/opt/bin", "WSH_ZDOTDIR": "/z"})
	want := []string{
		"COLORTERM=truecolor", "EMPTY=", "HOME=/home/x", "LC_ALL=C.UTF-8", "PATH=/opt/bin",
		"TERM=xterm-256color", "TERM_PROGRAM=wsh", "WSH_ZDOTDIR=/z",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Environment (-want +got):\n%s", d)
	}
}

// Variables of other tools reach programs, however they begin.
func TestEnvironmentKeeps(t *testing.T) {
	kept := []string{
		"COLUMNS_MAX=9", "KITTY_CONFIG_DIRECTORY=/k", "LINES_PER_PAGE=50", "STYLE=x", "STYLELINT_CONFIG=y",
		"TERMINFO_DIRS=/nix/store/t", "TMUXINATOR_CONFIG=/t", "TMUX_PLUGIN_MANAGER_PATH=/t", "TMUX_TMPDIR=/t",
		"VTE_CJK_WIDTH=wide", "WEZTERM_CONFIG_FILE=/w", "WINDOWS_USER=me", "WT_PROJECT=p", "ZELLIJ_CONFIG_DIR=/z",
	}
	left := []string{
		"TERMINFO=/t", "TERMCAP=t", "LINES=1", "COLUMNS=1", "WINDOW=1", "WINDOWID=1", "TMUX=t", "TMUX_PANE=%1", "STY=s", "ZELLIJ=0",
		"ZELLIJ_SESSION_NAME=z", "ZELLIJ_PANE_ID=1", "VTE_VERSION=1", "KITTY_WINDOW_ID=1", "KITTY_PID=1", "KITTY_LISTEN_ON=unix:k",
		"ITERM_SESSION_ID=1", "LC_TERMINAL=iTerm2", "LC_TERMINAL_VERSION=3", "WEZTERM_PANE=1", "WEZTERM_UNIX_SOCKET=/w",
		"ALACRITTY_SOCKET=/a", "GHOSTTY_RESOURCES_DIR=/g", "KONSOLE_VERSION=1", "VSCODE_INJECTION=1", "WT_SESSION=1", "WT_PROFILE_ID=1",
		"SHELL_SESSION_DIR=/s", "TERM_SESSION_ID=1", "TERM_PROGRAM_VERSION=1", "COLORFGBG=0;15", "WSH_X=1", "UI_MCP_X=1",
	}
	want := slices.Sorted(slices.Values(append([]string{"COLORTERM=truecolor", "TERM=xterm-256color", "TERM_PROGRAM=wsh"}, kept...)))
	if d := cmp.Diff(want, pty.Environment(slices.Concat(left, kept), nil)); d != "" {
		t.Errorf("Environment (-want +got):\n%s", d)
	}
}

func TestFilter(t *testing.T) {
	environ := []string{"HOME=/h", "PATH=/bin", "LANG=C", "LC_ALL=C", "AWS_KEY=secret", "GITHUB_TOKEN=secret", "EDITOR=vi"}
	for _, tt := range []struct {
		name        string
		allow, deny []string
		want        []string
	}{
		{"no list", nil, nil, environ},
		{"denied", nil, []string{"AWS_*", "*_TOKEN"}, []string{"HOME=/h", "PATH=/bin", "LANG=C", "LC_ALL=C", "EDITOR=vi"}},
		{"allowed", []string{"LANG", "LC_*"}, nil, []string{"HOME=/h", "PATH=/bin", "LANG=C", "LC_ALL=C"}},
		{"both", []string{"*"}, []string{"AWS_*", "HOME"}, []string{"PATH=/bin", "LANG=C", "LC_ALL=C", "GITHUB_TOKEN=secret", "EDITOR=vi"}},
		{"everything denied", nil, []string{"*"}, nil},
	} {
		got, err := pty.Filter(environ, tt.allow, tt.deny)
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, d)
		}
	}
	for _, pattern := range []string{"", "A=B", "[", "a/b"} {
		if _, err := pty.Filter(environ, nil, []string{pattern}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("Filter with %q: %v", pattern, err)
		}
	}
}

// must ends a test in which something has failed that the rest needs.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
