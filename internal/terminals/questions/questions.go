// Package questions brings questions to the person of another program. An [Offer] gives those of a
// broker to followers, which show them elsewhere and send the replies back: it implements
// [terminals.Questions], and is a channel of the broker. A [Person] is the other end: it shows here
// what other programs ask.
package questions

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
)

const (
	// maxFollowers is how many followers of one caller there may be: no host of a hub and no token
	// keeps the person's own servers away.
	maxFollowers = 64
	// maxList bounds the open questions of a follower together, in bytes.
	maxList = 2 << 20
	// maxAccepted is how many replies are remembered that were accepted.
	maxAccepted = popup.MaxHistory
	// maxWord is the length of the longest text that a caller chooses, in bytes.
	maxWord = 128
	// otherHost is the name of the channel in answers, unless the name of the host is known.
	otherHost = "another host"
)

// An Offer offers the questions of a broker. It is safe for concurrent use. Use [New].
type Offer struct {
	broker *popup.Broker
	id     string

	mu        sync.Mutex // guards the fields below, and those of followers; never held while the broker is called
	followers map[*follower]bool
	changed   chan struct{}       // closed and replaced when who shows what may be different
	watcher   func()              // see Watch; nil: none
	replies   map[replyKey]*reply // those that are being delivered, and some that were accepted
	accepted  []replyKey          // the newest last
}

// A reply is what came of a reply.
type reply struct {
	done     chan struct{}
	delivery terminals.Delivery // once done is closed
	err      error
}

type replyKey struct{ question, delivery string }

// New returns an Offer of the questions of a broker, which has no other channel for other hosts. id
// is [terminals.Host.ID].
// The Offer needs no closing: it ends with its followers and the broker.
func New(b *popup.Broker, id string) *Offer {
	o := &Offer{broker: b, id: id, followers: map[*follower]bool{}, changed: make(chan struct{}), replies: map[replyKey]*reply{}}
	b.AddChannel(o)
	return o
}

var (
	_ terminals.Questions = (*Offer)(nil)
	_ popup.Channel       = (*Offer)(nil)
)

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

// IsFollowed reports whether servers on other hosts show the questions of this one to the person.
func (o *Offer) IsFollowed() bool { return o.Presence() != popup.Absent }

// Name implements [popup.Channel].
func (o *Offer) Name() string { return otherHost }

// Kind implements [popup.Channel].
func (o *Offer) Kind() popup.Kind { return popup.Elsewhere }

// Presence implements [popup.Channel].
func (o *Offer) Presence() popup.Presence {
	o.mu.Lock()
	defer o.mu.Unlock()
	for f := range o.followers {
		if f.shows {
			return popup.Possible
		}
	}
	return popup.Absent
}

// Show implements [popup.Channel]: followers have the question or get it. One that no follower
// would display counts as displayed by nobody.
func (o *Offer) Show(ctx context.Context, a popup.Asked) error {
	if err := check(a); err != nil {
		return fmt.Errorf("%w: %w", popup.ErrNotShown, err)
	}
	for first := true; ; first = false {
		o.mu.Lock()
		changed := o.changed
		shown, away := 0, false
		for f := range o.followers {
			switch {
			case !f.shows || !a.IsFor(f.by.Caller()):
			case f.away[instanceOf(a)]:
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

// sizeOf is the length of a question as it crosses, in bytes.
func sizeOf(p question.Posed) int {
	return len(fault.Must(json.Marshal(p))) // texts and booleans
}

// check returns an error if no server on another host would show a question.
func check(a popup.Asked) error {
	p := a.Question.Posed(a.Question.Timeout)
	if _, err := p.Question(); err != nil {
		return err
	}
	if len(a.ID) > maxWord || sizeOf(p) > maxList {
		return fault.New(fault.Exhausted, "the question is too long for other hosts")
	}
	return nil
}
