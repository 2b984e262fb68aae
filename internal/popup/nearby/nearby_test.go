package nearby

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A world has the programs that run.
type world struct {
	mu       sync.Mutex
	programs []*program
	lists    int // how often they were looked for
}

func (w *world) list() (all []Program) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lists++
	for _, p := range w.programs {
		all = append(all, Program{ID: p.id, Ask: p.ask})
	}
	return all
}

// A program puts questions before a person, who is the test.
type program struct {
	id    string
	asked chan *shown
}

// shown is a question that a program shows.
type shown struct {
	popup.Asked
	reply func(question.Reply) error
	ended chan<- end
	gone  <-chan struct{} // closed when it is to be taken away
}

func (p *program) ask(ctx context.Context, a popup.Asked, reply func(question.Reply) error) (question.Outcome, error) {
	ended := make(chan end, 1)
	p.asked <- &shown{a, reply, ended, ctx.Done()}
	select {
	case e := <-ended:
		return e.outcome, e.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// starts adds a program that can show questions.
func (w *world) starts(id string) *program {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &program{id, make(chan *shown, 100)}
	w.programs = append(w.programs, p)
	return p
}

// ends removes a program.
func (w *world) ends(p *program) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.programs = slices.DeleteFunc(w.programs, func(x *program) bool { return x == p })
}

// open returns a broker with the programs as its channel.
func (w *world) open(t *testing.T) *popup.Broker {
	t.Helper()
	b, err := popup.New(popup.Options{Patience: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	c := New(Options{Name: "page", Broker: b, List: w.list})
	b.AddChannel(c)
	t.Cleanup(func() {
		b.Close()
		c.Close()
	})
	return b
}

func ask(t *testing.T, b *popup.Broker) string {
	t.Helper()
	id, err := b.Ask(question.Question{
		Title: "Deploy?", Message: "Now?", Options: []question.Option{{Label: "Yes", Value: "yes"}}, Severity: question.Danger, Timeout: 5 * time.Minute,
	}, popup.AskOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func outcome(t *testing.T, b *popup.Broker, id string) question.Answer {
	t.Helper()
	a, err := b.Collect(t.Context(), id, popup.WaitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

var programEnded = end{err: popup.ErrLost}

var yes = question.Reply{Action: question.Submit, Values: []string{"yes"}}

// All programs show a question, those that come later, too. The first reply counts, and takes it
// away everywhere.
func TestShownByAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{}
		one, two := w.starts("one"), w.starts("two")
		b := w.open(t)
		id := ask(t, b)
		all := []*shown{<-one.asked, <-two.asked}
		three := w.starts("three")
		all = append(all, <-three.asked)
		if err := all[2].reply(yes); err != nil {
			t.Error(err)
		}
		if a := outcome(t, b, id); a.Value != "yes" || a.Channel != "page" {
			t.Errorf("%+v", a)
		}
		for _, s := range all {
			<-s.gone
		}
		if err := all[0].reply(yes); err == nil {
			t.Error("two replies count")
		}
		if len(one.asked)+len(two.asked)+len(three.asked) > 0 {
			t.Error("a program was asked twice")
		}
	})
}

// Programs are looked for while there is a question, as often as time passes and not as often as
// something happens to it, and not any more when it is over.
func TestLooksAreFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{}
		w.starts("one")
		b := w.open(t)
		id := ask(t, b)
		for range 1000 {
			if _, err := b.Answer(id, question.Reply{Action: question.Active}, "page"); err != nil {
				t.Fatal(err)
			}
		}
		lists := func() int {
			synctest.Wait()
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.lists
		}
		if n := lists(); n != 1 {
			t.Errorf("%d looks for 1,000 keys in a moment", n)
		}
		time.Sleep(time.Minute)
		if n := lists(); n > 1+int(time.Minute/lookEvery) {
			t.Errorf("%d looks in a minute in which nothing happened", n)
		}
		if _, err := b.Answer(id, yes, "page"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour) // the broker has forgotten it
		before := lists()
		time.Sleep(time.Hour)
		if n := lists(); n != before {
			t.Errorf("%d looks in an hour without a question", n-before)
		}
	})
}

// Whenever a program ends and another one comes, that one shows the question: also if both happen
// between two looks.
func TestAnotherProgramTakesOver(t *testing.T) {
	const step = 150 * time.Millisecond
	for end := step; end < 2*lookEvery; end += step {
		for gap := step / 2; gap < 2*lookEvery; gap += step {
			synctest.Test(t, func(t *testing.T) {
				w := &world{}
				one := w.starts("one")
				b := w.open(t)
				first := ask(t, b)
				s := <-one.asked
				if err := s.reply(yes); err != nil {
					t.Error(err)
				}
				outcome(t, b, first)
				time.Sleep(lookEvery / 3) // so the looks of the channel and of the question alternate
				id := ask(t, b)
				s = <-one.asked
				time.Sleep(end)
				w.ends(one)
				s.ended <- programEnded
				time.Sleep(gap)
				two := w.starts("two")
				select {
				case s := <-two.asked:
					if err := s.reply(yes); err != nil {
						t.Error(err)
					}
					outcome(t, b, id)
				case <-time.After(3 * lookEvery):
					t.Errorf("one program ends after %v, and another one comes %v later: it is not asked", end, gap)
				}
			})
		}
	}
}

// A question is over at once if no program can show it, and is not over if one may have shown it.
func TestNotShown(t *testing.T) {
	for name, tt := range map[string]struct {
		end  end
		want question.Outcome
	}{
		"nobody sees it there": {end{outcome: question.NoHuman}, question.NoHuman},
		"it cannot be reached": {end{err: errors.New("connection refused")}, question.NoHuman},
		"it has gone":          {end{err: popup.ErrLost}, question.TimedOut},
		"it was ended there":   {end{outcome: question.Withdrawn}, question.TimedOut},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &world{}
				one := w.starts("one")
				b := w.open(t)
				start := time.Now()
				id := ask(t, b)
				s := <-one.asked
				w.ends(one)
				s.ended <- tt.end
				a := outcome(t, b, id)
				if a.Outcome != tt.want {
					t.Errorf("outcome %s", a.Outcome)
				}
				if took := time.Since(start); a.Outcome == question.NoHuman && took > time.Second {
					t.Errorf("that took %v", took)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		b := (&world{}).open(t)
		if a := outcome(t, b, ask(t, b)); a.Outcome != question.NoHuman {
			t.Errorf("without programs: %s", a.Outcome)
		}
	})
}

// A program that was lost is asked again while it is there; another one takes over where it is not,
// however late that comes.
func TestTakenOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{}
		one := w.starts("one")
		b := w.open(t)
		id := ask(t, b)
		(<-one.asked).ended <- end{err: popup.ErrLost}
		again := <-one.asked
		w.ends(one)
		again.ended <- end{err: popup.ErrLost}
		time.Sleep(time.Minute)
		synctest.Wait()
		if pending := b.Pending(); len(pending) != 1 || !pending[0].Idle {
			t.Fatalf("pending: %+v", pending)
		}
		came := time.Now()
		two := w.starts("two")
		s := <-two.asked
		if took := time.Since(came); took > 2*lookEvery {
			t.Errorf("it was found after %v", took)
		}
		if s.ID != id {
			t.Errorf("%s has become %s", id, s.ID)
		}
		if err := s.reply(yes); err != nil {
			t.Error(err)
		}
		outcome(t, b, id)
	})
}

// Nothing runs while nobody asks, and a waiting caller learns when a program comes.
func TestLooksWhileWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{}
		b := w.open(t)
		q := popup.Asked{Question: question.Question{Severity: question.Info}}
		appeared := b.Appearance()
		if b.Reachable(q) {
			t.Error("somebody can be reached")
		}
		time.Sleep(wantedFor / 2)
		w.starts("one")
		<-appeared
		if !b.Reachable(q) {
			t.Error("nobody can be reached")
		}
		time.Sleep(time.Hour) // the broker has forgotten it
		synctest.Wait()
		var looks atomic.Int32
		c := New(Options{Name: "page", Broker: b, List: func() []Program { looks.Add(1); return nil }})
		defer c.Close()
		time.Sleep(time.Hour)
		if looks.Load() > 0 {
			t.Errorf("looked %d times", looks.Load())
		}
		c.Presence()
		time.Sleep(time.Hour)
		if most := 2 + int32(wantedFor/lookEvery); looks.Load() < 2 || looks.Load() > most {
			t.Errorf("looked %d times", looks.Load())
		}
	})
}
