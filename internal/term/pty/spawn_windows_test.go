package pty_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/pty"
)

func TestCommandLine(t *testing.T) {
	for _, tt := range []struct {
		path string
		args []string
		want string
	}{
		{`C:\Windows\cmd.exe`, nil, `C:\Windows\cmd.exe`},
		{`C:\Windows\cmd.exe`, []string{"/d"}, `C:\Windows\cmd.exe /d`},
		{`C:\Windows\CMD.EXE`, []string{"/d", "/c", `dir "C:\Program Files\" & echo "a b"`}, `C:\Windows\CMD.EXE /d /s /c "dir "C:\Program Files\" & echo "a b""`},
		{`C:\my tools\pwsh.exe`, []string{"-c", `echo "a\\" b\`}, `"C:\my tools\pwsh.exe" -c "echo \"a\\\\\" b\\"`},
	} {
		if got := pty.CommandLine(tt.path, tt.args); got != tt.want {
			t.Errorf("commandLine(%q, %q) = %s, want %s", tt.path, tt.args, got, tt.want)
		}
	}
}

func TestEnvironmentBlock(t *testing.T) {
	got := string(utf16.Decode(pty.EnvironmentBlock([]string{"b=2", "_=x", "A=日", "SYSTEMROOT=C:\\Windows", "a2="})))
	if want := "A=日\x00a2=\x00b=2\x00SYSTEMROOT=C:\\Windows\x00_=x\x00\x00"; got != want {
		t.Errorf("block %q, want %q", got, want)
	}
	got = string(utf16.Decode(pty.EnvironmentBlock(nil)))
	if !strings.HasPrefix(got, "SystemRoot=") || !strings.HasSuffix(got, "\x00\x00") {
		t.Errorf("the block of an empty environment is %q", got)
	}
}

// On Windows the case of names does not matter.
func TestEnvironmentFolds(t *testing.T) {
	got := pty.Environment([]string{"Path=C:\\Windows", "wsh_token=secret", "Term=dumb"}, map[string]string{"PATH": "D:\\bin"})
	want := []string{"COLORTERM=truecolor", "PATH=D:\\bin", "TERM=xterm-256color", "TERM_PROGRAM=wsh"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Environment (-want +got):\n%s", diff)
	}
}
