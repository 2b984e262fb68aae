package fleet_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/popup"
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
		"an option": {chosen("yes"), question.Answered, "yes"},
		"a text":    {written("later"), question.Answered, "later"},
		"declined":  {question.Reply{Action: question.Decline}, question.Declined, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				b := n.startAsking(t, "b")
				p := newPerson(t, n, "a", "")
				id := b.ask(t, "Deploy?", popup.AskOptions{Asker: popup.Agent})
				p.want("b: Deploy?")
				if a := p.broker.Pending()[0]; a.Asker != popup.Agent || a.Question.Message != "Now?" {
					t.Errorf("%+v", a)
				}
				p.mustReply("Deploy?", tt.reply)
				if a := b.outcome(t, id); a.Outcome != tt.want || a.Value != tt.value || a.Channel != "a" {
					t.Errorf("%+v", a)
				}
				p.want("")
			})
		})
	}
}

// A question that a person puts away stays for those who see it elsewhere; when all have put it
// away, it is dismissed.
func TestPutAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		laptop, phone := newPerson(t, n, "laptop", ""), newPerson(t, n, "phone", "")
		one := b.ask(t, "One?", popup.AskOptions{})
		laptop.want("b: One?")
		laptop.mustReply("One?", question.Reply{Action: question.Dismiss})
		time.Sleep(time.Minute)
		laptop.want("")
		phone.want("b: One?")
		phone.mustReply("One?", chosen("yes"))
		if a := b.outcome(t, one); a.Value != "yes" || a.Channel != "phone" {
			t.Errorf("%+v", a)
		}
		two := b.ask(t, "Two?", popup.AskOptions{})
		for _, p := range []*person{laptop, phone} {
			p.want("b: Two?")
			p.mustReply("Two?", question.Reply{Action: question.Dismiss})
		}
		if a := b.outcome(t, two); a.Outcome != question.Dismissed {
			t.Errorf("%+v", a)
		}
		b.ask(t, "Three?", popup.AskOptions{})
		laptop.want("b: Three?")
	})
}

// A question that was answered there, or is not asked any more, is taken away here.
func TestQuestionEndsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		one, two := b.ask(t, "One?", popup.AskOptions{}), b.ask(t, "Two?", popup.AskOptions{})
		p.want("b: One?, b: Two?")
		if _, err := b.broker.Answer(one, chosen("yes"), "terminal"); err != nil {
			t.Fatal(err)
		}
		p.want("b: Two?")
		if err := b.broker.Withdraw(two); err != nil {
			t.Fatal(err)
		}
		p.want("")
	})
}

// A person who is not there is asked when they come; the host does not wait for them before.
func TestPersonComesLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		p.here.mu.Lock()
		p.here.gone = true
		p.here.mu.Unlock()
		time.Sleep(time.Minute) // until the host knows
		id := b.ask(t, "Deploy?", popup.AskOptions{})
		if a := b.outcome(t, id); a.Outcome != question.NoHuman {
			t.Errorf("without a person: %+v", a)
		}
		p.want("")
		p.here.mu.Lock()
		p.here.gone = false
		p.here.mu.Unlock()
		p.broker.Recheck()
		synctest.Wait()
		id = b.ask(t, "Again?", popup.AskOptions{})
		p.want("b: Again?")
		p.mustReply("Again?", chosen("no"))
		if a := b.outcome(t, id); a.Value != "no" {
			t.Errorf("%+v", a)
		}
	})
}

// A question stays while its host is away. The reply is delivered when the host is back, also if
// this server was restarted meanwhile.
func TestHostAwayWhileAsking(t *testing.T) {
	for _, restarts := range []bool{false, true} {
		t.Run(fmt.Sprint("restarted: ", restarts), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, dir := newNetwork(), t.TempDir()
				b := n.startAsking(t, "b")
				p := newPerson(t, n, "a", dir)
				id := b.ask(t, "Deploy?", popup.AskOptions{})
				p.want("b: Deploy?")
				b.cut()
				time.Sleep(time.Minute)
				p.want("b: Deploy?")
				p.mustReply("Deploy?", written("not on a Friday"))
				p.want("")
				if restarts {
					p.fleet.Close()
					p.broker.Close()
				}
				time.Sleep(time.Minute)
				b.heal()
				if restarts {
					p = newPerson(t, n, "a", dir)
				}
				if a := b.outcome(t, id); a.Value != "not on a Friday" {
					t.Errorf("%+v", a)
				}
				p.want("")
				if _, err := os.Stat(filepath.Join(dir, "replies.json")); !os.IsNotExist(err) {
					t.Errorf("replies that were delivered are kept: %v", err)
				}
			})
		})
	}
}

// If the host is killed, the reply reaches a program that asks the same again afterwards; the
// person is not asked twice.
func TestHostKilledWhileAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		program := popup.AskOptions{ID: strings.Repeat("Q", 26), Relayed: true}
		b.ask(t, "Deploy?", program)
		b.ask(t, "Never again?", popup.AskOptions{})
		p.want("b: Deploy?, b: Never again?")
		b.cut()
		p.mustReply("Deploy?", chosen("yes"))
		p.mustReply("Never again?", chosen("no"))
		b.heal()
		b.cut()
		b.heal()
		b.restart(t)
		time.Sleep(time.Minute)
		p.want("")
		for range 2 { // it may be killed once more, with the answer
			id := b.ask(t, "Deploy?", program)
			if a := b.outcome(t, id); a.Value != "yes" {
				t.Errorf("%+v", a)
			}
			p.want("")
			b.restart(t)
			time.Sleep(2 * time.Minute)
		}
		time.Sleep(time.Hour) // the other one would have ended
		p.want("b: Your answer did not reach b")
		if a := p.broker.Pending()[0]; a.Question.Quote != "Never again?" {
			t.Errorf("%+v", a.Question)
		}
	})
}

// The person learns that a reply that was kept came too late, or at once if the host is there.
func TestLateReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		one, two := b.ask(t, "One?", popup.AskOptions{}), b.ask(t, "Two?", popup.AskOptions{})
		p.want("b: One?, b: Two?")
		b.cut()
		p.mustReply("One?", chosen("yes"))
		if _, err := b.broker.Answer(one, chosen("no"), "terminal"); err != nil {
			t.Fatal(err)
		}
		b.heal()
		p.want("b: Two?, b: Your answer did not reach b")
		if a := p.broker.Pending()[1]; !strings.Contains(a.Question.Message, "terminal") {
			t.Errorf("%+v", a.Question)
		}
		p.mustReply("Your answer did not reach b", chosen("ok"))

		withdrawn := false
		b.change(func() {
			b.offer = before{b.offer, func() {
				withdrawn = true
				if err := b.broker.Withdraw(two); err != nil {
					t.Error(err)
				}
			}}
		})
		if err := p.reply("Two?", chosen("yes")); err == nil || !strings.Contains(err.Error(), "withdrawn") || !withdrawn {
			t.Errorf("withdrawn during delivery: %v", err)
		}
		p.want("")
	})
}

// before calls a function before each reply.
type before struct {
	terminals.Questions
	f func()
}

func (b before) Answer(ctx context.Context, by terminals.Grant, in terminals.QuestionReply) (terminals.Delivery, error) {
	b.f()
	return b.Questions.Answer(ctx, by, in)
}

// A reply whose acknowledgement is lost counts once, and the person is not told.
func TestLostAcknowledgement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		id := b.ask(t, "Deploy?", popup.AskOptions{})
		p.want("b: Deploy?")
		b.change(func() {
			b.refuse = func() error {
				return fault.With(terminals.HostSilent, fault.New(fault.Unreachable, "the line was cut"))
			}
		})
		p.mustReply("Deploy?", chosen("yes"))
		b.change(func() { b.refuse = nil })
		if a := b.outcome(t, id); a.Value != "yes" {
			t.Errorf("%+v", a)
		}
		time.Sleep(3 * time.Hour)
		p.want("")
	})
}

// Of two persons' servers that follow the same host, the first reply counts, and the other question
// is taken away.
func TestTwoServersFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		laptop, phone := newPerson(t, n, "laptop", ""), newPerson(t, n, "phone", "")
		id := b.ask(t, "Deploy?", popup.AskOptions{})
		laptop.want("b: Deploy?")
		phone.want("b: Deploy?")
		var replies sync.WaitGroup
		accepted := make(chan string, 2)
		for value, p := range map[string]*person{"yes": laptop, "no": phone} {
			replies.Go(func() {
				if p.reply("Deploy?", chosen(value)) == nil {
					accepted <- value
				}
			})
		}
		replies.Wait()
		if a := b.outcome(t, id); len(accepted) != 1 || a.Value != <-accepted {
			t.Errorf("%+v", a)
		}
		laptop.want("")
		phone.want("")
		b.ask(t, "And now?", popup.AskOptions{})
		phone.want("b: And now?")
		laptop.want("b: And now?")
		laptop.mustReply("And now?", chosen("yes"))
		phone.want("")
	})
}

// What two hosts ask is two questions, whatever they say of themselves. If they are one all the
// same, one answer ends both.
func TestAskedByTwoHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		n.start(t, "c", b)
		n.change(func() {
			n.hosts["mem://c"].info.Rights = []string{terminals.Answer.String()}
		})
		p := newPerson(t, n, "a", "")
		id := b.ask(t, "Deploy?", popup.AskOptions{})
		p.want("b: Deploy?, c: Deploy?")
		p.mustReply("Deploy?", chosen("yes"))
		if a := b.outcome(t, id); a.Value != "yes" {
			t.Errorf("%+v", a)
		}
		p.want("")
	})
}

// Secrets and what is typed into programs are neither kept nor sent later: the person learns at
// once that they did not arrive, and is asked again.
func TestSecretsAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, dir := newNetwork(), t.TempDir()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", dir)
		got := map[string]string{}
		var mu sync.Mutex
		for title, change := range map[string]func(*question.Question){
			"Secret?": func(q *question.Question) { q.Secret, q.Options = true, nil },
			"Prompt?": func(q *question.Question) { q.Prompt = true },
		} {
			q := deploy(title)
			change(&q)
			askAt(t, b.broker, q, popup.AskOptions{Deliver: func(r question.Reply) error {
				mu.Lock()
				defer mu.Unlock()
				got[title] = r.Text
				return nil
			}})
		}
		b.ask(t, "Open?", popup.AskOptions{})
		p.want("b: Open?, b: Prompt?, b: Secret?")
		b.cut()
		if err := p.reply("Secret?", written("hunter2")); err == nil || !strings.Contains(err.Error(), "not kept") {
			t.Errorf("when it is not known yet that the host is away: %v", err)
		}
		time.Sleep(time.Second)
		if err := p.reply("Prompt?", written("hunter3")); err == nil || !strings.Contains(err.Error(), "was not sent") {
			t.Errorf("when the host is away: %v", err)
		}
		p.mustReply("Open?", written("hello"))
		content, err := os.ReadFile(filepath.Join(dir, "replies.json"))
		if err != nil || !strings.Contains(string(content), "hello") || strings.Contains(string(content), "hunter") {
			t.Errorf("%s, %v", content, err)
		}
		if info, err := os.Stat(filepath.Join(dir, "replies.json")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		b.heal()
		time.Sleep(2 * time.Minute)
		p.want("b: Prompt?, b: Secret?")
		mu.Lock()
		if len(got) > 0 {
			t.Errorf("delivered later: %v", got)
		}
		mu.Unlock()
		p.mustReply("Secret?", written("hunter4"))
		mu.Lock()
		defer mu.Unlock()
		if got["Secret?"] != "hunter4" {
			t.Errorf("delivered %v", got)
		}
	})
}

// When a host withdraws the right to answer, its questions are taken away; given again, they come
// back.
func TestRightWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		b.ask(t, "Deploy?", popup.AskOptions{})
		p.want("b: Deploy?")
		b.change(func() { b.by = terminals.Read })
		time.Sleep(time.Minute) // until the call that waits has ended
		p.want("")
		b.change(func() { b.by = terminals.AllRights })
		time.Sleep(2 * time.Minute)
		p.want("b: Deploy?")
		if err := p.fleet.Remove(t.Context(), "b"); err != nil {
			t.Fatal(err)
		}
		p.want("")
	})
}

// A server that knows no other hosts has no goroutine for their questions.
func TestNoHostsNoQuestions(t *testing.T) {
	b, err := popup.New(popup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	before := goleak.IgnoreCurrent()
	f := fleet.New(fleet.Options{
		Name: "a", ID: "id-a", Dialer: newNetwork(), Log: slog.New(slog.DiscardHandler),
		Person: fleet.Person{Broker: b, File: filepath.Join(t.TempDir(), "replies.json")},
	})
	t.Cleanup(f.Close)
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}

// A host that gives no right to answer, or that is older, is not asked.
func TestNoRightToAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		n.change(func() { n.hosts["mem://b"].info.Rights = []string{terminals.Read.String()} })
		newPerson(t, n, "a", "")
		time.Sleep(time.Hour)
		b.change(func() {
			if b.lists > 0 {
				t.Errorf("asked %d times", b.lists)
			}
		})
	})
}

// Of more than 20 questions, 20 are asked; the others follow.
func TestManyQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		for i := range terminals.MaxQuestions + 1 {
			b.ask(t, fmt.Sprintf("%02d?", i), popup.AskOptions{})
			time.Sleep(time.Second)
		}
		if pending := p.broker.Pending(); len(pending) != terminals.MaxQuestions {
			t.Fatalf("%d questions", len(pending))
		}
		p.mustReply("00?", chosen("yes"))
		time.Sleep(10 * time.Second)
		if asked := p.asked(); strings.Contains(asked, "00?") || !strings.Contains(asked, "20?") {
			t.Errorf("asked %s", asked)
		}
	})
}

// A file that is malformed or newer stays as it is.
func TestUnreadableReplies(t *testing.T) {
	for name, content := range map[string]string{"malformed": `{"format":1,"replies":[`, "newer": `{"format":99,"replies":[]}`} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, dir := newNetwork(), t.TempDir()
				b := n.startAsking(t, "b")
				file := filepath.Join(dir, "replies.json")
				if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				p := newPerson(t, n, "a", dir)
				id := b.ask(t, "Deploy?", popup.AskOptions{})
				p.want("b: Deploy?")
				b.cut()
				p.mustReply("Deploy?", chosen("yes"))
				b.heal()
				if a := b.outcome(t, id); a.Value != "yes" {
					t.Errorf("%+v", a)
				}
				if now, err := os.ReadFile(file); err != nil || string(now) != content {
					t.Errorf("%s, %v", now, err)
				}
			})
		})
	}
}
