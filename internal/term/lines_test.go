//go:build linux || darwin

package term_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/shell"
)

// notRun is the status of a line that the shell did not run; unknown is the status of a command
// whose end was not reported.
const (
	notRun  = -2
	unknown = -1
)

// A typedLine is a line, and what must come of it.
type typedLine struct {
	line   string
	code   int
	output string
}

// Each line has its own outcome, whatever the person's set-up.
func TestEachLineHasItsOutcome(t *testing.T) {
	t.Parallel()
	const transient = `
zle-line-finish() { PROMPT='> '; zle .reset-prompt }
zle -N zle-line-finish
precmd() { PROMPT='long prompt %~ %# ' }
`
	for _, tt := range []struct {
		name, shell, rc string
		lines           []typedLine
	}{
		{"a slow prompt", "bash", "PROMPT_COMMAND='sleep 0.7'", []typedLine{
			{"false", 1, ""}, {"echo two", 0, "two\n"}, {"(exit 3)", 3, ""}, {"echo three", 0, "three\n"}, {"echo a\necho b; false", 1, "a\nb\n"}, {"echo 'x\ty'", 0, "x       y\n"}}},
		{"a slow prompt", "zsh", "precmd() { sleep 0.7 }", []typedLine{
			{"false", 1, ""}, {"echo two", 0, "two\n"}, {"echo a\necho b; false", 1, "a\nb\n"}}},
		{"a slow prompt", "fish", "function fish_prompt; sleep 0.7; echo '> '; end", []typedLine{
			{"false", 1, ""}, {"echo two", 0, "two\n"}, {"echo a\necho b; false", 1, "a\nb\n"}}},
		{"a transient prompt", "zsh", transient, []typedLine{{"false", 1, ""}, {"echo two", 0, "two\n"}}},
		{"a transient prompt, and what comes before a command is slow", "zsh", transient + "preexec() { sleep 2.5 }", []typedLine{
			{"false", 1, ""}, {"echo two", 0, "two\n"}}},
		{"what comes before a command is slow", "bash", "trap 'case $BASH_COMMAND in *false*) sleep 2.5;; esac' DEBUG", []typedLine{
			{"false", 1, ""}, {"echo two", 0, "two\n"}}},
		{"what comes before a command is slow", "fish", "function slow --on-event fish_preexec; sleep 2.5; end", []typedLine{
			{"false", 1, ""}, {"echo two", 0, "two\n"}}},

		{"lines that are not run", "bash", "", []typedLine{
			{"echo )", notRun, ""}, {"echo one", 0, "one\n"}, {"if true", notRun, ""}, {"echo two", 0, "two\n"}, {"echo 'x", notRun, ""},
			{"cat <<END", notRun, ""}, {"if true\nthen", notRun, ""}, {"false", 1, ""}, {"", unknown, ""}, {"# comment", notRun, ""}, {"echo three", 0, "three\n"}}},
		{"lines that are not run", "zsh", "", []typedLine{
			{"echo )", notRun, ""}, {"echo one", 0, "one\n"}, {"if true", notRun, ""}, {"echo two", 0, "two\n"}, {"echo 'x", notRun, ""},
			{"cat <<END", notRun, ""}, {"if true\nthen", notRun, ""}, {"false", 1, ""}, {"", unknown, ""}, {"echo three", 0, "three\n"}}},
		{"lines that are not run", "fish", "", []typedLine{
			{"echo )", notRun, ""}, {"echo one", 0, "one\n"}, {"if true", notRun, ""}, {"echo two", 0, "two\n"}, {"echo 'x", notRun, ""},
			{"false", 1, ""}, {"", unknown, ""}, {"echo three", 0, "three\n"}}},
		{"a line that is shown again first", "bash", "shopt -s histverify", []typedLine{{"echo one", 0, "one\n"}, {"!!", notRun, ""}, {"echo two", 0, "two\n"}}},

		{"other prompts on the way", "bash", "", []typedLine{
			// Commands that are new count once as output: they come before ours.
			{"PROMPT_COMMAND='echo hook'", 0, "hook\n"}, {"echo one", 0, "one\n"}, {"false", 1, ""},
			{"PS1='new> ' PS2='more> '", 0, ""}, {"echo two", 0, "two\n"}, {"if true", notRun, ""},
			{"unset PROMPT_COMMAND", 0, ""}, {"echo )", notRun, ""}, {"", unknown, ""}, {"if true", notRun, ""}, {"false", 1, ""}, {"echo three", 0, "three\n"},
			{"PROMPT_COMMAND=('echo a' 'echo b')", 0, "a\nb\n"}, {"false", 1, ""}, {"echo four", 0, "four\n"},
			{"PROMPT_COMMAND=\"echo c; $PROMPT_COMMAND\"", 0, "c\n"}, {"false", 1, ""}, {"echo five", 0, "five\n"}}},
		{"the file again", "bash", "PS1='mine> '; PROMPT_COMMAND='n=$((n+1))'; n=0", []typedLine{
			{"source ~/.bashrc", 0, ""}, {"false", 1, ""}, {"source ~/.bashrc; source ~/.bashrc", 0, ""}, {"n=0", 0, ""}, {"echo $n", 0, "1\n"}, {"echo $n", 0, "2\n"}}},
		{"other prompts on the way", "zsh", "", []typedLine{
			{"PS1='new> ' PS2='more> '", 0, ""}, {"echo one", 0, "one\n"}, {"if true", notRun, ""}, {"precmd() { echo hook; PS1='newer> ' }", 0, ""}, {"false", 1, ""}, {"precmd() { PS1='newest> ' }", 0, ""},
			{"PROMPT_EOL_MARK=''", 0, ""}, {"printf x", 0, "x"}, {"setopt nopromptsp", 0, ""}, {"false", 1, ""}, {"echo two", 0, "two\n"}}},
		{"other prompts on the way", "fish", "", []typedLine{
			{"function fish_prompt; echo 'new> '; end", 0, ""}, {"echo one", 0, "one\n"}, {"false", 1, ""}, {"if true", notRun, ""}, {"echo two", 0, "two\n"}}},

		{"hooks that write", "bash", "PROMPT_COMMAND='echo hook'", []typedLine{{"echo one", 0, "one\n"}, {"printf two", 0, "two"}}},
		{"hooks that write", "zsh", "precmd() { echo hook }; preexec() { echo before }", []typedLine{{"echo one", 0, "one\n"}, {"printf two", 0, "two"}, {"printf 'blanks  '", 0, "blanks  "}}},
		{"hooks that write", "fish", "function f --on-event fish_prompt; echo hook; end", []typedLine{{"echo one", 0, "one\n"}}},
	} {
		t.Run(tt.shell+" with "+tt.name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, tt.shell, rcFile(tt.shell, tt.rc))
			for _, l := range tt.lines {
				wantLine(t, s, l)
			}
		})
	}
}

// rcFile is a shell's start-up file.
func rcFile(name, text string) map[string]string {
	return map[string]string{map[string]string{"bash": ".bashrc", "zsh": ".zshrc", "fish": "fish/config.fish"}[name]: text}
}

// wantLine runs a line and checks its outcome.
func wantLine(t testing.TB, s *term.Session, l typedLine) {
	t.Helper()
	got := run(t, s, l.line, term.RunOptions{MaxWait: time.Minute})
	code := unknown
	switch {
	case got.NotRun:
		code = notRun
	case got.State != core.Done:
		code = -3
	case got.ExitCode != nil:
		code = *got.ExitCode
	}
	if code != l.code || got.Output != l.output {
		t.Errorf("%q: state %q, code %d, output %q; want %d, %q\nscreen:\n%s", l.line, got.State, code, got.Output, l.code, l.output,
			strings.TrimRight(strings.Join(plain(got.Screen), "\n"), "\n"))
	}
}

// The person's set-up sees what it would see without us.
func TestSetUpIsNotDisturbed(t *testing.T) {
	t.Parallel()
	const preexec = `
# As bash-preexec does it: a DEBUG trap, and two commands around those of the prompt.
__bp_interactive=
__bp_in_prompt() { local c; for c in "${PROMPT_COMMAND[@]}"; do case $'\n'"$c"$'\n' in *$'\n'"$1"$'\n'*) return 0;; esac; done; return 1; }
__bp_precmd_invoke_cmd() { __bp_status=$? __bp_pipe="${PIPESTATUS[*]}"; }
__bp_interactive_mode() { __bp_interactive=on; }
__bp_debug() { [ -z "$__bp_interactive" ] && return; [ -n "${READLINE_POINT-}" ] && return; if __bp_in_prompt "$BASH_COMMAND"; then __bp_interactive=; return; fi; __bp_interactive=; seen+=("$BASH_COMMAND"); }
PROMPT_COMMAND=$'__bp_precmd_invoke_cmd\n'"${PROMPT_COMMAND:-:}"
PROMPT_COMMAND+=(__bp_interactive_mode)
trap __bp_debug DEBUG
`
	const starship = `
starship_precmd() { STATUS=$? PIPES="${PIPESTATUS[*]}"; PS1="[$STATUS] "; return $STATUS; }
PROMPT_COMMAND=starship_precmd
`
	const direnv = `
_direnv_hook() { local previous=$?; trap -- '' SIGINT; DIR=$PWD; trap - SIGINT; return $previous; }
if [[ ";${PROMPT_COMMAND[*]:-};" != *";_direnv_hook;"* ]]; then
  if [[ "$(declare -p PROMPT_COMMAND 2>&1)" == "declare -a"* ]]; then PROMPT_COMMAND=(_direnv_hook "${PROMPT_COMMAND[@]}"); else PROMPT_COMMAND="_direnv_hook${PROMPT_COMMAND:+;$PROMPT_COMMAND}"; fi
fi
`
	for _, tt := range []struct {
		name, shell, rc string
		lines           []typedLine
	}{
		{"starship", "bash", starship, []typedLine{{"true | (exit 3) | (exit 4)", 4, ""}, {`echo "$STATUS $PIPES"`, 0, "4 0 3 4\n"}}},
		{"direnv", "bash", direnv, []typedLine{{"cd /; false", 1, ""}, {"echo $DIR $?", 0, "/ 1\n"}}},
		{"direnv later", "bash", starship, []typedLine{{strings.TrimSpace(direnv), 0, ""}, {"cd /; true | false", 1, ""}, {`echo "$DIR $STATUS"`, 0, "/ 1\n"}, {"false", 1, ""}}},
		{"bash-preexec", "bash", preexec, []typedLine{
			{"true | false", 1, ""}, {`echo "$__bp_status $__bp_pipe"`, 0, "1 0 1\n"}, {"echo ${#seen[@]} ${seen[-1]}", 0, "3 echo ${#seen[@]} ${seen[-1]}\n"}}},
		{"bash-preexec later", "bash", "", []typedLine{{strings.TrimSpace(preexec), 0, ""}, {"true", 0, ""}, {"seen=()", 0, ""}, {"false", 1, ""}, {`echo "${seen[*]}"`, 0, "false echo \"${seen[*]}\"\n"}}},
		{"an ERR trap", "bash", "n=0; trap 'n=$((n+1))' ERR", []typedLine{{"false", 1, ""}, {"echo $n", 0, "1\n"}, {"(exit 3)", 3, ""}, {"echo $n", 0, "2\n"}}},
		{"an ERR trap that is inherited", "bash", "set -E; n=0; trap 'n=$((n+1))' ERR", []typedLine{{"false", 1, ""}, {"echo $n", 0, "1\n"}, {"echo )", notRun, ""}, {"true", 0, ""}, {"echo $n", 0, "1\n"}}},
		{"a DEBUG trap", "bash", `trap '[ "$BASH_COMMAND" = "${PROMPT_COMMAND[133]-}" ] || last=$BASH_COMMAND' DEBUG`, []typedLine{{"true a b", 0, ""}, {`echo "$last" x`, 0, "echo \"$last\" x x\n"}}},
		{"set -e", "bash", "set -e", []typedLine{{"echo one", 0, "one\n"}, {"false || echo two", 0, "two\n"}, {"", unknown, ""}, {"# comment", notRun, ""}, {"echo three", 0, "three\n"}}},
		{"extdebug", "bash", "shopt -s extdebug; trap ':' DEBUG", []typedLine{{"echo one", 0, "one\n"}, {"false", 1, ""}, {"if true", notRun, ""}, {"echo two", 0, "two\n"}}},
		{"output that is redirected", "bash", "", []typedLine{{"exec 3>&1 >/dev/null", 0, ""}, {"false", 1, ""}, {"exec >&3", 0, ""}, {"echo one", 0, "one\n"}}},

		{"pipestatus", "zsh", `precmd() { STATUS=$? PIPES="$pipestatus" }`, []typedLine{{"true | (exit 3) | (exit 4)", 4, ""}, {`echo "$STATUS $PIPES"`, 0, "4 0 3 4\n"}}},
		{"pipestatus in a hook", "zsh", `h() { STATUS=$? PIPES="$pipestatus" }; precmd_functions+=(h)`, []typedLine{{"true | (exit 3) | (exit 4)", 4, ""}, {`echo "$STATUS $PIPES"`, 0, "4 0 3 4\n"}}},
		{"ksharrays", "zsh", "setopt ksharrays; a() { A=1 }; b() { B=$((B+1)) }; precmd_functions=(a b); c() { C=1 }; preexec_functions=(c c)", []typedLine{
			{"false", 1, ""}, {"echo $A $((B > 0)) $C ${#precmd_functions[@]} ${#preexec_functions[@]}", 0, "1 1 1 3 3\n"}}},
		{"a ZERR trap", "zsh", "n=0; TRAPZERR() { n=$((n+1)) }", []typedLine{{"false", 1, ""}, {"echo $n", 0, "1\n"}}},
		{"errexit", "zsh", "setopt errexit nounset", []typedLine{{"echo one", 0, "one\n"}, {"echo )", notRun, ""}, {"false || echo two", 0, "two\n"}}},
		{"the sign for a missing end of line", "zsh", "", []typedLine{{"printf x", 0, "x"}, {"print -r -- ${PROMPT_EOL_MARK##*\\}}", 0, "%B%S%#%s%b\n"}}},

		{"pipestatus", "fish", `function fish_prompt; set -g pipes $pipestatus; set -g code $status; echo '> '; end`, []typedLine{{"true | sh -c 'exit 3' | sh -c 'exit 4'", 4, ""}, {`echo $pipes`, 0, "0 3 4\n"}}},
	} {
		t.Run(tt.shell+" with "+tt.name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, tt.shell, rcFile(tt.shell, tt.rc))
			for _, l := range tt.lines {
				wantLine(t, s, l)
			}
		})
	}
}

// Text that somebody has typed and not sent, and lines that wait to be read, do not mix with a line
// that is run.
func TestRunAfterOtherInput(t *testing.T) {
	t.Parallel()
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			home := s.Info().Dir
			wantLine(t, s, typedLine{"echo zero", 0, "zero\n"})
			must(t, s.Send(t.Context(), []byte("echo half typed; ")))
			wantLine(t, s, typedLine{"echo one", 0, "one\n"})
			must(t, s.Send(t.Context(), []byte("sleep 0.5; false\recho typed ahead\r")))
			if _, err := s.WaitFor(t.Context(), "(?m)^typed ahead(?s:.*[#>%] $)", time.Minute); err != nil {
				t.Fatal(err)
			}
			wantLine(t, s, typedLine{"sh -c 'exit 7'", 7, ""})

			// A call that gives up leaves its line to the shell, and nobody else gets the result.
			giveUp(t, s, "sh -c 'until [ -e go-on ]; do sleep 0.05; done'; echo late; sh -c 'exit 9'", 300*time.Millisecond)
			must(t, os.WriteFile(filepath.Join(home, "go-on"), nil, 0o600))
			if _, err := s.WaitFor(t.Context(), "(?m)^late(?s:.*[#>%] $)", time.Minute); err != nil {
				t.Fatal(err)
			}
			wantLine(t, s, typedLine{"sh -c 'exit 5'", 5, ""})
		})
	}
}

// giveUp types a line whose command takes longer than the time to wait for it.
func giveUp(t *testing.T, s *term.Session, line string, after time.Duration) term.Run {
	t.Helper()
	for {
		got, err := s.RunCommand(t.Context(), line, term.RunOptions{Timeout: 100 * time.Millisecond, MaxWait: after})
		if fault.DetailOf(err) == core.NotTyped {
			continue // on a busy machine the program reads later
		}
		if fault.KindOf(err) != fault.Timeout || got.State != core.StillRuns || got.Screen == nil || got.ExitCode != nil {
			t.Fatalf("a slow command: %+v, %v", got, err)
		}
		return got
	}
}

// A session whose command is a shell marks its prompts, too: for bash, see TestStartUpFilesOfBash.
func TestShellAsCommand(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{"zsh": "zsh -i", "fish": "fish --no-config"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			program(t, name)
			s := create(t, newRegistry(t), registry.CreateOptions{Command: command})
			wantLine(t, s, typedLine{"echo one", 0, "one\n"})
			wantLine(t, s, typedLine{"false", 1, ""})
		})
	}
}

// bash reads the person's files in its own order: as a login shell the first profile there is, and
// .bashrc only from there; otherwise .bashrc alone, or the file that is named instead; in POSIX
// mode what ENV names.
func TestStartUpFilesOfBash(t *testing.T) {
	t.Parallel()
	program(t, "bash")
	for _, tt := range []struct{ command, want, env string }{
		{command: "bash", want: "rc"}, {command: "bash -l", want: "profile"}, {command: "bash --login --norc", want: "profile"},
		{command: "bash -l --noprofile"}, {command: "bash --norc"},
		{command: "bash --rcfile mine", want: "mine"}, {command: "bash --init-file sub/file -i", want: "file"},
		{command: "bash --rcfile ~/mine", want: "mine"}, {command: "bash --rcfile missing"}, {command: "bash --rcfile mine --norc"},
		{command: "bash --login --rcfile mine", want: "profile"}, {command: "bash --posix"},
		{"bash --posix", "mine", "mine"}, {"bash --login --posix", "mine", "mine"},
	} {
		t.Run(tt.command+" "+tt.env, func(t *testing.T) {
			t.Parallel()
			r := newRegistry(t, func(c *registry.Config) {
				for file, text := range map[string]string{".bashrc": "FILES=${FILES}rc", ".bash_profile": "FILES=${FILES}profile", ".profile": "FILES=${FILES}wrong", "mine": "FILES=${FILES}mine", "sub/file": "FILES=${FILES}file"} {
					file = filepath.Join(c.Home, file)
					must(t, os.MkdirAll(filepath.Dir(file), 0o700))
					must(t, os.WriteFile(file, []byte(text+"\n"), 0o600))
				}
			})
			s := create(t, r, registry.CreateOptions{Command: tt.command, Env: map[string]string{"OTHER": "inherited", "ENV": tt.env}})
			wantLine(t, s, typedLine{"echo $FILES", 0, tt.want + "\n"})
			wantLine(t, s, typedLine{"echo $OTHER", 0, "inherited\n"})
			wantLine(t, s, typedLine{"env | grep WSH_ | grep -v WSH_SESSION", 1, ""})
			wantLine(t, s, typedLine{"compgen -v __wsh_ | grep -E 'file|bare|_i$'", 1, ""})
		})
	}
}

// A shell that reads no files has the prompt of its environment, and runs the commands that the
// environment has for prompts, from the first one on. Programs that it starts inherit these.
func TestBareBash(t *testing.T) {
	t.Parallel()
	program(t, "bash")
	for _, command := range []string{"bash --norc", "bash -l --noprofile", "bash --posix"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			s := create(t, newRegistry(t), registry.CreateOptions{Command: command, Env: map[string]string{"PS1": "mine> ", "PROMPT_COMMAND": "N=$((N+1)); echo before $N"}})
			see(t, s, "before 1")
			see(t, s, "mine>")
			wantLine(t, s, typedLine{"echo $N", 0, "1\n"})
			wantLine(t, s, typedLine{"sh -c 'exit 3'", 3, ""})
			wantLine(t, s, typedLine{"echo $N", 0, "3\n"})
			wantLine(t, s, typedLine{"unset PROMPT_COMMAND", 0, ""})
			wantLine(t, s, typedLine{"echo )", notRun, ""})
			wantLine(t, s, typedLine{"", unknown, ""})
			wantLine(t, s, typedLine{"compgen -v __wsh_shown", 0, "__wsh_shown\n"})
		})
	}
}

// Shells mark their prompts after the directory of our start-up files was emptied. Where it cannot
// be made again, they start as they are, with the person's file, and the log says so.
func TestStartUpFilesVanish(t *testing.T) {
	t.Parallel()
	path := program(t, "bash")
	dir := filepath.Join(t.TempDir(), "run", "scripts")
	scripts, err := shell.Install(dir)
	must(t, err)
	var log bytes.Buffer
	r := newRegistry(t, func(c *registry.Config) {
		c.Shell, c.Scripts, c.Log = path, scripts, slog.New(slog.NewTextHandler(&log, nil))
		must(t, os.WriteFile(filepath.Join(c.Home, ".bashrc"), []byte("export MINE=yes"), 0o600))
	})
	must(t, os.RemoveAll(filepath.Dir(dir)))
	wantLine(t, create(t, r, registry.CreateOptions{}), typedLine{"echo $MINE", 0, "yes\n"})
	if log.Len() > 0 {
		t.Errorf("logged: %s", &log)
	}

	must(t, os.RemoveAll(filepath.Dir(dir)))
	must(t, os.WriteFile(filepath.Dir(dir), nil, 0o600))
	s := create(t, r, registry.CreateOptions{})
	got := run(t, s, "echo mine=$MINE", term.RunOptions{MaxWait: time.Minute})
	if got.State != core.Silent || !hasLine(got.Screen, "mine=yes") {
		t.Errorf("a plain shell: %q\n%s", got.State, strings.Join(plain(got.Screen), "\n"))
	}
	if !strings.Contains(log.String(), "without marking its prompts") {
		t.Errorf("logged: %q", &log)
	}
}
