//go:build linux || darwin

package term_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/testkit/wait"
)

// shellSession starts a shell that marks its prompts.
func shellSession(t testing.TB, name string, files map[string]string) *term.Session {
	t.Helper()
	path := program(t, name)
	r := newRegistry(t, func(c *registry.Config) {
		c.Shell = path
		for file, text := range files {
			file = filepath.Join(c.Home, file)
			must(t, os.MkdirAll(filepath.Dir(file), 0o700))
			must(t, os.WriteFile(file, []byte(text), 0o600))
		}
	})
	return create(t, r, registry.CreateOptions{})
}

func run(t testing.TB, s *term.Session, line string, o term.RunOptions) term.Run {
	t.Helper()
	got, err := s.RunCommand(context.Background(), line, o)
	if err != nil {
		if got.Screen != nil {
			t.Logf("the screen:\n%s", strings.Join(plain(got.Screen), "\n"))
		}
		t.Fatalf("RunCommand(%q) = %v", line, err)
	}
	return got
}

func wantRun(t testing.TB, line string, got term.Run, code int, output string) {
	t.Helper()
	if got.State != core.Done || got.ExitCode == nil || *got.ExitCode != code || got.Output != output || !got.Complete {
		exit := -1
		if got.ExitCode != nil {
			exit = *got.ExitCode
		}
		t.Errorf("%q: state %q, exit code %d, output %q, complete %v; want done, %d, %q\nscreen:\n%s",
			line, got.State, exit, got.Output, got.Complete, code, output, strings.Join(plain(got.Screen), "\n"))
	}
}

var shells = []string{"bash", "zsh", "fish"}

func TestRunWithMarks(t *testing.T) {
	t.Parallel()
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			for _, tt := range []struct {
				line   string
				code   int
				output string
			}{
				{"echo hello", 0, "hello\n"},
				{"false", 1, ""},
				{"printf 'no end of line'", 0, "no end of line"},
				{"sh -c 'exit 42'\n", 42, ""},
				{"echo 'ünï ☃ 日本'; sleep 0.3; echo later", 0, "ünï ☃ 日本\nlater\n"},
				{"no-such-command-at-all 2>/dev/null", 127, ""},
				{"seq 1 100 | tail -n 3", 0, "98\n99\n100\n"},
				{"echo 'a\tb'", 0, "a       b\n"},
				{"echo one\necho two", 0, "one\ntwo\n"},
				{`printf '\033[1;31mred\033[m \033]8;;http://x\007link\033]8;;\007\n'`, 0, "red link\n"},
			} {
				got := run(t, s, tt.line, term.RunOptions{MaxWait: 2 * time.Minute})
				if name == "fish" && tt.code == 127 { // it explains, whatever we do with the output
					got.Output = ""
				}
				wantRun(t, tt.line, got, tt.code, tt.output)
			}
			if got := run(t, s, "sleep 0.25", term.RunOptions{}); got.Duration <= 0 || got.Duration > time.Minute { // less where the first mark was read late
				t.Errorf("sleep 0.25 took %v", got.Duration)
			}
			if got := run(t, s, "", term.RunOptions{}); got.State != core.Done || got.ExitCode != nil {
				t.Errorf("an empty line: %q, exit code %v", got.State, got.ExitCode)
			}
			// zsh takes it for a command, and fish for an empty one.
			if got := run(t, s, "# only a comment", term.RunOptions{}); got.State != core.Done || got.NotRun != (name == "bash") {
				t.Errorf("a comment: %q, not run: %v", got.State, got.NotRun)
			}
		})
	}
}

// What a command has printed is its output, whatever it has done to the screen and however little
// the history keeps.
func TestRunFromTheStream(t *testing.T) {
	t.Parallel()
	r := newRegistry(t, func(c *registry.Config) { c.Shell = program(t, "bash") })
	s := create(t, r, registry.CreateOptions{Scrollback: new(50)})
	var all strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&all, i+1)
	}
	for line, want := range map[string]string{
		"seq 1 1000": all.String(),
		`echo x; printf '\033[H\033[2J\033[3J'; seq 1 1000`: "x\n" + all.String(),
		`echo x; printf '\033c'; seq 1 1000`:                "x\n" + all.String(),
		`printf '\033[2J\033[H'`:                            "",
	} {
		wantRun(t, line, run(t, s, line, term.RunOptions{}), 0, want)
	}
	got := run(t, s, `echo a; printf '\033[?1049h'; echo pager; printf '\033[?1049l'; echo b`, term.RunOptions{})
	if got.Output != "a\nb\n" || got.Complete || !got.Alternate || got.Cut {
		t.Errorf("with the alternate screen: %+v", got.Printed)
	}
}

// A silent command that works is waited for; one that asks is not.
func TestRunWhatAsks(t *testing.T) {
	t.Parallel()
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			short := term.RunOptions{Timeout: 100 * time.Millisecond, MaxWait: 2 * time.Minute}
			wantRun(t, "a silent second", run(t, s, "sleep 1", short), 0, "")
			got := run(t, s, "sh -c 'printf \"Sure? \"; read a; echo got $a'", short)
			if got.State != core.Waiting || got.ExitCode != nil {
				t.Errorf("a question: state %q", got.State)
			}
			if got = run(t, s, "yes", short); got.State != core.Silent {
				t.Errorf("the answer: state %q, screen:\n%s", got.State, strings.Join(plain(got.Screen), "\n"))
			}
			see(t, s, "^got yes") // on a busy machine it may be silent before
			wantRun(t, "after it", run(t, s, "echo after", short), 0, "after\n")

			got = run(t, s, "sh -c 'stty -echo; read a; stty echo; echo read'", short)
			if got.State != core.Waiting {
				t.Errorf("a password: state %q", got.State)
			}
			if got, err := s.RunCommand(t.Context(), "echo never", term.RunOptions{Refuse: true}); fault.DetailOf(err) != core.NotTyped || !strings.Contains(err.Error(), "secret") {
				t.Errorf("a line at the password: %+v, %v", got, err)
			}
			must(t, s.Send(t.Context(), []byte("secret\r")))
			see(t, s, "^read")
			wantRun(t, "after the password", run(t, s, "echo after", short), 0, "after\n")
		})
	}
}

func TestRunEndsTheShell(t *testing.T) {
	t.Parallel()
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			got, err := s.RunCommand(t.Context(), "exit 9", term.RunOptions{})
			if name == "fish" && err == nil { // it marks the end first, and may be slow to go
				wantRun(t, "exit 9", got, 9, "")
				wait.For(t, "the end of the shell", s.Ended())
			} else if fault.KindOf(err) != fault.Gone || got.Screen == nil {
				t.Fatalf("RunCommand = %+v, %v", got, err)
			}
			if e := s.Info().Exit; e == nil || e.Code != 9 {
				t.Errorf("exit %+v", e)
			}
		})
	}
}

// The person's set-up stays: their files are read, and marks of their own do not matter.
func TestPersonsOwnFiles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, shell, file, text, line, output string }{
		{"bash reads .bashrc", "bash", ".bashrc", "MINE=yes; PS1='mine> '", "echo $MINE", "yes\n"},
		{"bash's prompt commands", "bash", ".bashrc", "PROMPT_COMMAND='n=$((n+1)); PS1=\"$n> \"'", "false || echo $?", "1\n"},
		{"bash's list of prompt commands", "bash", ".bashrc", "a() { PS1='a> '; }; PROMPT_COMMAND=(a true)", "echo ${PROMPT_COMMAND[1]}", "a\n"},
		{"bash's careful person", "bash", ".bashrc", "set -u", "echo fine", "fine\n"},
		{"bash marked by the person", "bash", ".bashrc",
			"PS0='\\e]133;C\\a'; PS1='\\[\\e]133;D;$?\\a\\e]133;A\\a\\]own> \\[\\e]133;B\\a\\]'", "echo fine", "fine\n"},
		{"fish reads config.fish", "fish", "fish/config.fish", "set MINE yes; function fish_prompt; echo -n 'mine> '; end", "echo $MINE", "yes\n"},
		{"zsh reads .zshrc", "zsh", ".zshrc", "MINE=yes; PS1='mine> '", "echo $MINE ${ZDOTDIR-unset} ${WSH_ZDOTDIR-unset}", "yes unset unset\n"},
		{"zsh reads .zshenv", "zsh", ".zshenv", "MINE=yes", "echo $MINE", "yes\n"},
		{"zsh's hooks", "zsh", ".zshrc", "precmd() { PS1='mine> ' }", "(exit 3) || echo $?", "3\n"},
		{"zsh marked by the person", "zsh", ".zshrc",
			"preexec() { print -n '\\e]133;C\\a' }; precmd() { print -n \"\\e]133;D;$?\\a\" }; PS1=$'%{\\e]133;A\\a%}own> %{\\e]133;B\\a%}'",
			"echo fine", "fine\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, tt.shell, map[string]string{tt.file: tt.text})
			wantRun(t, tt.line, run(t, s, tt.line, term.RunOptions{MaxWait: 2 * time.Minute}), 0, tt.output)
			wantRun(t, "again", run(t, s, tt.line, term.RunOptions{MaxWait: 2 * time.Minute}), 0, tt.output)
		})
	}
}

// Text at the prompt that RunCommand drops is no part of what is entered, and neither is what a
// signal has dropped.
func TestConfirmDropped(t *testing.T) {
	t.Parallel()
	s, person := shellSession(t, "bash", nil), &strict{}
	ctx := holding(t, person)
	must(t, s.AwaitPrompt(t.Context()))
	for _, step := range []struct {
		there, line string
		asked       []string
	}{
		{"rm ", "true", nil},
		{"x", "rm -f no-such-file", []string{"rm -f no-such-file"}},
	} {
		must(t, s.Send(t.Context(), []byte(step.there)))
		see(t, s, "[#$] "+strings.TrimSpace(step.there)+" *$")
		if _, err := s.RunCommand(ctx, step.line, term.RunOptions{}); err != nil {
			t.Fatal(err)
		}
		if asked := person.taken(); !slices.Equal(asked, step.asked) {
			t.Errorf("%q behind %q: asked %q, want %q", step.line, step.there, asked, step.asked)
		}
	}
	must(t, s.Send(ctx, []byte("dropped")))
	see(t, s, "[#$] dropped$")
	// A signal that comes after bash has displayed the line, and before it waits for a key, drops
	// nothing until the next signal: this is so with Ctrl-C in any terminal.
	wait.Until(t, "bash waits for a key", func() bool { return s.Reads() != tty.ReadsNot })
	must(t, s.Signal(ctx, "INT"))
	see(t, s, "dropped\\^C\n.*[#$] *$")
	must(t, s.Send(ctx, []byte("rm -f no-such-file\r")))
	if asked := person.taken(); !slices.Equal(asked, []string{"rm -f no-such-file"}) {
		t.Errorf("behind a signal: asked %q", asked)
	}
}
