package popup

import (
	"testing"
	"testing/synctest"

	"ui-mcp/internal/popup/question"
)

func isAt(t *testing.T, b *Broker, id string) {
	t.Helper()
	if _, err := b.Answer(id, question.Reply{Action: question.Active}, "page"); err != nil {
		t.Errorf("active: %v", err)
	}
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
