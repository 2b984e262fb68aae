package questions_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var laptop = terminals.Grant{Rights: terminals.AllRights, From: term.Sender{Peer: "laptop"}}

// deploy is a question, changed.
func deploy(t *testing.T, change func(*question.Spec)) question.Question {
	t.Helper()
	s := question.Spec{Title: "Deploy?", Message: "Now?", Options: []question.Option{{Label: "Yes", Value: "yes"}, {Label: "No", Value: "no"}}}
	if change != nil {
		change(&s)
	}
	q, err := s.Question()
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func newOffer(t *testing.T) (*popup.Broker, *questions.Offer) {
	t.Helper()
	b, err := popup.New(popup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b, questions.New(b, "id")
}

func ask(t *testing.T, b *popup.Broker, q question.Question, o popup.AskOptions) string {
	t.Helper()
	id, err := b.Ask(q, o)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// A server follows the questions of a host as a person's server does.
type server struct {
	t     *testing.T
	offer *questions.Offer
	name  string
	last  terminals.QuestionList
}

// next returns the next list of questions that differs from the last one.
func (s *server) next() terminals.QuestionList {
	s.t.Helper()
	for {
		list, err := s.offer.List(s.t.Context(), terminals.QuestionQuery{After: s.last.Revision, Follower: s.name, Shows: true})
		if err != nil {
			s.t.Fatal(err)
		}
		if list.Revision != s.last.Revision {
			s.last = list
			return list
		}
	}
}

func (s *server) reply(q terminals.OpenQuestion, delivery string, r question.Reply) terminals.Delivery {
	s.t.Helper()
	d, err := s.offer.Answer(s.t.Context(), laptop, terminals.QuestionReply{ID: q.ID, Digest: q.Question.Digest(), Delivery: delivery, Reply: r})
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func yes() question.Reply {
	return question.Reply{Action: question.Submit, Values: []string{"yes"}}
}

// A question waits for a server that shows it, which sends the person's reply back.
func TestAnsweredElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := &server{t: t, offer: offer, name: "s"}
		if list := s.next(); len(list.Questions) != 0 {
			t.Fatalf("questions %v", list.Questions)
		}
		listed := make(chan terminals.QuestionList, 1)
		go func() { listed <- s.next() }()
		synctest.Wait()
		id := ask(t, b, deploy(t, nil), popup.AskOptions{Asker: popup.Agent})
		list := <-listed
		if len(list.Questions) != 1 || list.Questions[0].ID != id || list.Questions[0].Asker != popup.Agent || list.Questions[0].Question.Title != "Deploy?" {
			t.Fatalf("list %+v", list)
		}
		want := terminals.Delivery{Result: terminals.Accepted, Outcome: question.Answered, Channel: "laptop"}
		if diff := cmp.Diff(want, s.reply(list.Questions[0], "1", yes())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		a, err := b.Collect(t.Context(), id, popup.WaitOptions{})
		if err != nil || a.Value != "yes" || a.Channel != "laptop" {
			t.Errorf("%+v, %v", a, err)
		}
		if list := s.next(); len(list.Questions) != 0 {
			t.Errorf("questions %v", list.Questions)
		}
	})
}

// A reply counts once; the same reply again is answered as the first time.
func TestReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := &server{t: t, offer: offer, name: "s"}
		s.next()
		ask(t, b, deploy(t, nil), popup.AskOptions{})
		q := s.next().Questions[0]
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
		if _, err := offer.Answer(t.Context(), laptop, terminals.QuestionReply{ID: q.ID}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("without a delivery: %v", err)
		}
	})
}

// Two deliveries of one reply at once reach the asker once, and both learn the same.
func TestSameReplyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := &server{t: t, offer: offer, name: "s"}
		s.next()
		delivered := 0
		q := deploy(t, nil)
		ask(t, b, q, popup.AskOptions{Deliver: func(question.Reply) error {
			delivered++
			time.Sleep(time.Second)
			return fault.New(fault.Gone, "the program has ended")
		}})
		open := s.next().Questions[0]
		results := make(chan terminals.Delivery)
		for range 2 {
			go func() { results <- s.reply(open, "1", yes()) }()
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

// Without a server that shows it, a question ends soon; when the last one has left, it waits.
func TestNobodyFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		if _, err := offer.List(t.Context(), terminals.QuestionQuery{Follower: "blind"}); err != nil {
			t.Fatal(err)
		}
		a, err := b.Collect(t.Context(), ask(t, b, deploy(t, nil), popup.AskOptions{}), popup.WaitOptions{})
		if err != nil || a.Outcome != question.NoHuman {
			t.Errorf("nobody shows it: %+v, %v", a, err)
		}
		s := &server{t: t, offer: offer, name: "s"}
		s.next()
		id := ask(t, b, deploy(t, nil), popup.AskOptions{})
		s.next()
		time.Sleep(time.Minute) // the server is cut off
		if b.Reachable(popup.Asked{}) {
			t.Error("a server that was cut off counts")
		}
		s.last.Revision = ""
		if d := s.reply(s.next().Questions[0], "1", yes()); d.Result != terminals.Accepted {
			t.Errorf("when it is back: %+v", d)
		}
		if a, err := b.Collect(t.Context(), id, popup.WaitOptions{}); err != nil || a.Value != "yes" {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// A server says when it cannot show questions any more.
func TestFollowerGoesBlind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		(&server{t: t, offer: offer, name: "s"}).next()
		if !b.Reachable(popup.Asked{}) || b.Reachable(popup.Asked{Host: "third"}) {
			t.Error("a follower shows what this host asks, and nothing that another one does")
		}
		if _, err := offer.List(t.Context(), terminals.QuestionQuery{Follower: "s"}); err != nil {
			t.Fatal(err)
		}
		if b.Reachable(popup.Asked{}) {
			t.Error("a follower that shows nothing counts")
		}
	})
}

// A list is bounded, and has nothing of other hosts.
func TestListIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := &server{t: t, offer: offer, name: "s"}
		s.next()
		third := ask(t, b, deploy(t, nil), popup.AskOptions{Host: "third", Channels: []popup.Channel{blind{}}})
		for range terminals.MaxQuestions + 5 {
			ask(t, b, deploy(t, nil), popup.AskOptions{})
		}
		list := s.next()
		for len(list.Questions)+list.LeftOut < terminals.MaxQuestions+5 {
			list = s.next()
		}
		if len(list.Questions) != terminals.MaxQuestions || list.LeftOut != 5 {
			t.Errorf("%d questions, %d left out", len(list.Questions), list.LeftOut)
		}
		q := list.Questions[0]
		q.ID = third
		if d := s.reply(q, "1", yes()); d.Result != terminals.Unknown {
			t.Errorf("a question of a third host: %+v", d)
		}
	})
}

// A question that is too long for a list takes no room from others.
func TestLongQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := &server{t: t, offer: offer, name: "s"}
		s.next()
		pictures := func(n int) func(*question.Spec) {
			return func(s *question.Spec) {
				for range n {
					s.Images = append(s.Images, question.Image{Src: "data:image/png;base64," + strings.Repeat("AAAA", question.MaxImage/4-100)})
				}
			}
		}
		ask(t, b, deploy(t, pictures(4)), popup.AskOptions{})
		time.Sleep(time.Millisecond) // lists are in the order of the times
		one := ask(t, b, deploy(t, pictures(1)), popup.AskOptions{})
		time.Sleep(time.Millisecond)
		two := ask(t, b, deploy(t, nil), popup.AskOptions{})
		list := s.next()
		for len(list.Questions) < 2 {
			list = s.next()
		}
		if list.LeftOut != 1 || list.Questions[0].ID != one || list.Questions[1].ID != two {
			t.Errorf("%d left out of %d", list.LeftOut, len(list.Questions)+list.LeftOut)
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
	for name, tt := range map[string]struct {
		id     string
		change func(*question.Question)
	}{
		"a long one": {"", func(q *question.Question) { q.Images = []question.Image{picture, picture, picture} }},
		"long in JSON": {"", func(q *question.Question) {
			q.Images = []question.Image{picture}
			q.Message, q.Quote = strings.Repeat("<", question.MaxMessage), strings.Repeat("<", question.MaxQuote)
			q.Options = options
		}},
		"an endless quote": {"", func(q *question.Question) { q.Quote = strings.Repeat("x", question.MaxQuote+1) }},
		"a long ID":        {strings.Repeat("A", 129), func(*question.Question) {}},
	} {
		synctest.Test(t, func(t *testing.T) {
			b, offer := newOffer(t)
			(&server{t: t, offer: offer, name: "s"}).next()
			q := deploy(t, nil)
			tt.change(&q)
			id := ask(t, b, q, popup.AskOptions{ID: tt.id})
			start := time.Now()
			a, err := b.Collect(t.Context(), id, popup.WaitOptions{})
			if err != nil || a.Outcome != question.NoHuman || time.Since(start) > time.Minute {
				t.Errorf("%s: %+v after %v, %v", name, a, time.Since(start), err)
			}
		})
	}
}

// blind is a channel that shows a question to nobody.
type blind struct{}

func (blind) Name() string             { return "blind" }
func (blind) Kind() popup.Kind         { return popup.Page }
func (blind) Presence() popup.Presence { return popup.Possible }
func (blind) Show(ctx context.Context, _ popup.Asked) error {
	<-ctx.Done()
	return nil
}

// A secret, and what is typed into a program, goes to the program that has asked here and nowhere
// else.
func TestAskPrivately(t *testing.T) {
	for name, secret := range map[string]bool{"a secret": true, "a line": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, offer := newOffer(t)
				s := &server{t: t, offer: offer, name: "s"}
				s.next()
				prompt := question.Question{Title: "sudo asks", Message: "Password:", Plain: true, AllowText: true, Prompt: true, Secret: secret, Severity: question.Info}
				answers := make(chan question.Answer, 1)
				go func() {
					a, err := offer.Ask(t.Context(), terminals.NewQuestion{Question: prompt.Posed(time.Hour)})
					if err != nil {
						t.Error(err)
					}
					answers <- a
				}()
				q := s.next().Questions[0]
				if d := s.reply(q, "1", question.Reply{Action: question.Submit, Text: "correct horse"}); d.Result != terminals.Accepted {
					t.Errorf("%+v", d)
				}
				if a := <-answers; a.Text != "correct horse" || a.Value != "correct horse" || a.Outcome != question.Answered {
					t.Errorf("%+v", a)
				}
				kept, err := b.Collect(t.Context(), q.ID, popup.WaitOptions{})
				if err != nil || kept.Text != "" || kept.Value != "" {
					t.Errorf("kept: %+v, %v", kept, err)
				}
			})
		})
	}
}

// What was answered privately to one call is not the answer to another one under the same ID.
func TestAskPrivatelyAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, offer := newOffer(t)
		s := &server{t: t, offer: offer, name: "s"}
		s.next()
		password := question.Question{Title: "sudo asks", Message: "Password:", Plain: true, AllowText: true, Prompt: true, Secret: true, Severity: question.Info}
		in := terminals.NewQuestion{ID: strings.Repeat("A", 26), Question: password.Posed(time.Hour)}
		type result struct {
			answer question.Answer
			err    error
		}
		results := make(chan result, 2)
		asking := func() {
			a, err := offer.Ask(t.Context(), in)
			results <- result{a, err}
		}
		go asking()
		q := s.next().Questions[0]
		go asking()
		synctest.Wait()
		s.reply(q, "1", question.Reply{Action: question.Submit, Text: "correct horse"})
		got := 0
		for range 2 {
			switch r := <-results; {
			case r.err == nil && r.answer.Text == "correct horse":
				got++
			case fault.KindOf(r.err) != fault.Precondition:
				t.Errorf("asked at the same time: %+v, %v", r.answer, r.err)
			}
		}
		if got != 1 {
			t.Errorf("%d calls have the answer", got)
		}
		if a, err := offer.Ask(t.Context(), in); fault.KindOf(err) != fault.Precondition {
			t.Errorf("asked afterwards: %+v, %v", a, err)
		}
	})
}

// However many followers a host of a hub makes up, the person's own servers are admitted, and it
// can neither send them away nor put a question away for them.
func TestFollowersOfCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := &server{t: t, offer: offer, name: "s"}
		s.next()
		id := ask(t, b, deploy(t, nil), popup.AskOptions{})
		q := s.next().Questions[0]
		guest := terminals.Grant{Rights: terminals.Answer, Guest: true, Client: "KEY"}
		list := func(name string, shows bool) error {
			_, err := offer.List(t.Context(), terminals.QuestionQuery{Follower: name, Shows: shows, Caller: guest.Caller()})
			guest.Client += "/another"
			return err
		}
		refused := 0
		for i := range 1000 {
			if err := list(strconv.Itoa(i), true); fault.KindOf(err) == fault.Exhausted {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if refused < 900 {
			t.Errorf("of 1000 followers of a host, %d are refused", refused)
		}
		if _, err := offer.List(t.Context(), terminals.QuestionQuery{Follower: "another", Shows: true}); err != nil {
			t.Errorf("another server of the person: %v", err)
		}
		time.Sleep(time.Minute) // all but one leave
		s.last.Revision = ""
		s.next()
		if err := list("s", false); err != nil || !offer.IsFollowed() {
			t.Errorf("a host sends the person's server away: %v", err)
		}
		in := terminals.QuestionReply{ID: id, Digest: q.Question.Digest(), Delivery: "1", Follower: "s", Reply: question.Reply{Action: question.Dismiss}}
		if d, err := offer.Answer(t.Context(), guest, in); err != nil || d.Result != terminals.Refused {
			t.Errorf("a host puts a question away that it does not show: %+v, %v", d, err)
		}
		synctest.Wait()
		if len(b.Pending()) != 1 {
			t.Error("a host puts a question away for the person's server")
		}
	})
}

// A question that one server's person has put away, and that another one leaves, does not wait for
// the first when that comes back, where it is not displayed any more.
func TestPutAwayAndAllLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		query := func(name string, shows bool) terminals.QuestionList {
			list, err := offer.List(t.Context(), terminals.QuestionQuery{Follower: name, Shows: shows, Caller: laptop.Caller()})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			return list
		}
		query("a", true)
		query("b", true)
		id := ask(t, b, deploy(t, nil), popup.AskOptions{})
		q := query("a", true).Questions[0]
		in := terminals.QuestionReply{ID: id, Digest: q.Question.Digest(), Delivery: "1", Follower: "a", Reply: question.Reply{Action: question.Dismiss}}
		if d, err := offer.Answer(t.Context(), laptop, in); err != nil || d.Result != terminals.Accepted {
			t.Fatalf("%+v, %v", d, err)
		}
		query("a", false)
		query("b", false)
		if len(b.Pending()) != 1 {
			t.Fatal("what b still displayed is over")
		}
		query("a", true)
		if a, err := b.Collect(t.Context(), id, popup.WaitOptions{Block: time.Minute}); err != nil || a.Outcome != question.Dismissed {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// Those who wait for followers learn that the first has come and the last has left.
func TestWatchFollowers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, offer := newOffer(t)
		var seen []bool
		stop := offer.Watch(func() {
			if now := offer.IsFollowed(); len(seen) == 0 || seen[len(seen)-1] != now {
				seen = append(seen, now)
			}
		})
		list, err := offer.List(t.Context(), terminals.QuestionQuery{Follower: "s", Shows: true})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := []bool{true, false}; !slices.Equal(seen, want) {
			t.Errorf("%v, want %v", seen, want)
		}
		stop()
		if _, err := offer.List(t.Context(), terminals.QuestionQuery{After: list.Revision, Follower: "s", Shows: true}); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(seen) != 2 {
			t.Errorf("after the end: %v", seen)
		}
	})
}

// A program of this host asks; when it leaves, the question is withdrawn.
func TestAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		s := &server{t: t, offer: offer, name: "s"}
		s.next()
		in := terminals.NewQuestion{ID: strings.Repeat("A", 26), Asker: popup.Agent, Question: deploy(t, nil).Posed(time.Hour)}
		answers := make(chan question.Answer, 1)
		ctx, leave := context.WithCancel(t.Context())
		asking := func() {
			a, err := offer.Ask(ctx, in)
			if err != nil {
				t.Error(err)
			}
			answers <- a
		}
		go asking()
		q := s.next().Questions[0]
		if q.ID != in.ID || !b.Pending()[0].Relayed {
			t.Errorf("asked as %+v", b.Pending()[0])
		}
		leave()
		if a := <-answers; a.Outcome != question.Withdrawn {
			t.Errorf("the asker has left: %+v", a)
		}
		if d := s.reply(q, "1", yes()); d.Result != terminals.Over {
			t.Errorf("a reply to what was withdrawn: %+v", d)
		}
		s.next()
		ctx = t.Context()
		go asking()
		if again := s.next().Questions[0]; again.ID != q.ID {
			t.Errorf("asked again as %q", again.ID)
		}
		if d := s.reply(q, "2", yes()); d.Result != terminals.Accepted {
			t.Errorf("a reply to the question that is asked again: %+v", d)
		}
		if a := <-answers; a.Value != "yes" {
			t.Errorf("the outcome: %+v", a)
		}
		for _, wrong := range []terminals.NewQuestion{{}, {Asker: "king", Question: in.Question}} {
			if _, err := offer.Ask(t.Context(), wrong); fault.KindOf(err) != fault.Invalid {
				t.Errorf("%+v: %v", wrong, err)
			}
		}
	})
}

// The caller about whose doings a question is neither gets it nor answers it, and shows it to
// nobody. Others do.
func TestQuestionAboutACaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, offer := newOffer(t)
		asks := func() string { return ask(t, b, deploy(t, nil), popup.AskOptions{Caller: "host KEY"}) }
		guest := terminals.Grant{Rights: terminals.AllRights, Guest: true, Client: "KEY/claude"}
		follow := func(by terminals.Grant) []terminals.OpenQuestion {
			list, err := offer.List(t.Context(), terminals.QuestionQuery{Follower: "s", Shows: true, Caller: by.Caller()})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			return list.Questions
		}
		follow(guest)
		if a, err := b.Collect(t.Context(), asks(), popup.WaitOptions{Block: time.Minute}); err != nil || a.Outcome != question.NoHuman {
			t.Errorf("only the caller follows: %+v, %v", a, err)
		}
		follow(laptop)
		id := asks()
		if list := follow(guest); len(list) != 0 {
			t.Errorf("the caller gets %+v", list)
		}
		reply := func(by terminals.Grant, r question.Reply) terminals.Delivery {
			d, err := offer.Answer(t.Context(), by, terminals.QuestionReply{ID: id, Digest: deploy(t, nil).Posed(0).Digest(), Delivery: by.Caller(), Reply: r})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		for _, r := range []question.Reply{yes(), {Action: question.Active}, {Action: question.Dismiss}} {
			if d := reply(guest, r); d.Result != terminals.Unknown {
				t.Errorf("the caller's reply %+v: %+v", r, d)
			}
		}
		if list := follow(laptop); len(list) != 1 || list[0].ID != id {
			t.Errorf("another server gets %+v", list)
		}
		if d := reply(terminals.Grant{Rights: terminals.Answer, Guest: true, Client: "OTHER"}, yes()); d.Result != terminals.Accepted {
			t.Errorf("another host's reply: %+v", d)
		}
	})
}
