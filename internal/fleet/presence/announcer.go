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
	Name    string `json:"name"`
	// Protocol is the number of the protocol between hosts that it speaks.
	Protocol int `json:"protocol"`
	// Sessions is how many sessions it has, and Running in how many of them a program runs.
	Sessions int `json:"sessions"`
	Running  int `json:"running"`
	// Asks says that the host has just come, and asks the others for their cards.
	Asks bool `json:"asks,omitempty"`
	// Leaves says that the host ends on purpose. No card follows.
	Leaves bool `json:"leaves,omitempty"`
}

const (
	// Every is the time between two cards of a host that has nothing new to say, among few hosts.
	Every = 5 * time.Second
	// gap is the shortest time between two cards for all, among few hosts, and between two for one.
	gap = 100 * time.Millisecond

	// With many hosts, each hears at most 100 cards a second of hosts with nothing new to say, and
	// 1000 of hosts that change all the time. So the cost for a host stays the same, and that for
	// the hub grows with the number of hosts, and not with its square.
	everyByHost = 10 * time.Millisecond
	gapByHost   = time.Millisecond
)

// interval returns the time between cards among n hosts.
func interval(n int) time.Duration { return max(Every, time.Duration(n)*everyByHost) }

// Spread returns within which time hosts answer one that has come, among n hosts. Each takes a
// moment at random.
func Spread(n int) time.Duration {
	return max(20*time.Millisecond, time.Duration(n)*gapByHost)
}

// An Announcer decides when a host sends its card, and to whom. It is not safe for concurrent use.
// The zero Announcer has never sent one. Methods take how many other hosts are known.
type Announcer struct {
	sent     time.Time // the last card for all; zero: none yet
	changed  bool      // something has changed since
	answerAt time.Time // zero: no host has asked
	answered time.Time // the last card for one; zero: none yet
	asker    string    // "" if more than one has
	connects bool      // the next card asks the others for theirs
}

// Connected says that a connection to the hub begins: the others must learn of this host, and this
// one of them.
func (a *Announcer) Connected() { *a = Announcer{connects: true} }

// Changed says that the card has changed.
func (a *Announcer) Changed() { a.changed = true }

// Asked says that another host has come. delay is a moment within [Spread].
func (a *Announcer) Asked(id string, now time.Time, delay time.Duration) {
	if a.answerAt.IsZero() {
		a.answerAt, a.asker = now.Add(delay), id
	} else if a.asker != id {
		a.asker = "" // one card for all costs this host less than one for each
	}
}

// A Sending says what to send now.
type Sending struct {
	All   bool   // a card for all hosts
	To    string // or for one, or ""
	Asks  bool   // the card asks the others for theirs
	Every time.Duration
}

// Due returns what to send now.
func (a *Announcer) Due(now time.Time, hosts int) Sending {
	s := Sending{Every: interval(hosts)}
	answers := !a.answerAt.IsZero() && !now.Before(a.answer(hosts))
	switch {
	case !now.Before(a.next(hosts)), answers && a.asker == "":
		s.All, s.Asks = true, a.connects
		*a = Announcer{sent: now, answered: a.answered}
	case answers:
		s.To = a.asker
		a.answerAt, a.answered, a.asker = time.Time{}, now, ""
	}
	return s
}

// shortest returns the shortest time between two cards for all among n hosts.
func shortest(n int) time.Duration { return max(gap, time.Duration(n)*gapByHost) }

// answer returns when the answer to those who have asked is due. However often and however many
// ask, there are no more cards than if something changed all the time.
func (a *Announcer) answer(hosts int) time.Time {
	earliest := a.answered.Add(gap)
	if a.asker == "" {
		earliest = a.sent.Add(shortest(hosts))
	}
	if earliest.After(a.answerAt) {
		return earliest
	}
	return a.answerAt
}

// next returns when the next card for all is due, without regard to those who ask.
func (a *Announcer) next(hosts int) time.Time {
	switch {
	case a.connects || a.sent.IsZero():
		return time.Time{}
	case a.changed:
		return a.sent.Add(shortest(hosts))
	}
	return a.sent.Add(interval(hosts))
}

// Wake returns when to call Due.
func (a *Announcer) Wake(hosts int) time.Time {
	next := a.next(hosts)
	if at := a.answer(hosts); !a.answerAt.IsZero() && at.Before(next) {
		return at
	}
	return next
}
