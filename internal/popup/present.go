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
			b.leaveLocked(q)
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
		b.entrust(e, true)
		a, err := peer.Ask(ctx, e.Asked)
		b.entrust(e, false)
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

// entrust leaves the end of an entry to another server, which knows whether the person is at it, or
// takes it back.
func (b *Broker) entrust(e *entry, there bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case e.Question.Default == "":
	case there:
		e.until = e.Deadline.Add(MaxRespite + b.opts.Patience)
	default:
		e.until = time.Time{}
		if e.timer != nil && !e.claimed && !b.closed {
			e.timer.Reset(max(time.Until(e.Deadline), 0))
		}
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

// show tries one channel after another, and those that are beside at the same time, until the
// entry is settled, stuck, or the broker closes.
func (b *Broker) show(e *entry) {
	ctx, cancel := context.WithCancel(b.stopped)
	var running sync.WaitGroup
	defer running.Wait()
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
	type failure struct {
		channel Channel
		err     error
	}
	failed := make(chan failure)
	showing := map[Channel]bool{} // those that are beside, and one of another kind
	var other Channel             // that one, or nil
	putAway := ""                 // the channel in which the person has closed it, unless another has displayed it since
	for {
		appeared := b.Appearance()
		c := b.choose(e, tried, other != nil || e.Question.Channel == "terminal" && hasTerminal(showing))
		switch {
		case ctx.Err() != nil:
			return
		case c != nil:
			tried[c], showing[c] = true, true
			if !c.Kind().isBeside() {
				other = c
			}
			e.opened = e.opened || c.Kind() == NewPage
			running.Go(func() {
				err := c.Show(ctx, e.Asked)
				select {
				case failed <- failure{c, err}:
				case <-ctx.Done():
				}
			})
		case len(showing) > 0:
			select {
			case f := <-failed:
				delete(showing, f.channel)
				if f.channel == other {
					other = nil
				}
				switch {
				case errors.Is(f.err, ErrPutAway):
					putAway, e.closed[f.channel] = f.channel.Name(), true
				case errors.Is(f.err, ErrLost):
					putAway, e.waits = "", true
				}
				b.opts.Log.Debug("a channel did not get a question answered", "channel", f.channel.Name(), "question", e.ID, "error", f.err)
			case <-appeared:
				// Each terminal may be another one now. A page may have come back, and can show
				// more than a terminal.
				maps.DeleteFunc(tried, func(c Channel, _ bool) bool {
					return (c.Kind().isBeside() || other == nil && c.Kind() != NewPage) && !showing[c] && !e.closed[c]
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

func hasTerminal(showing map[Channel]bool) bool {
	for c := range showing {
		if c.Kind() == Terminal {
			return true
		}
	}
	return false
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

// choose returns the channel to be tried next, or nil when none is left. Beside a channel that
// shows the question already, only some do: see [Kind.isBeside].
func (b *Broker) choose(e *entry, tried map[Channel]bool, beside bool) Channel {
	all := b.channelsFor(e)
	for _, s := range steps(e.Question) {
		for _, c := range all {
			if c.Kind() == s.kind && !tried[c] && c.Presence() >= s.from && (!beside || s.kind.isBeside()) {
				return c
			}
		}
	}
	return nil
}

// channelsFor returns the channels of an entry: the asker's own and the broker's. A terminal of the
// asker's own replaces the broker's, which would show the question there once more. What another
// host asks is not passed on to further ones, nor what another program of this host asks to such
// programs.
func (b *Broker) channelsFor(e *entry) []Channel {
	b.mu.Lock()
	own, all := slices.Clone(e.own), slices.Clone(b.channels)
	b.mu.Unlock()
	isTerminal := func(c Channel) bool { return c.Kind() == Terminal }
	if slices.ContainsFunc(own, func(c Channel) bool { return isTerminal(c) && c.Presence() >= Possible }) {
		all = slices.DeleteFunc(all, isTerminal)
	}
	if e.Host != "" {
		all = slices.DeleteFunc(all, func(c Channel) bool { return c.Kind() == Elsewhere })
	}
	if e.Relayed {
		all = slices.DeleteFunc(all, func(c Channel) bool { return c.Kind() == Nearby })
	}
	return append(own, all...)
}

// Reachable reports whether there is a channel that may show a question now, given the asker's own.
func (b *Broker) Reachable(a Asked, own ...Channel) bool {
	return b.choose(&entry{Asked: a, own: own}, nil, false) != nil
}

// Appearance returns a channel that is closed when there may be a channel of questions where there
// was none.
func (b *Broker) Appearance() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.appeared
}
