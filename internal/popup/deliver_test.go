package popup

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

const password = "correct horse"

// prompt is a question for a text that only its asker may get.
func prompt(change func(*question.Question)) question.Question {
	q := question.Question{
		Title: "sudo asks", Message: "Password:", Options: []question.Option{{Label: "Stop it", Value: "stop"}},
		AllowText: true, Prompt: true, Secret: true, Timeout: time.Hour, Severity: question.Info,
	}
	if change != nil {
		change(&q)
	}
	return q
}

func typed(text string) question.Reply { return question.Reply{Action: question.Submit, Text: text} }

// The asker gets what the person types; callers, the history and the store do not.
func TestDeliver(t *testing.T) {
	for name, secret := range map[string]bool{"a secret": true, "a line": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := newMemory()
				b := open(t, Options{Store: store}, newFakeChannel("page", core.Page, core.Possible))
				var got []question.Reply
				id := askWith(t, b, prompt(func(q *question.Question) { q.Secret = secret }), AskOptions{Deliver: func(r question.Reply) error {
					got = append(got, r)
					return nil
				}})
				a, err := b.Answer(id, typed(password), "page")
				want := question.Answer{Outcome: question.Answered, Source: question.FromText, Secret: secret, Channel: "page"}
				if diff := cmp.Diff(want, a, whatever); diff != "" || err != nil {
					t.Errorf("%v (-want +got:\n%s)", err, diff)
				}
				if diff := cmp.Diff(want, wait(t, b, id), whatever); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				if diff := cmp.Diff([]question.Reply{typed(password)}, got); diff != "" {
					t.Errorf("delivered: -want +got:\n%s", diff)
				}
				if h := b.History(1); len(h) != 1 || h[0].Answer.Text != "" || h[0].Answer.Value != "" {
					t.Errorf("history %+v", h)
				}
				if all, _ := store.All(); len(all) > 0 {
					t.Errorf("stored %d documents", len(all))
				}
			})
		})
	}
}

// Of many replies at once, and a withdrawal, one is delivered or none.
func TestDeliverOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{}, newFakeChannel("page", core.Page, core.Possible))
		var delivered, accepted atomic.Int32
		id := askWith(t, b, prompt(nil), AskOptions{Deliver: func(question.Reply) error {
			delivered.Add(1)
			time.Sleep(time.Second)
			return nil
		}})
		var replies sync.WaitGroup
		for range 20 {
			replies.Go(func() {
				if _, err := b.Answer(id, typed("x"), "page"); err == nil {
					accepted.Add(1)
				} else if fault.KindOf(err) != fault.Exists {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if err := b.Withdraw(id); err != nil { // too late: the reply is on its way
			t.Error(err)
		}
		replies.Wait()
		if delivered.Load() != 1 || accepted.Load() != 1 {
			t.Errorf("delivered %d, accepted %d", delivered.Load(), accepted.Load())
		}
		if a := wait(t, b, id); a.Outcome != question.Answered {
			t.Errorf("outcome %s", a.Outcome)
		}
	})
}

// A reply that comes too late for the asker ends the question, and the person learns why. A person
// who puts the question away delivers nothing.
func TestDeliverFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{}, newFakeChannel("page", core.Page, core.Possible))
		calls := 0
		late := AskOptions{Deliver: func(question.Reply) error { calls++; return errors.New("it does not ask any more") }}
		id := askWith(t, b, prompt(nil), late)
		if _, err := b.Answer(id, typed("x"), "page"); fault.KindOf(err) != fault.Exists || !strings.Contains(err.Error(), "it does not ask any more") {
			t.Errorf("Answer = %v", err)
		}
		if a := wait(t, b, id); a.Outcome != question.Withdrawn {
			t.Errorf("outcome %s", a.Outcome)
		}
		away := askWith(t, b, prompt(nil), late)
		reply(t, b, away, question.Dismiss)
		if a := wait(t, b, away); a.Outcome != question.Dismissed || calls != 1 {
			t.Errorf("outcome %s after %d calls", a.Outcome, calls)
		}
	})
}

// The option that was chosen beside a secret is not one; what was typed before it is gone.
func TestOptionBesideSecret(t *testing.T) {
	a, err := prompt(nil).Accept(question.Reply{Action: question.Submit, Values: []string{"stop"}, Text: password})
	if err != nil {
		t.Fatal(err)
	}
	if r := a.Redacted(); r.Value != "stop" || r.Text != "" || r.Source != question.FromOption {
		t.Errorf("%+v", r)
	}
}

func TestReachable(t *testing.T) {
	b := open(t, Options{})
	secret := prompt(nil)
	b.AddChannel(newFakeChannel("elicitation", core.Elicitation, core.Possible))
	if b.Reachable(Asked{Question: secret}) || !b.Reachable(Asked{Question: deploy(t, nil)}) {
		t.Error("a client's dialog gets a secret, or nothing")
	}
	if !b.Reachable(Asked{Question: deploy(t, nil)}, newFakeChannel("own", core.Elicitation, core.Absent)) {
		t.Error("an own channel that is absent hides the others")
	}
	appeared := b.Appearance()
	b.AddChannel(newFakeChannel("page", core.Page, core.Absent))
	<-appeared
	if b.Reachable(Asked{Question: secret}) {
		t.Error("a page that is absent can be reached")
	}
	b.AddChannel(newFakeChannel("new", core.NewPage, core.Possible))
	if !b.Reachable(Asked{Question: secret}) {
		t.Error("a page that can be opened cannot be reached")
	}
}
