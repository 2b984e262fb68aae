// Package questions brings questions to the person of another program. An [Offer] gives those of a
// broker to followers, which show them elsewhere and send the replies back: it implements
// [terminals.Questions], and is a channel of the broker. A [Person] is the other end: it shows
// here what other programs ask.
//
//	asker's broker ── Offer ── follower ── stream ── Person ── person's broker ── page or terminal
//	               <── reply, by the question's ID and text ──
//
// A [Way] is what one program asks, as far as this one knows that by one key or address; a
// question that arrives in two ways is two questions. Nothing that the other program says of
// itself decides whose a question is. A reply is bound to the text that was displayed: if that has
// changed, the reply does not count. What a person has replied is kept for an hour, to be sent
// again after the connection was lost, unless it is a secret.
package questions

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
)

const (
	// maxList bounds the open questions of a follower on another host together, in bytes, and
	// maxHere those of a program of this one: a question has at most four pictures of a MiB.
	maxList, maxHere = 2 << 20, 6 << 20
	// maxWord is the length of the longest text that a caller chooses, in bytes.
	maxWord = 128
	// otherHost is the name of the channel in answers, unless the name of the host is known.
	otherHost = "another host"
)

// An Offer offers the questions of a broker. It is safe for concurrent use. Use [New].
type Offer struct {
	broker   *popup.Broker
	id       string
	ctx      context.Context // ends when programs are not to be reached any more
	cancel   context.CancelFunc
	reaching sync.WaitGroup // Add only with mu held, and ctx not ended
	asked    chan struct{}  // capacity 1; a token means that a question may be open

	listing sync.Mutex       // guards the fields below; held while list is called; taken before mu
	list    func() []Program // see Reach; nil: there are no programs
	listed  []Program
	fresh   time.Time       // until then listed is
	seen    map[string]bool // by ID: the programs at the last look

	mu        sync.Mutex // guards the fields below, and those of followers; never held while the broker is called
	followers map[*follower]bool
	changed   chan struct{}     // closed and replaced when who shows what may be different
	reached   map[string]func() // by the ID of a program; leaves it
}

// New returns an Offer of the questions of a broker, which has no other channel for other programs
// and hosts. id is unique to this process, as [terminals.Host.ID] is.
// The Offer needs no closing: it ends with its followers and the broker, and [Offer.Reach].
func New(b *popup.Broker, id string) *Offer {
	o := &Offer{broker: b, id: id, followers: map[*follower]bool{}, changed: make(chan struct{}), reached: map[string]func(){}, asked: make(chan struct{}, 1)}
	o.ctx, o.cancel = context.WithCancel(context.Background())
	b.AddChannel(o)
	return o
}

var (
	_ terminals.Questions = (*Offer)(nil)
	_ popup.Channel       = (*Offer)(nil)
)

// Name implements [popup.Channel].
func (o *Offer) Name() string { return otherHost }

// Kind implements [popup.Channel].
func (o *Offer) Kind() core.Kind { return core.Elsewhere }

// Presence implements [popup.Channel].
func (o *Offer) Presence() (p core.Presence) {
	o.listing.Lock()
	listed := o.programs()
	o.listing.Unlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	for f := range o.followers {
		if f.shows || f.awaited {
			p |= f.reach
		}
	}
	for _, l := range listed {
		if o.reached[l.ID] == nil {
			p |= l.reach()
		}
	}
	return p
}

// Show implements [popup.Channel]: followers have the question or get it. One that no follower
// would display counts as displayed by nobody.
func (o *Offer) Show(ctx context.Context, a popup.Asked) error {
	posed := a.Question.Posed(a.Question.Timeout)
	if _, err := posed.Question(); err != nil {
		return fmt.Errorf("%w: %w", popup.ErrNotShown, err)
	}
	size := sizeOf(posed)
	o.look(false)
	for seen := false; ; {
		o.mu.Lock()
		changed := o.changed
		shown, awaited, away := false, false, false
		for f := range o.followers {
			shows := f.shows && !(f.opens && a.Question.IfPresent)
			switch {
			case !f.takes(a) || size > f.most || !shows && !f.awaited:
			case f.away[askingOf(a)]:
				away = true
			default:
				shown, awaited = shown || shows, awaited || f.awaited
			}
		}
		o.mu.Unlock()
		seen = seen || shown
		switch {
		case shown || awaited:
		case away:
			return popup.ErrPutAway
		case seen:
			return popup.ErrLost
		default:
			return popup.ErrNotShown
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
