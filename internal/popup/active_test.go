package popup

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/popup/question"
)

func isAt(t *testing.T, b *Broker, id string) {
	t.Helper()
	if _, err := b.Answer(id, question.Reply{Action: question.Active}, "page"); err != nil {
		t.Errorf("active: %v", err)
	}
}

// No default is taken while the person is at the question, for a while: they may be typing "no".
func TestDefaultWhileThePersonIsAtIt(t *testing.T) {
	withDefault := func(s *question.Spec) { s.TimeoutSeconds, s.DefaultValue, s.AllowText = 60, "yes", true }
	var always []time.Duration
	for at := 20 * time.Second; at < time.Minute+MaxRespite; at += 20 * time.Second {
		always = append(always, at)
	}
	for name, tt := range map[string]struct {
		change func(*question.Spec)
		active []time.Duration // when, after the question was asked
		want   time.Duration   // when it ends
	}{
		"not at all":           {withDefault, nil, time.Minute},
		"long before":          {withDefault, []time.Duration{29 * time.Second}, time.Minute},
		"shortly before":       {withDefault, []time.Duration{58 * time.Second}, 88 * time.Second},
		"again":                {withDefault, []time.Duration{58 * time.Second, 87 * time.Second}, 117 * time.Second},
		"there is no default":  {func(s *question.Spec) { s.TimeoutSeconds = 60 }, []time.Duration{58 * time.Second}, time.Minute},
		"something lies on it": {withDefault, always, time.Minute + MaxRespite},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, Options{}, newFakeChannel("page", Page, Possible))
				start := time.Now()
				id := ask(t, b, deploy(t, tt.change))
				for _, at := range tt.active {
					time.Sleep(at - time.Since(start))
					isAt(t, b, id)
				}
				a := wait(t, b, id)
				if got := time.Since(start); got != tt.want {
					t.Errorf("it ended after %s, want %s: %+v", got, tt.want, a)
				}
			})
		})
	}
}

// The answer that the person was typing counts.
func TestAnswerAfterTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{}, newFakeChannel("page", Page, Possible))
		id := ask(t, b, deploy(t, func(s *question.Spec) { s.TimeoutSeconds, s.DefaultValue = 60, "yes" }))
		time.Sleep(59 * time.Second)
		isAt(t, b, id)
		time.Sleep(20 * time.Second)
		if p := b.Pending(); len(p) != 1 || time.Until(p[0].Deadline) != 10*time.Second {
			t.Errorf("pending %+v", p)
		}
		if _, err := b.Answer(id, choose("no"), "page"); err != nil {
			t.Fatal(err)
		}
		if a := wait(t, b, id); a.Outcome != question.Answered || a.Value != "no" {
			t.Errorf("outcome %+v", a)
		}
	})
}

// The end of a question that another server displays is that server's to decide, unless it is gone.
func TestDefaultAtAnotherServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := deploy(t, func(s *question.Spec) { s.TimeoutSeconds, s.DefaultValue = 60, "yes" })
		calls := 0
		b := open(t, Options{Workspaces: []string{"/other"}, Peers: peers{{Workspaces: []string{"/path/to/workspace"}, Ask: func(ctx context.Context, _ Asked) (question.Answer, error) {
			if calls++; calls == 2 {
				<-ctx.Done()
				return question.Answer{}, ctx.Err()
			}
			time.Sleep(70 * time.Second) // the person is at it
			return question.Answer{Outcome: question.Answered, Value: "no"}, nil
		}}}})
		if a := wait(t, b, ask(t, b, q)); a.Value != "no" {
			t.Errorf("outcome %+v", a)
		}
		start := time.Now()
		if a := wait(t, b, ask(t, b, q)); a.Outcome != question.Default || time.Since(start) < time.Minute+MaxRespite {
			t.Errorf("a server that never answers: %+v after %s", a, time.Since(start))
		}
	})
}

// The asker that keeps a question open learns that the person is at it here.
func TestActiveForTheAsker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{}, newFakeChannel("page", Page, Possible))
		calls := 0
		id, err := b.Ask(deploy(t, func(s *question.Spec) { s.DefaultValue = "yes" }), AskOptions{
			Deliver: func(question.Reply) error { return nil }, Active: func() { calls++ },
		})
		if err != nil {
			t.Fatal(err)
		}
		isAt(t, b, id)
		if calls != 1 {
			t.Errorf("%d calls", calls)
		}
	})
}
