// Package presence decides when a host says what about itself to the other hosts of a hub, and what
// it knows of them by what they say. It trusts no clock but its own machine's: only
// when something arrived counts.
package presence

import "time"

// A Card is what a host says about itself. Members that are unknown are ignored.
type Card struct {
	// Run differs for each start of the host's program, and Number grows with each card of a run.
	Run    string `json:"run"`
	Number uint64 `json:"n"`
	// EveryMS is within how many milliseconds the host sends its next card.
	EveryMS uint64 `json:"every_ms"`
	// Protocol is the number of the protocol between hosts that it speaks.
	Protocol int `json:"protocol"`
	// Leaves says that the host ends on purpose. No card follows.
	Leaves bool `json:"leaves,omitempty"`
}

const (
	// Every is the time between two cards of a host that nobody asks, among few hosts.
	Every = 5 * time.Second
	// gap is the shortest time between two cards, among few hosts.
	gap = 100 * time.Millisecond

	// With many hosts, each hears at most 100 cards a second of hosts that nobody asks, and 1000 of
	// hosts that are asked all the time. So the cost for a host stays the same, and that for
	// the hub grows with the number of hosts, and not with its square.
	everyByHost = 10 * time.Millisecond
	gapByHost   = time.Millisecond
)

func interval(n int) time.Duration { return max(Every, time.Duration(n)*everyByHost) }

// Spread returns within which time hosts answer one that has come, among n hosts. Each takes a
// moment at random.
func Spread(n int) time.Duration {
	return max(20*time.Millisecond, time.Duration(n)*gapByHost)
}

// An Announcer decides when a host sends its card. It is not safe for concurrent use. The zero
// Announcer has never sent one. Methods take how many hosts there are.
type Announcer struct {
	sent     time.Time // the last card; zero: none yet
	answerAt time.Time // zero: no host has asked
}

// Connected says that a connection to the hub begins: the others must learn of this host.
func (a *Announcer) Connected() { *a = Announcer{} }

// Asked says that another host has come. delay is a moment within [Spread].
func (a *Announcer) Asked(now time.Time, delay time.Duration) {
	if a.answerAt.IsZero() {
		a.answerAt = now.Add(delay)
	}
}

// Due reports whether to send a card now, and how long after it the next one follows at the latest.
func (a *Announcer) Due(now time.Time, hosts int) (due bool, every time.Duration) {
	if due = !now.Before(a.Wake(hosts)); due {
		*a = Announcer{sent: now}
	}
	return due, interval(hosts)
}

// Wake returns when to call Due. However often and however many ask, cards have a gap.
func (a *Announcer) Wake(hosts int) time.Time {
	if a.sent.IsZero() {
		return time.Time{}
	}
	next := a.sent.Add(interval(hosts))
	if a.answerAt.IsZero() || !a.answerAt.Before(next) {
		return next
	}
	if shortest := a.sent.Add(max(gap, time.Duration(hosts)*gapByHost)); a.answerAt.Before(shortest) {
		return shortest
	}
	return a.answerAt
}
