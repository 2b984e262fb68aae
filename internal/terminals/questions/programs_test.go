package questions_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
)

// A machine has the programs that run, and one that asks.
type machine struct {
	t      *testing.T
	broker *popup.Broker

	mu      sync.Mutex // guards the fields below
	run     []*program
	lists   int // how often they were looked for
	changed func()
}

// A program puts questions before a person, who is the test.
type program struct {
	id      string
	refuses atomic.Bool
	came    chan *server
	ends    chan struct{} // a token ends a connection
}

// newMachine returns a machine whose broker reaches the programs.
func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t}
	var offer *questions.Offer
	m.broker, offer = newOffer(t)
	leave := offer.Reach(func() (all []questions.Program) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.lists++
		for _, p := range m.run {
			all = append(all, questions.Program{ID: p.id, Channel: "page", Follow: func(ctx context.Context, s terminals.QuestionStream) error {
				if p.refuses.Load() {
					return errors.New("connection refused")
				}
				p.came <- &server{QuestionStream: s, t: t}
				select {
				case <-p.ends:
					return errors.New("connection reset")
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}})
		}
		return all
	}, func(changed func()) func() {
		m.changed = changed
		return func() {}
	})
	t.Cleanup(func() {
		m.broker.Close()
		leave()
	})
	return m
}

// starts adds a program at which a person may be.
func (m *machine) starts(id string) *program {
	p := &program{id: id, came: make(chan *server, 100), ends: make(chan struct{}, 100)}
	m.mu.Lock()
	m.run = append(m.run, p)
	m.mu.Unlock()
	m.changed()
	return p
}

// kill removes a program.
func (m *machine) kill(p *program) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.run = slices.DeleteFunc(m.run, func(x *program) bool { return x == p })
	p.ends <- struct{}{}
}

func (m *machine) asks() string {
	return persons.Ask(m.t, m.broker, persons.Deploy("Deploy?"), popup.AskOptions{})
}

func (m *machine) outcome(id string) question.Answer { return persons.Outcome(m.t, m.broker, id) }

// shown returns the connection to a program, at which a person is.
func (p *program) shown() *server {
	s := <-p.came
	s.shows(true)
	return s
}

// All programs show a question, those that come later, too. The first reply counts, and takes it
// away everywhere; then they are left.
func TestShownByAllPrograms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		one, two := m.starts("one"), m.starts("two")
		id := m.asks()
		all := []*server{one.shown(), two.shown()}
		all = append(all, m.starts("three").shown())
		var asked terminals.OpenQuestion
		for _, s := range all {
			asked = s.next()
		}
		if d := all[2].reply(asked, "1", yes()); d.Result != terminals.Accepted {
			t.Errorf("%+v", d)
		}
		if a := m.outcome(id); a.Value != "yes" || a.Channel != "page" {
			t.Errorf("%+v", a)
		}
		if d := all[0].reply(asked, "2", yes()); d.Result != terminals.Over {
			t.Errorf("two replies count: %+v", d)
		}
		if over := all[1].all(); len(over) == 0 || over[len(over)-1].Over != id {
			t.Errorf("at another program: %+v", over)
		}
		time.Sleep(time.Minute)
		if _, err := all[1].Receive(t.Context()); err == nil || len(one.came)+len(two.came) > 0 {
			t.Errorf("without a question they follow, or follow again: %v", err)
		}
	})
}

// A program is not left at once after a question that came and went between two looks: it may not
// have the verdict yet.
func TestLeftAfterOneMoreLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		one := m.starts("one")
		m.asks()
		s := one.shown()
		s.reply(s.next(), "1", yes())
		time.Sleep(3 * time.Second)
		m.asks()
		second := s.next()
		time.Sleep(900 * time.Millisecond)
		s.reply(second, "2", yes())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for {
			if _, err := s.Receive(ctx); errors.Is(err, context.DeadlineExceeded) {
				return
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Programs are looked for while there is a question, as often as time passes and not as often as
// something happens, and otherwise only when they change or a caller asks.
func TestLooksAreFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		lists := func() int {
			synctest.Wait()
			m.mu.Lock()
			defer m.mu.Unlock()
			return m.lists
		}
		q, appeared := popup.Asked{Question: question.Question{Severity: question.Info}}, m.broker.Appearance()
		if m.broker.Reachable(q) {
			t.Error("somebody can be reached")
		}
		for before := lists(); before < 10; before++ { // as who waits for the person does
			time.Sleep(30 * time.Second)
			if m.broker.Reachable(q); lists() != before+1 {
				t.Fatalf("%d looks in half a minute", lists()-before)
			}
		}
		one := m.starts("one")
		<-appeared
		if !m.broker.Reachable(q) {
			t.Error("nobody can be reached")
		}
		time.Sleep(time.Hour)
		before := lists()
		id := m.asks()
		one.shown()
		for range 1000 {
			if _, err := m.broker.Answer(id, question.Reply{Action: question.Active}, "page"); err != nil {
				t.Fatal(err)
			}
		}
		if n := lists() - before; n != 1 {
			t.Errorf("%d looks for 1,000 keys in a moment", n)
		}
		time.Sleep(time.Minute)
		if n := lists() - before; n > 1+int(time.Minute/time.Second) {
			t.Errorf("%d looks in a minute in which nothing happened", n)
		}
		if _, err := m.broker.Answer(id, yes(), "page"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour) // the broker has forgotten it
		before = lists()
		time.Sleep(time.Hour)
		if n := lists(); n != before {
			t.Errorf("%d looks in an hour without a question", n-before)
		}
	})
}

// A question is over at once if no program can show it, and is not over if one has shown it: that
// one is asked again while it is there, or another one that comes, however late.
func TestProgramsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		nobody := func(why string) {
			t.Helper()
			start := time.Now()
			if a := m.outcome(m.asks()); a.Outcome != question.NoHuman || time.Since(start) > 15*time.Second {
				t.Errorf("%s: %s after %v", why, a.Outcome, time.Since(start))
			}
		}
		nobody("without programs")
		one := m.starts("one")
		one.refuses.Store(true)
		nobody("it cannot be reached")
		one.refuses.Store(false)
		nobody("it does not say whether a person is there")
		m.kill(one)
		time.Sleep(time.Minute)
		two := m.starts("two")
		id := m.asks()
		(<-two.came).shows(false)
		if a := m.outcome(id); a.Outcome != question.NoHuman {
			t.Errorf("no person is there: %s", a.Outcome)
		}
		m.kill(two)
		time.Sleep(time.Minute)

		three := m.starts("three")
		id = m.asks()
		three.shown()
		three.ends <- struct{}{}
		if q := three.shown().next(); q.ID != id {
			t.Errorf("%s has become %s", id, q.ID)
		}
		m.kill(three)
		time.Sleep(time.Minute)
		if pending := m.broker.Pending(); len(pending) != 1 || !pending[0].Idle {
			t.Fatalf("pending: %+v", pending)
		}
		s := m.starts("four").shown()
		if d := s.reply(s.next(), "1", yes()); d.Result != terminals.Accepted {
			t.Errorf("%+v", d)
		}
		if a := m.outcome(id); a.Value != "yes" {
			t.Errorf("%+v", a)
		}
	})
}
