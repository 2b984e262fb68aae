package uimcp

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The scripts are run by the shells that they are for; a shell that is not installed is left out.
func TestCompletion(t *testing.T) {
	for _, tt := range []struct {
		line    string // the last word is incomplete
		want    string // words that must be offered
		not     string // words that must not be
		nothing bool
	}{
		{line: "", want: "mcp serve install event state variables linkapp completion version", not: "add bash"},
		{line: "se", want: "serve", not: "mcp"},
		{line: "linkapp ", want: "add remove list", not: "serve"},
		{line: "linkapp re", want: "remove", not: "list add"},
		{line: "linkapp list --", want: "--dir --help", not: "--session --force"},
		{line: "completion ", want: "bash zsh fish", not: "mcp"},
		{line: "event --", want: "--once --session --dir", not: "--port"},
		{line: "install --", want: "--force --claude-md", not: "--once"},
		{line: "--", want: "--help --version", not: "--dir"},
		{line: "mcp --log-level ", want: "debug info warn error", not: "--dir mcp"},
		{line: "serve --dir a", want: "apples", not: "pears --port"},
		{line: "serve --port ", nothing: true},
	} {
		for shell, complete := range map[string]func(*testing.T, string, []string) string{
			"bash": completeBash, "zsh": completeZsh, "fish": completeFish,
		} {
			t.Run(shell+" "+tt.line, func(t *testing.T) {
				if _, err := exec.LookPath(shell); err != nil {
					t.Skip(shell + " is not installed")
				}
				words := append([]string{"ui-mcp"}, strings.Split(tt.line, " ")...)
				out := complete(t, scriptFor(t, shell), words)
				offered := map[string]bool{}
				for line := range strings.Lines(out) {
					offer, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
					offer, _, _ = strings.Cut(offer, ":")
					// At a prompt, zsh itself filters the words.
					if offer != "" && strings.HasPrefix(offer, words[len(words)-1]) {
						offered[strings.TrimSuffix(offer, "/")] = true
					}
				}
				if tt.nothing && len(offered) > 0 {
					t.Errorf("offers %q", out)
				}
				for w := range strings.FieldsSeq(tt.want) {
					if !offered[w] {
						t.Errorf("does not offer %s: %q", w, out)
					}
				}
				for w := range strings.FieldsSeq(tt.not) {
					if offered[w] {
						t.Errorf("offers %s: %q", w, out)
					}
				}
			})
		}
	}
}

// scriptFor writes what "ui-mcp completion SHELL" prints to a file.
func scriptFor(t *testing.T, shell string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Run(t.Context(), "0.1.0", []string{"completion", shell}, Streams{strings.NewReader(""), &out, &errs}); status != exitOK || errs.Len() > 0 {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	file := filepath.Join(t.TempDir(), "completion")
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func completeBash(t *testing.T, script string, words []string) string {
	return shellRun(t, []string{"bash", "--norc", "-euc", `script=$1; shift; source "$script"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _ui_mcp
		[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"`, "bash", script}, words)
}

// The functions of zsh's completion system work at a prompt only; these print what they are given.
func completeZsh(t *testing.T, script string, words []string) string {
	return shellRun(t, []string{"zsh", "-fec", `
		compdef() { [ "$*" = "_ui-mcp ui-mcp" ] }
		_describe() { print -rl -- "${(@P)2}" }
		compadd() { print -rl -- "$@" }
		_files() { [ "$1" = "-/" ] && print -rl -- *(/) }
		_message() { }
		script=$1; shift; source "$script"
		words=("$@") CURRENT=$#; _ui-mcp`, "zsh", script}, words)
}

func completeFish(t *testing.T, script string, words []string) string {
	return shellRun(t, []string{"fish", "--no-config", "-c", `source $argv[1]; complete -C (string join -- ' ' $argv[2..])`, script}, words)
}

// shellRun runs a command in a directory that has two others.
func shellRun(t *testing.T, command, words []string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], append(command[1:], words...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "XDG_CONFIG_HOME="+cmd.Dir, "XDG_DATA_HOME="+cmd.Dir)
	for _, name := range []string{"apples", "pears"} {
		if err := os.Mkdir(filepath.Join(cmd.Dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out, err := cmd.Output()
	if err != nil {
		var errs []byte
		if e, ok := err.(*exec.ExitError); ok {
			errs = e.Stderr
		}
		t.Fatalf("%s: %v\n%s", command[0], err, errs)
	}
	return string(out)
}

func TestCompletionOfUnknownShell(t *testing.T) {
	var out, errs bytes.Buffer
	status := Run(t.Context(), "0.1.0", []string{"completion", "tcsh"}, Streams{strings.NewReader(""), &out, &errs})
	if status != exitUsage || out.Len() > 0 || !strings.Contains(errs.String(), "bash") {
		t.Errorf("status %d, output %q, errors %q", status, out.String(), errs.String())
	}
}
