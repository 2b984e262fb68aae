package popup

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
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
				b := open(t, Options{Store: store}, newFakeChannel("page", Page, Possible))
				var got []question.Reply
				id, err := b.Ask(prompt(func(q *question.Question) { q.Secret = secret }), AskOptions{Deliver: func(r question.Reply) error {
					got = append(got, r)
					return nil
				}})
				if err != nil {
					t.Fatal(err)
				}
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
		b := open(t, Options{}, newFakeChannel("page", Page, Possible))
		var delivered, accepted atomic.Int32
		id, err := b.Ask(prompt(nil), AskOptions{Deliver: func(question.Reply) error {
			delivered.Add(1)
			time.Sleep(time.Second)
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
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
		b := open(t, Options{}, newFakeChannel("page", Page, Possible))
		calls := 0
		late := AskOptions{Deliver: func(question.Reply) error { calls++; return errors.New("it does not ask any more") }}
		id, err := b.Ask(prompt(nil), late)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Answer(id, typed("x"), "page"); fault.KindOf(err) != fault.Exists || !strings.Contains(err.Error(), "it does not ask any more") {
			t.Errorf("Answer = %v", err)
		}
		if a := wait(t, b, id); a.Outcome != question.Withdrawn {
			t.Errorf("outcome %s", a.Outcome)
		}
		away, err := b.Ask(prompt(nil), late)
		if err != nil {
			t.Fatal(err)
		}
		reply(t, b, away, question.Dismiss)
		if a := wait(t, b, away); a.Outcome != question.Dismissed || calls != 1 {
			t.Errorf("outcome %s after %d calls", a.Outcome, calls)
		}
	})
}

// A question that only this process can deliver stays here, whichever server serves its workspace.
func TestDeliverStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := Peer{Workspaces: []string{"/other"}, Ask: func(context.Context, Asked) (question.Answer, error) {
			t.Error("another server was asked")
			return question.Answer{}, nil
		}}
		page := newFakeChannel("page", Page, Possible)
		b := open(t, Options{Workspaces: []string{"/here"}, Peers: peers{other}}, page)
		if _, err := b.Ask(prompt(func(q *question.Question) { q.Workspace = "/other/x" }), AskOptions{Deliver: func(question.Reply) error { return nil }}); err != nil {
			t.Fatal(err)
		}
		<-page.displayed
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

// A terminal that appears while another channel shows a question shows it, too, and one that is
// back shows it again; but not one at which the person has put it away.
func TestTerminalAppears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page, terminal := newFakeChannel("page", Page, Possible), newFakeChannel("terminal", Terminal, Possible)
		b := open(t, Options{}, page)
		ask(t, b, deploy(t, nil))
		<-page.displayed
		b.AddChannel(terminal)
		<-terminal.displayed
		terminal.end <- ErrLost
		synctest.Wait()
		if len(terminal.displayed) > 0 {
			t.Error("a terminal that is gone was tried again at once")
		}
		b.Recheck()
		<-terminal.displayed
		terminal.end <- ErrPutAway
		synctest.Wait() // else the terminal may still display it when it is looked for
		b.Recheck()
		synctest.Wait()
		if len(terminal.displayed) > 0 {
			t.Error("the question was put away there and is back")
		}
	})
}

// Other programs of the host display a question at the same time as the client's dialog and the
// asker's own terminal, and do not keep it open when they cannot. What one of them asks is not
// passed on to them.
func TestNearby(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dialog, own, others := newFakeChannel("elicitation", Elicitation, Possible), newFakeChannel("own", Terminal, Possible), newFakeChannel("page", Nearby, Possible)
		b := open(t, Options{}, others)
		id, err := b.Ask(prompt(nil), AskOptions{Channels: []Channel{dialog, own}})
		if err != nil {
			t.Fatal(err)
		}
		<-own.displayed
		<-others.displayed
		if err := b.Withdraw(id); err != nil {
			t.Fatal(err)
		}
		<-others.taken
		q := deploy(t, nil)
		if id, err = b.Ask(q, AskOptions{Channels: []Channel{dialog}}); err != nil {
			t.Fatal(err)
		}
		<-dialog.displayed
		<-others.displayed
		dialog.end <- ErrNotShown
		others.end <- ErrNotShown
		if a := wait(t, b, id); a.Outcome != question.NoHuman {
			t.Errorf("outcome %s", a.Outcome)
		}
		if id, err = b.Ask(q, AskOptions{Relayed: true}); err != nil {
			t.Fatal(err)
		}
		if a := wait(t, b, id); a.Outcome != question.NoHuman || len(others.displayed) > 0 {
			t.Errorf("outcome %s, displayed %d times", a.Outcome, len(others.displayed))
		}
	})
}

// A question for terminals is displayed in no page while a terminal displays it, whatever appears.
func TestTerminalFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page, terminal := newFakeChannel("page", Page, Attended), newFakeChannel("terminal", Terminal, Possible)
		b := open(t, Options{}, page, terminal)
		ask(t, b, deploy(t, func(s *question.Spec) { s.Channel = "terminal" }))
		<-terminal.displayed
		b.Recheck()
		synctest.Wait()
		if len(page.displayed) > 0 {
			t.Error("a page displays it, too")
		}
		terminal.end <- ErrLost
		<-page.displayed
	})
}

// A channel that has failed is not tried again because a terminal may have appeared while another
// channel displayed the question.
func TestFailedChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page, dialog := newFakeChannel("page", Page, Possible), newFakeChannel("elicitation", Elicitation, Possible)
		dialog.fail = ErrNotShown
		b := open(t, Options{}, page, dialog)
		id := ask(t, b, deploy(t, nil))
		<-page.displayed
		dialog.fail = nil
		b.Recheck()
		synctest.Wait()
		page.end <- ErrPutAway
		if a := wait(t, b, id); a.Outcome != question.Dismissed || len(dialog.displayed) > 0 {
			t.Errorf("outcome %s; displayed in %d dialogs", a.Outcome, len(dialog.displayed))
		}
	})
}

// A page that has come back shows a question that a terminal has in the meantime.
func TestPageReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page, terminal := newFakeChannel("page", Page, Possible), newFakeChannel("terminal", Terminal, Possible)
		b := open(t, Options{}, page, terminal)
		ask(t, b, deploy(t, nil))
		<-page.displayed
		<-terminal.displayed
		page.end <- ErrLost
		<-page.taken
		synctest.Wait()
		b.Recheck()
		<-page.displayed
	})
}

// The terminals of the asker's own session replace the broker's: a question appears there once.
func TestOwnTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		own, all := newFakeChannel("own", Terminal, Possible), newFakeChannel("all", Terminal, Possible)
		b := open(t, Options{}, all)
		if _, err := b.Ask(deploy(t, nil), AskOptions{Channels: []Channel{own}}); err != nil {
			t.Fatal(err)
		}
		<-own.displayed
		own.end <- ErrPutAway
		synctest.Wait()
		if len(all.displayed) > 0 {
			t.Error("the question came back to a terminal where it was put away")
		}
		own.presence = Absent
		if _, err := b.Ask(deploy(t, nil), AskOptions{Channels: []Channel{own}}); err != nil {
			t.Fatal(err)
		}
		<-all.displayed
	})
}

func TestReachable(t *testing.T) {
	b := open(t, Options{})
	secret := prompt(nil)
	b.AddChannel(newFakeChannel("elicitation", Elicitation, Possible))
	if b.Reachable(Asked{Question: secret}) || !b.Reachable(Asked{Question: deploy(t, nil)}) {
		t.Error("a client's dialog gets a secret, or nothing")
	}
	appeared := b.Appearance()
	b.AddChannel(newFakeChannel("page", Page, Absent))
	<-appeared
	if b.Reachable(Asked{Question: secret}) {
		t.Error("a page that is absent can be reached")
	}
	b.AddChannel(newFakeChannel("new", NewPage, Possible))
	if !b.Reachable(Asked{Question: secret}) {
		t.Error("a page that can be opened cannot be reached")
	}
}
