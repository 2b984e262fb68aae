package fleet_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
)

// A question that is withdrawn while the reply to it is on its way, and asked again under its ID,
// as by a program that was restarted, is displayed again.
func TestAskedAgainWhileReplying(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		o := popup.AskOptions{ID: strings.Repeat("Q", 26), Relayed: true}
		id := b.ask(t, "Deploy?", o)
		p.want("b: Deploy?")
		once := false
		b.change(func() {
			b.offer = before{b.offer, func() {
				if !once {
					once = true
					_ = b.broker.Withdraw(id)
				}
			}}
		})
		if err := p.reply("Deploy?", chosen("yes")); err == nil {
			t.Error("the person is not told that the question was withdrawn")
		}
		b.ask(t, "Deploy?", o) // before the host is asked for its questions again
		p.want("b: Deploy?")
		p.mustReply("Deploy?", chosen("no"))
		if a := b.outcome(t, id); a.Value != "no" {
			t.Errorf("%+v", a)
		}
	})
}

// What the person has put away is displayed when it is asked again, and not before: not when the
// host was away meanwhile, nor when this server was restarted.
func TestPutAwayAndAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, dir := newNetwork(), t.TempDir()
		b := n.startAsking(t, "b")
		p, other := newPerson(t, n, "a", dir), newPerson(t, n, "c", "")
		o := popup.AskOptions{ID: strings.Repeat("Q", 26), Relayed: true}
		id := b.ask(t, "Deploy?", o)
		p.want("b: Deploy?")
		b.cut()
		time.Sleep(time.Second)
		p.mustReply("Deploy?", question.Reply{Action: question.Dismiss})
		p.want("")
		p.fleet.Close()
		p.broker.Close()
		p = newPerson(t, n, "a", dir)
		b.heal()
		time.Sleep(5 * time.Minute)
		p.want("")
		other.want("b: Deploy?")
		if err := b.broker.Withdraw(id); err != nil {
			t.Fatal(err)
		}
		b.ask(t, "Deploy?", o) // at once
		p.want("b: Deploy?")
	})
}

// What a person has put away while its host was away is displayed again if they have left before
// the host was back.
func TestPutAwayAndLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		id := b.ask(t, "Deploy?", popup.AskOptions{})
		p.want("b: Deploy?")
		b.cut()
		time.Sleep(time.Second)
		p.mustReply("Deploy?", question.Reply{Action: question.Dismiss})
		p.want("")
		p.show(false)
		b.heal()
		time.Sleep(5 * time.Minute)
		p.want("")
		p.show(true)
		p.want("b: Deploy?")
		p.mustReply("Deploy?", question.Reply{Action: question.Dismiss})
		if a := b.outcome(t, id); a.Outcome != question.Dismissed {
			t.Errorf("%+v", a)
		}
	})
}

// The person learns at once that a host does not know the question any more.
func TestReplyToRestarted(t *testing.T) {
	for name, q := range map[string]question.Question{"open": deploy("Deploy?"), "a secret": secret("Deploy?")} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				b := n.startAsking(t, "b")
				p := newPerson(t, n, "a", "")
				askAt(t, b.broker, q, ignored)
				p.want("b: Deploy?")
				b.restart(t)
				err := p.reply("Deploy?", written("hunter2"))
				time.Sleep(time.Minute)
				if asked := p.asked(); err == nil && asked != "b: Your answer did not reach b" {
					t.Errorf("the person sees %q, and was told nothing", asked)
				}
			})
		})
	}
}

// A question whose time is over is not asked when the person comes later, if its host cannot be
// asked.
func TestPersonComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		p.show(false)
		b.change(func() {
			b.offer = &faker{list: func() terminals.QuestionList {
				return terminals.QuestionList{Revision: "1", Questions: []terminals.OpenQuestion{lie("A", "Deploy?")}} // for an hour
			}}
		})
		time.Sleep(2 * time.Minute)
		b.cut()
		time.Sleep(30 * time.Minute)
		p.show(true)
		p.want("b: Deploy?")
		if left := time.Until(p.broker.Pending()[0].Deadline); left > 30*time.Minute {
			t.Errorf("asked for another %v", left)
		}
		p.show(false)
		time.Sleep(time.Hour)
		p.show(true)
		p.want("")
	})
}

// show has the person come or go.
func (p *person) show(here bool) {
	p.here.mu.Lock()
	p.here.gone = !here
	p.here.mu.Unlock()
	p.broker.Recheck()
	synctest.Wait()
}

// A question has the name that its host has now.
func TestRenamedWhileAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		id := b.ask(t, "Deploy?", popup.AskOptions{})
		p.want("b: Deploy?")
		n.change(func() { n.hosts["mem://b"].info.Hostname = "other" })
		time.Sleep(2 * time.Minute)
		p.want("other: Deploy?")
		p.mustReply("Deploy?", chosen("yes"))
		if a := b.outcome(t, id); a.Value != "yes" {
			t.Errorf("%+v", a)
		}
	})
}

// overJSON is what crosses between hosts.
type overJSON struct{ terminals.Questions }

func (o overJSON) List(ctx context.Context, in terminals.QuestionQuery) (came terminals.QuestionList, err error) {
	list, err := o.Questions.List(ctx, in)
	if err != nil {
		return came, err
	}
	text, err := json.Marshal(list)
	if err != nil {
		return came, err
	}
	return came, json.Unmarshal(text, &came)
}

// A question about a folder whose name is not UTF-8 can be answered.
func TestQuestionWithBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		b.change(func() { b.offer = overJSON{b.offer} })
		p := newPerson(t, n, "a", "")
		q := deploy("Password?")
		q.Workspace, q.Quote = "/home/ann/caf\xe9", "caf\xe9\xe9$ sudo"
		id := askAt(t, b.broker, q, popup.AskOptions{})
		p.want("b: Password?")
		p.mustReply("Password?", chosen("yes"))
		if a := b.outcome(t, id); a.Value != "yes" {
			t.Errorf("%+v", a)
		}
	})
}
