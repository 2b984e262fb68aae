package questions_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	popupcore "ui-mcp/internal/popup/core"
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
	b, err := popup.New(popup.Options{Patience: time.Second})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(b.Close)
	h.broker = b
	offer := questions.New(b, h.id)
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
	return h.askThis(deploy(title), o)
}

func (h *host) askThis(q question.Question, o popup.AskOptions) (id string) {
	h.t.Helper()
	id, err := h.broker.Ask(q, o)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

// outcome waits for the outcome of a question on the host.
func (h *host) outcome(id string) question.Answer {
	h.t.Helper()
	a, err := h.broker.Collect(h.t.Context(), id, popup.WaitOptions{})
	if err != nil {
		h.t.Fatal(err)
	}
	return a
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

func deploy(title string) question.Question {
	return question.Question{
		Title: title, Message: "Now?", Options: []question.Option{{Label: "Yes", Value: "yes"}, {Label: "No", Value: "no"}},
		AllowText: true, Severity: question.Info, Timeout: time.Hour,
	}
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
	t      *testing.T
	broker *popup.Broker
	here   *screen
	log    strings.Builder
	close  func()
}

// A screen is a channel of the person's.
type screen struct {
	mu   sync.Mutex
	gone bool
}

func (s *screen) Name() string         { return "screen" }
func (s *screen) Kind() popupcore.Kind { return popupcore.Page }

func (s *screen) Presence() popupcore.Presence {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return popupcore.Absent
	}
	return popupcore.Possible
}

func (s *screen) Show(ctx context.Context, _ popup.Asked) error {
	<-ctx.Done()
	return nil
}

// newPerson returns a person at a server with a name, which follows hosts; without a name, other
// programs of its own host reach it.
func newPerson(t *testing.T, name string, hosts ...*host) *person {
	t.Helper()
	b, err := popup.New(popup.Options{Patience: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, broker: b, here: &screen{}}
	p.Person = questions.NewPerson(questions.PersonOptions{Broker: b, Channels: []popup.Channel{p.here}, Relayed: name == "", Log: slog.New(slog.NewTextHandler(&p.log, nil))})
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
		b.Close()
	})
	t.Cleanup(p.close)
	synctest.Wait()
	return p
}

// show has the person come or go.
func (p *person) show(here bool) {
	p.here.mu.Lock()
	p.here.gone = !here
	p.here.mu.Unlock()
	p.broker.Recheck()
	synctest.Wait()
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
