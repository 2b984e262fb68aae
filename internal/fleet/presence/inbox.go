package presence

import "time"

const (
	// cardsASecond is how many cards of one host count each second, in the long run, and
	// cardsAtOnce how many at once. A host that is asked all the time sends half as many.
	cardsASecond, cardsAtOnce = 20, 40
	// maxWaiting is how many cards of one host wait to be read, and maxInbox how many of all.
	maxWaiting, maxInbox = 4, 4096
	// maxSenders is how many hosts are remembered that have sent cards lately.
	maxSenders = 8192
)

// An Inbox keeps cards until they are read. A host that sends very many loses some of its own, and
// none of others. The zero Inbox is empty. It is not safe for concurrent use.
type Inbox[C any] struct {
	waiting map[string][]C
	turns   []string // hosts with cards that wait: the first is read next
	size    int
	senders map[string]allowance
	swept   time.Time
}

// An allowance is how many cards a host may send, as of a time.
type allowance struct {
	cards float64
	at    time.Time
}

// Put takes a card of a host, and reports whether one waits that did not before.
func (b *Inbox[C]) Put(from string, card C, now time.Time) bool {
	if b.waiting == nil {
		b.waiting, b.senders = map[string][]C{}, map[string]allowance{}
	}
	if !b.allows(from, now) {
		return false
	}
	list := b.waiting[from]
	switch {
	case len(list) >= maxWaiting:
		list = list[1:] // what came last counts
		b.size--
	case b.size >= maxInbox:
		return false
	case len(list) == 0:
		b.turns = append(b.turns, from)
	}
	b.waiting[from] = append(list, card)
	b.size++
	return true
}

// allows counts a card against the allowance of a host.
func (b *Inbox[C]) allows(from string, now time.Time) bool {
	if len(b.senders) >= maxSenders && now.Sub(b.swept) >= time.Second {
		b.swept = now
		for id, a := range b.senders {
			if a.in(now).cards >= cardsAtOnce {
				delete(b.senders, id)
			}
		}
	}
	a, known := b.senders[from]
	if !known {
		a = allowance{cardsAtOnce, now}
	}
	a = a.in(now)
	if a.cards < 1 {
		return false
	}
	a.cards--
	b.senders[from] = a
	return true
}

// in returns an allowance as it is later.
func (a allowance) in(now time.Time) allowance {
	return allowance{min(cardsAtOnce, a.cards+cardsASecond*max(now.Sub(a.at), 0).Seconds()), now}
}

// Take returns the next card, in turns of hosts, and false if there is none.
func (b *Inbox[C]) Take() (card C, ok bool) {
	if len(b.turns) == 0 {
		return card, false
	}
	from := b.turns[0]
	b.turns = b.turns[1:]
	list := b.waiting[from]
	card = list[0]
	b.size--
	if len(list) > 1 {
		b.waiting[from] = list[1:]
		b.turns = append(b.turns, from)
	} else {
		delete(b.waiting, from)
	}
	return card, true
}
