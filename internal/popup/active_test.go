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
