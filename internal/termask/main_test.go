package termask_test

import (
	"context"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	popupcore "ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/termask"
	"ui-mcp/internal/testkit/wait"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A harness has real programs, an agent's view of them, and a person at a page.
type harness struct {
	*testing.T
	sessions  *registry.Registry
	broker    *popup.Broker
	page      *persons.Page
	terminals *termask.Terminals
}

// agent is who drives the sessions of tests.
var agent = core.Sender{Kind: core.SenderMCP, Name: "agent"}

// open returns a harness in which the person is asked by a rule.
func open(t *testing.T, rule termask.Rule, channels ...popup.Channel) *harness {
	t.Helper()
	home := t.TempDir()
	scripts, err := shell.Install(t.TempDir())
	must(t, err)
	h := &harness{T: t, page: persons.NewPage().Be(popupcore.Attended)}
	h.sessions = registry.New(registry.Config{
		Home: home, Scripts: scripts, Shell: "/bin/bash", Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Environ: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"},
	})
	h.broker = persons.Broker(t, popup.Options{Workspaces: []string{home}})
	if channels == nil {
		channels = []popup.Channel{h.page}
	}
	for _, c := range channels {
		h.broker.AddChannel(c)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	h.terminals = termask.NewTerminals(termask.TerminalOptions{Sessions: h.sessions, Broker: h.broker, PageURL: func() string { return "http://localhost:1/popup" }})
	h.broker.AddChannel(h.terminals)
	attending := make(chan struct{})
	go func() {
		defer close(attending)
		h.terminals.Run(ctx)
	}()
	around := func(s *term.Session) []popup.Channel { return []popup.Channel{h.terminals.Around(s)} }
	prompts := termask.NewPrompts(termask.PromptOptions{Channels: around, Sessions: h.sessions, Broker: h.broker, Rule: func() termask.Rule { return rule }})
	go func() {
		defer close(done)
		prompts.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		<-attending
		h.broker.Close()
		if err := h.sessions.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// run starts a script of bash in a session that the agent creates.
func (h *harness) run(script string) *term.Session {
	h.Helper()
	s, err := h.sessions.Create(h.Context(), registry.CreateOptions{Command: "exec bash -c " + quoted(script), Creator: agent})
	if err != nil {
		h.Fatal(err)
	}
	return s
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// asked returns the next question that the person sees.
func (h *harness) asked() popup.Asked {
	h.Helper()
	return wait.For(h, "the question", h.page.Asked)
}

func (h *harness) answer(a popup.Asked, r question.Reply) error {
	h.Helper()
	_, err := h.broker.Answer(a.ID, r, "page")
	return err
}

func typed(text string) question.Reply { return question.Reply{Action: question.Submit, Text: text} }

func (h *harness) sees(s *term.Session, text string) {
	h.Helper()
	if _, err := s.WaitForText(h.Context(), text, wait.Patience); err != nil {
		h.Fatal(err)
	}
}

func mkdirs(paths ...string) error {
	for _, path := range paths {
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// must ends a test in which something has failed that the rest needs.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
