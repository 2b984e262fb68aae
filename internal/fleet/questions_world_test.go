package fleet_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fleet"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
)

// An askingHost is a host on which programs ask.
type askingHost struct {
	*terminals.Local
	broker *popup.Broker
	offer  *questions.Offer

	mu      sync.Mutex      // guards the fields below
	by      terminals.Right // what callers may do at most
	streams []terminals.QuestionStream
}

// startAsking puts a host that lets others answer at mem://NAME.
func (n *network) startAsking(t *testing.T, name string) *askingHost {
	t.Helper()
	b, err := popup.New(popup.Options{Patience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	h := &askingHost{Local: newEmpty(t), broker: b, offer: questions.New(b, "id-"+name), by: terminals.AllRights}
	m := n.start(t, name, h)
	n.change(func() { m.info.Rights = []string{terminals.Read.String(), terminals.Answer.String()} })
	return h
}

// Open implements [terminals.Terminals].
func (h *askingHost) Open(ctx context.Context, by terminals.Grant, o *terminals.Operation, in any) (terminals.Stream, error) {
	if o != &terminals.FollowQuestions.Operation {
		return h.Local.Open(ctx, by, o, in)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	by.Rights &= h.by
	if err := by.Check(o); err != nil {
		return nil, err
	}
	s, err := h.offer.Follow(ctx, by)
	if err != nil {
		return nil, err
	}
	h.streams = append(h.streams, s)
	return offered{q: s}, nil
}

// offered are the questions of a host as a stream of its terminals.
type offered struct {
	terminals.Stream
	q terminals.QuestionStream
}

func (o offered) Receive(ctx context.Context, out any) (err error) {
	*out.(*terminals.QuestionNews), err = o.q.Receive(ctx)
	return err
}

func (o offered) Send(ctx context.Context, in any) error {
	return o.q.Send(ctx, *in.(*terminals.FromFollower))
}

func (o offered) Close() { o.q.Close() }

// allow changes what callers may do.
func (h *askingHost) allow(by terminals.Right) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.by = by
	for _, s := range h.streams {
		s.Close()
	}
}

// ask asks a question on the host.
func (h *askingHost) ask(t *testing.T, title string, o popup.AskOptions) (id string) {
	t.Helper()
	return askAt(t, h.broker, deploy(title), o)
}

func askAt(t *testing.T, b *popup.Broker, q question.Question, o popup.AskOptions) (id string) {
	t.Helper()
	id, err := b.Ask(q, o)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// outcome waits for the outcome of a question on the host.
func (h *askingHost) outcome(t *testing.T, id string) question.Answer {
	t.Helper()
	a, err := h.broker.Collect(t.Context(), id, popup.WaitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func deploy(title string) question.Question {
	return question.Question{
		Title: title, Message: "Now?", Options: []question.Option{{Label: "Yes", Value: "yes"}, {Label: "No", Value: "no"}},
		AllowText: true, Severity: question.Info, Timeout: time.Hour,
	}
}

// A person is at a server that knows other hosts.
type person struct {
	t      *testing.T
	broker *popup.Broker
	fleet  *fleet.Fleet
	here   *screen
}

// A screen is a channel of the person's.
type screen struct {
	mu   sync.Mutex
	gone bool
}

func (s *screen) Name() string    { return "screen" }
func (s *screen) Kind() core.Kind { return core.Page }

func (s *screen) Presence() core.Presence {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return core.Absent
	}
	return core.Possible
}

func (s *screen) Show(ctx context.Context, _ popup.Asked) error {
	<-ctx.Done()
	return nil
}

// newPerson returns a person at a server called NAME, which knows all hosts of the network.
func newPerson(t *testing.T, n *network, name string) *person {
	t.Helper()
	b, err := popup.New(popup.Options{Patience: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	p := &person{t: t, broker: b, here: &screen{}}
	o := fleet.Options{Name: name, ID: "id-" + name, Dialer: n, Log: slog.New(slog.DiscardHandler), Person: newFollower(t, b, p.here)}
	n.change(func() {
		for address := range n.hosts {
			o.Configured = append(o.Configured, terminals.NewServer{Address: address})
		}
	})
	p.fleet = fleet.New(o)
	t.Cleanup(p.fleet.Close)
	synctest.Wait()
	return p
}

// newFollower returns the person at a broker, for what other hosts ask.
func newFollower(t *testing.T, b *popup.Broker, channels ...popup.Channel) *questions.Person {
	p := questions.NewPerson(questions.PersonOptions{Broker: b, Channels: channels, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(p.Close)
	return p
}

// asked returns the questions that the person sees: HOST: TITLE of each, sorted.
func (p *person) asked() string {
	synctest.Wait()
	var list []string
	for _, a := range p.broker.Pending() {
		list = append(list, a.Host+": "+a.Question.Title)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// want fails unless the person sees these questions, now or soon.
func (p *person) want(asked string) {
	p.t.Helper()
	for range 100 {
		if p.asked() == asked {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	p.t.Fatalf("the person sees %q, want %q", p.asked(), asked)
}

// reply replies to the question with a title.
func (p *person) reply(title string, r question.Reply) error {
	p.t.Helper()
	for _, a := range p.broker.Pending() {
		if a.Question.Title == title {
			_, err := p.broker.Answer(a.ID, r, "screen")
			return err
		}
	}
	p.t.Fatalf("the person does not see %q", title)
	return nil
}

func (p *person) mustReply(title string, r question.Reply) {
	p.t.Helper()
	if err := p.reply(title, r); err != nil {
		p.t.Fatal(err)
	}
}

func chosen(value string) question.Reply {
	return question.Reply{Action: question.Submit, Values: []string{value}}
}
