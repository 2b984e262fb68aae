package popup

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

// An asker is what belongs to a question here and cannot be written.
type asker struct {
	id      string // of the question
	deliver func(question.Reply) error
	active  func()
	settled context.Context // ends when the answer is there, and on disk
	settle  context.CancelFunc
	own     map[uint64]Channel // guarded by the broker's mutex
	answer  question.Answer    // set before settled ends
	refused error              // of deliver, for whose reply it was
}

func newAsker(id string, o AskOptions) *asker {
	k := &asker{id: id, deliver: o.Deliver, active: o.Active, own: map[uint64]Channel{}}
	k.settled, k.settle = context.WithCancel(context.Background())
	return k
}

// nameLocked returns channels as the model knows them, and adds them to those of all or of an
// asker.
func (b *Broker) nameLocked(have map[uint64]Channel, channels []Channel) (named []core.Channel) {
	for _, c := range channels {
		at := b.named + 1
		for id, other := range have {
			if other == c {
				at = id
			}
		}
		b.named, have[at] = max(b.named, at), c
		named = append(named, core.Channel{ID: at, Kind: c.Kind(), Name: c.Name()})
	}
	return named
}

// presences asks all channels how present they are, without the lock: some ask back. It returns
// with the lock, and no channel has appeared meanwhile.
func (b *Broker) presences() map[uint64]core.Presence {
	for {
		b.mu.Lock()
		seen, all := b.state.Appeared, maps.Clone(b.channels)
		for _, l := range b.state.Lanes {
			for _, id := range l.Pending {
				maps.Copy(all, b.askers[id].own)
			}
		}
		b.mu.Unlock()
		present := map[uint64]core.Presence{}
		for id, c := range all {
			present[id] = c.Presence()
		}
		b.mu.Lock()
		if b.state.Appeared == seen {
			return present
		}
		b.mu.Unlock()
	}
}

// apply gives the model an input, and does what follows. k is of a question that begins.
func (b *Broker) apply(in core.Input, k *asker) error {
	present := b.presences()
	s := b.state
	open, asked, appeared := !s.Stopped, s.Asked, s.Appeared
	actions, err := s.Apply(in, func(channel uint64) core.Presence { return present[channel] }, time.Now())
	if s.Asked != asked {
		b.askers[k.id] = k
	}
	if s.Appeared != appeared {
		close(b.appeared)
		b.appeared = make(chan struct{})
	}
	var later []func()
	for _, a := range actions {
		if f := b.startLocked(a); f != nil {
			later = append(later, f)
		}
	}
	if !s.Due.IsZero() && !s.Stopped {
		if b.timer != nil {
			b.timer.Stop()
		}
		b.timer = time.AfterFunc(time.Until(s.Due), func() { b.change(core.Tick{}) })
	}
	if open { // else a delivery has begun before
		b.work.Add(1)
		defer b.work.Done()
	}
	b.mu.Unlock()
	for _, f := range later {
		f()
	}
	return err
}

// change is apply for inputs that may come too late, which matters to nobody.
func (b *Broker) change(in core.Input) { _ = b.apply(in, nil) }

// startLocked does what must happen with the lock held, and returns what must not, or nil.
func (b *Broker) startLocked(a core.Action) (later func()) {
	switch a := a.(type) {
	case core.Show:
		k, asked := b.askers[a.ID], b.state.Entries[a.ID].Asked
		c := cmp.Or(k.own[a.Channel], b.channels[a.Channel])
		b.work.Go(func() { b.show(a, k, c, asked) })
	case core.Store:
		if b.state.Entries[a.ID] == nil {
			delete(b.askers, a.ID)
		}
		return func() {
			if b.save(a.ID, false); a.Seq != 0 {
				b.change(core.Kept(a))
			}
		}
	case core.Settle:
		k := b.askers[a.ID]
		k.answer = *b.state.Entries[a.ID].Answer
		clear(k.own)
		return k.settle
	case core.Deliver:
		k := b.askers[a.ID]
		return func() {
			k.refused = k.deliver(a.Reply)
			b.change(core.Delivered{ID: a.ID, Seq: a.Seq, Answer: a.Answer, Failed: k.refused != nil})
		}
	case core.NoteActive:
		return b.askers[a.ID].active
	case core.Changed:
		all := slices.Collect(maps.Values(b.watchers))
		return func() {
			for _, f := range all {
				f()
			}
		}
	}
	return nil
}

// show puts a question before the person until it is over.
func (b *Broker) show(a core.Show, k *asker, c Channel, asked Asked) {
	ctx, cancel := context.WithCancel(b.stopped)
	defer cancel()
	defer context.AfterFunc(k.settled, cancel)()
	err := c.Show(ctx, asked)
	if ctx.Err() == nil {
		b.opts.Log.Debug("a channel did not get a question answered", "channel", c.Name(), "question", a.ID, "error", err)
	}
	b.change(core.Ended{Seq: a.Seq, Channel: a.Channel, How: how(err)})
}

// Reachable reports whether there is a channel that may show a question now, given the asker's own.
func (b *Broker) Reachable(a Asked, own ...Channel) bool {
	b.mu.Lock()
	all, s := maps.Clone(b.channels), &core.State{Channels: slices.Clone(b.state.Channels)}
	b.mu.Unlock()
	var named []core.Channel
	for i, c := range own {
		id := ^uint64(i)
		all[id] = c
		named = append(named, core.Channel{ID: id, Kind: c.Kind()})
	}
	return s.Reachable(a, named, func(channel uint64) core.Presence { return all[channel].Presence() })
}

// Appearance returns a channel that is closed when there may be a channel of questions where there
// was none.
func (b *Broker) Appearance() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.appeared
}
