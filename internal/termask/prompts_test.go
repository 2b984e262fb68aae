package termask_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"ui-mcp/internal/testkit/persons"
	"ui-mcp/internal/testkit/wait"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/termask"
)

const password = "correct horse"

// sudo asks up to three times for a password, as sudo does.
const sudo = `for i in 1 2 3; do
	read -rs -p "[sudo] password for ann: " p; echo
	if [ "$p" = "correct horse" ]; then echo granted; exec sleep 1000; fi
	echo "Sorry, try again."
done
echo denied; exec sleep 1000`

// A wrong password is asked for again, the right one reaches the program, and nothing else has it.
func TestSecret(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	s := h.run(sudo)
	a := h.asked()
	q := a.Question
	if !q.Secret || !q.Prompt || q.Reveal || !q.Plain || !strings.Contains(q.Quote, "[sudo] password for ann:") || !strings.Contains(q.Message, "Directory: /") {
		t.Errorf("question %+v", q)
	}
	if slices.ContainsFunc(q.Options, func(o question.Option) bool { return o.Value == "agent" }) {
		t.Errorf("the agent may answer: %+v", q.Options)
	}
	if err := h.answer(a, persons.Chosen("agent")); err == nil {
		t.Error("the person can leave a secret to the agent")
	}
	wait.Until(t, "the session says that a person is asked", func() bool { return s.Info().PersonAsked })
	must(t, h.answer(a, typed("wrong")))
	again := h.asked()
	if again.ID == a.ID {
		t.Errorf("question %+v", again.Question)
	}
	// The first question is over, however late its answer comes.
	if err := h.answer(a, typed(password)); fault.KindOf(err) != fault.Exists {
		t.Errorf("a late answer: %v", err)
	}
	must(t, h.answer(again, typed(password)))
	h.sees(s, "granted")
	entries, err := s.Typed(t.Context(), 0, 100)
	must(t, err)
	for _, e := range entries {
		if e.From.Kind != core.SenderQuestion || !e.Secret || e.Text != "" || e.Count != 1 {
			t.Errorf("the ledger has %+v", e)
		}
	}
	for _, past := range h.broker.History(10) {
		if text := fmt.Sprintf("%+v", past); strings.Contains(text, password) || strings.Contains(text, "wrong}") {
			t.Errorf("the history has %s", text)
		}
	}
}

// What the person can do other than to type.
func TestOptions(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ script, value, sees string }{
		"Enter alone":     {`read -rs -p "Passphrase (empty for none): " p; echo "[$p]"; exec sleep 1000`, "enter", "[]"},
		"Ctrl-C":          {`trap 'echo stopped; exec sleep 1000' INT; while :; do read -rs -p "Password: " p; done`, "stop", "stopped"},
		"a line, entered": {`read -r -p "Overwrite? [Y/n] " p; echo "[$p]"; exec sleep 1000`, "enter", "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, termask.All)
			s := h.run(tt.script)
			must(t, h.answer(h.asked(), persons.Chosen(tt.value)))
			h.sees(s, tt.sees)
		})
	}
}

// By the rule for all prompts, the person answers lines, or leaves them to the agent.
func TestLines(t *testing.T) {
	t.Parallel()
	h := open(t, termask.All)
	s := h.run(`read -r -p "Are you sure (yes/no)? " a; echo "first $a"; read -r -p "Really (yes/no)? " b; echo "second $b"; exec sleep 1000`)
	first := h.asked()
	if q := first.Question; q.Secret || !strings.Contains(q.Quote, "Are you sure (yes/no)?") {
		t.Errorf("question %+v", q)
	}
	must(t, h.answer(first, typed("yes")))
	h.sees(s, "first yes")
	must(t, h.answer(h.asked(), persons.Chosen("agent")))
	if a, err := s.WaitState(t.Context(), term.StateOptions{MaxWait: term.MaxWait}); err != nil || a.State != core.StateLine {
		t.Errorf("the agent is not needed: %v, %v", a.State, err)
	}
	must(t, s.Type(term.WithSender(t.Context(), agent), term.Input{Text: []byte("no\r")}))
	h.sees(s, "second no")
}

// Another client ends what the question is about: it disappears, and its answer goes nowhere.
func TestOver(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(h *harness, s *term.Session) error{
		"the agent answers": func(h *harness, s *term.Session) error {
			return s.Type(term.WithSender(h.Context(), agent), term.Input{Text: []byte("x\r")})
		},
		"the program is killed":  func(h *harness, s *term.Session) error { return s.Signal(h.Context(), "KILL") },
		"the session is removed": func(h *harness, s *term.Session) error { return h.sessions.Remove(s) },
		"a person attaches": func(h *harness, s *term.Session) error {
			v, err := s.AttachViewer(term.ViewerOptions{})
			if err == nil {
				h.Cleanup(v.Close)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, termask.Secrets)
			s := h.run(`read -rs -p "Password: " p; echo; echo "got ${#p}"; exec sleep 1000`)
			a := h.asked()
			must(t, end(h, s))
			wait.For(t, "the end of the question", h.page.Gone)
			if err := h.answer(a, typed(password)); fault.KindOf(err) != fault.Exists {
				t.Errorf("a late answer: %v", err)
			}
		})
	}
}

// A renamed session is answered all the same, and another session that takes its name is not.
func TestRename(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	s := h.run(`read -rs -p "Password: " p; echo "got ${#p}"; exec sleep 1000`)
	a := h.asked()
	was, other := s.Name(), "other"
	must(t, h.sessions.Relabel(s, registry.Relabel{Name: &other}))
	impostor, err := h.sessions.Create(t.Context(), registry.CreateOptions{Name: was, Command: "cat"})
	must(t, err)
	must(t, h.answer(a, typed(password)))
	h.sees(s, fmt.Sprintf("got %d", len(password)))
	if typed, err := impostor.Typed(t.Context(), 0, 10); err != nil || len(typed) > 0 {
		t.Errorf("typed into another session: %v, %v", typed, err)
	}
}

// Two sessions that ask at the same time get their own answers, in whichever order they are given.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	sessions := []*term.Session{}
	for i := range 2 {
		sessions = append(sessions, h.run(fmt.Sprintf(`read -rs -p "Password of %d: " p; echo "got $p"; exec sleep 1000`, i)))
	}
	for range sessions {
		a := h.asked()
		i := strings.TrimSuffix(a.Question.Quote[len("Password of "):], ":")
		must(t, h.answer(a, typed("for "+i)))
	}
	for i, s := range sessions {
		h.sees(s, fmt.Sprintf("got for %d", i))
	}
}

// A shell that the agent uses: its command reports that a person is asked, and goes on after that.
func TestCommand(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	s, err := h.sessions.Create(t.Context(), registry.CreateOptions{})
	must(t, err)
	ctx := term.WithSender(t.Context(), agent)
	run, err := s.RunCommand(ctx, `read -rs -p "Password: " p; echo; echo "got ${#p}"`, term.RunOptions{Timeout: term.MaxWait, MaxWait: term.MaxWait, Background: true})
	must(t, err)
	a := h.asked()
	if !strings.Contains(a.Question.Message, `Command: read -rs -p "Password: " p; echo; echo "got ${#p}"`) {
		t.Errorf("message %s", a.Question.Message)
	}
	must(t, h.answer(a, typed(password)))
	quiet, err := s.Quiesce(ctx, term.QuiesceOptions{LastGeneration: &run.Generation, MaxWait: term.MaxWait})
	if err != nil || quiet.Screen == nil {
		t.Fatal(err)
	}
	h.sees(s, fmt.Sprintf("got %d", len(password)))
	if _, err := s.WaitPrompt(ctx, term.MaxWait); err != nil {
		t.Error(err)
	}
}

// A person who puts the question away leaves the program as it is.
func TestPutAway(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	s := h.run(`read -rs -p "Password: " p; echo "got ${#p}"; read -rs -p "Another: " p; exec sleep 1000`)
	must(t, h.answer(h.asked(), question.Reply{Action: question.Dismiss}))
	if a, err := s.WaitState(t.Context(), term.StateOptions{MaxWait: term.MaxWait}); err != nil || a.State != core.StateSecret {
		t.Errorf("the agent is not needed: %v, %v", a.State, err)
	}
	must(t, s.Type(term.WithSender(t.Context(), agent), term.Input{Text: []byte("abc\r")}))
	h.sees(s, "got 3")
	if a := h.asked(); !strings.Contains(a.Question.Quote, "Another:") {
		t.Errorf("question %+v", a.Question)
	}
}

func TestRules(t *testing.T) {
	var r termask.Rule
	for _, name := range r.Choices() {
		if err := r.UnmarshalText([]byte(name)); err != nil || string(r) != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := r.UnmarshalText([]byte("some")); fault.KindOf(err) != fault.Invalid {
		t.Errorf("some: %v", err)
	}
}
