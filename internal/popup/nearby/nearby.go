// Package nearby shows the questions of one program at the user's other programs on this host,
// where a person may be looking. It looks for those programs while there is a question, or a caller
// wants to know whether the person can be reached, and for a minute longer.
//
// It opens no connection: who finds the programs says how to ask at them.
package nearby

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
)

const (
	// lookEvery is how often to look for programs while they are wanted.
	lookEvery = 2 * time.Second
	// wantedFor is how long programs are wanted after a caller has asked for them. Callers that
	// wait for the person ask again sooner.
	wantedFor = time.Minute
	// freshFor is how long a list of programs serves all who ask: each reply to a question, and
	// each key that a person presses there, asks whether they are present.
	freshFor = 250 * time.Millisecond
)

// A Program can put questions before a person.
type Program struct {
	ID string // distinguishes it from the others, and from later ones
	// Ask asks there and returns how the question ended there. reply takes the person's reply, and
	// its error is what the person is to learn; it may be called several times. When ctx ends, the
	// question is withdrawn there. If the program may have shown it and has gone, the error wraps
	// [popup.ErrLost]; another error means that it cannot show it.
	Ask func(ctx context.Context, a popup.Asked, reply func(question.Reply) error) (question.Outcome, error)
}

// A Broker holds the questions. [popup.Broker] implements it.
type Broker interface {
	Answer(id string, r question.Reply, channel string) (question.Answer, error)
	Pending() []popup.Asked
	Watch(f func()) (stop func())
	Recheck()
}

var _ Broker = (*popup.Broker)(nil)

// Options configure [Programs]. All are required.
type Options struct {
	// Name is the name of the channel in answers.
	Name   string
	Broker Broker
	// List returns the programs that can show a question now.
	List func() []Program
}

// Programs are the other programs, as a channel for questions. They all show a question at the same
// time. Use [New].
type Programs struct {
	Options
	unwatch func()
	quit    chan struct{} // closed by Close
	work    sync.WaitGroup

	listing sync.Mutex // guards the two fields below; held while List is called
	listed  []Program
	fresh   time.Time // until then listed is

	mu      sync.Mutex // guards the fields below
	closed  bool
	looking bool      // a goroutine looks for programs
	wanted  time.Time // until then they are wanted
}

var _ popup.Channel = (*Programs)(nil)

// New returns the channel, which the caller adds to the broker and must Close.
func New(o Options) *Programs {
	p := &Programs{Options: o, quit: make(chan struct{})}
	p.unwatch = o.Broker.Watch(p.want)
	return p
}

// Close stops looking for programs. Questions that are displayed end with the broker.
func (p *Programs) Close() {
	p.unwatch()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	close(p.quit)
	p.work.Wait()
}

// Name implements [popup.Channel].
func (p *Programs) Name() string { return p.Options.Name }

// Kind implements [popup.Channel].
func (p *Programs) Kind() popup.Kind { return popup.Nearby }

// Presence implements [popup.Channel].
func (p *Programs) Presence() popup.Presence {
	p.want()
	if len(p.list()) > 0 {
		return popup.Possible
	}
	return popup.Absent
}

// list returns the programs that could show a question a moment ago.
func (p *Programs) list() []Program {
	p.listing.Lock()
	defer p.listing.Unlock()
	if now := time.Now(); !now.Before(p.fresh) {
		p.listed, p.fresh = p.List(), now.Add(freshFor)
	}
	return p.listed
}

// An end is how a question ended at a program.
type end struct {
	program string
	outcome question.Outcome
	err     error
}

// lost returns an error if the question can be asked there again, since the person has not decided.
func (e end) lost() error {
	switch {
	case errors.Is(e.err, popup.ErrLost):
		return e.err
	case e.err == nil && e.outcome != question.NoHuman:
		return fmt.Errorf("%w: another program has ended it: %s", popup.ErrLost, e.outcome)
	}
	return nil
}

// Show implements [popup.Channel]. Programs that come meanwhile show the question, too.
func (p *Programs) Show(ctx context.Context, a popup.Asked) error {
	var asking sync.WaitGroup
	defer asking.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running, refused := map[string]bool{}, map[string]bool{}
	ended := make(chan end)
	ask := func() {
		for _, program := range p.list() {
			if running[program.ID] || refused[program.ID] {
				continue
			}
			running[program.ID] = true
			asking.Go(func() {
				outcome, err := program.Ask(ctx, a, func(r question.Reply) error {
					_, err := p.Broker.Answer(a.ID, r, p.Name())
					return err
				})
				select {
				case ended <- end{program.ID, outcome, err}:
				case <-ctx.Done():
				}
			})
		}
	}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	failure, again := error(popup.ErrNotShown), false
	for ask(); len(running) > 0 || again; {
		select {
		case e := <-ended:
			delete(running, e.program)
			if err := e.lost(); err != nil {
				failure, again = err, true
			} else {
				refused[e.program] = true
			}
		case <-look.C:
			again = false
			ask()
		case <-ctx.Done():
			return nil
		}
	}
	return failure
}

// want looks for programs for a while.
func (p *Programs) want() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted = time.Now().Add(wantedFor)
	if !p.looking && !p.closed {
		p.looking = true
		p.work.Go(p.look)
	}
}

// look tells the broker when there are other programs than before, until they are not wanted. One
// may have ended since the last look, and taken a question along, when another one comes.
func (p *Programs) look() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for before := map[string]bool{}; p.areWanted(); {
		select {
		case <-tick.C:
		case <-p.quit:
			return
		}
		now, other := map[string]bool{}, false
		for _, program := range p.list() {
			now[program.ID] = true
			other = other || !before[program.ID]
		}
		if other {
			p.Broker.Recheck()
		}
		before = now
	}
}

// areWanted reports whether programs are wanted. If not, want starts another goroutine.
func (p *Programs) areWanted() bool {
	open := len(p.Broker.Pending()) > 0
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looking = open || time.Now().Before(p.wanted)
	return p.looking
}
