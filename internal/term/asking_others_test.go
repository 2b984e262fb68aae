package term_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/registry"
)

// onB returns a question that was asked on another host.
func onB(q question.Question) dialog.Question {
	asked := asks(q)
	asked.ID, asked.Host = "popup-b", "b"
	return asked
}

var deploy = question.Question{Title: "Deploy?", Message: "to b", Options: []question.Option{{Label: "Yes", Value: "0"}, {Label: "No", Value: "1"}}}

// What other hosts ask is not for everybody who may type in a session.
func TestOthersAsk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := scripted(t, nil, newScript())
		s := create(t, r, registry.CreateOptions{Cols: 40, Rows: 20})
		guest, page := sit(t, s, term.ViewerOptions{}), sit(t, s, term.ViewerOptions{Asks: true, Client: clients.Options{Kind: clients.KindPage}})
		synctest.Wait()
		if own, others := len(r.Reaching(false)), len(r.Reaching(true)); own != 1 || others != 0 {
			t.Errorf("with guests, questions of this host reach %d sessions, others %d", own, others)
		}
		if o := <-inquire(t.Context(), s, onB(deploy)); fault.DetailOf(o.err) != term.NobodyAttached {
			t.Errorf("with guests: %+v", o)
		}
		person := sit(t, s, term.ViewerOptions{Answers: true})
		synctest.Wait()
		if others := len(r.Reaching(true)); others != 1 {
			t.Errorf("with the person, questions of other hosts reach %d sessions", others)
		}
		asked := inquire(t.Context(), s, onB(deploy))
		time.Sleep(time.Second)
		if !person.sees("Deploy?") || guest.sees("Deploy?") || nextQuestion(t, page.Viewer, "") != nil {
			t.Errorf("the person has it %v, a guest %v", person.sees("Deploy?"), guest.sees("Deploy?"))
		}
		guest.press(t, "1")
		if err := page.AnswerQuestion(t.Context(), "popup-b", question.Reply{Action: question.Submit, Values: []string{"1"}}); fault.KindOf(err) != fault.Exists {
			t.Errorf("a guest in a page answers: %v", err)
		}
		open(t, asked)
		person.press(t, "1")
		if o := <-asked; !o.chose(0) {
			t.Errorf("the person: %+v", o)
		}
	})
}

// What another host asks does not keep the person from what this one asks.
func TestOwnFirst(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		d := sit(t, s, term.ViewerOptions{Answers: true})
		theirs := inquire(t.Context(), s, onB(deploy))
		time.Sleep(time.Hour)
		if !d.sees("Deploy?") {
			t.Fatal("the question of another host is not displayed")
		}
		own := inquire(t.Context(), s, allow)
		time.Sleep(time.Second)
		if !d.sees("rm -rf /") || d.sees("Deploy?") {
			t.Fatal("the question of this host waits for the one of another host")
		}
		more := inquire(t.Context(), s, allow)
		d.press(t, "1")
		if o := <-own; !o.chose(0) {
			t.Errorf("this host's: %+v", o)
		}
		time.Sleep(time.Second)
		d.press(t, "2")
		if o := <-more; !o.chose(1) {
			t.Errorf("this host's second: %+v", o)
		}
		time.Sleep(time.Minute) // it is displayed again
		open(t, theirs)
		if !d.sees("Deploy?") {
			t.Fatal("the question of another host does not come back")
		}
		d.press(t, "2")
		if o := <-theirs; !o.chose(1) {
			t.Errorf("the other host's: %+v", o)
		}
	})
}

// A question that waited for one of this host has its whole time to be displayed then.
func TestOwnFirstUnseen(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		page := sit(t, s, term.ViewerOptions{Answers: true, Asks: true, Client: clients.Options{Kind: clients.KindPage}})
		theirs := inquire(t.Context(), s, onB(deploy))
		time.Sleep(7 * time.Second)
		own := inquire(t.Context(), s, allow)
		q := nextQuestion(t, page.Viewer, "popup-b")
		if err := page.QuestionSeen(t.Context(), q.ID); err != nil || q.Question.Title != "Allow?" {
			t.Fatalf("the page is to display %q: %v", q.Question.Title, err)
		}
		time.Sleep(time.Minute)
		must(t, page.AnswerQuestion(t.Context(), q.ID, question.Reply{Action: question.Submit, Values: []string{"0"}}))
		<-own
		time.Sleep(time.Second)
		open(t, theirs)
	})
}

// A person who has begun to answer another host ends that first.
func TestOwnFirstWhileTyping(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		d := sit(t, s, term.ViewerOptions{Answers: true})
		text := deploy
		text.AllowText, text.Options = true, nil
		theirs := inquire(t.Context(), s, onB(text))
		time.Sleep(time.Second)
		if d.press(t, "\t"); !d.sees("▏") {
			d.press(t, "\t")
		}
		d.press(t, "1")
		name := allow
		name.Question.Title, name.Question.AllowText, name.Question.Options = "Name?", true, nil
		own := inquire(t.Context(), s, name)
		time.Sleep(time.Minute)
		d.press(t, "2")
		open(t, own)
		if !d.sees("12") || d.sees("Name?") {
			t.Fatal("the question is taken from a person who types the answer")
		}
		d.press(t, "\r")
		if o := <-theirs; o.err != nil || o.reply.Text != "12" {
			t.Errorf("the other host's: %+v", o)
		}
		time.Sleep(time.Second)
		if !d.sees("Name?") {
			t.Fatal("the question of this host does not follow")
		}
		for _, key := range []string{"\t", "3", "\r"} {
			d.press(t, key)
		}
		if o := <-own; o.err != nil || o.reply.Text != "3" {
			t.Errorf("this host's: %+v", o)
		}
		if got := p.input(); got != "" {
			t.Errorf("the program got %q", got)
		}
	})
}

// A page may have displayed a question of another host until this one asked something: its answer
// counts.
func TestOwnFirstAtPage(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		page := sit(t, s, term.ViewerOptions{Answers: true, Asks: true, Client: clients.Options{Kind: clients.KindPage}})
		theirs := inquire(t.Context(), s, onB(deploy))
		q := nextQuestion(t, page.Viewer, "")
		own := inquire(t.Context(), s, allow)
		if next := nextQuestion(t, page.Viewer, q.ID); next == nil || next.Question.Title != "Allow?" {
			t.Errorf("the page is to display %+v", next)
		}
		must(t, page.AnswerQuestion(t.Context(), q.ID, question.Reply{Action: question.Submit, Values: []string{"1"}}))
		if o := <-theirs; !o.chose(1) {
			t.Errorf("the other host's: %+v", o)
		}
		open(t, own)
	})
}
