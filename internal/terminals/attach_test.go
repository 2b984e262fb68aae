package terminals_test

import (
	"context"
	"log/slog"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

// Who may type in a session does not see what others ask the person, unless they may answer.
func TestQuestionsOfOthersNeedAnswer(t *testing.T) {
	t.Parallel()
	r := registry.New(registry.Config{
		Start: func(o pty.Options) (term.Process, error) { return pty.Start(o) },
		Log:   slog.New(slog.DiscardHandler),
	})
	defer r.Close()
	l := terminals.NewLocal(r, terminals.Host{Name: "host"})
	s, err := r.Create(t.Context(), registry.CreateOptions{Name: "a", Command: "exec cat"})
	must(t, err)
	const all, allButAnswer = terminals.AllRights, terminals.AllRights &^ terminals.Answer
	for _, tt := range []struct {
		by    terminals.Grant
		asked question.Asked
		shown bool
	}{
		{terminals.Grant{Rights: all}, question.Asked{Host: "b"}, true},
		{terminals.Grant{Rights: all}, question.Asked{Relayed: true}, true},
		{terminals.Grant{Rights: allButAnswer}, question.Asked{Host: "b"}, false},
		{terminals.Grant{Rights: allButAnswer}, question.Asked{Relayed: true}, false},
		{terminals.Grant{Rights: all, Sessions: []string{"a"}}, question.Asked{Host: "b"}, false},
		{terminals.Grant{Rights: all, Sessions: []string{"a"}}, question.Asked{Relayed: true}, false},
		{terminals.Grant{Rights: allButAnswer, Sessions: []string{"a"}}, question.Asked{}, true},
	} {
		func() {
			v, err := l.Attach(t.Context(), tt.by, "a", term.ViewerOptions{Asks: true, Answers: true})
			must(t, err)
			defer v.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			over := make(chan error, 1)
			go func() {
				tt.asked.ID = "q"
				tt.asked.Question = question.Question{Title: "Allow?", Message: "all", Options: []question.Option{{Label: "Yes", Value: "yes"}}}
				_, err := s.Ask(ctx, dialog.Question{Asked: tt.asked}, nil)
				over <- err
				cancel()
			}()
			next, err := v.NextQuestion(ctx, "")
			if shown := err == nil && next != nil; shown != tt.shown {
				t.Errorf("rights %q to %q: a question of %q, relayed %v, is shown %v: %v", tt.by.Rights, tt.by.Sessions, tt.asked.Host, tt.asked.Relayed, shown, err)
			}
			cancel()
			<-over
		}()
	}
}

// A caller whose grant covers some sessions only follows no questions, whatever its rights.
func TestLimitedCallersFollowNoQuestions(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	for _, by := range []terminals.Grant{{Rights: terminals.AllRights, Sessions: []string{"a"}}, {Rights: terminals.AllRights, Tags: []string{"x"}}} {
		if _, err := terminals.OpenQuestions(t.Context(), l, by); fault.DetailOf(err) != terminals.NotAllowed {
			t.Errorf("%+v: %v", by, err)
		}
	}
}
