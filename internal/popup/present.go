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
		e := q.pending[0]
		b.mu.Unlock()
		if e.peer != nil {
			b.forward(e)
		} else {
			b.show(e)
		}
	}
}

// forward has another server show the entry. What comes of it there comes of it here.
func (b *Broker) forward(e *entry) {
	ctx, cancel := context.WithCancel(b.stopped)
	defer cancel()
	defer after(e.settled, cancel)()
	a, err := e.peer.Ask(ctx, e.Asked)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		b.opts.Log.Warn("another server has not taken a question", "question", e.ID, "error", err)
		a = e.Question.Expire(question.NoHuman)
	}
	b.settle(e, a)
}

// show tries one channel after another until the entry is settled or the broker closes.
func (b *Broker) show(e *entry) {
	ctx, cancel := context.WithCancel(b.stopped)
	defer cancel()
	defer after(e.settled, cancel)()
	tried := map[Channel]bool{}
	putAway := "" // the channel in which the person closed it
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
				putAway = c.Name()
			}
			b.opts.Log.Debug("a channel has not got a question answered", "channel", c.Name(), "question", e.ID, "error", err)
		case putAway != "":
			b.settle(e, question.Answer{Outcome: question.Dismissed, Channel: putAway})
			return
		case b.mayAppear(ctx, e, appeared):
			// A page that has come back deserves another try, also if it was lost once.
			clear(tried)
		default:
			if ctx.Err() == nil {
				b.settle(e, e.Question.Expire(question.NoHuman))
			}
			return
		}
	}
}

// after calls f when c is closed, in a goroutine that the function which it returns ends and waits for.
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

func (b *Broker) nextAppearance() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.appeared
}

// mayAppear waits for a channel when there is none. It reports false when it is time to give up. A question for whose
// answer nobody is waiting, as after a restart, can wait for the person until its time is over.
func (b *Broker) mayAppear(ctx context.Context, e *entry, appeared <-chan struct{}) bool {
	var enough <-chan time.Time
	if !e.kept {
		patience := time.NewTimer(b.opts.Patience)
		defer patience.Stop()
		enough = patience.C
	}
	select {
	case <-appeared:
		return true
	case <-enough:
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
