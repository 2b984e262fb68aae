package presence

import (
	"maps"
	"slices"
	"time"
)

const (
	// missed is after how many intervals of silence a host counts as away.
	missed = 3
	// late is how much longer than a card that followed it a card may travel.
	late = 5 * time.Second
	// Forget is how long a host that is away is still listed.
	Forget = 10 * time.Minute
	// MaxHosts is how many hosts a directory has. Others are not listed.
	MaxHosts = 150_000
	// maxEvery bounds what a host may promise, which is how long it may be silent.
	maxEvery = time.Hour
	maxRun   = 32
)

// A Host is what is known of another host.
type Host struct {
	ID string
	// Name and Class are what the hub says of it.
	Name, Class string
	// Away says that nothing has been heard from the host for too long.
	Away bool
	// Twice says that two programs have the host's key. What is asked of the host may reach either.
	Twice    bool
	Protocol int
}

// A run is one start of a host's program.
type run struct {
	id    string
	n     uint64 // of its last card
	heard time.Time
	until time.Time // when it counts as away
}

type known struct {
	Host
	now      run
	other    run       // the one before it, which may be a second program with the key
	switched time.Time // when now was heard first
	awayAt   time.Time
}

// A Directory is what a host knows of the others of a hub. It is not safe for concurrent use.
type Directory struct {
	self    string // ID of this host
	run     string
	hosts   map[string]*known
	changed map[string]bool
	twice   time.Time // when another program with this host's key was heard last
	cut     bool
}

// NewDirectory returns the directory of a host with an ID, in one run of its program.
func NewDirectory(self, run string) *Directory {
	return &Directory{self: self, run: run, hosts: map[string]*known{}, changed: map[string]bool{}}
}

// Len returns how many hosts are known.
func (d *Directory) Len() int { return len(d.hosts) }

// Heard takes a card. The carrier knows its host, and that one's name and class, truly.
func (d *Directory) Heard(id, name, class string, c Card, now time.Time) {
	if len(c.Run) > maxRun {
		return
	}
	if id == d.self {
		if c.Run != d.run {
			d.twice = now
		}
		return
	}
	every := min(time.Duration(min(c.EveryMS, uint64(maxEvery.Milliseconds())))*time.Millisecond, maxEvery)
	r := run{c.Run, c.Number, now, now.Add(missed * max(every, time.Second))}
	h := d.hosts[id]
	switch {
	case h == nil:
		if c.Leaves || len(d.hosts) >= MaxHosts {
			return
		}
		h = &known{Host: Host{ID: id}, now: r}
		d.hosts[id] = h
	case c.Leaves:
		d.leaves(h, r)
		return
	case r.id == h.now.id:
		if r.n <= h.now.n {
			return
		}
		h.now = r
	case r.id == h.other.id:
		if r.n <= h.other.n {
			return
		}
		h.other.n = r.n
		if now.Sub(h.switched) < late {
			return // sent before that program ended
		}
		h.other = r
		if !h.Away {
			d.judge(h, now) // a second program: what the first one says counts
			return
		}
		h.other, h.now, h.switched = h.now, h.other, now
	default:
		h.other, h.now, h.switched = h.now, r, now
	}
	h.Away = false
	h.Name, h.Class, h.Protocol = name, class, c.Protocol
	d.judge(h, now)
	d.changed[id] = true
}

func (d *Directory) leaves(h *known, r run) {
	switch {
	case r.id == h.other.id:
		h.other = run{id: r.id, n: h.other.n}
	case r.id != h.now.id: // one that was never heard
	case h.Twice:
		h.now, h.other = h.other, run{id: r.id, n: r.n}
	default:
		d.forget(h)
	}
	d.judge(h, r.heard)
}

// judge finds out whether two programs have the key of a host.
func (d *Directory) judge(h *known, now time.Time) {
	twice := h.other.heard.Sub(h.switched) >= late && now.Before(h.other.until)
	if twice != h.Twice {
		h.Twice = twice
		d.changed[h.ID] = true
	}
}

func (d *Directory) forget(h *known) {
	delete(d.hosts, h.ID)
	d.changed[h.ID] = true
}

// Cut says that this host's own connection to the hub is lost: silence means nothing until
// [Directory.Restored].
func (d *Directory) Cut() { d.cut = true }

// Restored says that the connection is there again.
func (d *Directory) Restored(now time.Time) {
	d.cut = false
	for _, h := range d.hosts {
		h.other = run{id: h.other.id, n: h.other.n}
		h.now.until = now.Add(h.now.until.Sub(h.now.heard))
		h.now.heard = now
		if h.Away {
			h.now.until, h.awayAt = now, now
		}
		d.judge(h, now)
	}
}

// Tick finds out who has been silent for too long.
func (d *Directory) Tick(now time.Time) {
	if d.cut {
		return
	}
	for _, h := range d.hosts {
		if !now.Before(h.now.until) && h.Twice && now.Before(h.other.until) {
			h.now, h.other = h.other, run{id: h.now.id, n: h.now.n}
		}
		d.judge(h, now)
		switch {
		case !h.Away && !now.Before(h.now.until):
			h.Away, h.awayAt = true, now
			d.changed[h.ID] = true
		case h.Away && now.Sub(h.awayAt) >= Forget:
			d.forget(h)
		}
	}
}

// SelfTwice reports whether another program with this host's key was heard a short time ago.
func (d *Directory) SelfTwice(now time.Time) bool {
	return !d.twice.IsZero() && now.Sub(d.twice) < missed*interval(len(d.hosts))
}

// Get returns what is known of a host, and false if it is not known.
func (d *Directory) Get(id string) (Host, bool) {
	h := d.hosts[id]
	if h == nil {
		return Host{}, false
	}
	return h.Host, true
}

// IDs returns the IDs of all hosts that are known, sorted.
func (d *Directory) IDs() []string { return slices.Sorted(maps.Keys(d.hosts)) }

// Take returns the IDs of the hosts of which something has changed since the last call, sorted.
func (d *Directory) Take() []string {
	ids := slices.Sorted(maps.Keys(d.changed))
	clear(d.changed)
	return ids
}
