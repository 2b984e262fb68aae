package questions_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
)

// What is asked on a host reaches the person of a server that knows it, with the host's name, and
// the reply goes back, whatever it is.
func TestQuestionsOfAHost(t *testing.T) {
	for name, tt := range map[string]struct {
		reply question.Reply
		want  question.Outcome
		value string
	}{
		"an option": {persons.Chosen("yes"), question.Answered, "yes"},
		"a text":    {written("later"), question.Answered, "later"},
		"declined":  {question.Reply{Action: question.Decline}, question.Declined, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newHost(t, "b")
				p := newPerson(t, "a", b)
				id := b.ask("Deploy?", popup.AskOptions{Asked: popup.Asked{Asker: question.ByAgent}})
				p.Want("b: Deploy?")
				if a := p.Broker.Pending()[0]; a.Asker != question.ByAgent || a.Question.Message != "Now?" {
					t.Errorf("%+v", a)
				}
				p.MustReply("Deploy?", tt.reply)
				if a := b.outcome(id); a.Outcome != tt.want || a.Value != tt.value || a.Channel != "a" {
					t.Errorf("%+v", a)
				}
				p.Want("")
			})
		})
	}
}

// A question that a person puts away stays for those who see it elsewhere; when all have put it
// away, it is dismissed.
func TestPutAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		laptop, phone := newPerson(t, "laptop", b), newPerson(t, "phone", b)
		one := b.ask("One?", popup.AskOptions{})
		laptop.Want("b: One?")
		laptop.MustReply("One?", question.Reply{Action: question.Dismiss})
		time.Sleep(time.Minute)
		laptop.Want("")
		phone.Want("b: One?")
		phone.MustReply("One?", persons.Chosen("yes"))
		if a := b.outcome(one); a.Value != "yes" || a.Channel != "phone" {
			t.Errorf("%+v", a)
		}
		two := b.ask("Two?", popup.AskOptions{})
		for _, p := range []*person{laptop, phone} {
			p.Want("b: Two?")
			p.MustReply("Two?", question.Reply{Action: question.Dismiss})
		}
		if a := b.outcome(two); a.Outcome != question.Dismissed {
			t.Errorf("%+v", a)
		}
		b.ask("Three?", popup.AskOptions{})
		laptop.Want("b: Three?")
	})
}

// A person who comes unnoticed is asked about what was asked before.
func TestPersonComesUnnoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		come := func(here bool) {
			p.Page.Be(map[bool]core.Presence{true: core.Possible, false: core.Absent}[here])
		}
		come(false)
		id := b.ask("Deploy?", popup.AskOptions{}) // before the host knows
		time.Sleep(time.Minute)
		p.Want("")
		come(true)
		time.Sleep(time.Minute)
		p.Want("b: Deploy?")
		p.MustReply("Deploy?", persons.Chosen("yes"))
		if a := b.outcome(id); a.Value != "yes" {
			t.Errorf("%+v", a)
		}
	})
}

// An opener opens a page for a question.
type opener struct{ *persons.Page }

func (opener) Kind() core.Kind         { return core.NewPage }
func (opener) Presence() core.Presence { return core.Possible }

// A question that is only for a person who is there ends when they are not, even if a page could be
// opened.
func TestOnlyIfPresent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		p.Broker.AddChannel(opener{p.Page})
		asks := func() string {
			q := persons.Deploy("Deploy?")
			q.IfPresent = true
			return persons.Ask(t, b.broker, q, popup.AskOptions{})
		}
		for range 2 {
			id := asks()
			p.Want("b: Deploy?")
			p.Come(false)
			if a := b.outcome(id); a.Outcome != question.NoHuman {
				t.Errorf("the person has gone: %+v", a)
			}
			if a := b.outcome(asks()); a.Outcome != question.NoHuman {
				t.Errorf("nobody is there: %+v", a)
			}
			id = b.ask("Anyway?", popup.AskOptions{})
			p.Want("b: Anyway?")
			p.MustReply("Anyway?", persons.Chosen("yes"))
			b.outcome(id)
			p.Come(true)
		}
	})
}

// If the host is killed, the reply reaches a program that asks the same again afterwards; the
// person is not asked twice.
func TestHostKilledWhileAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		program := popup.AskOptions{Asked: popup.Asked{ID: strings.Repeat("Q", 26), Relayed: true}}
		b.ask("Deploy?", program)
		b.ask("Never again?", popup.AskOptions{})
		p.Want("b: Deploy?, b: Never again?")
		b.cut()
		p.MustReply("Deploy?", persons.Chosen("yes"))
		p.MustReply("Never again?", persons.Chosen("no"))
		b.heal()
		b.cut()
		b.heal()
		b.restart()
		time.Sleep(time.Minute)
		p.Want("")
		for range 2 { // it may be killed once more, with the answer
			id := b.ask("Deploy?", program)
			if a := b.outcome(id); a.Value != "yes" {
				t.Errorf("%+v", a)
			}
			p.Want("")
			b.restart()
			time.Sleep(2 * time.Minute)
		}
		time.Sleep(time.Hour) // the other one would have ended
		p.Want("b: Your answer did not reach b")
		if a := p.Broker.Pending()[0]; a.Question.Quote != "Never again?" {
			t.Errorf("%+v", a.Question)
		}
	})
}

// The person learns that a reply that was kept came too late, or at once if the host is there.
func TestLateReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		one, two := b.ask("One?", popup.AskOptions{}), b.ask("Two?", popup.AskOptions{})
		p.Want("b: One?, b: Two?")
		b.cut()
		p.MustReply("One?", persons.Chosen("yes"))
		if _, err := b.broker.Answer(one, persons.Chosen("no"), "terminal"); err != nil {
			t.Fatal(err)
		}
		b.heal()
		p.Want("b: Two?, b: Your answer did not reach b")
		if a := p.Broker.Pending()[1]; !strings.Contains(a.Question.Message, "terminal") {
			t.Errorf("%+v", a.Question)
		}
		p.MustReply("Your answer did not reach b", persons.Chosen("ok"))

		withdrawn := false
		b.change(func() {
			b.got = func(terminals.QuestionReply) {
				withdrawn = true
				if err := b.broker.Withdraw(two); err != nil {
					t.Error(err)
				}
			}
		})
		if err := p.Reply("Two?", persons.Chosen("yes")); err == nil || !strings.Contains(err.Error(), "withdrawn") || !withdrawn {
			t.Errorf("withdrawn during delivery: %v", err)
		}
		p.Want("")
	})
}

// A reply whose acknowledgement is lost counts once, and the person is not told.
func TestLostAcknowledgement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		id := b.ask("Deploy?", popup.AskOptions{})
		p.Want("b: Deploy?")
		b.change(func() { b.deaf = true })
		p.MustReply("Deploy?", persons.Chosen("yes"))
		b.change(func() { b.deaf = false })
		if a := b.outcome(id); a.Value != "yes" {
			t.Errorf("%+v", a)
		}
		time.Sleep(3 * time.Hour)
		p.Want("")
	})
}

// What is asked in two ways is two questions, whatever the hosts say of themselves. If they are one
// all the same, one answer ends both.
func TestAskedByTwoHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		c := newHost(t, "c")
		c.change(func() { c.offer = b.offer })
		p := newPerson(t, "a", b, c)
		id := b.ask("Deploy?", popup.AskOptions{})
		p.Want("b: Deploy?, c: Deploy?")
		p.MustReply("Deploy?", persons.Chosen("yes"))
		if a := b.outcome(id); a.Value != "yes" {
			t.Errorf("%+v", a)
		}
		p.Want("")
	})
}

// Secrets and what is typed into programs are neither kept nor sent later: the person learns at
// once that they did not arrive, and is asked again.
func TestSecretsAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		got := map[string]string{}
		var mu sync.Mutex
		for title, change := range map[string]func(*question.Question){
			"Secret?": func(q *question.Question) { q.Secret, q.Options = true, nil },
			"Prompt?": func(q *question.Question) { q.Prompt = true },
		} {
			q := persons.Deploy(title)
			change(&q)
			b.askThis(q, popup.AskOptions{Deliver: func(r question.Reply) error {
				mu.Lock()
				defer mu.Unlock()
				got[title] = r.Text
				return nil
			}})
		}
		open := b.ask("Open?", popup.AskOptions{})
		p.Want("b: Open?, b: Prompt?, b: Secret?")
		b.cut()
		if err := p.Reply("Secret?", written("hunter2")); err == nil || !strings.Contains(err.Error(), "not kept") {
			t.Errorf("when the line breaks: %v", err)
		}
		time.Sleep(time.Second)
		if err := p.Reply("Prompt?", written("hunter3")); err == nil || !strings.Contains(err.Error(), "was not sent") {
			t.Errorf("when the host is away: %v", err)
		}
		p.MustReply("Open?", written("hello"))
		b.heal()
		time.Sleep(2 * time.Minute)
		p.Want("b: Prompt?, b: Secret?")
		if a := b.outcome(open); a.Value != "hello" {
			t.Errorf("what is kept: %+v", a)
		}
		mu.Lock()
		if len(got) > 0 {
			t.Errorf("delivered later: %v", got)
		}
		mu.Unlock()
		p.MustReply("Secret?", written("hunter4"))
		mu.Lock()
		defer mu.Unlock()
		if got["Secret?"] != "hunter4" {
			t.Errorf("delivered %v", got)
		}
	})
}

// A question that is withdrawn while the reply to it is on its way, and asked again under its ID,
// as by a program that was restarted, is displayed again.
func TestAskedAgainWhileReplying(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		o := popup.AskOptions{Asked: popup.Asked{ID: strings.Repeat("Q", 26), Relayed: true}}
		id := b.ask("Deploy?", o)
		p.Want("b: Deploy?")
		once := sync.OnceFunc(func() { _ = b.broker.Withdraw(id) })
		b.change(func() { b.got = func(terminals.QuestionReply) { once() } })
		if err := p.Reply("Deploy?", persons.Chosen("yes")); err == nil {
			t.Error("the person is not told that the question was withdrawn")
		}
		b.ask("Deploy?", o)
		p.Want("b: Deploy?")
		p.MustReply("Deploy?", persons.Chosen("no"))
		if a := b.outcome(id); a.Value != "no" {
			t.Errorf("%+v", a)
		}
	})
}

// What the person has put away is displayed when it is asked again, and not before: not when the
// host was away meanwhile.
func TestPutAwayAndAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p, other := newPerson(t, "a", b), newPerson(t, "c", b)
		o := popup.AskOptions{Asked: popup.Asked{ID: strings.Repeat("Q", 26), Relayed: true}}
		id := b.ask("Deploy?", o)
		p.Want("b: Deploy?")
		b.cut()
		time.Sleep(time.Second)
		p.MustReply("Deploy?", question.Reply{Action: question.Dismiss})
		p.Want("")
		b.heal()
		time.Sleep(5 * time.Minute)
		p.Want("")
		other.Want("b: Deploy?")
		if err := b.broker.Withdraw(id); err != nil {
			t.Fatal(err)
		}
		b.ask("Deploy?", o) // at once
		p.Want("b: Deploy?")
	})
}

// What a person has put away while its host was away is displayed again if they have left before
// the host was back.
func TestPutAwayAndLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		id := b.ask("Deploy?", popup.AskOptions{})
		p.Want("b: Deploy?")
		b.cut()
		time.Sleep(time.Second)
		p.MustReply("Deploy?", question.Reply{Action: question.Dismiss})
		p.Want("")
		p.Come(false)
		b.heal()
		time.Sleep(5 * time.Minute)
		p.Want("")
		p.Come(true)
		p.Want("b: Deploy?")
		p.MustReply("Deploy?", question.Reply{Action: question.Dismiss})
		if a := b.outcome(id); a.Outcome != question.Dismissed {
			t.Errorf("%+v", a)
		}
	})
}

// A question whose time is over is not asked when the person comes later, if its host cannot be
// asked.
func TestPersonComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		p.Come(false)
		l := newLiar(b)
		time.Sleep(2 * time.Minute)
		l.says(lie("A", "Deploy?")) // for an hour
		b.cut()
		time.Sleep(30 * time.Minute)
		p.Come(true)
		p.Want("b: Deploy?")
		if left := time.Until(p.Broker.Pending()[0].Deadline); left > 30*time.Minute {
			t.Errorf("asked for another %v", left)
		}
		p.Come(false)
		time.Sleep(time.Hour)
		p.Come(true)
		p.Want("")
	})
}

// A question about a folder whose name is not UTF-8 can be answered.
func TestQuestionWithBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		q := persons.Deploy("Password?")
		q.Workspace, q.Quote = "/home/ann/caf\xe9", "caf\xe9\xe9$ sudo"
		id := b.askThis(q, popup.AskOptions{})
		p.Want("b: Password?")
		p.MustReply("Password?", persons.Chosen("yes"))
		if a := b.outcome(id); a.Value != "yes" {
			t.Errorf("%+v", a)
		}
	})
}
