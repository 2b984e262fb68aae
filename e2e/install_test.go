//go:build unix

package e2e

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeGo stands for the go command: it "builds" links to the programs of this test.
const fakeGo = `#!/bin/sh
link() { mkdir -p "$1" && ln -sf "$TEST_UI_MCP" "$1/ui-mcp" && ln -sf "$TEST_WSH" "$1/wsh"; }
case "$1 $2" in
"env GOBIN") echo "${TEST_GOBIN:-}" ;;
"env GOPATH") echo "$HOME/go:/another/path" ;;
"env "*) echo same ;;
install*) link "${TEST_GOBIN:-$HOME/go/bin}" ;;
build*)
	while [ "$1" != -o ]; do shift; done
	link "$2"
	;;
esac
`

// install runs tools/install in an empty home directory. It returns what that prints, the home and
// the environment.
func install(t *testing.T, variables ...string) (out, home string, environ []string, err error) {
	t.Helper()
	home = t.TempDir()
	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "go"), []byte(fakeGo), 0o700); err != nil {
		t.Fatal(err)
	}
	environ = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "MAN") || name == "PREFIX" || name == "DESTDIR" || name == "ZDOTDIR"
	})
	for _, name := range []string{"ui-mcp", "wsh"} {
		program, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		environ = append(environ, "TEST_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))+"="+program)
	}
	environ = append(environ, "HOME="+home, "PATH="+strings.Join([]string{tools, home + "/go/bin", os.Getenv("PATH")}, ":"))
	environ = append(environ, variables...)
	cmd := exec.CommandContext(t.Context(), "../tools/install", "-X main.Version=1")
	cmd.Env = environ
	b, err := cmd.CombinedOutput()
	return string(b), home, environ, err
}

// "make install" writes manual pages and completions where man and the shells find them.
func TestInstall(t *testing.T) {
	t.Parallel()
	out, home, environ, err := install(t)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"ui-mcp, wsh and wsh-hub in " + home + "/go/bin\n",
		" manual pages in " + home + "/go/share/man/man1\n",
		"for bash in " + home + "/.local/share/bash-completion/completions\n",
		"for zsh in " + home + "/.local/share/zsh/site-functions\n",
		"for fish in " + home + "/.local/share/fish/vendor_completions.d\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q does not contain %q", out, want)
		}
	}
	for _, path := range []string{
		"go/share/man/man1/wsh.1", "go/share/man/man1/wsh-token-new.1", "go/share/man/man1/ui-mcp-serve.1",
		".local/share/bash-completion/completions/wsh", ".local/share/bash-completion/completions/ui-mcp",
		".local/share/zsh/site-functions/_wsh", ".local/share/zsh/site-functions/_ui-mcp",
		".local/share/fish/vendor_completions.d/wsh.fish", ".local/share/fish/vendor_completions.d/ui-mcp.fish",
	} {
		if info, err := os.Stat(filepath.Join(home, path)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	for _, tt := range []struct {
		name, command string
		want          string
	}{
		{"manpath", "manpath 2>/dev/null | tr : '\\n' | grep -Fx ~/go/share/man", home + "/go/share/man\n"},
		{"fish", "fish -c 'complete -C \"wsh attac\"'", "attach\t"},
		{"zsh", "zsh -fc 'fpath+=($HOME/.local/share/zsh/site-functions); autoload -Uz compinit; compinit -D -u; print $_comps[wsh] $_comps[ui-mcp]'", "_wsh _ui-mcp\n"},
		{"bash", "bash -c '. ~/.local/share/bash-completion/completions/wsh; complete -p wsh'", "complete -F _wsh wsh\n"},
	} {
		if _, err := exec.LookPath(tt.name); err != nil {
			t.Logf("%s is not on this machine", tt.name)
			continue
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-c", tt.command)
		cmd.Env = environ
		if b, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(b), tt.want) {
			t.Errorf("%s: %v, %q, want %q", tt.command, err, b, tt.want)
		}
	}
	if _, err := exec.LookPath("zsh"); err == nil && !strings.Contains(out, "fpath+=("+home+"/.local/share/zsh/site-functions)") {
		t.Errorf("no word about zsh in %q", out)
	}
	if strings.Contains(out, "is not in your PATH") || strings.Contains(out, "MANPATH") {
		t.Errorf("advice for which there is no need: %q", out)
	}
}

// With DESTDIR and PREFIX, everything goes below them, and nothing into the home.
func TestInstallElsewhere(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, tt := range []struct{ prefix, below string }{{"", root + "/usr/local"}, {"PREFIX=/opt/my tools", root + "/opt/my tools"}} {
		out, home, _, err := install(t, "DESTDIR="+root, tt.prefix)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got := strings.Count(out, " in "+tt.below+"/"); got != 5 || strings.Count(out, "\n") != 5 {
			t.Errorf("%q: %q", tt.prefix, out)
		}
		for _, path := range []string{"bin/wsh", "share/man/man1/wsh.1", "share/bash-completion/completions/ui-mcp", "share/zsh/site-functions/_wsh", "share/fish/vendor_completions.d/wsh.fish"} {
			if _, err := os.Stat(filepath.Join(tt.below, path)); err != nil {
				t.Error(err)
			}
		}
		if entries, err := os.ReadDir(home); err != nil || len(entries) > 0 {
			t.Errorf("in the home: %v, %v", entries, err)
		}
	}
}

// A prefix of one's own that neither the shell nor man knows gets advice; a relative one is
// refused.
func TestInstallAdvice(t *testing.T) {
	t.Parallel()
	prefix := filepath.Join(t.TempDir(), "own")
	out, _, _, err := install(t, "PREFIX="+prefix)
	if err != nil || !strings.Contains(out, prefix+`/bin is not in your PATH`) {
		t.Errorf("%v, %q", err, out)
	}
	out, home, _, err := install(t, "PREFIX=own")
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 2 || out != "PREFIX must be an absolute path, not own\n" {
		t.Errorf("%v, %q", err, out)
	}
	if _, err := os.Stat(filepath.Join(home, "go")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("written in spite of the error: %v", err)
	}
}
