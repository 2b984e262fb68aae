// Package persons has brokers of questions, and the persons who see and answer them.
package persons

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

// Broker returns a broker, which is closed at the end of the test.
func Broker(t testing.TB, o popup.Options) *popup.Broker {
	t.Helper()
	b, err := popup.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// Ask asks a broker a question, and returns its ID.
func Ask(t testing.TB, b *popup.Broker, q question.Question, o popup.AskOptions) (id string) {
	t.Helper()
	id, err := b.Ask(q, o)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Outcome waits for the outcome of a question.
func Outcome(t testing.TB, b *popup.Broker, id string) question.Answer {
	t.Helper()
	a, err := b.Collect(t.Context(), id, popup.WaitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A Page is the channel of a person at a page. It displays a question until that is taken away. Use
// [NewPage].
type Page struct {
	Asked chan popup.Asked          // gets what is displayed
	Gone  chan string               // gets the IDs of what is not displayed any more
	reply func(a popup.Asked) error // unless nil, called with what is displayed; its error ends that

	presence atomic.Uint32
}

// NewPage returns a page that the person can see, though they need not look at it. Its channels
// have room for 100 questions; what is beyond that is displayed, too.
func NewPage() *Page {
	return (&Page{Asked: make(chan popup.Asked, 100), Gone: make(chan string, 100)}).Be(core.Possible)
}

// Be changes the presence, and returns the page.
func (p *Page) Be(presence core.Presence) *Page {
	p.presence.Store(uint32(presence))
	return p
}

// Answers has the person reply to all that is displayed, unless r has no action.
func (p *Page) Answers(b *popup.Broker, r question.Reply) {
	if r.Action != "" {
		p.reply = func(a popup.Asked) error {
			_, err := b.Answer(a.ID, r, p.Name())
			return err
		}
	}
}

// Name implements [popup.Channel].
func (p *Page) Name() string { return "page" }

// Kind implements [popup.Channel].
func (p *Page) Kind() core.Kind { return core.Page }

// Presence implements [popup.Channel].
func (p *Page) Presence() core.Presence { return core.Presence(p.presence.Load()) }

// Show implements [popup.Channel].
func (p *Page) Show(ctx context.Context, a popup.Asked) error {
	offer(p.Asked, a)
	if p.reply != nil {
		if err := p.reply(a); err != nil {
			return err
		}
	}
	<-ctx.Done()
	offer(p.Gone, a.ID)
	return nil
}

func offer[T any](to chan T, v T) {
	select {
	case to <- v:
	default:
	}
}

// An Answerer is a person who answers at a page what a broker asks, in a bubble of [synctest].
type Answerer struct {
	T      testing.TB
	Broker *popup.Broker
	Page   *Page
}

// New returns a person at a broker of their own.
func New(t testing.TB) *Answerer {
	t.Helper()
	return &Answerer{t, Broker(t, popup.Options{Patience: 100 * time.Millisecond}), NewPage()}
}

// Come has the person come or go.
func (p *Answerer) Come(here bool) {
	p.Page.Be(map[bool]core.Presence{true: core.Possible, false: core.Absent}[here])
	p.Broker.Recheck()
	synctest.Wait()
}

// Sees returns what the person is asked: HOST: TITLE of each question, sorted.
func (p *Answerer) Sees() string {
	synctest.Wait()
	var list []string
	for _, a := range p.Broker.Pending() {
		list = append(list, a.Host+": "+a.Question.Title)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// Want fails the test unless the person sees these questions, now or soon.
func (p *Answerer) Want(questions string) {
	p.T.Helper()
	for range 100 {
		if p.Sees() == questions {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	p.T.Fatalf("the person sees %q, want %q", p.Sees(), questions)
}

// Reply replies to the question with a title.
func (p *Answerer) Reply(title string, r question.Reply) error {
	p.T.Helper()
	for _, a := range p.Broker.Pending() {
		if a.Question.Title == title {
			_, err := p.Broker.Answer(a.ID, r, p.Page.Name())
			return err
		}
	}
	p.T.Fatalf("the person does not see %q", title)
	return nil
}

// MustReply is Reply, which must succeed.
func (p *Answerer) MustReply(title string, r question.Reply) {
	p.T.Helper()
	if err := p.Reply(title, r); err != nil {
		p.T.Fatal(err)
	}
}

// Deploy is a question with two options.
func Deploy(title string) question.Question {
	return question.Question{
		Title: title, Message: "Now?", Options: []question.Option{{Label: "Yes", Value: "yes"}, {Label: "No", Value: "no"}},
		AllowText: true, Severity: question.Info, Timeout: time.Hour,
	}
}

// Chosen is the reply that chooses an option.
func Chosen(value string) question.Reply {
	return question.Reply{Action: question.Submit, Values: []string{value}}
}
