// Package termask connects terminals with questions to the person. A prompt of a program in a
// session that an agent drives becomes a question ([Prompts]), and questions appear on the
// terminals that are attached to the sessions of their workspace ([Terminals]).
//
// It neither detects prompts nor draws dialogs, and it does not decide which channel shows a
// question: that is for packages term and popup.
package termask

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
)

// A Broker holds questions. [popup.Broker] implements it.
type Broker interface {
	Ask(q question.Question, opts popup.AskOptions) (id string, err error)
	Collect(ctx context.Context, id string, opts popup.WaitOptions) (question.Answer, error)
	Withdraw(id string) error
	Reachable(a popup.Asked, own ...popup.Channel) bool
	Appearance() <-chan struct{}
}

var _ Broker = (*popup.Broker)(nil)

// PromptOptions configure [Prompts]. Sessions, Broker and Rule are required.
type PromptOptions struct {
	Sessions *registry.Registry
	Broker   Broker
	// Rule returns the present rule, where "" means Secrets. It is called when a program begins to
	// ask.
	Rule func() Rule
	// Channels returns the channels for questions about a session, in addition to those of the
	// broker; nil adds none.
	Channels func(*term.Session) []popup.Channel
	Log      *slog.Logger // nil discards; neither prompts nor answers are logged
}

// Prompts pass the prompts of programs on to the person. Use [NewPrompts].
type Prompts struct {
	PromptOptions

	running  sync.WaitGroup
	followed sync.Map // the sessions that follow follows
}

// NewPrompts returns Prompts, which do nothing before Run.
func NewPrompts(o PromptOptions) *Prompts {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Prompts{PromptOptions: o}
}

// Run asks until ctx is done. It returns when its last question has ended.
func (p *Prompts) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer p.running.Wait()
	defer cancel()
	watcher := p.Sessions.Watch()
	defer watcher.Close()
	for missed := 1; ; {
		if missed > 0 {
			for _, i := range p.Sessions.List() {
				p.begin(ctx, i)
			}
		}
		var events []registry.Event
		var err error
		if events, missed, err = watcher.Next(ctx); err != nil {
			return
		}
		for _, e := range events {
			p.begin(ctx, e.Info)
		}
	}
}

// begin follows a session, unless that is followed already.
func (p *Prompts) begin(ctx context.Context, i term.Info) {
	s, err := p.Sessions.Session(i.ID)
	if err != nil || i.Exit != nil {
		return // nobody asks any more
	}
	if _, known := p.followed.LoadOrStore(s, true); !known {
		p.running.Go(func() {
			defer p.followed.Delete(s)
			p.follow(ctx, s)
		})
	}
}

// follow passes on the requests of a session until its program has ended.
func (p *Prompts) follow(ctx context.Context, s *term.Session) {
	for {
		r, err := s.AwaitRequest(ctx)
		if err != nil {
			return
		}
		if rule := p.Rule(); rule == All || rule != Off && r.Secret {
			p.ask(ctx, s, r)
		} else {
			_ = r.Leave(ctx) // after an error, nobody asks any more
		}
	}
}

// ask asks the person about a request until it is over. It does not ask while nobody can be
// reached.
func (p *Prompts) ask(ctx context.Context, s *term.Session, r term.Request) {
	asking, cancel := context.WithCancel(ctx) // ends with the request
	defer cancel()
	p.running.Go(func() {
		defer cancel()
		_ = r.AwaitEnd(asking) // after an error, the session is gone
	})
	q := newQuestion(s, r)
	var own []popup.Channel
	if p.Channels != nil {
		own = p.Channels(s)
	}
	p.whenReachable(asking.Done(), q, own, func() bool { return p.askOnce(ctx, asking, s, r, q, own) })
}

// lookEvery is how often to ask whether the person can be reached: some channels find that out only
// while they are asked.
const lookEvery = 20 * time.Second

// whenReachable calls ask when the person can be reached, and again after it has reported false and
// another channel may reach them, until over is closed.
func (p *Prompts) whenReachable(over <-chan struct{}, q question.Question, own []popup.Channel, ask func() bool) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for failed := false; ; {
		appeared := p.Broker.Appearance()
		reachable := p.Broker.Reachable(popup.Asked{Question: q}, own...)
		if reachable && !failed && ask() {
			return
		}
		failed = reachable
		select {
		case <-over:
			return
		case <-appeared:
			failed = false
		case <-look.C:
		}
	}
}

// askOnce asks the person about a request until asking ends. It reports whether the request needs
// no other attempt.
func (p *Prompts) askOnce(ctx, asking context.Context, s *term.Session, r term.Request, q question.Question, own []popup.Channel) bool {
	s.AskPerson(true)
	defer s.AskPerson(false)
	deliver := func(reply question.Reply) error { return answer(ctx, r, reply) }
	id, err := p.Broker.Ask(q, popup.AskOptions{Asked: popup.Asked{Asker: question.ByProgram}, Channels: own, Deliver: deliver})
	if err != nil {
		p.Log.Warn("a program asks for something that the person could not be asked about", "session", s.Name(), "error", err)
		_ = r.Leave(ctx) // after an error, nobody asks any more
		return true
	}
	a, err := p.Broker.Collect(asking, id, popup.WaitOptions{})
	switch {
	case err != nil: // the request is over, or the server is stopping
		_ = p.Broker.Withdraw(id) // fails if it was over long ago
	case a.Outcome == question.NoHuman:
		return false
	case a.Outcome != question.Answered && a.Outcome != question.Withdrawn:
		_ = r.Leave(ctx) // after an error, nobody asks any more
	}
	return true
}

// Values of the options.
const (
	enterOnly = "enter"
	toAgent   = "agent"
	interrupt = "stop"
)

// answer carries out the person's reply.
func answer(ctx context.Context, r term.Request, reply question.Reply) error {
	var what term.RequestAnswer
	switch {
	case len(reply.Values) == 0:
		what.Text = reply.Text
	case reply.Values[0] == toAgent:
		return r.Leave(ctx)
	case reply.Values[0] == interrupt:
		what.Interrupt = true
	}
	err := r.Answer(ctx, what)
	if fault.DetailOf(err) == core.RequestOver {
		return fault.New(fault.Exists, "the program does not ask for this any more; what you typed was dropped")
	}
	return err
}

// Limits of what a question displays, in characters.
const maxCommand, maxRow = 500, 300

func newQuestion(s *term.Session, r term.Request) question.Question {
	q := question.Question{
		Workspace: s.Info().Dir, Plain: true, AllowText: true, Prompt: true, Secret: r.Secret, Severity: question.Info, Timeout: question.MaxTimeout,
		Title: fmt.Sprintf("A program in the terminal “%s” asks you something", s.Name()),
	}
	if r.Secret {
		q.Title = fmt.Sprintf("A program in the terminal “%s” asks for a secret", s.Name())
	}
	var lines []string
	if r.Command != "" {
		lines = append(lines, "Command: "+cut(r.Command, maxCommand))
	}
	if r.Dir != "" {
		lines = append(lines, "Directory: "+cut(r.Dir, maxCommand))
	}
	q.Options = []question.Option{{Label: "Just press Enter", Value: enterOnly}}
	if r.Secret {
		lines = append(lines, "What you type goes to this program. Your agent does not get it.")
	} else {
		lines = append(lines, "What you type goes to this program. Your agent sees what the program makes of it.")
		q.Options = append(q.Options, question.Option{Label: "Let the agent answer", Value: toAgent})
	}
	q.Options = append(q.Options, question.Option{Label: "Stop the program (Ctrl-C)", Value: interrupt})
	q.Message = strings.Join(lines, "\n")
	rows := make([]string, len(r.Screen))
	for i, row := range r.Screen {
		rows[i] = cut(row, maxRow)
	}
	q.Quote = strings.Join(rows, "\n")
	return q
}

func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
