package pty_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
