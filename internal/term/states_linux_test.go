package term_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/testkit/wait"
)

// awaitState waits until a session is in a state.
func awaitState(t testing.TB, s *term.Session, want core.State) {
	t.Helper()
	if _, err := s.WaitState(t.Context(), term.StateOptions{States: []core.State{want}, MaxWait: 2 * time.Minute}); err != nil {
		screen, _ := s.Screen(t.Context())
		t.Fatalf("state %q: %v; it is %q, its screen:\n%s", want, err, s.Info().State, strings.Join(plain(screen), "\n"))
	}
}

// awaitJob waits until a program is in the foreground: before, a key for a signal may reach only
// the shell.
func awaitJob(t testing.TB, s *term.Session, name string) {
	t.Helper()
	wait.Until(t, name+" runs", func() bool {
		j, err := s.Job(t.Context())
		return err != nil || j.Foreground.Name == name
	})
}

func TestStatesOfShells(t *testing.T) {
	t.Parallel()
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			awaitState(t, s, core.StatePrompt)
			steps := []struct {
				line   string // "" is for what the program of the step before asks next
				state  core.State
				answer string
			}{
				{"sleep 1000\r", core.StateRunning, "\x03"},
				{"cat\r", core.StateLine, "\x04"},
				{"sh -c 'printf \"Sure? \"; sleep 0.3; read a'\r", core.StateLine, "y\r"},
				{"sh -c 'stty -echo; read a; stty echo'\r", core.StateSecret, "secret\r"},
				{"sh -c 'read a; sleep 0.3; stty -echo; read a; stty echo'\r", core.StateLine, "y\r"},
				{"", core.StateSecret, "secret\r"},
				{"printf '\\033[?1049h'; cat; printf '\\033[?1049l'\r", core.StateFullScreen, "\x04"},
			}
			for i, tt := range steps {
				must(t, s.Send(t.Context(), []byte(tt.line)))
				awaitState(t, s, tt.state)
				// A shell may drop what is typed before its command has the terminal.
				switch job, _, _ := strings.Cut(strings.TrimRight(tt.line, "\r"), " "); job {
				case "sleep", "sh", "cat":
					awaitJob(t, s, job)
				case "printf":
					awaitJob(t, s, "cat")
				}
				must(t, s.Send(t.Context(), []byte(tt.answer)))
				if i+1 == len(steps) || steps[i+1].line != "" {
					awaitState(t, s, core.StatePrompt)
				}
			}
			must(t, s.Send(t.Context(), []byte("exit\r")))
			awaitState(t, s, core.StateEnded)
		})
	}
}

// A shell that marks nothing prompts until a line was typed. Then nothing tells its prompt from a
// builtin that reads.
func TestStateOfPlainShell(t *testing.T) {
	t.Parallel()
	s := create(t, newRegistry(t), registry.CreateOptions{})
	awaitState(t, s, core.StatePrompt)
	must(t, s.Send(t.Context(), []byte("sleep 1000")))
	awaitState(t, s, core.StatePrompt)
	must(t, s.Send(t.Context(), []byte("\r")))
	awaitState(t, s, core.StateRunning)
	awaitJob(t, s, "sleep")
	must(t, s.Keys(t.Context(), "C-c"))
	awaitState(t, s, core.StateLine)
}

// An interactive shell that was given no line asks nobody for anything. A command, a script, and a
// shell that hides what is typed do.
func TestStateOfIdleShells(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		command, line string
		want          core.State
	}{
		{"sh", "", core.StatePrompt},
		{"exec sh -i", "", core.StatePrompt},
		{"zsh -f", "", core.StatePrompt},
		{"HOME=$PWD fish --features all", "", core.StatePrompt},
		{"bash", "sh\r", core.StatePrompt},
		{"bash", "exec sh\r", core.StatePrompt},
		{"sh", "\r", core.StateLine},
		{"bash", "read a\r", core.StateLine},
		{"bash", "sh -c 'read a'\r", core.StateLine},
		{"bash -ic 'read a'", "", core.StateLine},
		{"echo 'read a' >script; sh script", "", core.StateLine},
		{"echo 'read a </dev/tty' | sh", "", core.StateLine},
		{"echo 'read a </dev/tty' >script; bash <script", "", core.StateLine},
		{"bash", "echo 'read a </dev/tty' | sh\r", core.StateLine},
		{"stty -echo; bash --noediting", "", core.StateSecret},
	} {
		t.Run(tt.command+" "+tt.line, func(t *testing.T) {
			t.Parallel()
			name, _, _ := strings.Cut(tt.command, " ")
			if slices.Contains(shells, name) {
				program(t, name)
			}
			s := create(t, newRegistry(t), registry.CreateOptions{Command: tt.command})
			if tt.line != "" {
				awaitState(t, s, core.StatePrompt)
				must(t, s.Send(t.Context(), []byte(tt.line)))
				if last := strings.Fields(tt.line); len(last) > 0 && last[len(last)-1] == "sh" {
					awaitJob(t, s, "sh")
				}
			}
			awaitState(t, s, tt.want)
			if strings.HasPrefix(tt.line, "exec") {
				return // the command before has ended, which is worth a look
			}
			most := wait.Patience
			if tt.want == core.StatePrompt { // in vain
				most = 300 * time.Millisecond
			}
			got, err := s.WaitState(t.Context(), term.StateOptions{MaxWait: most})
			if needs := err == nil; needs != (tt.want != core.StatePrompt) {
				t.Errorf("needs somebody: %v; %q, %v", needs, got.State, err)
			}
		})
	}
}

// A password that a person types reaches the program and nothing else.
func TestPasswordIsNowhere(t *testing.T) {
	t.Parallel()
	s := shellSession(t, "bash", nil)
	awaitState(t, s, core.StatePrompt)
	w := watcher(t, s, term.WatchOptions{Topics: term.WatchInput | term.WatchScreen | term.WatchCommands | term.WatchState})
	if _, err := s.StartRecording(t.Context()); err != nil {
		t.Fatal(err)
	}
	v := attach(t, s)
	for _, text := range []string{"read -s -p 'Password? ' word; echo \"${#word} bytes\"\r", "hunter2\r"} {
		must(t, v.Type(t.Context(), []byte(text)))
		if text != "hunter2\r" {
			awaitState(t, s, core.StateSecret)
		}
	}
	see(t, s, "7 bytes")
	if _, err := s.Kept().Stop(); err != nil {
		t.Fatal(err)
	}
	recording := make([]byte, 1<<20)
	n, _, err := s.Kept().ReadAt("", recording, 0)
	must(t, err)
	all := string(recording[:n])
	page, err := s.Scrollback(t.Context(), term.PageOptions{Lines: 1000})
	must(t, err)
	for _, l := range page.Lines {
		all += l.Plain() + "\n"
	}
	hidden := 0
	for hidden < len("hunter2\r") {
		u, err := w.Next(t.Context())
		must(t, err)
		for _, e := range u.Events {
			if e.Input != nil && e.Input.Typed != nil {
				if e.Input.Typed.Secret {
					hidden++
				}
				all += string(e.Input.Typed.Raw)
			}
		}
	}
	if !strings.Contains(all, "7 bytes") || strings.Contains(all, "hunter") {
		t.Errorf("the recording, the history and the events:\n%s", all)
	}
}

// What a program asks for in secret is in no list of what was typed, also when it does so before
// the shell's first prompt, or among the commands of a prompt.
func TestSecretOfStartUpFile(t *testing.T) {
	t.Parallel()
	const asks = "read -s -p 'Passphrase: ' word"
	for name, file := range map[string]string{
		"builtin": asks,
		"program": "bash -c \"" + asks + "\"",
		"silent":  "read -s word",
		"hook":    "PROMPT_COMMAND=\"" + asks + "\"",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, "bash", rcFile("bash", file))
			awaitState(t, s, core.StateSecret)
			must(t, s.Send(t.Context(), []byte("hunter2\r")))
			list, err := s.Typed(t.Context(), 0, 10)
			if err != nil || len(list) != 1 || !list[0].Secret || list[0].Text != "" {
				t.Errorf("%+v, %v", list, err)
			}
		})
	}
}
