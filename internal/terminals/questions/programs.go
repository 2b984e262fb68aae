package questions

import (
	"context"
	"slices"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	termcore "ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

const (
	// reachEvery is how often programs are reached again that have left, while a question is open.
	reachEvery = 2 * time.Second
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
	// Takes reports whether the program shows a question; nil: it shows all. Those of some only do
	// not count where the person may be reached.
	Takes func(a popup.Asked) bool
	// Follow connects to the program and has it follow questions, until the connection or ctx ends.
	Follow func(ctx context.Context, s terminals.QuestionStream) error
}

// Reach has programs follow the questions, until stop is called. list returns those at which a
// person may be now. watch calls its argument when they may be others, until its stop is called.
// Programs are connected to while a question is open.
func (o *Offer) Reach(list func() []Program, watch func(changed func()) (stop func())) (stop func()) {
	o.listing.Lock()
	o.list = list
	o.listing.Unlock()
	o.reaching.Go(o.keepLooking)
	unwatch, unlist := o.broker.Watch(func() { wake.Up(o.asked) }), watch(func() { o.look(true) })
	wake.Up(o.asked)
	return func() {
		unlist()
		unwatch()
		o.mu.Lock()
		o.cancel()
		o.mu.Unlock()
		o.reaching.Wait()
	}
}

// programs returns the programs at which a person could be a moment ago. The caller holds
// o.listing.
func (o *Offer) programs() []Program {
	if now := time.Now(); o.list != nil && !now.Before(o.fresh) {
		o.listed, o.fresh = o.list(), now.Add(freshFor)
	}
	return o.listed
}

// reach says what a program adds to the presence of all.
func (p Program) reach() core.Presence {
	if p.Takes == nil {
		return core.OnMachine
	}
	return core.Absent
}

// takes reports whether a question of another program goes to this one.
func (p Program) takes(a popup.Asked) bool {
	return a.PassesTo(false) && (p.Takes == nil || p.Takes(a))
}

// look connects to the programs that may show an open question, and tells the broker when there
// are others than at the last look. Unless it looks again, it finds the programs of a moment ago.
// It reports whether a question is open.
func (o *Offer) look(again bool) (open bool) {
	pending := o.broker.Pending()
	open = slices.ContainsFunc(pending, func(a popup.Asked) bool { return a.PassesTo(false) })
	if !again && !open {
		return false
	}
	o.listing.Lock()
	if again {
		o.fresh = time.Time{}
	}
	now, other := map[string]bool{}, false
	for _, p := range o.programs() {
		now[p.ID] = true
		other = other || !o.seen[p.ID]
		if slices.ContainsFunc(pending, p.takes) {
			o.connect(p)
		}
	}
	o.seen = now
	o.listing.Unlock()
	if other { // one may have ended since then when another one comes
		o.broker.Recheck()
	}
	return open
}

// connect has a program follow, unless it does. Until it says otherwise, a person is there: it was
// listed.
func (o *Offer) connect(p Program) {
	o.mu.Lock()
	if o.ctx.Err() != nil || o.reached[p.ID] != nil {
		o.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(o.ctx)
	o.reached[p.ID] = cancel
	o.reaching.Add(1)
	o.mu.Unlock()
	by := terminals.Grant{Rights: terminals.Answer, From: termcore.Sender{Name: p.Channel}}
	f := o.follow(&follower{by: by, takes: p.takes, most: maxHere, reach: p.reach(), awaited: true})
	go func() { // Reach's stop waits
		defer o.reaching.Done()
		defer cancel()
		late := time.AfterFunc(greetTime, func() {
			o.mu.Lock()
			defer o.mu.Unlock()
			if f.awaited { // it has not said whether a person is there
				cancel()
			}
		})
		_ = p.Follow(ctx, f) // it is tried again with the next look
		late.Stop()
		f.Close()
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.reached, p.ID)
	}()
}

// keepLooking looks from time to time while a question is open. Then it leaves all programs, not
// before one more look: the last verdict is on its way.
func (o *Offer) keepLooking() {
	for {
		select {
		case <-o.asked:
		case <-o.ctx.Done():
			return
		}
		was := o.look(false)
		for is := was; is || was; was, is = is, o.look(true) {
			if wake.After(o.ctx, reachEvery) != nil {
				return
			}
			select {
			case <-o.asked: // there was one meanwhile, or is
				is = true
			default:
			}
		}
		o.mu.Lock()
		for _, leave := range o.reached {
			leave()
		}
		o.mu.Unlock()
	}
}
