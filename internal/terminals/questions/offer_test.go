package questions_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
)

var laptop = terminals.Grant{Rights: terminals.AllRights, From: core.Sender{Peer: "laptop"}}

func newOffer(t *testing.T) (*popup.Broker, *questions.Offer) {
	t.Helper()
	b := persons.Broker(t, popup.Options{})
	return b, questions.New(b, "id")
}

// A server follows questions, as a person's server does.
type server struct {
	terminals.QuestionStream
	t    *testing.T
	seen []terminals.QuestionNews // beside a verdict that was awaited
}

// follow begins to follow, and shows questions.
func follow(t *testing.T, o *questions.Offer, by terminals.Grant) *server {
	t.Helper()
	stream, err := o.Follow(t.Context(), by)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stream.Close)
	s := &server{QuestionStream: stream, t: t}
	s.shows(true)
	return s
}

func (s *server) shows(shows bool) {
	s.t.Helper()
	if err := s.Send(s.t.Context(), terminals.FromFollower{Shows: &shows}); err != nil {
		s.t.Fatal(err)
	}
	synctest.Wait()
}

// next returns the next question that is asked.
func (s *server) next() terminals.OpenQuestion {
	s.t.Helper()
	for {
		n, err := s.Receive(s.t.Context())
		if err != nil {
			s.t.Fatal(err)
		}
		if n.Asked != nil {
			return *n.Asked
		}
	}
}

// all returns what has been said by now.
func (s *server) all() (list []terminals.QuestionNews) {
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Second)
	defer cancel()
	list, s.seen = s.seen, nil
	for {
		n, err := s.Receive(ctx)
		if err != nil {
			return list
		}
		list = append(list, n)
	}
}

// reply sends a reply, and returns the verdict.
func (s *server) reply(q terminals.OpenQuestion, delivery string, r question.Reply) terminals.Delivery {
	s.t.Helper()
	in := terminals.QuestionReply{ID: q.ID, Digest: q.Question.Digest(), Delivery: delivery, Reply: r}
	if err := s.Send(s.t.Context(), terminals.FromFollower{Answer: &in}); err != nil {
		s.t.Fatal(err)
	}
	for r.Action != question.Active {
		n, err := s.Receive(s.t.Context())
		if err != nil {
			s.t.Fatal(err)
		}
		if n.Verdict != nil {
			return *n.Verdict
		}
		s.seen = append(s.seen, n)
	}
	return terminals.Delivery{}
}

func yes() question.Reply { return persons.Chosen("yes") }

// A reply counts once; the same reply again is answered as the first time.
func TestReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := follow(t, offer, laptop)
		persons.Ask(t, b, persons.Deploy("Deploy?"), popup.AskOptions{})
		q := s.next()
		if d := s.reply(q, "1", question.Reply{Action: question.Submit, Values: []string{"maybe"}}); d.Result != terminals.Refused {
			t.Errorf("a reply that the question does not accept: %+v", d)
		}
		changed := q
		changed.Question.Title = "Delete everything?"
		if d := s.reply(changed, "1", yes()); d.Result != terminals.Refused {
			t.Errorf("a reply to another text: %+v", d)
		}
		for range 2 {
			if d := s.reply(q, "1", yes()); d.Result != terminals.Accepted {
				t.Errorf("the same reply: %+v", d)
			}
		}
		if d := s.reply(q, "2", yes()); d.Result != terminals.Over || !strings.Contains(d.Reason, "laptop") {
			t.Errorf("another reply: %+v", d)
		}
		q.ID = "NONE"
		if d := s.reply(q, "1", yes()); d.Result != terminals.Unknown {
			t.Errorf("a question that does not exist: %+v", d)
		}
		for _, in := range []terminals.FromFollower{{}, {Answer: &terminals.QuestionReply{ID: q.ID}}} {
			if err := s.Send(t.Context(), in); fault.KindOf(err) != fault.Invalid {
				t.Errorf("%+v: %v", in, err)
			}
		}
	})
}

// Two deliveries of one reply at once reach the asker once, and both learn the same.
func TestSameReplyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		before, after := follow(t, offer, laptop), follow(t, offer, laptop)
		delivered := 0
		persons.Ask(t, b, persons.Deploy("Deploy?"), popup.AskOptions{Deliver: func(question.Reply) error {
			delivered++
			time.Sleep(time.Second)
			return fault.New(fault.Gone, "the program has ended")
		}})
		results := make(chan terminals.Delivery)
		for _, s := range []*server{before, after} {
			q := s.next()
			go func() { results <- s.reply(q, "1", yes()) }()
		}
		for range 2 {
			if d := <-results; d.Result != terminals.Over || d.Reason != "the program has ended" {
				t.Errorf("%+v", d)
			}
		}
		if delivered != 1 {
			t.Errorf("delivered %d times", delivered)
		}
	})
}

// A follower has a number of questions at a time, none of other hosts. One that is too long takes
// no room from others.
func TestOffersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := follow(t, offer, laptop)
		third := persons.Ask(t, b, persons.Deploy("Third?"), popup.AskOptions{Asked: popup.Asked{Host: "third"}, Channels: []popup.Channel{persons.NewPage()}})
		pictures := func(n int) question.Question {
			q := persons.Deploy("Pictures?")
			for range n {
				q.Images = append(q.Images, question.Image{Src: "data:image/png;base64," + strings.Repeat("AAAA", question.MaxImage/4-100)})
			}
			return q
		}
		persons.Ask(t, b, pictures(4), popup.AskOptions{})
		var ids []string
		for i := range terminals.MaxQuestions + 1 {
			time.Sleep(time.Millisecond) // they are in the order of the times
			q := persons.Deploy(fmt.Sprint(i))
			if i == 0 {
				q = pictures(1)
			}
			ids = append(ids, persons.Ask(t, b, q, popup.AskOptions{}))
		}
		first := s.next()
		got := []string{first.ID}
		for _, n := range s.all() {
			if n.Asked != nil {
				got = append(got, n.Asked.ID)
			}
		}
		if !slices.Equal(got, ids[:terminals.MaxQuestions]) {
			t.Errorf("%d questions, want those of the oldest that fit", len(got))
		}
		late := follow(t, offer, laptop).all()
		if l := late[len(late)-1].Listed; l == nil || l.Server != "id" || l.LeftOut != 2 {
			t.Errorf("at the end of the list: %+v", l)
		}
		s.reply(first, "1", yes())
		if n := s.all(); len(n) != 2 || n[0].Over != first.ID || n[1].Asked == nil || n[1].Asked.ID != ids[terminals.MaxQuestions] {
			t.Errorf("when there is room: %+v", n)
		}
		first.ID = third
		if d := s.reply(first, "1", yes()); d.Result != terminals.Unknown {
			t.Errorf("a question of a third host: %+v", d)
		}
	})
}

// A question that no other server shows ends as one that reaches nobody.
func TestUnfitForOthers(t *testing.T) {
	picture := question.Image{Src: "data:image/png;base64," + strings.Repeat("AAAA", question.MaxImage/4-100)}
	var options []question.Option
	for i := range question.MaxOptions {
		options = append(options, question.Option{Label: fmt.Sprint(i), Value: fmt.Sprint(i), Description: strings.Repeat("<", question.MaxDescription)})
	}
	for name, change := range map[string]func(*question.Question){
		"a long one": func(q *question.Question) { q.Images = []question.Image{picture, picture, picture} },
		"long in JSON": func(q *question.Question) {
			q.Images = []question.Image{picture}
			q.Message, q.Quote = strings.Repeat("<", question.MaxMessage), strings.Repeat("<", question.MaxQuote)
			q.Options = options
		},
		"an endless quote": func(q *question.Question) { q.Quote = strings.Repeat("x", question.MaxQuote+1) },
	} {
		synctest.Test(t, func(t *testing.T) {
			b, offer := newOffer(t)
			follow(t, offer, laptop)
			q := persons.Deploy("Deploy?")
			change(&q)
			id := persons.Ask(t, b, q, popup.AskOptions{})
			start := time.Now()
			a, err := b.Collect(t.Context(), id, popup.WaitOptions{})
			if err != nil || a.Outcome != question.NoHuman || time.Since(start) > time.Minute {
				t.Errorf("%s: %+v after %v, %v", name, a, time.Since(start), err)
			}
		})
	}
}

// Without a server that shows it, a question ends soon; when the last one has left, it waits.
func TestNobodyFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := follow(t, offer, laptop)
		if !b.Reachable(popup.Asked{}) || b.Reachable(popup.Asked{Host: "third"}) {
			t.Error("a follower shows what this host asks, and nothing that another one does")
		}
		s.shows(false)
		a, err := b.Collect(t.Context(), persons.Ask(t, b, persons.Deploy("Deploy?"), popup.AskOptions{}), popup.WaitOptions{})
		if err != nil || a.Outcome != question.NoHuman {
			t.Errorf("nobody shows it: %+v, %v", a, err)
		}
		s.shows(true)
		id := persons.Ask(t, b, persons.Deploy("Deploy?"), popup.AskOptions{})
		s.Close()
		if synctest.Wait(); !b.Reachable(popup.Asked{}) {
			t.Error("a server that may be coming back does not count")
		}
		time.Sleep(time.Minute)
		if b.Reachable(popup.Asked{}) {
			t.Error("a server that was cut off counts")
		}
		s = follow(t, offer, laptop)
		if d := s.reply(s.next(), "1", yes()); d.Result != terminals.Accepted {
			t.Errorf("when it is back: %+v", d)
		}
		if a, err := b.Collect(t.Context(), id, popup.WaitOptions{}); err != nil || a.Value != "yes" {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// However many streams a host of a hub opens, the person's own servers are admitted, and it cannot
// put a question away for them.
func TestFollowersOfCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		follow(t, offer, laptop)
		persons.Ask(t, b, persons.Deploy("Deploy?"), popup.AskOptions{})
		guest := terminals.Grant{Rights: terminals.Answer, Guest: true, Client: "KEY"}
		var open []terminals.QuestionStream
		for range 256 { // the gate admits no more
			s, err := offer.Follow(t.Context(), guest)
			if err != nil {
				t.Fatal(err)
			}
			open = append(open, s)
		}
		follow(t, offer, laptop)
		liar := &server{QuestionStream: open[0], t: t}
		if d := liar.reply(liar.next(), "1", question.Reply{Action: question.Dismiss}); d.Result != terminals.Refused {
			t.Errorf("a host puts a question away that it does not show: %+v", d)
		}
		for _, s := range open {
			s.Close()
		}
		if synctest.Wait(); len(b.Pending()) != 1 {
			t.Error("a host puts a question away for the person's server")
		}
		follow(t, offer, guest)
	})
}

// A question that one server's person has put away, and that another one leaves, does not wait for
// the first when that comes back, where it is not displayed any more.
func TestPutAwayAndAllLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		one, two := follow(t, offer, laptop), follow(t, offer, laptop)
		id := persons.Ask(t, b, persons.Deploy("Deploy?"), popup.AskOptions{})
		if d := one.reply(one.next(), "1", question.Reply{Action: question.Dismiss}); d.Result != terminals.Accepted {
			t.Fatalf("%+v", d)
		}
		one.shows(false)
		two.shows(false)
		if len(b.Pending()) != 1 {
			t.Fatal("what the second still displayed is over")
		}
		one.shows(true)
		if a, err := b.Collect(t.Context(), id, popup.WaitOptions{Block: time.Minute}); err != nil || a.Outcome != question.Dismissed {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// The caller about whose doings a question is neither gets it nor answers it, and shows it to
// nobody. Others do.
func TestQuestionAboutACaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		asks := func() string {
			return persons.Ask(t, b, persons.Deploy("Deploy?"), popup.AskOptions{Asked: popup.Asked{Caller: "host KEY"}})
		}
		guest := follow(t, offer, terminals.Grant{Rights: terminals.AllRights, Guest: true, Client: "KEY/claude"})
		if a, err := b.Collect(t.Context(), asks(), popup.WaitOptions{Block: time.Minute}); err != nil || a.Outcome != question.NoHuman {
			t.Errorf("only the caller follows: %+v, %v", a, err)
		}
		other := follow(t, offer, terminals.Grant{Rights: terminals.Answer, Guest: true, Client: "OTHER"})
		id := asks()
		q := other.next()
		if q.ID != id {
			t.Errorf("another host gets %+v", q)
		}
		for _, n := range guest.all() {
			if n.Asked != nil {
				t.Errorf("the caller gets %+v", n.Asked)
			}
		}
		for i, r := range []question.Reply{yes(), {Action: question.Decline}, {Action: question.Dismiss}} {
			if d := guest.reply(q, fmt.Sprint(i), r); d.Result != terminals.Unknown {
				t.Errorf("the caller's reply %+v: %+v", r, d)
			}
		}
		if d := other.reply(q, "1", yes()); d.Result != terminals.Accepted {
			t.Errorf("another host's reply: %+v", d)
		}
	})
}

// Many questions that wait cost a follower no more than those that it gets.
func TestMostWaitingCostsLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := follow(t, offer, laptop)
		long := persons.Deploy("Long?")
		long.Quote = strings.Repeat("x", 32<<10)
		for range 500 {
			persons.Ask(t, b, long, popup.AskOptions{})
		}
		s.all()
		taken := func() uint64 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.TotalAlloc
		}
		before := taken()
		persons.Ask(t, b, long, popup.AskOptions{})
		s.all()
		if grown := taken() - before; grown > 10<<20 {
			t.Errorf("a question more takes %d bytes", grown)
		}
	})
}
