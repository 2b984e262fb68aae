package questions_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/wake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A host is a program that asks.
type host struct {
	t      *testing.T
	name   string
	id     string // of the process
	broker *popup.Broker

	mu    sync.Mutex // guards the fields below
	offer follower
	away  bool
	deaf  bool          // verdicts are lost, with the connection
	takes time.Duration // for a reply to arrive
	lines map[*line]bool
	got   func(terminals.QuestionReply) // unless nil, called with each reply that arrives

	programs func() []questions.Program // which it reaches; nil: none
	leave    func()
}

// A follower begins to follow questions. [questions.Offer] implements it.
type follower interface {
	Follow(ctx context.Context, by terminals.Grant) (terminals.QuestionStream, error)
}

func newHost(t *testing.T, name string) *host {
	h := &host{t: t, name: name, id: "id-" + name, lines: map[*line]bool{}}
	h.start()
	return h
}

func (h *host) start() {
	h.t.Helper()
	h.broker = persons.Broker(h.t, popup.Options{Patience: time.Second})
	offer := questions.New(h.broker, h.id)
	h.change(func() { h.offer = offer })
	if h.programs != nil {
		h.leave = offer.Reach(h.programs, func(func()) func() { return func() {} })
		h.t.Cleanup(h.leave)
	}
}

func (h *host) change(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
}

// cut cuts the host off, and heal undoes it.
func (h *host) cut() {
	h.change(func() {
		h.away = true
		for l := range h.lines {
			l.cancel()
		}
	})
}

func (h *host) heal() { h.change(func() { h.away = false }) }

// restart has the host forget all that was asked.
func (h *host) restart() {
	h.t.Helper()
	h.cut()
	synctest.Wait()
	h.broker.Close()
	if h.leave != nil {
		h.leave()
	}
	h.id += "'"
	h.start()
	h.heal()
}

// ask asks a question on the host.
func (h *host) ask(title string, o popup.AskOptions) (id string) {
	h.t.Helper()
	return h.askThis(persons.Deploy(title), o)
}

func (h *host) askThis(q question.Question, o popup.AskOptions) (id string) {
	h.t.Helper()
	return persons.Ask(h.t, h.broker, q, o)
}

// outcome waits for the outcome of a question on the host.
func (h *host) outcome(id string) question.Answer {
	h.t.Helper()
	return persons.Outcome(h.t, h.broker, id)
}

// A line is a stream to the host, over which JSON crosses.
type line struct {
	terminals.QuestionStream
	h      *host
	ctx    context.Context // ends when the line is cut
	cancel context.CancelFunc
}

var errLost = fault.With(terminals.HostAway, fault.New(fault.Unreachable, "the host is away"))

// follow opens a stream for another server, which has a name.
func (h *host) follow(ctx context.Context, by string) (terminals.QuestionStream, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.away {
		return nil, errLost
	}
	s, err := h.offer.Follow(ctx, terminals.Grant{Rights: terminals.Answer, Guest: true, Client: by, From: core.Sender{Peer: by}})
	if err != nil {
		return nil, err
	}
	return h.lineLocked(s), nil
}

func (h *host) lineLocked(s terminals.QuestionStream) *line {
	l := &line{QuestionStream: s, h: h}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	h.lines[l] = true
	return l
}

func (l *line) Receive(ctx context.Context) (came terminals.QuestionNews, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(l.ctx, func() { cancel(errLost) })()
	news, err := l.QuestionStream.Receive(ctx)
	if err != nil {
		return came, err
	}
	l.h.mu.Lock()
	lost := l.h.deaf && news.Verdict != nil
	l.h.mu.Unlock()
	if lost {
		l.cancel()
		return came, errLost
	}
	text, err := json.Marshal(news)
	if err != nil {
		return came, err
	}
	return came, json.Unmarshal(text, &came)
}

func (l *line) Send(ctx context.Context, in terminals.FromFollower) error {
	l.h.mu.Lock()
	takes, got := l.h.takes, l.h.got
	l.h.mu.Unlock()
	if in.Answer != nil && wake.After(ctx, takes) != nil || l.ctx.Err() != nil {
		return errLost
	}
	if in.Answer != nil && got != nil {
		got(*in.Answer)
	}
	return l.QuestionStream.Send(ctx, in)
}

func (l *line) Close() {
	l.cancel()
	l.QuestionStream.Close()
	l.h.change(func() { delete(l.h.lines, l) })
}

func secret(title string) question.Question {
	return question.Question{
		Title: title, Message: "m", AllowText: true, Prompt: true, Secret: true, Plain: true, Severity: question.Info, Timeout: 24 * time.Hour,
		Options: []question.Option{{Label: "Enter", Value: "enter"}},
	}
}

// ignored is an asker of a private question that takes any reply.
var ignored = popup.AskOptions{Deliver: func(question.Reply) error { return nil }}

// A person is at a server that follows others.
type person struct {
	*questions.Person
	*persons.Answerer
	log   strings.Builder
	close func()
}

// newPerson returns a person at a server with a name, which follows hosts; without a name, other
// programs of its own host reach it.
func newPerson(t *testing.T, name string, hosts ...*host) *person {
	t.Helper()
	p := &person{Answerer: persons.New(t)}
	p.Person = questions.NewPerson(questions.PersonOptions{Broker: p.Broker, Channels: []popup.Channel{p.Page}, Relayed: name == "", Log: slog.New(slog.NewTextHandler(&p.log, nil))})
	ctx, cancel := context.WithCancel(context.Background())
	var following sync.WaitGroup
	for _, h := range hosts {
		following.Go(func() {
			for way := p.Way(h.name); ctx.Err() == nil; _ = wake.After(ctx, time.Second) {
				_ = way.Follow(ctx, h.name, func(ctx context.Context) (terminals.QuestionStream, error) { return h.follow(ctx, name) })
			}
		})
	}
	p.close = sync.OnceFunc(func() {
		cancel()
		following.Wait()
		p.Close()
		p.Broker.Close()
	})
	t.Cleanup(p.close)
	synctest.Wait()
	return p
}

func written(text string) question.Reply {
	return question.Reply{Action: question.Submit, Text: text}
}
