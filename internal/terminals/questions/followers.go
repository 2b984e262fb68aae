package questions

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/terminals"
)

// otherHost is the name of the channel in answers, unless the name of the host is known.
const otherHost = "another host"

// follow takes note that a query has come from a follower. The caller calls answered when
// it answers.
func (o *Offer) follow(in terminals.QuestionQuery) (answered func(), err error) {
	f, came, err := o.count(in)
	if came {
		o.broker.Recheck()
	}
	o.tell()
	if err != nil || f == nil {
		return func() {}, err
	}
	return func() { o.answered(followerKey{in.Caller, in.Follower}, f) }, nil
}

// count counts a query of a follower, unless that shows no questions. came reports whether the
// follower is new.
func (o *Offer) count(in terminals.QuestionQuery) (f *follower, came bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	key, same := followerKey{in.Caller, in.Follower}, 0
	for k := range o.followers {
		if k.caller == key.caller {
			same++
		}
	}
	f = o.followers[key]
	switch {
	case in.Follower == "":
		return nil, false, nil
	case !in.Shows:
		if f != nil {
			o.dropLocked(key, f)
		}
		return nil, false, nil
	case f == nil && same >= maxFollowers:
		return nil, false, fault.New(fault.Exhausted, "%d servers show the questions of this host already", maxFollowers)
	case f == nil:
		f, came = &follower{}, true
		o.followers[key] = f
		o.signalLocked()
	}
	f.waiting++
	if f.leave != nil {
		f.leave.Stop()
		f.leave = nil
	}
	return f, came, nil
}

// answered says that a query of a follower is answered: the follower leaves, unless the next one
// comes soon.
func (o *Offer) answered(name followerKey, f *follower) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f.waiting--; f.waiting > 0 || o.followers[name] != f {
		return
	}
	f.leave = time.AfterFunc(grace, func() {
		o.mu.Lock()
		if f.waiting == 0 && o.followers[name] == f {
			o.dropLocked(name, f)
		}
		o.mu.Unlock()
		o.tell()
	})
}

// Watch has f called when the answer of [Offer.IsFollowed] may have changed, until stop is called;
// one call may still be running then. There is one watcher at a time.
func (o *Offer) Watch(f func()) (stop func()) {
	set := func(f func()) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.watcher = f
	}
	set(f)
	return func() { set(nil) }
}

// tell calls the watcher.
func (o *Offer) tell() {
	o.mu.Lock()
	f := o.watcher
	o.mu.Unlock()
	if f != nil {
		f()
	}
}

// IsFollowed reports whether servers on other hosts show the questions of this one to the person.
func (o *Offer) IsFollowed() bool { return o.Presence() != popup.Absent }

func (o *Offer) dropLocked(name followerKey, f *follower) {
	if f.leave != nil {
		f.leave.Stop()
	}
	delete(o.followers, name)
	o.signalLocked()
}

func (o *Offer) signalLocked() {
	close(o.changed)
	o.changed = make(chan struct{})
}

// Name implements [popup.Channel].
func (o *Offer) Name() string { return otherHost }

// Kind implements [popup.Channel].
func (o *Offer) Kind() popup.Kind { return popup.Elsewhere }

// Presence implements [popup.Channel].
func (o *Offer) Presence() popup.Presence {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.followers) > 0 {
		return popup.Possible
	}
	return popup.Absent
}

// Show implements [popup.Channel]: the question is on the list, which followers have or get. One
// that no follower would display counts as displayed by nobody.
func (o *Offer) Show(ctx context.Context, a popup.Asked) error {
	if err := check(a); err != nil {
		return fmt.Errorf("%w: %w", popup.ErrNotShown, err)
	}
	for first := true; ; first = false {
		o.mu.Lock()
		changed := o.changed
		shown, away := 0, false
		for name := range o.followers {
			switch {
			case !a.IsFor(name.caller):
			case o.away[instanceOf(a)][name]:
				away = true
			default:
				shown++
			}
		}
		o.mu.Unlock()
		switch {
		case shown == 0 && first && !away:
			return popup.ErrNotShown
		case shown == 0 && away:
			return popup.ErrPutAway
		case shown == 0:
			return popup.ErrLost
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// putAway takes note that the person of a follower has put a question away. It reports false if the
// follower shows nothing now: it may do so later, and the question would wait for its person.
func (o *Offer) putAway(q instance, follower followerKey) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.followers[follower] == nil {
		return false
	}
	if o.away[q] == nil {
		o.away[q] = map[followerKey]bool{}
	}
	o.away[q][follower] = true
	o.signalLocked()
	return true
}

// keep forgets who has put questions away that are not open any more.
func (o *Offer) keep(open []popup.Asked) {
	o.mu.Lock()
	defer o.mu.Unlock()
	maps.DeleteFunc(o.away, func(q instance, _ map[followerKey]bool) bool {
		return !slices.ContainsFunc(open, func(a popup.Asked) bool { return instanceOf(a) == q })
	})
}
