package fleet_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
)

// A faker is a host that says what a test has it say. It waits when the caller has its list.
type faker struct {
	terminals.Questions
	mu     sync.Mutex // held while the functions run
	list   func() terminals.QuestionList
	answer func(terminals.QuestionReply) (terminals.Delivery, error)
	seen   func(terminals.QuestionQuery)
}

func (f *faker) List(ctx context.Context, in terminals.QuestionQuery) (terminals.QuestionList, error) {
	f.mu.Lock()
	if f.seen != nil {
		f.seen(in)
	}
	f.mu.Unlock()
	timeout := time.After(30 * time.Second)
	for {
		f.mu.Lock()
		l := f.list()
		f.mu.Unlock()
		if l.Revision != in.After {
			return l, nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-timeout:
			return l, nil
		case <-ctx.Done():
			return terminals.QuestionList{}, context.Cause(ctx)
		}
	}
}

func (f *faker) Answer(_ context.Context, _ terminals.Grant, in terminals.QuestionReply) (terminals.Delivery, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.answer(in)
}

func secret(title string) question.Question {
	return question.Question{
		Title: title, Message: "m", AllowText: true, Prompt: true, Secret: true, Plain: true, Severity: question.Info, Timeout: 24 * time.Hour,
		Options: []question.Option{{Label: "Enter", Value: "enter"}},
	}
}

// ignored is an asker of a private question that takes any reply.
var ignored = popup.AskOptions{Deliver: func(question.Reply) error { return nil }}

// What was typed as a secret for a host is not sent to what is at its address later.
func TestSecretForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a", "")
		askAt(t, b.broker, secret("sudo password"), ignored)
		p.want("b: sudo password")
		b.cut()
		n.cut(n.hosts["mem://b"])
		if err := p.reply("sudo password", written("hunter2")); err == nil {
			t.Error("the person is not told that the secret did not arrive")
		}
		time.Sleep(5 * time.Hour)
		other := n.startAsking(t, "b")
		n.change(func() { n.hosts["mem://b"].info.ID = "id-another" })
		other.change(func() {
			other.offer = &faker{
				list: func() terminals.QuestionList { return terminals.QuestionList{Revision: "1", Server: "id-b"} },
				answer: func(in terminals.QuestionReply) (terminals.Delivery, error) {
					t.Errorf("what asks nothing gets %q", in.Reply.Text)
					return terminals.Delivery{Result: terminals.Unknown}, nil
				},
			}
		})
		time.Sleep(30 * time.Hour)
		p.want("")
	})
}

// A host that knows the question of another one, and lists it as that would, takes neither the
// question nor the answer.
func TestQuestionOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b, c := n.startAsking(t, "b"), n.startAsking(t, "c")
		copied := terminals.QuestionList{Revision: "0", Server: "id-b"}
		f := &faker{
			list: func() terminals.QuestionList { return copied },
			answer: func(in terminals.QuestionReply) (terminals.Delivery, error) {
				t.Errorf("c gets %q", in.Reply.Text)
				return terminals.Delivery{Result: terminals.Accepted}, nil
			},
		}
		c.change(func() { c.offer = f })
		p := newPerson(t, n, "a", "")
		b.change(func() { b.by = 0 }) // its list comes after that of c
		time.Sleep(time.Minute)
		b.broker.AddChannel(&screen{})
		id := askAt(t, b.broker, secret("Secret of b"), ignored)
		asked, err := b.offer.List(t.Context(), terminals.QuestionQuery{})
		if err != nil {
			t.Fatal(err)
		}
		f.mu.Lock()
		copied.Revision, copied.Questions = "1", asked.Questions
		f.mu.Unlock()
		time.Sleep(time.Second)
		b.change(func() { b.by = terminals.AllRights })
		time.Sleep(3 * time.Minute)
		p.want("b: Secret of b, c: Secret of b")
		for _, a := range p.broker.Pending() {
			if a.Host != "b" {
				continue
			}
			if _, err := p.broker.Answer(a.ID, written("hunter2"), "screen"); err != nil {
				t.Fatal(err)
			}
		}
		if a := b.outcome(t, id); a.Outcome != question.Answered {
			t.Errorf("%+v", a)
		}
	})
}

// What a host says of a reply that came too late is displayed with its name, and not passed on to
// further hosts.
func TestNoteOfAHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		answers, revision := 0, 0
		b.change(func() {
			b.offer = &faker{
				list: func() terminals.QuestionList {
					revision++
					l := terminals.QuestionList{Revision: fmt.Sprint(revision)}
					if answers == 0 {
						l.Questions = append(l.Questions, lie("A", "Lunch?"))
					}
					return l
				},
				answer: func(in terminals.QuestionReply) (terminals.Delivery, error) {
					if answers++; answers == 1 {
						return terminals.Delivery{}, fault.New(fault.Internal, "not yet")
					}
					return terminals.Delivery{Result: terminals.Over, Reason: "This machine needs your password"}, nil
				},
			}
		})
		p := newPerson(t, n, "a", "")
		offer := questions.New(p.broker, "id-a")
		p.want("b: Lunch?")
		p.mustReply("Lunch?", chosen("yes"))
		p.want("b: Your answer did not reach b")
		if l, err := offer.List(t.Context(), terminals.QuestionQuery{}); err != nil || len(l.Questions) > 0 {
			t.Errorf("offered to further hosts: %+v, %v", l.Questions, err)
		}
	})
}

// Questions that are invalid count as others do, and are in the log once.
func TestInvalidQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		polls := 0
		b.change(func() {
			b.offer = &faker{list: func() terminals.QuestionList {
				polls++
				l := terminals.QuestionList{Revision: fmt.Sprint(polls)}
				for j := range terminals.MaxQuestions {
					q := lie(fmt.Sprint(polls, "-", j), "x")
					q.Question.Severity = question.Severity(strings.Repeat("\x01", 500))
					l.Questions = append(l.Questions, q)
				}
				return l
			}}
		})
		var log bytes.Buffer
		p := newPerson(t, newNetwork(), "p", "")
		f := fleet.New(fleet.Options{
			Name: "a", ID: "id-a", Dialer: n, Log: slog.New(slog.NewTextHandler(&log, nil)), Configured: []terminals.NewServer{{Address: "mem://b"}},
			Person: fleet.Person{Broker: p.broker, Channels: []popup.Channel{p.here}},
		})
		time.Sleep(time.Minute)
		f.Close()
		if lines := strings.Count(log.String(), "is not asked"); lines != 1 {
			t.Errorf("%d lines in the log", lines)
		}
		if polls > 30 {
			t.Errorf("%d polls in a minute", polls)
		}
	})
}

// Each host knows this server by a text of its own, so that none can speak for it elsewhere.
func TestFollowerTexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		texts := map[string]string{}
		var mu sync.Mutex
		for _, name := range []string{"b", "c"} {
			h := n.startAsking(t, name)
			h.change(func() {
				h.offer = &faker{
					list: func() terminals.QuestionList { return terminals.QuestionList{} },
					seen: func(in terminals.QuestionQuery) {
						mu.Lock()
						defer mu.Unlock()
						texts[name] = in.Follower
					},
				}
			})
		}
		newPerson(t, n, "a", "")
		time.Sleep(time.Second)
		mu.Lock()
		defer mu.Unlock()
		if len(texts["b"]) < 26 || texts["b"] == texts["c"] {
			t.Errorf("%v", texts)
		}
	})
}
