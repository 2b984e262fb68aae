package presence

import (
	"maps"
	"slices"
	"time"
)

const (
	// missed is after how many intervals of silence a host counts as away.
	missed = 3
	// Forget is how long a host that is away is still listed.
	Forget = 10 * time.Minute
	// MaxHosts is how many hosts a directory has. Others are not listed.
	MaxHosts = 150_000
	// maxEvery bounds what a host may promise, which is how long it may be silent.
	maxEvery = time.Hour
	maxRun   = 32
	// A card of one host counts every cardEvery, in the long run, and cardsAtOnce at once. A host
	// that is asked all the time sends half as many.
	cardEvery, cardsAtOnce = 50 * time.Millisecond, 40
)

// A Host is what is known of another host.
type Host struct {
	ID string
	// Name and Class are what the hub says of it.
	Name, Class string
	// Away says that nothing has been heard from the host for too long.
	Away     bool
	Protocol int
}

type known struct {
	Host
	last  Card
	heard time.Time     // when that came
	quiet time.Duration // how long the host may be silent
}

// A Directory is what a host knows of the others of a hub. It is not safe for concurrent use.
type Directory struct {
	self    string // ID of this host
	hosts   map[string]*known
	changed map[string]bool
	cards   map[string]time.Time // of a host: when one would come next if they came evenly
	cut     bool
}

// NewDirectory returns the directory of a host with an ID.
func NewDirectory(self string) *Directory {
	return &Directory{self: self, hosts: map[string]*known{}, changed: map[string]bool{}, cards: map[string]time.Time{}}
}

// Len returns how many hosts are known.
func (d *Directory) Len() int { return len(d.hosts) }

// Allows counts a card, and reports whether to read it: a host that sends very many, whether it is
// listed or not, loses some of its own.
func (d *Directory) Allows(id string, now time.Time) bool {
	next := d.cards[id]
	if next.Before(now) {
		next = now
	}
	if next.Sub(now) >= cardsAtOnce*cardEvery {
		return false
	}
	d.cards[id] = next.Add(cardEvery)
	return true
}

// Heard takes a card. The carrier knows its host, and that one's name and class, truly.
func (d *Directory) Heard(id, name, class string, c Card, now time.Time) {
	if len(c.Run) > maxRun || id == d.self {
		return
	}
	h := d.hosts[id]
	switch isSame := h != nil && c.Run == h.last.Run; {
	case isSame && c.Number <= h.last.Number, c.Leaves && !isSame, h == nil && len(d.hosts) >= MaxHosts:
		return
	case c.Leaves:
		d.forget(id)
		return
	case h == nil:
		h = &known{}
		d.hosts[id] = h
	}
	every := min(time.Duration(min(c.EveryMS, uint64(maxEvery.Milliseconds())))*time.Millisecond, maxEvery)
	h.Host = Host{ID: id, Name: name, Class: class, Protocol: c.Protocol}
	h.last, h.heard, h.quiet = c, now, missed*max(every, time.Second)
	d.changed[id] = true
}

func (d *Directory) forget(id string) {
	delete(d.hosts, id)
	d.changed[id] = true
}

// Cut says that this host's own connection to the hub is lost: silence means nothing until
// [Directory.Restored].
func (d *Directory) Cut() { d.cut = true }

// Restored says that the connection is there again.
func (d *Directory) Restored(now time.Time) {
	d.cut = false
	for _, h := range d.hosts {
		h.heard = now
	}
}

// Tick finds out who has been silent for too long.
func (d *Directory) Tick(now time.Time) {
	maps.DeleteFunc(d.cards, func(_ string, next time.Time) bool { return next.Before(now) })
	if d.cut {
		return
	}
	for id, h := range d.hosts {
		switch silent := now.Sub(h.heard) - h.quiet; {
		case silent >= 0 && !h.Away:
			h.Away = true
			d.changed[id] = true
		case silent >= Forget:
			d.forget(id)
		}
	}
}

// Get returns what is known of a host, and false if it is not known.
func (d *Directory) Get(id string) (Host, bool) {
	if h := d.hosts[id]; h != nil {
		return h.Host, true
	}
	return Host{}, false
}

// IDs returns the IDs of all hosts that are known, sorted.
func (d *Directory) IDs() []string { return slices.Sorted(maps.Keys(d.hosts)) }

// Take returns the IDs of the hosts of which something has changed since the last call, sorted.
func (d *Directory) Take() []string {
	ids := slices.Sorted(maps.Keys(d.changed))
	clear(d.changed)
	return ids
}
