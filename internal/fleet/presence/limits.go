package presence

import "time"

const (
	// cardsASecond is how many cards of one host count each second, in the long run, and
	// cardsAtOnce how many at once. A host that is asked all the time sends half as many.
	cardsASecond, cardsAtOnce = 20, 40
	// maxSenders is how many hosts are remembered that have sent cards lately.
	maxSenders = 8192
)

// Limits say whether to read a card. A host that sends very many loses some of its own, and none of
// others. The zero Limits have seen no card. They are not safe for concurrent use.
type Limits struct {
	senders map[string]allowance
	swept   time.Time
}

// An allowance is how many cards a host may send, as of a time.
type allowance struct {
	cards float64
	at    time.Time
}

// Allows counts a card against the allowance of its host.
func (l *Limits) Allows(from string, now time.Time) bool {
	if l.senders == nil {
		l.senders = map[string]allowance{}
	}
	if len(l.senders) >= maxSenders && now.Sub(l.swept) >= time.Second {
		l.swept = now
		for id, a := range l.senders {
			if a.in(now).cards >= cardsAtOnce {
				delete(l.senders, id)
			}
		}
	}
	a, known := l.senders[from]
	if !known {
		a = allowance{cardsAtOnce, now}
	}
	a = a.in(now)
	if a.cards < 1 {
		return false
	}
	a.cards--
	l.senders[from] = a
	return true
}

// in returns an allowance as it is later.
func (a allowance) in(now time.Time) allowance {
	return allowance{min(cardsAtOnce, a.cards+cardsASecond*max(now.Sub(a.at), 0).Seconds()), now}
}
