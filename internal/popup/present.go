package popup

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/popup/question"
)

// present puts the questions of a queue before the person, one after another, until there are none.
func (b *Broker) present(q *queue) {
	for {
		b.mu.Lock()
		if b.closed || len(q.pending) == 0 {
			q.presenting = false
			b.mu.Unlock()
			return
		}
		e, appeared := q.nextLocked(b.appeared), b.appeared
		b.mu.Unlock()
		switch {
		case e == nil:
			select {
			case <-appeared:
			case <-q.changed:
			case <-b.stopped.Done():
			}
		case e.peer != nil:
			b.forward(e)
		default:
			b.show(e)
		}
	}
}

// nextLocked returns the first question that may find a channel, or nil. It passes over those that
// found none since the last appearance, so that they do not hold up those behind them.
func (q *queue) nextLocked(appeared chan struct{}) *entry {
	for _, e := range q.pending {
		if e.stuck != appeared {
			return e
		}
	}
	return nil
}

// forward has another server show the entry, and adopts the outcome. If that server has taken the
// question and then stops, forward asks again when a server has its workspace.
func (b *Broker) forward(e *entry) {
	ctx, cancel := context.WithCancel(b.stopped)
	defer cancel()
	defer context.AfterFunc(e.settled, cancel)()
	for peer := e.peer; peer != nil; peer = b.awaitPeer(ctx, e.Workspace) {
		a, err := peer.Ask(ctx, e.Asked)
		if ctx.Err() != nil {
			return
		}
		e.waits = e.waits || errors.Is(err, ErrLost)
		switch {
		case err == nil:
			b.settle(e, a)
			return
		case !e.waits:
			b.opts.Log.Warn("another server did not take a question", "question", e.ID, "error", err)
			b.settle(e, e.Question.Expire(question.NoHuman))
			return
		}
		b.opts.Log.Info("waiting for the server of a question", "question", e.ID, "error", err)
	}
}

// awaitPeer waits for a server with the given workspace. It returns nil if ctx ends first.
func (b *Broker) awaitPeer(ctx context.Context, workspace string) *Peer {
	look := time.NewTicker(b.opts.Patience)
	defer look.Stop()
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil
		}
		for _, p := range b.opts.Peers.Servers() {
			if slices.Contains(p.Workspaces, workspace) {
				return &p
			}
		}
	}
}

// show tries one channel after another, and terminals at the same time, until the entry is settled,
// stuck, or the broker closes.
func (b *Broker) show(e *entry) {
	ctx, cancel := context.WithCancel(b.stopped)
	beside := terminals{showing: map[Channel]bool{}, failed: make(chan failure)}
	defer beside.running.Wait()
	defer cancel()
	defer context.AfterFunc(e.settled, cancel)()
	b.mu.Lock()
	start := b.appeared
	e.stuck = nil
	b.mu.Unlock()
	tried := map[Channel]bool{}
	for _, c := range b.channelsFor(e) {
		if e.closed[c] || e.opened && c.Kind() == NewPage {
			tried[c] = true
		}
	}
	putAway := "" // the channel in which the person has closed it, unless another has displayed it since
	note := func(c Channel, err error) {
		switch {
		case err == nil:
			err = errors.New("the channel has ended")
		case errors.Is(err, ErrPutAway):
			putAway, e.closed[c] = c.Name(), true
		case errors.Is(err, ErrLost):
			putAway, e.waits = "", true
		}
		b.opts.Log.Debug("a channel did not get a question answered", "channel", c.Name(), "question", e.ID, "error", err)
	}
	for {
		appeared := b.Appearance()
		c := b.choose(e, tried)
		switch {
		case ctx.Err() != nil:
			return
		case c != nil && c.Kind() == Terminal:
			tried[c] = true
			beside.show(ctx, c, e.Asked)
		case c != nil && (len(beside.showing) == 0 || e.Question.Channel != "terminal"): // else terminals come first
			tried[c] = true
			e.opened = e.opened || c.Kind() == NewPage
			err := b.showIn(ctx, c, e, tried, &beside, note)
			if ctx.Err() != nil {
				return
			}
			note(c, err)
		case len(beside.showing) > 0:
			select {
			case f := <-beside.failed:
				delete(beside.showing, f.channel)
				note(f.channel, f.err)
			case <-appeared:
				// A page may have come back, and can show more than a terminal.
				maps.DeleteFunc(tried, func(c Channel, _ bool) bool {
					return c.Kind() != NewPage && !beside.showing[c] && !e.closed[c]
				})
			case <-ctx.Done():
				return
			}
		case putAway != "":
			b.settle(e, question.Answer{Outcome: question.Dismissed, Channel: putAway})
			return
		case e.waits:
			b.mu.Lock()
			e.stuck = start // so that what has appeared since is tried at once
			b.mu.Unlock()
			b.notifyWatchers()
			return
		case b.mayAppear(ctx, appeared):
			clear(tried)
		default:
			if ctx.Err() == nil {
				b.settle(e, e.Question.Expire(question.NoHuman))
			}
			return
		}
	}
}

// showIn shows the entry in a channel, and meanwhile in all terminals, those that appear later
// included. It returns why the channel does not show it any more.
func (b *Broker) showIn(ctx context.Context, c Channel, e *entry, tried map[Channel]bool, beside *terminals, note func(Channel, error)) error {
	shown := make(chan error, 1)
	beside.running.Go(func() { shown <- c.Show(ctx, e.Asked) })
	for {
		appeared := b.Appearance()
		for _, t := range b.terminals(e, tried) {
			tried[t] = true
			beside.show(ctx, t, e.Asked)
		}
		select {
		case err := <-shown:
			return err
		case <-appeared:
			maps.DeleteFunc(tried, func(t Channel, _ bool) bool { // each may be another terminal now
				return t.Kind() == Terminal && !beside.showing[t] && !e.closed[t]
			})
		case f := <-beside.failed:
			delete(beside.showing, f.channel)
			note(f.channel, f.err)
		}
	}
}

// terminals are the person's terminals that show a question while another channel does, too: the
// person may be at either.
type terminals struct {
	showing map[Channel]bool
	failed  chan failure
	running sync.WaitGroup
}

// A failure ends what a channel has shown.
type failure struct {
	channel Channel
	err     error
}

func (t *terminals) show(ctx context.Context, c Channel, a Asked) {
	t.showing[c] = true
	t.running.Go(func() {
		err := c.Show(ctx, a)
		select {
		case t.failed <- failure{c, err}:
		case <-ctx.Done():
		}
	})
}

// mayAppear waits for a channel. It reports false when it is time to give up.
func (b *Broker) mayAppear(ctx context.Context, appeared <-chan struct{}) bool {
	patience := time.NewTimer(b.opts.Patience)
	defer patience.Stop()
	select {
	case <-appeared:
		return true
	case <-patience.C:
		return false
	case <-ctx.Done():
		return false
	}
}

// choose returns the channel to be tried next, or nil when none is left.
func (b *Broker) choose(e *entry, tried map[Channel]bool) Channel {
	all := b.channelsFor(e)
	for _, s := range steps(e.Question) {
		for _, c := range all {
			if c.Kind() == s.kind && !tried[c] && c.Presence() >= s.from {
				return c
			}
		}
	}
	return nil
}

// terminals returns the terminals that can show an entry beside other channels.
func (b *Broker) terminals(e *entry, tried map[Channel]bool) (list []Channel) {
	if !allows(steps(e.Question), Terminal) {
		return nil
	}
	for _, c := range b.channelsFor(e) {
		if c.Kind() == Terminal && !tried[c] && c.Presence() >= Possible {
			list = append(list, c)
		}
	}
	return list
}

// channelsFor returns the channels of an entry: the asker's own and the broker's. A terminal of the
// asker's own replaces the broker's, which would show the question there once more.
func (b *Broker) channelsFor(e *entry) []Channel {
	b.mu.Lock()
	own, all := slices.Clone(e.own), slices.Clone(b.channels)
	b.mu.Unlock()
	isTerminal := func(c Channel) bool { return c.Kind() == Terminal }
	if slices.ContainsFunc(own, func(c Channel) bool { return isTerminal(c) && c.Presence() >= Possible }) {
		all = slices.DeleteFunc(all, isTerminal)
	}
	return append(own, all...)
}

// Reachable reports whether there is a channel that may show a question now, given the asker's own.
func (b *Broker) Reachable(q question.Question, own ...Channel) bool {
	return b.choose(&entry{Asked: Asked{Question: q}, own: own}, nil) != nil
}

// Appearance returns a channel that is closed when there may be a channel of questions where there
// was none.
func (b *Broker) Appearance() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.appeared
}
