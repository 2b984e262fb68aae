package fleet_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
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

// An askingHost is a host on which programs ask. Calls of its operations on questions end when it
// is cut off.
type askingHost struct {
	*terminals.Local
	id     string // of the process
	broker *popup.Broker
	offer  terminals.Questions

	mu     sync.Mutex // guards the fields below
	away   chan struct{}
	by     terminals.Right // what callers may do at most
	lists  int             // how many were asked for
	refuse func() error    // unless nil, called after each reply: an error is the answer
}

// startAsking puts a host that lets others answer at mem://NAME.
func (n *network) startAsking(t *testing.T, name string) *askingHost {
	t.Helper()
	b, err := popup.New(popup.Options{Patience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	h := &askingHost{Local: newEmpty(t), id: "id-" + name, broker: b, offer: questions.New(b, "id-"+name), away: make(chan struct{}), by: terminals.AllRights}
	m := n.start(t, name, h)
	n.change(func() { m.info.Rights = []string{terminals.Read.String(), terminals.Answer.String()} })
	return h
}

// Do implements [terminals.Doer].
func (h *askingHost) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) (err error) {
	h.mu.Lock()
	away, refuse := h.away, h.refuse
	by.Rights &= h.by
	if o == &terminals.ListQuestions.Operation {
		h.lists++
	}
	offer := h.offer
	h.mu.Unlock()
	if strings.HasPrefix(o.Name, "question.") {
		if err := by.Check(o); err != nil {
			return err
		}
	}
	lost := fault.With(terminals.HostAway, fault.New(fault.Unreachable, "the host is away"))
	select {
	case <-away:
		return lost
	default:
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan struct{})
	defer func() { <-ended }()
	defer cancel(nil)
	go func() {
		defer close(ended)
		select {
		case <-away:
			cancel(lost)
		case <-ctx.Done():
		}
	}()
	switch o {
	case &terminals.ListQuestions.Operation:
		*out.(*terminals.QuestionList), err = offer.List(ctx, *in.(*terminals.QuestionQuery))
	case &terminals.AnswerQuestion.Operation:
		*out.(*terminals.Delivery), err = offer.Answer(ctx, by, *in.(*terminals.QuestionReply))
		if refuse != nil {
			err = refuse()
		}
	default:
		err = h.Local.Do(ctx, by, o, in, out)
	}
	return err
}

// cut cuts the host off, and heal undoes it.
func (h *askingHost) cut() { h.change(func() { close(h.away) }) }

func (h *askingHost) heal() { h.change(func() { h.away = make(chan struct{}) }) }

func (h *askingHost) change(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
}

// restart has the host forget all that was asked.
func (h *askingHost) restart(t *testing.T) {
	t.Helper()
	h.cut()
	synctest.Wait()
	h.broker.Close()
	b, err := popup.New(popup.Options{Patience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	h.broker = b
	h.id += "'"
	h.change(func() { h.offer = questions.New(b, h.id) })
	h.heal()
}

// ask asks a question on the host, which waits until another host can show it.
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

func (s *screen) Name() string     { return "screen" }
func (s *screen) Kind() popup.Kind { return popup.Page }

func (s *screen) Presence() popup.Presence {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return popup.Absent
	}
	return popup.Possible
}

func (s *screen) Show(ctx context.Context, _ popup.Asked) error {
	<-ctx.Done()
	return nil
}

// newPerson returns a person at a server called NAME, which knows all hosts of the network and
// keeps replies in a folder.
func newPerson(t *testing.T, n *network, name, dir string) *person {
	t.Helper()
	b, err := popup.New(popup.Options{Patience: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	p := &person{t: t, broker: b, here: &screen{}}
	o := fleet.Options{Name: name, ID: "id-" + name, Dialer: n, Log: slog.New(slog.DiscardHandler), Person: fleet.Person{Broker: b, Channels: []popup.Channel{p.here}}}
	if dir != "" {
		o.Person.File = filepath.Join(dir, "replies.json")
	}
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

func written(text string) question.Reply {
	return question.Reply{Action: question.Submit, Text: text}
}
