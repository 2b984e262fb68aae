package questions

import (
	"context"
	"slices"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
)

const (
	// lookForPrograms is how often to look for programs while they are wanted.
	lookForPrograms = 2 * time.Second
	// wantedFor is how long programs are wanted after a caller has asked whether the person can be
	// reached. Callers that wait for the person ask again sooner.
	wantedFor = time.Minute
	// freshFor is how long a list of programs serves all: each reply to a question, and each key
	// that a person presses there, asks whether they are present.
	freshFor = 250 * time.Millisecond
	// greetTime is how long a program may take to be reached, and to say whether a person is there.
	greetTime = 5 * time.Second
)

// A Program is another one of the user's on this host, at which a person may be. It has the channel
// "page" or the like in answers.
type Program struct {
	ID      string // distinguishes it from the others, and from later ones
	Channel string
	// Follow connects to the program and has it follow questions, until the connection or ctx ends.
	Follow func(ctx context.Context, s terminals.QuestionStream) error
}

// Reach has programs follow the questions, until stop is called. list returns those at which a
// person may be now. They are looked for while a question is open, or a caller wants to know
// whether the person can be reached, and for a minute longer, and connected to while one is open.
func (o *Offer) Reach(list func() []Program) (stop func()) {
	o.mu.Lock()
	o.list = list
	o.mu.Unlock()
	unwatch := o.broker.Watch(o.want)
	return func() {
		unwatch()
		o.mu.Lock()
		o.list = nil
		o.mu.Unlock()
		o.cancel()
		o.reaching.Wait()
	}
}

// programs returns the programs at which a person could be a moment ago. The caller holds
// o.listing.
func (o *Offer) programs() []Program {
	o.mu.Lock()
	list := o.list
	o.mu.Unlock()
	if now := time.Now(); list != nil && !now.Before(o.fresh) {
		o.listed, o.fresh = list(), now.Add(freshFor)
	}
	return o.listed
}

// reach connects to the programs if a question is open that they may show, and otherwise leaves
// them, not before the next look: the last verdict is on its way.
func (o *Offer) reach() {
	open := slices.ContainsFunc(o.broker.Pending(), func(a popup.Asked) bool { return a.PassesTo(false) })
	o.listing.Lock()
	defer o.listing.Unlock()
	switch {
	case open:
		for _, p := range o.programs() {
			o.connect(p)
		}
	case !o.open:
		o.mu.Lock()
		for _, leave := range o.reached {
			leave()
		}
		o.mu.Unlock()
	}
	o.open = open
}

// connect has a program follow, unless it does. Until it says otherwise, a person is there: it was
// listed.
func (o *Offer) connect(p Program) {
	o.mu.Lock()
	if o.list == nil || o.reached[p.ID] != nil {
		o.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(o.ctx)
	o.reached[p.ID] = cancel
	o.reaching.Add(1)
	o.mu.Unlock()
	f, err := o.follow(terminals.Grant{Rights: terminals.Answer, From: term.Sender{Name: p.Channel}}, true)
	go func() { // Reach's stop waits
		defer o.reaching.Done()
		defer cancel()
		if err == nil {
			late := time.AfterFunc(greetTime, func() {
				if o.isAwaited(f) {
					cancel()
				}
			})
			_ = p.Follow(ctx, f) // it is tried again with the next look
			late.Stop()
			f.Close()
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.reached, p.ID)
	}()
}

// isAwaited reports whether a follower has not said yet whether a person is there.
func (o *Offer) isAwaited(f *follower) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return f.awaited
}

// want looks for programs for a while.
func (o *Offer) want() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.wanted = time.Now().Add(wantedFor)
	if !o.looking && o.list != nil {
		o.looking = true
		o.reaching.Go(o.look)
	}
}

// look connects to programs, and tells the broker when there are others than before, until they are
// not wanted. One may have ended since the last look when another one comes.
func (o *Offer) look() {
	tick := time.NewTicker(lookForPrograms)
	defer tick.Stop()
	for before := map[string]bool{}; o.areWanted(); {
		select {
		case <-tick.C:
		case <-o.ctx.Done():
			return
		}
		o.reach()
		now, other := map[string]bool{}, false
		o.listing.Lock()
		for _, p := range o.programs() {
			now[p.ID] = true
			other = other || !before[p.ID]
		}
		o.listing.Unlock()
		if other {
			o.broker.Recheck()
		}
		before = now
	}
}

// areWanted reports whether programs are wanted. If not, want starts another goroutine.
func (o *Offer) areWanted() bool {
	open := len(o.broker.Pending()) > 0
	o.mu.Lock()
	defer o.mu.Unlock()
	o.looking = open || time.Now().Before(o.wanted)
	return o.looking
}
