package pty_test

import (
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
