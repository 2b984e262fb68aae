package popup

import (
	"context"
	"errors"
	"slices"
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

// nextLocked returns the first question that may find a channel, or nil. It passes over questions
// that found none since the last appearance, so that they do not hold up those behind them.
func (q *queue) nextLocked(appeared chan struct{}) *entry {
	for _, e := range q.pending {
		if e.stuck != appeared {
			return e
		}
	}
	return nil
}

// forward has another server show the entry, and adopts the outcome.
func (b *Broker) forward(e *entry) {
	ctx, cancel := context.WithCancel(b.stopped)
	defer cancel()
	defer after(e.settled, cancel)()
	a, err := e.peer.Ask(ctx, e.Asked)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		b.opts.Log.Warn("another server did not take a question", "question", e.ID, "error", err)
		a = e.Question.Expire(question.NoHuman)
	}
	b.settle(e, a)
}

// show tries one channel after another until the entry is settled, stuck, or the broker closes.
func (b *Broker) show(e *entry) {
	ctx, cancel := context.WithCancel(b.stopped)
	defer cancel()
	defer after(e.settled, cancel)()
	tried := map[Channel]bool{}
	putAway := false // the person has closed it
	seen := ""       // the channel in which they have seen it
	for {
		appeared := b.nextAppearance()
		c := b.choose(e, tried)
		switch {
		case ctx.Err() != nil:
			return
		case c != nil:
			tried[c] = true
			err := c.Show(ctx, e.Asked)
			if ctx.Err() != nil {
				return
			}
			switch {
			case err == nil:
				err = errors.New("the channel has ended")
			case errors.Is(err, ErrPutAway):
				putAway, seen = true, c.Name()
			case errors.Is(err, ErrLost):
				seen = c.Name()
			}
			b.opts.Log.Debug("a channel did not get a question answered", "channel", c.Name(), "question", e.ID, "error", err)
		case putAway:
			b.settle(e, question.Answer{Outcome: question.Dismissed, Channel: seen})
			return
		case e.kept:
			// Nobody waits for the answer, as after a restart: there is time until the deadline.
			b.mu.Lock()
			e.stuck = appeared
			b.mu.Unlock()
			return
		case b.mayAppear(ctx, appeared):
			// A page that has come back deserves another try, even if it was lost once.
			clear(tried)
		default:
			if ctx.Err() == nil {
				b.settle(e, e.unanswered(seen))
			}
			return
		}
	}
}

// unanswered is the outcome of a question for which no channel is left. seen is the channel in
// which the person saw it, or "".
func (e *entry) unanswered(seen string) question.Answer {
	if seen == "" {
		return e.Question.Expire(question.NoHuman)
	}
	a := e.Question.Expire(question.Dismissed)
	a.Channel = seen
	return a
}

// after calls f when c is closed, in a goroutine; stop ends the goroutine and waits for it.
func after(c <-chan struct{}, f func()) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-c:
			f()
		case <-quit:
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

func (b *Broker) nextAppearance() chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.appeared
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
	b.mu.Lock()
	all := slices.Concat(e.own, b.channels)
	b.mu.Unlock()
	for _, s := range steps(e.Question) {
		for _, c := range all {
			if c.Kind() == s.kind && !tried[c] && c.Presence() >= s.from {
				return c
			}
		}
	}
	return nil
}
