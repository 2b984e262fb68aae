package shell_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/term/shell"
)

func TestIsInteractive(t *testing.T) {
	for _, tt := range []struct {
		command string
		want    bool
	}{
		{"sh", true}, {"-bash", true}, {"/usr/bin/dash -i", true}, {"busybox sh -l", true}, {"ash -", true},
		{"bash -o vi -O extglob +o history", true}, {"bash --init-file x -i", true}, {"zsh -fio vi", true}, {"sh -s one two", true},
		{"fish -C true", true}, {"fish --init-command true -d all", true}, {"fish -N", true}, {"bash --", true},
		{"cmd.exe", true}, {"cmd /d", true}, {"pwsh -NoLogo", true},
		{"", false}, {"cat", false}, {"busybox", false}, {"busybox cat", false}, {"python3", false},
		{"sh -c true", false}, {"bash -lic true", false}, {"fish --command true", false}, {"fish --command=true", false},
		{"sh script", false}, {"sh -i script", false}, {"bash -o vi script", false}, {"bash -- script", false}, {"bash --rcfile x script", false}, {"fish -C true script", false},
		{"zsh -f script", false}, {"cmd /c dir", false}, {"cmd /d /c dir", false}, {"pwsh -File x", false}, {"pwsh x", false},
	} {
		if got := shell.IsInteractive(strings.Fields(tt.command)); got != tt.want {
			t.Errorf("%q: %v", tt.command, got)
		}
	}
}
