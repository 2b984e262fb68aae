package terminals_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

// TestStreamCases has streams pass the cases of every interface.
func TestStreamCases(t *testing.T) {
	opcases.Streams(t, func(_ *testing.T, l *terminals.Local) terminals.Terminals { return l })
}

// A session that gets another name or other tags while somebody waits for it is hidden from those
// whose grant does not cover it any more, and so are its name and what it displays.
func TestWaitsOfALimitedGrant(t *testing.T) {
	for op, in := range map[string]string{
		"wait.text": `"text":"secret"`, "wait.idle": `"fresh":true,"timeout_ms":500`, "wait.exit": `"max_wait_ms":1000`, "screen.next": ``,
		"command.run": `"line":"secret","timeout_ms":60000,"max_wait_ms":500`,
	} {
		t.Run(op, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := opcases.New(t, opcases.Case{})
				tagged := terminals.Grant{Rights: terminals.AllRights, Tags: []string{"x"}}
				if op == "screen.next" {
					screen, err := terminals.GetScreen.Do(t.Context(), l, tagged, terminals.ScreenQuery{Target: terminals.Target{Session: "a"}})
					must(t, err)
					in = fmt.Sprintf(`"epoch":%d`, screen.Epoch)
				}
				type result struct {
					out string
					err error
				}
				done := make(chan result, 1)
				go func() {
					out, err := opcases.Do(t.Context(), l, tagged, op, `{"session":"a",`+in+`}`)
					done <- result{out, err}
				}()
				synctest.Wait()
				for _, step := range []struct{ op, in string }{
					{"session.update", `{"session":"a","name":"hidden","remove_tags":["x"]}`},
					{"input.send", `{"session":"hidden","data":"c2VjcmV0"}`},
				} {
					if _, err := opcases.Do(t.Context(), l, terminals.Everything, step.op, step.in); err != nil {
						t.Fatal(err)
					}
				}
				got := <-done
				if fault.KindOf(got.err) != fault.NotFound || strings.Contains(got.err.Error(), "hidden") || strings.Contains(got.out, "secret") {
					t.Errorf("%s, %v", got.out, got.err)
				}
			})
		})
	}
}

// The same holds for the streams of persons' terminals.
func TestViewersOfALimitedGrant(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	tagged := terminals.Grant{Rights: terminals.AllRights, Tags: []string{"x"}}
	v, err := l.Attach(t.Context(), tagged, "a", term.ViewerOptions{})
	must(t, err)
	defer v.Close()
	if _, err := v.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	c, err := terminals.Join.Open(t.Context(), l, tagged, terminals.JoinQuery{Target: terminals.Target{Session: "a"}})
	must(t, err)
	defer c.Close()
	o, err := terminals.ReadOutput.Open(t.Context(), l, tagged, terminals.OutputQuery{Target: terminals.Target{Session: "a"}})
	must(t, err)
	defer o.Close()
	must(t, v.Type(t.Context(), []byte("x")))
	if _, err := opcases.Do(t.Context(), l, terminals.Everything, "session.update", `{"session":"a","name":"hidden","remove_tags":["x"]}`); err != nil {
		t.Fatal(err)
	}
	if err := v.Type(t.Context(), []byte("y")); fault.KindOf(err) != fault.NotFound {
		t.Errorf("typing: %v", err)
	}
	if err := v.Check(); fault.KindOf(err) != fault.NotFound {
		t.Errorf("anything else: %v", err)
	}
	if b, err := v.Next(t.Context()); fault.KindOf(err) != fault.NotFound {
		t.Errorf("the picture: %q, %v", b, err)
	}
	for _, s := range []interface{ Name() string }{c, o, v} {
		if got := s.Name(); got != "" {
			t.Errorf("a client learns the name %q", got)
		}
	}
}

// A stream of a removed session does not switch to another session of that name.
func TestNamesOfReplacedSessions(t *testing.T) {
	l := opcases.New(t, opcases.Case{})
	v, err := l.Attach(t.Context(), terminals.Everything, "a", term.ViewerOptions{})
	must(t, err)
	defer v.Close()
	c, err := terminals.Join.Open(t.Context(), l, terminals.Everything, terminals.JoinQuery{Target: terminals.Target{Session: "a"}})
	must(t, err)
	defer c.Close()
	o, err := terminals.ReadOutput.Open(t.Context(), l, terminals.Everything, terminals.OutputQuery{Target: terminals.Target{Session: "a"}})
	must(t, err)
	defer o.Close()
	all := []interface{ Name() string }{v, c, o}
	for _, step := range []struct{ op, in, want string }{
		{"session.update", `{"session":"a","name":"b"}`, "b"},
		{"session.remove", `{"session":"b"}`, ""},
		{"session.create", `{"name":"b"}`, ""},
	} {
		if _, err := opcases.Do(t.Context(), l, terminals.Everything, step.op, step.in); err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if got := s.Name(); got != step.want {
				t.Errorf("after %s: %T has the name %q, want %q", step.op, s, got, step.want)
			}
		}
	}
}

// Who may type in a session does not see what others ask the person, unless they may answer.
func TestQuestionsOfOthersNeedAnswer(t *testing.T) {
	t.Parallel()
	r := opcases.Sessions(t, registry.Config{Log: slog.New(slog.DiscardHandler)})
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
