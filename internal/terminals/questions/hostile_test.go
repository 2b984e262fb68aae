package questions_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
)

// A liar is a host that says what a test has it say.
type liar struct {
	says func(...terminals.OpenQuestion) // at any time
	list []terminals.OpenQuestion        // to each that begins to follow; set before
	// verdict is what it makes of replies.
	verdict terminals.Delivery
	mu      sync.Mutex // guards the fields below
	streams []*lies
	replies []terminals.QuestionReply
}

type lies struct {
	*liar
	news   chan terminals.QuestionNews
	closed chan struct{}
	close  func()
}

// newLiar has a host lie from now on.
func newLiar(h *host) *liar {
	l := &liar{}
	l.says = func(list ...terminals.OpenQuestion) {
		for _, q := range list {
			l.say(terminals.QuestionNews{Asked: &q})
		}
	}
	h.cut()
	h.change(func() { h.offer = l })
	h.heal()
	time.Sleep(2 * time.Second)
	return l
}

func (l *liar) Follow(context.Context, terminals.Grant) (terminals.QuestionStream, error) {
	s := &lies{liar: l, news: make(chan terminals.QuestionNews, 1000), closed: make(chan struct{})}
	s.close = sync.OnceFunc(func() { close(s.closed) })
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, q := range l.list {
		s.news <- terminals.QuestionNews{Asked: &q}
	}
	s.news <- terminals.QuestionNews{Listed: &terminals.Listed{Server: "id-b"}}
	l.streams = append(l.streams, s)
	return s, nil
}

// say says something to all followers.
func (l *liar) say(n terminals.QuestionNews) {
	l.mu.Lock()
	streams := slices.Clone(l.streams)
	l.mu.Unlock()
	for _, s := range streams {
		s.say(n)
	}
}

func (s *lies) say(n terminals.QuestionNews) {
	select {
	case s.news <- n:
	case <-s.closed:
	}
}

func (s *lies) Receive(ctx context.Context) (terminals.QuestionNews, error) {
	select {
	case n := <-s.news:
		return n, nil
	case <-s.closed:
	case <-ctx.Done():
	}
	return terminals.QuestionNews{}, errLost
}

func (s *lies) Send(_ context.Context, in terminals.FromFollower) error {
	if in.Answer == nil {
		return nil
	}
	s.mu.Lock()
	s.replies = append(s.replies, *in.Answer)
	s.mu.Unlock()
	d := s.verdict
	d.Delivery = in.Answer.Delivery
	s.say(terminals.QuestionNews{Verdict: &d})
	return nil
}

func (s *lies) Close() { s.close() }

func lie(id, title string) terminals.OpenQuestion {
	return terminals.OpenQuestion{ID: id, Asker: "king", Question: persons.Deploy(title).Posed(time.Hour)}
}

// What was typed as a secret for a host is not sent to what is at its address later, nor is any
// other answer to another process that does not ask the question.
func TestSecretForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		b.askThis(secret("sudo password"), ignored)
		b.ask("Name of the project?", popup.AskOptions{})
		p.Want("b: Name of the project?, b: sudo password")
		b.cut()
		p.MustReply("Name of the project?", written("Apollo"))
		time.Sleep(time.Second)
		l := &liar{}
		b.change(func() { b.offer = other{l} })
		b.heal()
		time.Sleep(30 * time.Second)
		p.Want("") // it does not ask this
		b.cut()
		time.Sleep(30 * time.Hour)
		if len(l.replies) > 0 {
			t.Errorf("what asks nothing gets %+v", l.replies)
		}
	})
}

// other is another process than that of a liar.
type other struct{ *liar }

func (o other) Follow(ctx context.Context, by terminals.Grant) (terminals.QuestionStream, error) {
	s, err := o.liar.Follow(ctx, by)
	<-s.(*lies).news
	s.(*lies).news <- terminals.QuestionNews{Listed: &terminals.Listed{Server: "id-another"}}
	return s, err
}

// A secret goes only over the stream that asks, not to a process that is just connected and has not
// said yet what it asks.
func TestSecretBeforeTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		b.askThis(secret("sudo password"), ignored)
		p.Want("b: sudo password")
		b.cut()
		l := &liar{}
		b.change(func() { b.offer = silent{l} })
		b.heal()
		time.Sleep(10 * time.Second)
		if err := p.Reply("sudo password", written("hunter2")); err == nil || len(l.replies) > 0 {
			t.Errorf("%v; what has asked nothing gets %+v", err, l.replies)
		}
	})
}

// silent says nothing at first.
type silent struct{ *liar }

func (o silent) Follow(ctx context.Context, by terminals.Grant) (terminals.QuestionStream, error) {
	s, err := o.liar.Follow(ctx, by)
	<-s.(*lies).news
	return s, err
}

// A host that knows the question of another one, and asks it as that would, takes neither the
// question nor the answer.
func TestQuestionOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := newHost(t, "b"), newHost(t, "c")
		p := newPerson(t, "a", b, c)
		l := newLiar(c)
		b.cut()
		synctest.Wait()
		b.broker.AddChannel(persons.NewPage())
		id := b.askThis(secret("Secret of b"), ignored)
		l.says(terminals.OpenQuestion{ID: id, Question: secret("Secret of b").Posed(time.Hour)})
		p.Want("c: Secret of b")
		b.heal()
		p.Want("b: Secret of b, c: Secret of b")
		for _, a := range p.Broker.Pending() {
			if a.Host == "b" {
				if _, err := p.Broker.Answer(a.ID, written("hunter2"), "page"); err != nil {
					t.Fatal(err)
				}
			}
		}
		if a := b.outcome(id); a.Outcome != question.Answered {
			t.Errorf("%+v", a)
		}
		if len(l.replies) > 0 {
			t.Errorf("c gets %+v", l.replies)
		}
	})
}

// What a host says of a reply that came too late is displayed with its name, and not passed on to
// further hosts.
func TestNoteOfAHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		offer := questions.New(p.Broker, "id-a")
		l := newLiar(b)
		l.says(lie("A", "Lunch?"))
		p.Want("b: Lunch?")
		b.cut()
		time.Sleep(time.Second)
		p.MustReply("Lunch?", persons.Chosen("yes"))
		l.verdict = terminals.Delivery{Result: terminals.Over, Reason: "This machine needs your password"}
		b.heal()
		p.Want("b: Your answer did not reach b")
		s, err := offer.Follow(t.Context(), terminals.Everything)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if n, err := s.Receive(t.Context()); err != nil || n.Listed == nil {
			t.Errorf("offered to further hosts: %+v, %v", n, err)
		}
	})
}

// Questions that are invalid count as others do, and are in the log once.
func TestInvalidQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		l := newLiar(b)
		for i := range 100 {
			q := lie(fmt.Sprint(i), "x")
			q.Question.Severity = question.Severity(strings.Repeat("\x01", 500))
			l.says(q)
			l.say(terminals.QuestionNews{Over: q.ID})
		}
		l.says(lie("A", "A?"))
		time.Sleep(3 * time.Minute)
		p.Want("")
		time.Sleep(2 * time.Minute)
		p.Want("b: A?")
		p.close()
		if lines := strings.Count(p.log.String(), "is not asked"); lines != 1 {
			t.Errorf("%d lines in the log", lines)
		}
	})
}

// A host that lies can neither ask more than others, nor change what the person sees, nor have the
// person answer what they do not see.
func TestLyingHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newHost(t, "b")
		p := newPerson(t, "a", b)
		l := newLiar(b)

		// Texts that are too long, nonsense, no IDs, long IDs.
		huge := lie("HUGE", "x")
		huge.Question.Message = strings.Repeat("x", question.MaxMessage+1)
		evil := lie("EVIL", "x")
		evil.Question.Images = []question.Image{{Src: "https://example.com/spy.png"}}
		l.says(lie("A", "A?"), lie("A", "A?"), huge, evil, terminals.OpenQuestion{}, lie(strings.Repeat("L", 1000), "Long?"))
		l.say(terminals.QuestionNews{})
		l.say(terminals.QuestionNews{Listed: &terminals.Listed{}})
		l.say(terminals.QuestionNews{Over: "NONE"})
		l.say(terminals.QuestionNews{Verdict: &terminals.Delivery{Delivery: "none", Result: terminals.Accepted}})
		p.Want("b: A?")
		if a := p.Broker.Pending()[0]; a.Asker != question.ByProgram {
			t.Errorf("asker %q", a.Asker)
		}

		// It changes the question under the same ID: the person sees the other one, and the reply
		// says which.
		l.says(lie("A", "Delete everything?"))
		p.Want("b: Delete everything?")
		l.verdict = terminals.Delivery{Result: "perhaps", Reason: "\x1b]52;c;aGk=\x07" + strings.Repeat("x", 1<<20)}
		if err := p.Reply("Delete everything?", persons.Chosen("no")); fault.KindOf(err) != fault.Exists || strings.ContainsAny(err.Error(), "\x1b\x07") || len(err.Error()) > 1000 {
			t.Errorf("a host that does not say whether it has accepted the reply: %v", err)
		}
		if len(l.replies) != 1 || l.replies[0].Digest != lie("A", "Delete everything?").Question.Digest() {
			t.Errorf("replies %+v", l.replies)
		}
		p.Want("b: Delete everything?")
		l.say(terminals.QuestionNews{Over: "A"})

		// It floods: always others, and always the same, which the person has put away.
		l.says(lie("AWAY", "Away?"))
		p.Want("b: Away?")
		p.MustReply("Away?", question.Reply{Action: question.Dismiss})
		flooding, cancel := context.WithCancel(t.Context())
		var flood sync.WaitGroup
		flood.Go(func() {
			for i := 0; flooding.Err() == nil; i++ {
				l.says(lie(fmt.Sprint(i), fmt.Sprint(i)), lie("AWAY", "Away?"))
				if i >= 5 {
					l.say(terminals.QuestionNews{Over: fmt.Sprint(i - 5)})
				}
			}
		})
		seen := map[string]bool{}
		for range 60 {
			time.Sleep(time.Second)
			for _, a := range p.Broker.Pending() {
				seen[a.ID] = true
			}
		}
		cancel()
		b.cut()
		flood.Wait()
		if len(seen) > terminals.MaxQuestions+21 || len(seen) == 0 {
			t.Errorf("%d questions in a minute", len(seen))
		}
	})
}

// A host that leaves and comes back may ask no more than one that stays.
func TestLiarComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPerson(t, "a")
		seen := map[string]bool{}
		for i := range 4 {
			l := &liar{}
			for j := range terminals.MaxQuestions {
				l.list = append(l.list, lie(fmt.Sprint(i, "-", j), fmt.Sprint(i, "-", j)))
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			way := p.Way("b")
			err := way.Follow(ctx, "b", func(ctx context.Context) (terminals.QuestionStream, error) { return l.Follow(ctx, terminals.Grant{}) })
			if ctx.Err() == nil {
				t.Fatal(err)
			}
			cancel()
			for _, a := range p.Broker.Pending() {
				seen[a.Question.Title] = true
			}
			way.End()
		}
		if most := terminals.MaxQuestions + 1 + 40/3; len(seen) < terminals.MaxQuestions || len(seen) > most {
			t.Errorf("%d questions: at most %d were to be asked", len(seen), most)
		}
	})
}
