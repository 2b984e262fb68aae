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

// A liar answers lists with what a test says.
type liar struct {
	mu      sync.Mutex
	list    func() terminals.QuestionList
	replies []terminals.QuestionReply
	calls   int
}

func (l *liar) List(ctx context.Context, in terminals.QuestionQuery) (terminals.QuestionList, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	return l.list(), nil
}

func (l *liar) Answer(_ context.Context, _ terminals.Grant, in terminals.QuestionReply) (terminals.Delivery, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replies = append(l.replies, in)
	return terminals.Delivery{Result: "perhaps", Reason: "\x1b]52;c;aGk=\x07" + strings.Repeat("x", 1<<20)}, nil
}

func (l *liar) Ask(context.Context, terminals.NewQuestion) (question.Answer, error) {
	return question.Answer{}, nil
}

func (l *liar) say(list func() terminals.QuestionList) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = list
}

func lie(id, title string) terminals.OpenQuestion {
	return terminals.OpenQuestion{ID: id, Asker: "king", Question: deploy(title).Posed(time.Hour)}
}

// A host that lies can neither ask more than others, nor change what the person sees, nor have the
// person answer what they do not see.
func TestLyingHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		l := &liar{}
		l.say(func() terminals.QuestionList { return terminals.QuestionList{} })
		b := n.startAsking(t, "b")
		b.change(func() { b.offer = l })
		p := newPerson(t, n, "a", "")

		// Duplicates, texts that are too long, nonsense, no IDs, long IDs.
		huge := lie("HUGE", "x")
		huge.Question.Message = strings.Repeat("x", question.MaxMessage+1)
		evil := lie("EVIL", "x")
		evil.Question.Images = []question.Image{{Src: "https://example.com/spy.png"}}
		l.say(func() terminals.QuestionList {
			return terminals.QuestionList{Revision: "1", Questions: []terminals.OpenQuestion{
				lie("A", "A?"), lie("A", "A again?"), huge, evil, {}, lie(strings.Repeat("L", 1000), "Long?"),
			}}
		})
		p.want("b: A?")
		if a := p.broker.Pending()[0]; a.Asker != popup.Program {
			t.Errorf("asker %q", a.Asker)
		}

		// It changes the question under the same ID: the person sees the other one, and the reply
		// says which.
		l.say(func() terminals.QuestionList {
			return terminals.QuestionList{Revision: "2", Questions: []terminals.OpenQuestion{lie("A", "Delete everything?")}}
		})
		p.want("b: Delete everything?")
		if err := p.reply("Delete everything?", chosen("no")); err == nil || strings.ContainsAny(err.Error(), "\x1b\x07") || len(err.Error()) > 1000 {
			t.Errorf("a host that does not say whether it has accepted the reply: %v", err)
		}
		l.mu.Lock()
		if len(l.replies) != 1 || l.replies[0].Digest != lie("A", "Delete everything?").Question.Digest() {
			t.Errorf("replies %+v", l.replies)
		}
		l.calls = 0
		l.mu.Unlock()

		// It floods: lists of thousands, always others.
		seen := map[string]bool{}
		i := 0
		l.say(func() terminals.QuestionList {
			i++
			list := terminals.QuestionList{Revision: fmt.Sprint("flood ", i)}
			for j := range 3000 {
				list.Questions = append(list.Questions, lie(fmt.Sprint(i, "-", j), fmt.Sprint(i, "-", j)))
			}
			return list
		})
		for range 60 {
			time.Sleep(time.Second)
			pending := p.broker.Pending()
			if len(pending) > terminals.MaxQuestions {
				t.Fatalf("%d questions", len(pending))
			}
			for _, a := range pending {
				seen[a.ID] = true
			}
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(seen) > terminals.MaxQuestions+21 || len(seen) == 0 || l.calls > 610 {
			t.Errorf("%d questions, %d calls in a minute", len(seen), l.calls)
		}
	})
}
