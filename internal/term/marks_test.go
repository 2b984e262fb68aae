//go:build linux || darwin

package term_test

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/testkit/wait"
)

// A shell that puts another into its place is one without marks. It is ready when it reads, and
// gets the next lines.
func TestShellIsReplaced(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the system does not show it")
	}
	for _, tt := range []struct{ shell, line string }{
		{"bash", "exec bash --norc"}, {"bash", "exec sh"}, {"bash", "exec $SHELL"}, {"zsh", "exec zsh -i"}, {"zsh", "exec bash --norc -i"}, {"fish", "exec fish"},
	} {
		t.Run(tt.shell+"/"+tt.line, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, tt.shell, map[string]string{".zshrc": ""}) // else zsh asks users how to begin
			short := term.RunOptions{Timeout: 300 * time.Millisecond, MaxWait: time.Minute, AtPrompt: true}
			wantLine(t, s, typedLine{"export SHELL=" + tt.shell, 0, ""})
			if got := run(t, s, tt.line, short); got.State != core.Silent || got.NotRun {
				t.Errorf("%s: state %q, not run %v", tt.line, got.State, got.NotRun)
			}
			for _, word := range []string{"first", "second"} {
				if got := run(t, s, "echo the ''"+word, short); got.State != core.Silent {
					t.Errorf("afterwards: state %q\n%s", got.State, strings.Join(plain(got.Screen), "\n"))
				}
				if _, err := s.WaitForText(t.Context(), "the "+word, wait.Patience); err != nil { // silence may come first
					t.Error(err)
				}
			}
			if c := s.Info().LastCommand; c == nil || !c.Ended {
				t.Errorf("the last command: %+v", c)
			}
		})
	}
}

// A builtin that reads is no prompt: what waits for the prompt is not typed into it, and no key is
// pressed.
func TestBuiltinsThatRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ shell, line, answer, want string }{
		{"bash", "read a; echo got $a", "it\r", "got it"},
		{"bash", "read -n 1 a; echo; echo got $a", "i", "got i"},
		{"bash", "read -e a; echo got $a", "it\r", "got it"},
		{"zsh", "read -s a; echo got $a", "it\r", "got it"},
		{"zsh", "read -k 1 a; echo; echo got $a", "i", "got i"},
		{"zsh", "vared -c a; echo got $a", "it\r", "got it"},
		{"fish", "read a; echo got $a", "it\r", "got it"},
	} {
		t.Run(tt.shell+"/"+tt.line, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, tt.shell, nil)
			if got := run(t, s, tt.line, term.RunOptions{Timeout: 500 * time.Millisecond, MaxWait: time.Minute}); got.State != core.Waiting {
				t.Errorf("state %q\n%s", got.State, strings.Join(plain(got.Screen), "\n"))
			}
			if state := s.Info().State; state == core.StatePrompt {
				t.Errorf("the session's state is %q", state)
			}
			_, err := s.RunCommand(t.Context(), "echo never", term.RunOptions{MaxWait: time.Second, AtPrompt: true})
			if fault.DetailOf(err) != core.NotTyped {
				t.Errorf("a line for the shell: %v", err)
			}
			must(t, s.Send(t.Context(), []byte(tt.answer)))
			see(t, s, "^"+tt.want+" *$")
			if _, err := s.WaitPrompt(t.Context(), time.Minute); err != nil {
				t.Fatal(err)
			}
			wantLine(t, s, typedLine{"echo after", 0, "after\n"})
		})
	}
}

// No marks but the shell's own make commands, however many there are.
func TestForeignMarksAreText(t *testing.T) {
	t.Parallel()
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			wantLine(t, s, typedLine{"echo before", 0, "before\n"})
			wantLine(t, s, typedLine{`sh -c 'i=0; while [ $i -lt 1100 ]; do printf "\033]133;A\007\033]133;B\007\033]133;C\007\033]133;D;1\007"; i=$((i+1)); done; echo text'`, 0, "text\n"})
			list, err := s.Commands(t.Context())
			must(t, err)
			var codes []string
			for _, c := range list.List {
				if c.HasExitCode {
					codes = append(codes, strconv.Itoa(c.ExitCode))
				}
			}
			if !slices.Equal(codes, []string{"0", "0"}) {
				t.Errorf("commands ended with %v", codes)
			}
		})
	}
}

// Nobody can read the key: not in the environment, not in a file, not where commands are traced.
func TestKeyIsSecret(t *testing.T) {
	t.Parallel()
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			key := map[string]string{"bash": "echo key $__wsh_key", "zsh": "echo key $__wsh_key", "fish": "echo key $__wsh_key"}[name]
			got := run(t, s, key, term.RunOptions{})
			_, secret, _ := strings.Cut(strings.TrimSpace(got.Output), " ")
			if len(secret) != 16 {
				t.Fatalf("the key is %q", secret)
			}
			trace := map[string]string{"bash": "exec 9>trace; BASH_XTRACEFD=9; set -ax", "zsh": "setopt allexport xtrace", "fish": "set -g fish_trace all"}[name]
			run(t, s, trace, term.RunOptions{})
			run(t, s, "PS1='> '", term.RunOptions{})
			env := run(t, s, "env", term.RunOptions{})
			if env.State != core.Done || !strings.Contains(env.Output, "HOME=") || strings.Contains(env.Output, secret) {
				t.Errorf("the environment of a command: %q, %q", env.State, env.Output)
			}
			if screen := strings.Join(plain(run(t, s, "true", term.RunOptions{}).Screen), "\n"); strings.Count(screen, secret) > 1 {
				t.Errorf("the screen:\n%s", screen)
			}
			if data, err := os.ReadFile(s.Info().Dir + "/trace"); err == nil && strings.Contains(string(data), secret) {
				t.Errorf("the trace:\n%s", data)
			}
			if runtime.GOOS == "linux" {
				data, err := os.ReadFile("/proc/" + strconv.Itoa(s.Info().PID) + "/environ")
				if err != nil || strings.Contains(string(data), secret) {
					t.Errorf("the environment of the shell: %v, %q", err, data)
				}
				for v := range strings.SplitSeq(string(data), "\x00") {
					if file, ok := strings.CutPrefix(v, "WSH_KEY_FILE="); ok {
						wait.Until(t, "the file of the key to go", func() bool { _, err := os.Stat(file); return os.IsNotExist(err) })
					}
				}
			}
		})
	}
}
