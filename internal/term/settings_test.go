//go:build linux || darwin

package term_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/testkit/load"
)

// A setting is what a person may do to a shell while it runs.
type setting struct {
	line string
	// shows is what it makes the shell write before a command's output.
	shows string
	// keys are pressed before each line, by a program.
	keys string
	// why says why the outcome of some lines is not known then. It is never a wrong one.
	why string
}

var settings = map[string][]setting{
	"bash": {
		// Prompts and hooks.
		{line: "PS0="}, {line: "unset PS0"}, {line: "PS0='> '"}, {line: "PS1='$ '"}, {line: "PS1="}, {line: "unset PS1 PS2"}, {line: "PS2=''"}, {line: `PS1='\u@\h \w\n\$ '`},
		{line: `PS1='$(echo sub)$ '`}, {line: "PS4='+ $? '"}, {line: "export PS1 PS0 PS2"}, {line: "PROMPT_DIRTRIM=2"},
		{line: "PROMPT_COMMAND="}, {line: "unset PROMPT_COMMAND"}, {line: "PROMPT_COMMAND=true"}, {line: "PROMPT_COMMAND=(true false)"}, {line: "PROMPT_COMMAND+=(true)"},
		{line: `PROMPT_COMMAND="true; $PROMPT_COMMAND"`}, {line: "declare -x PROMPT_COMMAND"}, {line: "PROMPT_COMMAND='PS1=\"x> \"'"}, {line: "PROMPT_COMMAND='PS0=; PS1=\"x> \"'"},
		{line: "PS0= PROMPT_COMMAND="}, {line: "PS0= PS1='$ '"}, {line: "unset PS0 PS1 PS2 PROMPT_COMMAND", why: "without any prompt, nothing tells the shell from a command that reads"}, {line: "PS0= PS1='$ ' PROMPT_COMMAND="},
		{line: "readonly PS0"}, {line: "readonly PS1", why: "bash stops our function at the assignment"}, {line: "readonly PROMPT_COMMAND"}, {line: "readonly i list status first name"},
		// shopt.
		{line: "shopt -u promptvars"}, {line: "shopt -s extdebug"}, {line: "shopt -s failglob"}, {line: "shopt -s nullglob"}, {line: "shopt -s dotglob globstar"}, {line: "shopt -s nocasematch"},
		{line: "shopt -s xpg_echo"}, {line: "shopt -s lastpipe"}, {line: "shopt -s localvar_inherit"}, {line: "shopt -s localvar_unset"}, {line: "shopt -u expand_aliases"}, {line: "shopt -u cmdhist"},
		{line: "shopt -s lithist"}, {line: "shopt -s histverify histreedit"}, {line: "shopt -u checkwinsize"}, {line: "shopt -s checkjobs huponexit"}, {line: "shopt -s inherit_errexit"}, {line: "shopt -s compat44"},
		{line: "shopt -s autocd cdspell dirspell"}, {line: "shopt -s gnu_errfmt"}, {line: "shopt -u interactive_comments"}, {line: "shopt -s execfail"}, {line: "shopt -u extquote"}, {line: "shopt -u sourcepath"},
		// set.
		{line: "set -x", shows: "+ echo"}, {line: "PS4='$__wsh_n '; set -x", shows: "echo"}, {line: "exec 9>/dev/null; BASH_XTRACEFD=9; set -x"}, {line: "set -u"}, {line: "set -f"}, {line: "set -C"}, {line: "set -a"}, {line: "set -k"}, {line: "set -b"}, {line: "set +h"},
		{line: "set +H"}, {line: "set +m"}, {line: "set +B"}, {line: "set -E"}, {line: "set -T"}, {line: "set -P"}, {line: "set -p"}, {line: "set -o vi"}, {line: "set -o posix"}, {line: "set -o ignoreeof"}, {line: "set -o pipefail"}, {line: "set +o history"},
		{line: "set -v", why: "bash writes PROMPT_COMMAND when it runs it, the person's and ours"},
		{line: "set +o emacs", why: "a shell without a line editor has no ready key"},
		{line: "set -r", why: "a restricted shell may not write to the terminal"},
		// Traps.
		{line: "trap : DEBUG"}, {line: "trap 'echo dbg' DEBUG", shows: "dbg\n"}, {line: "set -T; trap 'echo dbg' DEBUG", why: "bash runs the trap in our functions, too"}, {line: "trap : ERR"}, {line: "set -E; trap : ERR"}, {line: "trap : RETURN"}, {line: "trap '' INT", why: "only C-c drops an unfinished line"}, {line: "trap : INT"}, {line: "trap : EXIT"}, {line: "trap : WINCH CHLD"},
		// Builtins that are switched off or hidden.
		{line: "enable -n printf"}, {line: "enable -n echo"}, {line: "enable -n test ["}, {line: "enable -n bind"}, {line: "enable -n eval"},
		{line: "enable -n printf echo", why: "bash has no other way to write a mark after a prompt of its own"},
		{line: "enable -n local", why: "our functions cannot do without"},
		{line: "printf() { command true; }"}, {line: "set() { :; }"}, {line: "shopt() { :; }"}, {line: "unset() { :; }"}, {line: "test() { :; }"}, {line: "eval() { :; }"}, {line: "command() { :; }"}, {line: "true() { command false; }"}, {line: "alias printf=false"},
		{line: "builtin() { :; }", why: "nothing goes past a function of this name"},
		// Redirections.
		{line: "exec 2>&1"}, {line: "exec 3>&1"}, {line: "exec 2> >(cat >&2)", why: "C-c ends cat, and the shell with it"}, {line: "exec 2>/dev/null", why: "bash writes its prompts, and PS0, to standard error"}, {line: "exec 2>err.log", why: "likewise"}, {line: "exec >/dev/null", why: "there is no output"},
		// Keys and variables.
		{line: "bind 'set enable-bracketed-paste off'"}, {line: "bind 'set show-mode-in-prompt on'"}, {line: "bind 'set horizontal-scroll-mode on'"}, {line: "bind 'set keyseq-timeout 5'"}, {line: "bind 'set mark-modified-lines on'"}, {line: "bind 'set revert-all-at-newline on'"},
		{line: "IFS=x"}, {line: "LC_ALL=C"}, {line: "TERM=dumb"}, {line: "HISTCONTROL=ignoreboth HISTSIZE=0"}, {line: "HISTIGNORE='*'"}, {line: "TMOUT=1000"}, {line: "POSIXLY_CORRECT=1"}, {line: "BASH_COMPAT=4.4"}, {line: "GLOBIGNORE='*'"}, {line: "stty -ixon"}, {line: "umask 777; umask 022"},
		// As frameworks do it.
		{line: `starship_precmd() { local s=$?; PS1="[$s] "; return $s; }; PROMPT_COMMAND=starship_precmd`},
		{line: `_omb_hook() { PS1="\u> "; PS2='> '; }; PROMPT_COMMAND="_omb_hook;${PROMPT_COMMAND[*]}"`},
		{line: `_lp_set_prompt() { PS1='lp> '; }; _LP_OLD=$PROMPT_COMMAND; PROMPT_COMMAND="_lp_set_prompt; $_LP_OLD"`},
		// States of the line editor, and what the next prompt finds there.
		{line: "set -o vi", keys: "\x1b"}, {line: "set -o vi", keys: "rm -f x\x1b"}, {line: "set -o vi", keys: "\x1bR"}, {line: "true", keys: "echo half \x16"}, {line: "true", keys: "\x18"}, {line: "true", keys: "\x12o"}, {line: "true", keys: "\x12"}, {line: "stty -ixon", keys: "\x13o"}, {line: "true", keys: "\t\t", why: "bash asks whether to display all possibilities, until y or n"}, {line: "true", keys: "ls /etc/p\t\t"}, {line: "true", keys: "\x1b5"},
		{line: `printf '\033[c\033[6n'`}, {line: `printf '\033[c\033[6n'; sleep 0.3`}, {line: "clear"}, {line: "clear", keys: "\x0c"}, {line: "tput reset"},
		{line: `__posh() { PS1="$(echo posh)> "; PS0='$(:)'; }; PROMPT_COMMAND="__posh; $PROMPT_COMMAND"`},
	},
	"zsh": {
		{line: "precmd_functions=()"}, {line: "preexec_functions=()"}, {line: "precmd_functions=() preexec_functions=()"}, {line: "unset precmd_functions preexec_functions"}, {line: "precmd_functions=(true)"}, {line: "preexec_functions=(true)"}, {line: "precmd() { : }"}, {line: "preexec() { : }"},
		{line: "autoload -Uz add-zsh-hook; add-zsh-hook precmd true"}, {line: "PS1='> '"}, {line: "PS1="}, {line: "PROMPT='%~ %# '"}, {line: "PS2="}, {line: "RPROMPT=right"}, {line: "PROMPT_EOL_MARK="}, {line: "unset PROMPT_EOL_MARK"}, {line: "PROMPT=$'two\\nlines> '"}, {line: "psvar=(1 2)"},
		{line: "setopt promptsubst"}, {line: "setopt promptbang"}, {line: "setopt no_promptpercent"}, {line: "setopt no_promptcr"}, {line: "setopt no_promptsp"}, {line: "setopt transientrprompt"}, {line: "setopt ksharrays"}, {line: "setopt shwordsplit"}, {line: "setopt xtrace", shows: "echo"}, {line: "set -x", shows: "echo"},
		{line: "setopt verbose"}, {line: "setopt nounset"}, {line: "setopt noclobber"}, {line: "setopt noglob"}, {line: "setopt kshglob extendedglob"}, {line: "setopt cshnullglob"}, {line: "setopt nullglob"}, {line: "setopt ignoreeof"}, {line: "setopt interactivecomments"},
		{line: "setopt no_banghist"}, {line: "setopt histignorealldups histignorespace"}, {line: "setopt sharehistory"}, {line: "setopt singlelinezle"}, {line: "setopt warncreateglobal"}, {line: "setopt errreturn"}, {line: "setopt pipefail"}, {line: "setopt localoptions localtraps"},
		{line: "setopt allexport"}, {line: "setopt autocd rcquotes braceccl"}, {line: "setopt cbases octalzeroes"}, {line: "setopt posixbuiltins"}, {line: "setopt posixtraps posixaliases"}, {line: "setopt debugbeforecmd evallineno"}, {line: "setopt no_monitor"}, {line: "setopt notify"}, {line: "setopt nobgnice nohup"},
		{line: "emulate sh"}, {line: "emulate ksh"}, {line: "bindkey -v"}, {line: "bindkey -e"}, {line: "disable print"}, {line: "disable printf"}, {line: "disable print printf"}, {line: "disable echo"}, {line: "print() { : }"}, {line: "printf() { : }"}, {line: "local() { : }; unfunction local"},
		{line: "setopt no_zle", why: "a shell without a line editor has no ready key"}, {line: "bindkey -d"}, {line: "trap : DEBUG"}, {line: "trap 'echo dbg' DEBUG", shows: "dbg\n"}, {line: "TRAPZERR() { : }"}, {line: "TRAPDEBUG() { : }"}, {line: "trap : INT", why: "only C-c drops an unfinished line"},
		{line: "exec 2>/dev/null"}, {line: "exec 2>&1"}, {line: "exec 3>&1"}, {line: "TERM=dumb"}, {line: "IFS=x"}, {line: "LC_ALL=C"}, {line: "HISTSIZE=0"}, {line: "KEYTIMEOUT=1"},
		{line: "zle-line-finish() { PROMPT='> '; zle .reset-prompt }; zle -N zle-line-finish; precmd() { PROMPT='long %~ %# ' }"},
		{line: "bindkey -v", keys: "\x1b"}, {line: "bindkey -v", keys: "rm -f x\x1b"}, {line: "bindkey -v", keys: "\x1bR"}, {line: "true", keys: "echo half \x16"}, {line: "true", keys: "\x18"}, {line: "true", keys: "\x12o"}, {line: "true", keys: "\x12"}, {line: "setopt no_flowcontrol", keys: "\x13o"}, {line: "zmodload zsh/complist; autoload -Uz compinit; compinit -D; zstyle ':completion:*' menu select", keys: "ls /etc/p\t\t"}, {line: "true", keys: "\x1b5"}, {line: "true", keys: "\x1bz"},
		{line: `printf '\033[c\033[6n'`}, {line: `printf '\033[c\033[6n'; sleep 0.3`}, {line: "clear"}, {line: "clear", keys: "\x0c"}, {line: "tput reset"},
		{line: "starship_precmd() { S=$?; PROMPT=\"[$S] \" }; precmd_functions=(starship_precmd)"},
		{line: "prompt_pure() { print; PROMPT='%F{red}>%f ' }; precmd_functions=(prompt_pure $precmd_functions)"},
		{line: "_p9k() { PROMPT='p10k> '; RPROMPT='%D' }; precmd_functions+=(_p9k); preexec_functions=(true)"},
	},
	"fish": {
		{line: "function fish_prompt; end"}, {line: "function fish_prompt; echo 'x> '; end"}, {line: "functions -e fish_prompt"}, {line: "function fish_right_prompt; echo right; end"}, {line: "function fish_mode_prompt; end"}, {line: "fish_vi_key_bindings"}, {line: "fish_hybrid_key_bindings"},
		{line: "function printf; end"}, {line: "function math; end", shows: "string split"}, {line: "function test; end"}, {line: "function string; end"}, {line: "function functions; end"}, {line: "function commandline; end"}, {line: "set -g fish_trace 1", shows: "echo"}, {line: "set -g fish_trace all", shows: "echo"},
		{line: "function p --on-event fish_preexec; true; end"}, {line: "function p --on-event fish_postexec; false; end"}, {line: "function p --on-event fish_prompt; echo hook; end"}, {line: "status job-control full"}, {line: "status job-control none"}, {line: "set -g fish_handle_reflow 0"},
		{line: "function fish_title; end"}, {line: "set -gx TERM dumb"}, {line: "set -g fish_private_mode 1"}, {line: "set -gx LC_ALL C"}, {line: "set -g fish_autosuggestion_enabled 0"}, {line: "trap true INT"},
		{line: "functions -e __wsh_start", why: "without our functions there are no marks"},
		{line: "fish_vi_key_bindings", keys: "\x1b"}, {line: "fish_vi_key_bindings", keys: "rm -f x\x1b"}, {line: "fish_vi_key_bindings", keys: "\x1bR"}, {line: "true", keys: "echo half "}, {line: "true", keys: "ls /etc/p\t\t"}, {line: "true", keys: "\x1b[A"}, {line: "true", keys: "\x12"}, {line: "true", keys: "\x12echo"}, {line: "true", keys: "\x12\x12"}, {line: "true", keys: "\x1bp"},
		{line: `printf '\033[c\033[6n'`}, {line: `printf '\033[c\033[6n'; sleep 0.3`}, {line: "clear"}, {line: "clear", keys: "\x0c"}, {line: "tput reset"},
		{line: "function starship; echo '> '; end; function fish_prompt; starship; end; function fish_right_prompt; end"},
	},
}

// Whatever a person does to a shell, an outcome that is told is true: nearly always it is known,
// and a line that ran is never said not to have run.
func TestSettingsOfShells(t *testing.T) {
	t.Parallel()
	n := 0
	for shell, list := range settings {
		n += len(list)
		for i, set := range list {
			if i%5 != 0 && !load.All() { // all take half of this package's time
				continue
			}
			t.Run(shell+"/"+set.line+set.keys, func(t *testing.T) {
				t.Parallel()
				tryLines(t, shellSession(t, shell, nil), set)
			})
		}
	}
	if n < 100 {
		t.Errorf("only %d settings", n)
	}
}

// tryLines makes a setting and runs lines.
func tryLines(t *testing.T, s *term.Session, set setting) {
	t.Helper()
	short := term.RunOptions{Timeout: 300 * time.Millisecond, MaxWait: 30 * time.Second}
	if set.why != "" { // some lines never end then
		short.MaxWait = 3 * time.Second
	}
	ran := filepath.Join(s.Info().Dir, "ran")
	must(t, os.WriteFile(ran, nil, 0o600))
	for i, l := range []typedLine{{set.line, 0, ""}, {"echo one >>ran; echo one", 0, "one\n"}, {"sh -c 'echo one >>ran; exit 3'", 3, ""}, {"if true", notRun, ""}, {"echo one >>ran; echo two", 0, "two\n"}} {
		if i > 0 && set.keys != "" {
			must(t, s.Send(t.Context(), []byte(set.keys)))
		}
		got, err := s.RunCommand(t.Context(), l.line, short)
		screen := ""
		if got.Screen != nil {
			screen = strings.TrimRight(strings.Join(plain(got.Screen), "\n"), "\n")
		}
		if err != nil && set.why == "" {
			t.Fatalf("%q: %v\n%s", l.line, err, screen)
		}
		if got.NotRun && l.code != notRun {
			t.Errorf("%q ran, and is said not to have run\n%s", l.line, screen)
		}
		if i == 0 {
			continue
		}
		if got.ExitCode != nil && *got.ExitCode != l.code {
			t.Errorf("%q: status %d, want %d\n%s", l.line, *got.ExitCode, l.code, screen)
		}
		if strings.Contains(got.Output, "wsh") && set.why == "" {
			t.Errorf("%q: output %q has something of ours\n%s", l.line, got.Output, screen)
		}
		known := got.State == core.Done && (got.NotRun || got.ExitCode != nil)
		if set.why == "" && (!known || !strings.HasSuffix(got.Output, l.output) || !strings.Contains(got.Output, set.shows) && l.output != "" || set.shows == "" && got.Output != l.output) {
			t.Errorf("%q: state %q, status %v, output %q, want %d, %q\n%s", l.line, got.State, got.ExitCode, got.Output, l.code, l.output, screen)
		}
	}
	if data, err := os.ReadFile(ran); set.why == "" && (err != nil || string(data) != "one\none\none\n") {
		t.Errorf("the lines have written %q, %v", data, err)
	}
}

// A person's unfinished line stays: an agent's line is refused with the reason, and the person's
// runs as they have typed it.
func TestUnfinishedLineOfAPerson(t *testing.T) {
	t.Parallel()
	for shell, half := range map[string][]string{"bash": {"echo 'do not ", "for i in 1; do echo do not"}, "zsh": {"echo 'do not ", "for i in 1; do echo do not"}, "fish": {"echo 'do not "}} {
		for _, text := range half {
			t.Run(shell+"/"+text, func(t *testing.T) {
				t.Parallel()
				s := shellSession(t, shell, map[string]string{".zshrc": ""})
				must(t, s.AwaitPrompt(t.Context()))
				wantLine(t, s, typedLine{"echo zero", 0, "zero\n"})
				v := attach(t, s)
				must(t, v.Type(t.Context(), []byte(text)))
				for _, o := range []term.RunOptions{{MaxWait: 2 * time.Second}, {Refuse: true}} {
					if _, err := s.RunCommand(t.Context(), "touch never", o); fault.DetailOf(err) != core.NotTyped || !strings.Contains(err.Error(), "has typed something") {
						t.Errorf("%+v: %v", o, err)
					}
				}
				end := map[bool]string{true: "run'\r", false: "; done\r"}[strings.Contains(text, "'")]
				must(t, v.Type(t.Context(), []byte(end)))
				see(t, s, "^do not")
				if _, err := os.Stat(filepath.Join(s.Info().Dir, "never")); err == nil {
					t.Error("the agent's line ran")
				}
				wantLine(t, s, typedLine{"echo after", 0, "after\n"})
			})
		}
	}
}

// A program that prompts, and marks nothing, gets lines as they are typed. Nothing tells that it is
// done with one, so the outcome is never more than quiet. A line for the shell waits.
func TestProgramsThatPrompt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, start, line, quit string }{
		{"bash", "env -i PATH=\"$PATH\" TERM=xterm PS1='$ ' bash --norc --noprofile", "echo $((6*7))", "exit"}, // as over ssh
		{"sh", "PS1='$ ' sh", "echo $((6*7))", "exit"},
		{"zsh", "env -i PATH=\"$PATH\" TERM=xterm zsh -f", "echo $((6*7))", "exit"},
		{"python3", "python3 -q", "print(6*7)", "exit()"},
		{"node", "node", "console.log(6*7)", ".exit"},
		{"gdb", "gdb -q -nx", "echo 42\\n", "quit"},
		{"ssh", "", "echo $((6*7))", "exit"},
		{"psql", "", "\\echo 42", "\\q"},
		{"sqlite3", "sqlite3", "select 6*7;", ".quit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			program(t, tt.name)
			switch tt.name {
			case "ssh":
				tt.start = overSSH(t, "env PS1='$ ' bash --norc --noprofile")
			case "psql":
				tt.start = "psql -X -U postgres -h " + postgres(t)
			}
			s := shellSession(t, "bash", nil)
			short := term.RunOptions{Timeout: 500 * time.Millisecond, MaxWait: time.Minute}
			if got := run(t, s, tt.start, short); got.State != core.Waiting {
				t.Fatalf("%s: %q\n%s", tt.start, got.State, strings.Join(plain(got.Screen), "\n"))
			}
			for range 2 {
				if got := run(t, s, tt.line, short); got.State != core.Silent {
					t.Errorf("%s: %q", tt.line, got.State)
				}
				see(t, s, "^42 *$")
			}
			if _, err := s.RunCommand(t.Context(), "touch never", term.RunOptions{MaxWait: 300 * time.Millisecond, AtPrompt: true}); fault.DetailOf(err) != core.NotTyped {
				t.Errorf("a line for the shell: %v", err)
			}
			if got := run(t, s, tt.quit, short); got.State == core.Done {
				t.Errorf("%s: %q", tt.quit, got.State)
			}
			wantLine(t, s, typedLine{"ls never 2>/dev/null; echo after", 0, "after\n"})
		})
	}
}

// overSSH returns a command line that runs a command on a terminal of an sshd, which has the
// connection as its input and output.
func overSSH(t *testing.T, command string) string {
	t.Helper()
	daemon, err := exec.LookPath("/usr/sbin/sshd")
	if err != nil || os.MkdirAll("/run/sshd", 0o755) != nil { // which sshd demands of root
		t.Skip("sshd cannot run here")
	}
	dir := t.TempDir()
	key, config := filepath.Join(dir, "key"), filepath.Join(dir, "config")
	execute(t, exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key))
	text := fmt.Sprintf("HostKey %s\nAuthorizedKeysFile %s.pub\nPidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPrintMotd no\nPrintLastLog no\n", key, key)
	must(t, os.WriteFile(config, []byte(text), 0o600))
	return fmt.Sprintf(`ssh -qtF none -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o IdentityAgent=none -i %s -o ProxyCommand="%s -i -f %s" vm "%s"`, key, daemon, config, command)
}

// postgres returns the folder with the socket of a server of PostgreSQL.
func postgres(t *testing.T) string {
	t.Helper()
	bin := filepath.Dir(first(t, "/usr/lib/postgresql/*/bin/initdb"))
	dir, err := os.MkdirTemp("", "pg")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	as := func(args ...string) *exec.Cmd { return exec.Command(args[0], args[1:]...) }
	if os.Geteuid() == 0 { // as which it refuses to run
		execute(t, exec.Command("chown", "postgres", dir))
		as = func(args ...string) *exec.Cmd {
			return exec.Command("runuser", append([]string{"-u", "postgres", "--"}, args...)...)
		}
	}
	data := filepath.Join(dir, "data")
	execute(t, as(filepath.Join(bin, "initdb"), "--no-sync", "-A", "trust", "-U", "postgres", "-D", data))
	control := func(args ...string) *exec.Cmd {
		return as(append([]string{filepath.Join(bin, "pg_ctl"), "-D", data, "-w", "-l", filepath.Join(dir, "log")}, args...)...)
	}
	execute(t, control("-o", "-h '' -F -k "+dir, "start"))
	t.Cleanup(func() { execute(t, control("-m", "immediate", "stop")) })
	return dir
}

// first returns the first file that matches a pattern.
func first(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Skipf("there is no %s", pattern)
	}
	return files[0]
}

func execute(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", c, err, out)
	}
}
