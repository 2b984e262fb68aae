package agents

import (
	"strings"
	"testing"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"claude --continue":                       "claude",
		"/home/ada/.local/bin/codex":              "codex",
		"node /usr/lib/node_modules/.bin/gemini":  "gemini",
		"node --no-warnings /opt/gemini.js -p":    "gemini",
		`C:\Users\Ada\OpenCode.exe run`:           "opencode",
		"/usr/bin/python3 /home/ada/.local/aider": "aider",
		"python3 -m aider":                        "aider",
		"node server.js a claude":                 "",
		"grep claude":                             "",
		"claude-squad":                            "",
		"bash":                                    "",
		"":                                        "",
	} {
		if got := Named(strings.Fields(line)); got != want {
			t.Errorf("Named(%s) = %q, want %q", line, got, want)
		}
	}
}

// What an agent does is seen in its last rows and its title.
func TestDoing(t *testing.T) {
	t.Parallel()
	screen := func(rows ...string) string { return strings.Join(rows, "\n") }
	said := strings.Repeat("what was said\n", 12)
	prompt := screen("─────", "❯ ", "─────", "  ? for shortcuts", "")
	for name, tt := range map[string]struct {
		agent, title, screen string
		want                 State
	}{
		"claude waits":                 {"claude", "✳ Claude Code", prompt, Idle},
		"claude without a title":       {"claude", "", prompt, Idle},
		"claude works":                 {"claude", "⠂ Claude Code", prompt, Working},
		"claude without a title works": {"claude", "", screen("✻ Brewing…", "─────", "❯ ", "─────", "  esc to interrupt · ← for agents"), Working},
		"claude asks":                  {"claude", "✳ Claude Code", screen(" Do you want to proceed?", " ❯ 1. Yes", "   2. No", "", " Esc to cancel · Tab to amend"), Asks},
		"claude has asked":             {"claude", "✳ Claude Code", " Esc to cancel\n" + said + prompt, Idle},
		"codex asks":                   {"codex", "[ ! ] Action Required | go", "› 1. Yes, proceed (y)", Asks},
		"gemini works":                 {"gemini", "✦  Working… (project)", " >   Type your message", Working},
		"gemini waits":                 {"gemini", "◇  Ready (project)", " >   Type your message", Idle},
		"codex works":                  {"codex", "", screen("• Working (3s • esc to interrupt)", "", "› Explain this codebase"), Working},
		"codex waits":                  {"codex", "", "› Explain this codebase", Idle},
		"aider asks":                   {"aider", "", "Add a.go to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: ", Asks},
		"aider has asked":              {"aider", "", "Add a.go to the chat? (Y)es/(N)o [Yes]: y\n> ", Idle},
		"another program":              {"vim", "", prompt, ""},
	} {
		if got := Doing(tt.agent, tt.title, strings.Split(tt.screen, "\n")); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// What hooks say counts until the screen shows something newer.
func TestSight(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		said, seen State // when a hook speaks
		then       []State
		want       State
	}{
		"nothing was said":                             {"", Idle, []State{Working}, Working},
		"a prompt that the screen does not show yet":   {Working, Idle, []State{Idle}, Working},
		"Esc, for which there is no hook":              {Working, Idle, []State{Working, Idle}, Idle},
		"a dialog that is not drawn yet":               {Asks, Working, []State{Working}, Asks},
		"a dialog that is closed without an answer":    {Asks, Working, []State{Asks, Idle}, Idle},
		"a dialog whose signs are not known":           {Asks, Working, []State{Idle}, Asks},
		"work after a dialog whose signs are unknown":  {Asks, Working, []State{Idle, Working}, Working},
		"the end of a turn, with the spinner still on": {Idle, Working, []State{Working}, Idle},
		"the next turn after the end of one":           {Idle, Working, []State{Idle, Working}, Working},
		"an agent whose signs are not known":           {Working, Idle, []State{Idle, Idle}, Working},
	} {
		s := Sight{Said: tt.said, Seen: tt.seen}
		for _, now := range tt.then {
			s = s.See(now, stillTime-1)
		}
		if got := s.State(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	for s, want := range map[Sight]State{ // when nothing has been drawn or said for long
		{Working, Idle}:    Idle, // a prompt that was taken back
		{Working, Working}: Working,
		{Asks, Idle}:       Asks,
		{Idle, Working}:    Idle,
	} {
		if got := s.See(s.Seen, stillTime).State(); got != want {
			t.Errorf("%v, when all is still: %q, want %q", s, got, want)
		}
	}
}
