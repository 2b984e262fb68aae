//go:build linux || darwin

package term_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/testkit/load"
)

// A person is a shell with a start-up file, and the lines with which such a person changes the
// prompts on the way. None of them writes anything or fails.
type person struct {
	name, shell, rc string
	changes         []typedLine
}

var persons = []person{
	{"plain", "bash", "", nil},
	{"slow prompt", "bash", "PROMPT_COMMAND='sleep 0.$((RANDOM % 4))'", nil},
	{"slow before commands", "bash", "trap 'sleep 0.0$((RANDOM % 10))' DEBUG", nil},
	{"changes prompts", "bash", "", []typedLine{
		{"PS1='$? new> ' PS2='more> '", 0, ""}, {"PROMPT_COMMAND='PS1=\"\\w> \"'", 0, ""}, {"PROMPT_COMMAND=('sleep 0.1' true)", unknown, ""},
		{"unset PROMPT_COMMAND", unknown, ""}, {"source ~/.bashrc", 0, ""}, {"set -o vi", 0, ""}, {"set -o emacs", 0, ""},
	}},
	{"plain", "zsh", "", nil},
	{"slow prompt", "zsh", "precmd() { sleep 0.$((RANDOM % 4)); echo hook }", nil},
	{"transient prompt", "zsh", `
zle-line-finish() { PROMPT='> '; zle .reset-prompt }
zle -N zle-line-finish
precmd() { PROMPT='long prompt %~ %# ' }
preexec() { sleep 0.0$((RANDOM % 10)); echo hook }
`, nil},
	{"changes prompts", "zsh", "", []typedLine{
		{"PS1='new> ' PS2='more> '", 0, ""}, {"precmd() { PS1='newer> ' }", 0, ""}, {"precmd() { sleep 0.1 }", 0, ""}, {"setopt promptsubst", 0, ""},
		{"bindkey -v", 0, ""}, {"bindkey -e", 0, ""}, {"source ~/.zshrc", 0, ""},
	}},
	{"plain", "fish", "", nil},
	{"slow prompt", "fish", "function fish_prompt; sleep 0.(random 0 3); echo '> '; end", nil},
	{"slow before commands", "fish", "function slow --on-event fish_preexec; sleep 0.0(random 0 9); echo hook; end", nil},
	{"changes prompts", "fish", "", []typedLine{
		{"function fish_prompt; echo 'new> '; end", 0, ""}, {"function fish_prompt; sleep 0.1; echo 'newer> '; end", 0, ""},
		{"source $XDG_CONFIG_HOME/fish/config.fish; true", 0, ""}, {"fish_vi_key_bindings; true", 0, ""}, {"fish_default_key_bindings; true", 0, ""},
	}},
}

// randomLine is a line that this person types.
func (p *person) randomLine(r *rand.Rand) typedLine {
	n := r.IntN(1_000_000)
	switch k := r.IntN(100); {
	case k < 30:
		return typedLine{fmt.Sprint("echo word", n), 0, fmt.Sprintf("word%d\n", n)}
	case k < 45:
		return typedLine{fmt.Sprintf("sh -c 'echo %d; exit %d'", n, n%200), n % 200, fmt.Sprintf("%d\n", n)}
	case k < 55:
		return typedLine{fmt.Sprintf("printf 'no end %d'", n), 0, fmt.Sprint("no end ", n)}
	case k < 60:
		return typedLine{fmt.Sprintf("sleep 0.0%d; false", n%10), 1, ""}
	case k < 68:
		return typedLine{fmt.Sprintf("echo %d\necho %d; false", n, n+1), 1, fmt.Sprintf("%d\n%d\n", n, n+1)}
	case k < 73:
		return typedLine{fmt.Sprintf("seq %d %d", n, n+100), 0, sequence(n, n+100)}
	case k < 78:
		return typedLine{"", unknown, ""}
	case k < 88:
		return typedLine{fmt.Sprintf("echo %d )", n), notRun, ""}
	case k < 90 || p.shell != "fish" && k < 95: // fish says nothing, which takes two seconds each
		return typedLine{[]string{"if true", "echo 'word", "echo \"word"}[n%3], notRun, ""}
	case len(p.changes) > 0:
		return p.changes[n%len(p.changes)]
	}
	return typedLine{"true", 0, ""}
}

func sequence(from, to int) string {
	s := ""
	for i := from; i <= to; i++ {
		s += fmt.Sprintln(i)
	}
	return s
}

// Lines of all kinds, mixed at random, in shells with all kinds of prompts: each has its own output
// and status, or was not run.
func TestMixedLines(t *testing.T) {
	each := load.Count(100, 10_000)/len(persons) + 1
	for i, p := range persons {
		t.Run(p.shell+" "+p.name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, p.shell, rcFile(p.shell, p.rc))
			r := rand.New(rand.NewPCG(14, uint64(i)))
			for n := range each {
				l := p.randomLine(r)
				switch r.IntN(20) {
				case 0: // somebody has typed something
					if err := s.Send(t.Context(), []byte("echo half typed; ")); err != nil {
						t.Fatal(err)
					}
				case 1: // a call that gives up
					slow := term.RunOptions{MaxWait: 50 * time.Millisecond}
					_, err := s.RunCommand(t.Context(), "sleep 0.2; sh -c 'exit 77'", slow)
					if err != nil && fault.KindOf(err) != fault.Timeout { // a busy machine may notice the end first
						t.Fatalf("line %d: a slow command: %v", n, err)
					}
					if err := s.AwaitPrompt(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				wantLine(t, s, l)
				if t.Failed() {
					t.Fatalf("after %d lines", n)
				}
			}
		})
	}
}
