package fleet_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/fleet"
	"ui-mcp/internal/popup"
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
	b := persons.Broker(t, popup.Options{Patience: time.Second})
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
	return persons.Ask(t, h.broker, persons.Deploy(title), o)
}

// outcome waits for the outcome of a question on the host.
func (h *askingHost) outcome(t *testing.T, id string) question.Answer {
	t.Helper()
	return persons.Outcome(t, h.broker, id)
}

// A person is at a server that knows other hosts.
type person struct {
	*persons.Answerer
	fleet *fleet.Fleet
}

// newPerson returns a person at a server called NAME, which knows all hosts of the network.
func newPerson(t *testing.T, n *network, name string) *person {
	t.Helper()
	p := &person{Answerer: persons.New(t)}
	o := fleet.Options{Name: name, ID: "id-" + name, Dialer: n, Log: slog.New(slog.DiscardHandler), Person: newFollower(t, p.Broker, p.Page)}
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
