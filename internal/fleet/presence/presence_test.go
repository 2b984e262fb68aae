package presence_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fleet/presence"
)

// A world is a hub with hosts, on a clock of its own.
type world struct {
	t      *testing.T
	random *rand.Rand
	now    time.Time
	hosts  []*host
	queue  []delivery
	lose   float64       // share of the cards that are lost
	late   time.Duration // the longest time that a card travels, so that cards overtake each other
	sent   int
	runs   int
}

// A host is one start of a program.
type host struct {
	w        *world
	id, name string
	run      string
	n        uint64
	alive    bool
	cut      bool // its connection to the hub is lost
	a        presence.Announcer
	d        *presence.Directory
}

type delivery struct {
	at   time.Time
	to   *host
	from *host
	card presence.Card
	asks bool // instead of a card
}

func newWorld(t *testing.T, seed uint64) *world {
	return &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1_000_000, 0), late: 50 * time.Millisecond}
}

// start starts a program with a key and a name.
func (w *world) start(id, name string) *host {
	w.runs++
	h := &host{w: w, id: id, name: name, run: fmt.Sprint("run", w.runs), alive: true}
	h.d = presence.NewDirectory(id)
	w.hosts = append(w.hosts, h)
	h.connect()
	return h
}

func (w *world) between(from, to time.Duration) time.Duration {
	return from + time.Duration(w.random.Int64N(int64(to-from)+1))
}

// connect begins a connection: all send their cards.
func (h *host) connect() {
	h.a.Connected()
	h.deliver(presence.Card{}, true)
}

// send sends a card to all other programs.
func (h *host) send(every time.Duration, leaves bool) {
	h.n++
	h.deliver(presence.Card{Run: h.run, Number: h.n, EveryMS: uint64(every.Milliseconds()), Protocol: 1, Leaves: leaves}, false)
}

func (h *host) deliver(c presence.Card, asks bool) {
	for _, other := range h.w.hosts {
		if other == h || !other.alive || other.cut || h.cut || h.w.random.Float64() < h.w.lose {
			continue
		}
		h.w.sent++
		h.w.queue = append(h.w.queue, delivery{h.w.now.Add(h.w.between(0, h.w.late)), other, h, c, asks})
	}
}

// step lets every host do what is due, and delivers what has arrived.
func (w *world) step(by time.Duration) {
	w.now = w.now.Add(by)
	slices.SortStableFunc(w.queue, func(a, b delivery) int { return a.at.Compare(b.at) })
	for len(w.queue) > 0 && !w.queue[0].at.After(w.now) {
		m := w.queue[0]
		w.queue = w.queue[1:]
		if !m.to.alive || m.to.cut {
			continue
		}
		if m.asks {
			m.to.a.Asked(w.now, w.between(0, presence.Spread(m.to.d.Len())))
			continue
		}
		m.to.d.Heard(m.from.id, m.from.name, "mutual", m.card, w.now)
	}
	for _, h := range w.hosts {
		if !h.alive {
			continue
		}
		h.d.Tick(w.now)
		if h.cut {
			continue
		}
		if due, every := h.a.Due(w.now, h.d.Len()); due {
			h.send(every, false)
		}
		if wake := h.a.Wake(h.d.Len()); wake.Before(w.now) {
			w.t.Fatalf("%s is to wake %v ago", h.name, w.now.Sub(wake))
		}
	}
}

func (w *world) run(d time.Duration) {
	for end := w.now.Add(d); w.now.Before(end); {
		w.step(10 * time.Millisecond)
	}
}

// check compares what every host knows with what is true: who is here.
func (w *world) check() {
	w.t.Helper()
	for _, h := range w.hosts {
		if !h.alive {
			continue
		}
		for _, other := range w.hosts {
			if other.id == h.id || !other.alive {
				continue
			}
			got, ok := h.d.Get(other.id)
			if !ok || got.Away || got.Class != "mutual" || got.Name != other.name {
				w.t.Errorf("%s knows %s as %+v, %t", h.name, other.name, got, ok)
			}
		}
	}
}

func id(n int) string { return fmt.Sprintf("U%055d", n) }

// A host that comes is known everywhere within a second.
func TestWithinASecond(t *testing.T) {
	for _, n := range []int{2, 10, 50} {
		w := newWorld(t, uint64(n))
		for i := range n {
			w.start(id(i), fmt.Sprint("host", i))
		}
		w.run(time.Second)
		w.check()
		w.run(11 * time.Second)
		w.check()
		w.start(id(n), "newcomer")
		w.run(time.Second)
		w.check()
	}
}

// Cards are lost and overtaken, hosts vanish and start again with the same key, connections are
// cut: when that is over, all know the same in bounded time.
func TestFaults(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t, seed)
			const hosts = 6
			for i := range hosts {
				w.start(id(i), fmt.Sprint("host", i))
			}
			w.lose, w.late = w.random.Float64()/2, w.between(time.Millisecond, 4*time.Second)
			for range 20 {
				h := w.hosts[w.random.IntN(len(w.hosts))]
				switch w.random.IntN(5) {
				case 0: // killed and started again
					if h.alive {
						h.alive = false
						w.run(w.between(5*time.Second, 15*time.Second))
						w.start(h.id, h.name)
					}
				case 1:
					h.cut = true
					h.d.Cut()
					w.run(w.between(0, 40*time.Second))
					h.cut = false
					h.d.Restored(w.now)
					h.connect()
				}
				w.run(w.between(0, 8*time.Second))
			}
			w.lose, w.late = 0, 50*time.Millisecond
			w.run(20 * time.Second)
			w.check()
			if len(w.queue) > hosts*hosts*2 {
				t.Errorf("%d cards are under way", len(w.queue))
			}
		})
	}
}

// A host that vanishes is marked, and then gone; one that leaves is gone at once.
func TestVanishes(t *testing.T) {
	w := newWorld(t, 1)
	here, killed, left := w.start(id(0), "here"), w.start(id(1), "killed"), w.start(id(2), "left")
	w.run(7 * time.Second)
	killed.alive = false
	left.send(0, true)
	left.alive = false
	w.run(time.Second)
	if got, ok := here.d.Get(left.id); ok {
		t.Errorf("it has left, and is still known: %+v", got)
	}
	if got, ok := here.d.Get(killed.id); !ok || got.Away {
		t.Errorf("after a second: %+v, %t", got, ok)
	}
	w.run(15 * time.Second)
	if got, ok := here.d.Get(killed.id); !ok || !got.Away {
		t.Errorf("after 16 seconds: %+v, %t", got, ok)
	}
	if changed := here.d.Take(); !slices.Equal(changed, []string{killed.id, left.id}) {
		t.Errorf("changed: %v", changed)
	}
	w.run(presence.Forget)
	if got, ok := here.d.Get(killed.id); ok {
		t.Errorf("after %v: %+v", presence.Forget, got)
	}
	if changed := here.d.Take(); !slices.Equal(changed, []string{killed.id}) {
		t.Errorf("changed: %v", changed)
	}
	if here.d.Len() != 0 {
		t.Errorf("%d are known", here.d.Len())
	}
}

// While its own connection is lost, a host draws no conclusions from silence.
func TestCut(t *testing.T) {
	w := newWorld(t, 1)
	here, there := w.start(id(0), "here"), w.start(id(1), "there")
	w.run(6 * time.Second)
	here.cut = true
	here.d.Cut()
	w.run(5 * time.Minute)
	if got, ok := here.d.Get(there.id); !ok || got.Away {
		t.Errorf("while cut off: %+v, %t", got, ok)
	}
	if got, ok := there.d.Get(here.id); !ok || !got.Away {
		t.Errorf("the one that is cut off: %+v, %t", got, ok)
	}
	here.cut = false
	here.d.Restored(w.now)
	here.connect()
	w.run(time.Second)
	w.check()
}

// Whatever a host says, what is kept of it is bounded.
func TestMalicious(t *testing.T) {
	d := presence.NewDirectory(id(0))
	now := time.Unix(0, 0)
	d.Heard(id(1), "b", "worker", presence.Card{Run: "r", Number: 1, EveryMS: 1 << 63}, now)
	d.Heard(id(50), "c", "worker", presence.Card{Run: strings.Repeat("r", 1000), Number: 1}, now)
	if _, ok := d.Get(id(50)); ok {
		t.Error("a run with a long name is kept")
	}
	d.Tick(now.Add(4 * time.Hour))
	if got, _ := d.Get(id(1)); !got.Away {
		t.Error("a host that promises nothing for 300 million years is not marked")
	}
}

// A host that floods the others loses its own cards, and none of theirs.
func TestFlood(t *testing.T) {
	d, now := presence.NewDirectory(id(0)), time.Unix(0, 0)
	for n := range 2 {
		d.Heard(id(n+1), "b", "worker", presence.Card{Run: "r", Number: 1}, now)
	}
	read := func(n int) (cards int) {
		if d.Allows(id(n), now) {
			cards++
		}
		return cards
	}
	floods, others := 0, 0
	for n := range 100_000 {
		d.Heard(id(1), "b", "worker", presence.Card{Run: "r", Number: uint64(n), Leaves: n%2 == 0}, now) // it comes and goes
		floods += read(1)
		if n < 40 {
			others += read(2) + read(3)
		}
	}
	if floods != 40 || others != 80 {
		t.Errorf("%d cards of the flood are read, and %d of 80 others", floods, others)
	}
	for floods = 0; now.Before(time.Unix(10, 0)); now = now.Add(time.Millisecond) {
		floods += read(1)
	}
	if floods < 190 || floods > 210 {
		t.Errorf("in the long run, %d cards are read in ten seconds", floods)
	}
}

// All who ask are answered with one card.
func TestAnnouncer(t *testing.T) {
	now := time.Unix(0, 0)
	var a presence.Announcer
	a.Connected()
	is := func(what string, want bool) {
		t.Helper()
		if due, every := a.Due(now, 1000); due != want || every != 10*time.Second {
			t.Fatalf("%s: %t, and the next one after %v", what, due, every)
		}
	}
	is("first", true)
	is("at once again", false)
	now = now.Add(2 * time.Second)
	a.Asked(now, 0)
	is("one asks", true)
	a.Asked(now, 2*time.Second)
	a.Asked(now, time.Second)
	if wake := a.Wake(1000); !wake.Equal(now.Add(2 * time.Second)) {
		t.Errorf("it wakes at %v", wake)
	}
	now = now.Add(2 * time.Second)
	is("two ask", true)
	a.Asked(now, 0)
	is("one asks soon after a card", false)
	if wake := a.Wake(1000); !wake.Equal(now.Add(time.Second)) {
		t.Errorf("it wakes at %v", wake)
	}
	now = now.Add(time.Second)
	is("it waits for its turn", true)
}

// Hosts that ask all the time get no more cards than one in each gap, and cards cost each host no
// more with more hosts.
func TestAskedAllTheTime(t *testing.T) {
	const minutes = 20
	for _, hosts := range []int{1, 2, 500, 1000, 10_000, 100_000} {
		for _, asked := range []bool{false, true} {
			var a presence.Announcer
			begun, cards := time.Unix(0, 0), 0
			for now := begun; now.Before(begun.Add(minutes * time.Minute)); now = now.Add(10 * time.Millisecond) {
				if asked {
					a.Asked(now, 0)
				}
				if due, _ := a.Due(now, hosts); due {
					cards++
				}
			}
			each, all := 12, 100 // a minute and a second, at rest
			if asked {
				each, all = 612, 1000
			}
			if most := min(each*minutes, all*minutes*60/hosts) + 2; cards > most {
				t.Errorf("asked %t, each of %d hosts sends %d cards in %d minutes, more than %d", asked, hosts, cards, minutes, most)
			}
		}
	}
}
