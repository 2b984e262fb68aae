package presence_test

import (
	"container/heap"
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
	queue  deliveries
	lose   float64       // share of the cards that are lost
	late   time.Duration // the longest time that a card travels, so that cards overtake each other
	sent   int
	runs   int
	checks func(*host)
}

// A host is one start of a program.
type host struct {
	w        *world
	id, name string
	run      string
	n        uint64
	sessions int
	alive    bool
	cut      bool // its connection to the hub is lost
	a        presence.Announcer
	d        *presence.Directory
}

type delivery struct {
	at   time.Time
	to   *host
	from string
	card presence.Card
}

type deliveries []delivery

func (q deliveries) Len() int           { return len(q) }
func (q deliveries) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q deliveries) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *deliveries) Push(x any)        { *q = append(*q, x.(delivery)) }
func (q *deliveries) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func newWorld(t *testing.T, seed uint64) *world {
	return &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1_000_000, 0), late: 50 * time.Millisecond}
}

// start starts a program with a key and a name.
func (w *world) start(id, name string) *host {
	w.runs++
	h := &host{w: w, id: id, name: name, run: fmt.Sprint("run", w.runs), alive: true}
	h.d = presence.NewDirectory(id, name, h.run)
	h.a.Connected()
	w.hosts = append(w.hosts, h)
	return h
}

func (w *world) between(from, to time.Duration) time.Duration {
	return from + time.Duration(w.random.Int64N(int64(to-from)+1))
}

// send sends a card to all other programs, or to those with an ID.
func (h *host) send(s presence.Sending, leaves bool) {
	h.n++
	c := presence.Card{Run: h.run, Number: h.n, EveryMS: uint64(s.Every.Milliseconds()), Name: h.name, Protocol: 1, Sessions: h.sessions, Asks: s.Asks, Leaves: leaves}
	for _, other := range h.w.hosts {
		if other == h || !other.alive || other.cut || h.cut || s.To != "" && other.id != s.To || h.w.random.Float64() < h.w.lose {
			continue
		}
		h.w.sent++
		heap.Push(&h.w.queue, delivery{h.w.now.Add(h.w.between(0, h.w.late)), other, h.id, c})
	}
}

// step lets every host do what is due, and delivers what has arrived.
func (w *world) step(by time.Duration) {
	w.now = w.now.Add(by)
	for len(w.queue) > 0 && !w.queue[0].at.After(w.now) {
		m := heap.Pop(&w.queue).(delivery)
		if !m.to.alive || m.to.cut {
			continue
		}
		m.to.d.Heard(m.from, "look", m.card, w.now)
		if m.card.Asks {
			m.to.a.Asked(m.from, w.now, w.between(0, presence.Spread(m.to.d.Len())))
		}
	}
	for _, h := range w.hosts {
		if !h.alive {
			continue
		}
		h.d.Tick(w.now)
		if h.cut {
			continue
		}
		if s := h.a.Due(w.now, h.d.Len()); s.All || s.To != "" {
			h.send(s, false)
		}
		if wake := h.a.Wake(h.d.Len()); wake.Before(w.now) {
			w.t.Fatalf("%s is to wake %v ago", h.name, w.now.Sub(wake))
		}
	}
	if w.checks != nil {
		for _, h := range w.hosts {
			if h.alive {
				w.checks(h)
			}
		}
	}
}

func (w *world) run(d time.Duration) {
	for end := w.now.Add(d); w.now.Before(end); {
		w.step(10 * time.Millisecond)
	}
}

// check compares what every host knows with what is true: who is here, and with how many sessions.
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
			if !ok || got.Away || got.Twice || got.Sessions != other.sessions || got.Level != "look" {
				w.t.Errorf("%s knows %s as %+v, %t; it has %d sessions", h.name, other.name, got, ok, other.sessions)
			}
		}
	}
}

func id(n int) string { return fmt.Sprintf("U%055d", n) }

// A host that comes, and a change, are known everywhere within a second.
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
		for _, h := range w.hosts {
			h.sessions = w.random.IntN(100) + 1
			h.a.Changed()
		}
		w.run(time.Second)
		w.check()
		w.start(id(n), "newcomer")
		w.run(time.Second)
		w.check()
	}
}

// Cards are lost and overtaken, hosts vanish and start again with the same key, connections are
// cut: when that is over, all know the same in bounded time, and no key was taken for used twice.
func TestFaults(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t, seed)
			const hosts = 6
			for i := range hosts {
				w.start(id(i), fmt.Sprint("host", i))
			}
			w.checks = func(h *host) {
				for _, other := range h.d.Take() {
					if got, ok := h.d.Get(other); ok && got.Twice {
						t.Fatalf("%s takes the key of %s for used twice", h.name, got.Name)
					}
				}
				if h.d.SelfTwice(w.now) {
					t.Fatalf("%s takes its own key for used twice", h.name)
				}
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
					h.a.Connected()
				default:
					h.sessions++
					h.a.Changed()
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
	left.send(presence.Sending{All: true}, true)
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
	here.a.Connected()
	w.run(time.Second)
	w.check()
}

// Two programs with the same key are noticed by the others and by each other, and no more once one
// of them has ended, whichever it is.
func TestTwice(t *testing.T) {
	for ends := range 2 {
		for leaves := range 2 {
			w := newWorld(t, uint64(ends))
			here := w.start(id(0), "here")
			two := []*host{w.start(id(1), "first"), nil}
			w.run(10 * time.Second)
			two[1] = w.start(id(1), "second")
			w.run(15 * time.Second)
			if got, ok := here.d.Get(id(1)); !ok || !got.Twice {
				t.Fatalf("%+v, %t", got, ok)
			}
			for _, h := range two {
				if !h.d.SelfTwice(w.now) {
					t.Errorf("%s does not know", h.name)
				}
			}
			if leaves == 1 {
				two[ends].send(presence.Sending{All: true}, true)
			}
			two[ends].alive = false
			w.run(40 * time.Second)
			w.check()
			if got, _ := here.d.Get(id(1)); got.Name != two[1-ends].name {
				t.Errorf("the name is %q, not that of %s", got.Name, two[1-ends].name)
			}
			if two[1-ends].d.SelfTwice(w.now) {
				t.Error("it takes its key for used twice, though the other program has ended")
			}
		}
	}
}

// Names that collide are told apart, the same way everywhere, and no host takes over the name of
// another or of this one.
func TestNames(t *testing.T) {
	w := newWorld(t, 1)
	here, first := w.start(id(0), "here"), w.start(id(1), "build")
	w.run(time.Second)
	name := func(h *host, of string) string {
		t.Helper()
		got, ok := h.d.Get(of)
		if !ok {
			t.Fatalf("%s does not know %s", h.name, of)
		}
		return got.Name
	}
	if got := name(here, first.id); got != "build" {
		t.Errorf("alone it is %q", got)
	}
	here.d.Take()
	second := w.start(id(2), "Build")
	impostor := w.start(id(3), "build~000000000001")
	same := w.start(id(4), "HERE")
	w.run(time.Second)
	for _, h := range []*host{here, same} {
		for of, want := range map[string]string{first.id: "build~000000000001", second.id: "Build~000000000002", impostor.id: "build_000000000001"} {
			if got := name(h, of); got != want {
				t.Errorf("%s calls %s %q, not %q", h.name, of, got, want)
			}
		}
	}
	if got := name(here, same.id); got != "HERE~000000000004" {
		t.Errorf("a host with the name of this one is %q", got)
	}
	if changed := here.d.Take(); !slices.Contains(changed, first.id) {
		t.Errorf("changed: %v", changed)
	}
	second.send(presence.Sending{All: true}, true)
	second.alive = false
	w.run(time.Second)
	if got := name(here, first.id); got != "build" {
		t.Errorf("alone again it is %q", got)
	}
}

// Many hosts of one name cost each of them as much as few.
func TestManyOfOneName(t *testing.T) {
	const n = 10_000
	d := presence.NewDirectory(id(0), "here", "run")
	began := time.Now()
	for i := 1; i <= n; i++ {
		d.Heard(id(i), "look", presence.Card{Run: "r", Number: 1, EveryMS: 1000, Name: "build"}, began)
	}
	if took := time.Since(began); took > 10*time.Second { // it takes some milliseconds
		t.Errorf("%d hosts of one name took %v", n, took)
	}
	for _, i := range []int{1, 2, n} {
		if got, _ := d.Get(id(i)); got.Name != "build~"+id(i)[44:] {
			t.Errorf("%d is called %q", i, got.Name)
		}
	}
}

// Whatever a host says, its name is harmless, and what is kept of it is bounded.
func TestMalicious(t *testing.T) {
	d := presence.NewDirectory(id(0), "here", "r")
	now := time.Unix(0, 0)
	for i, name := range []string{"", "-rf", "..", "a/b", "a\x1b[31mb", "\u202ebuild", strings.Repeat("é", 1000), strings.Repeat("a", 1000), "\xff", "x y"} {
		d.Heard(id(i+1), "look\n", presence.Card{Run: "r", Number: 1, Name: name, EveryMS: 1 << 63, Sessions: -1, Running: 1 << 40}, now)
		got, ok := d.Get(id(i + 1))
		if !ok || got.Name == "" || len(got.Name) > 80 || strings.ContainsAny(got.Name, "/ \n\x1b") || strings.Trim(got.Name, ".-") == "" || got.Name[0] == '-' || got.Sessions != 0 || got.Running > 1_000_000 || got.Level != "look_" {
			t.Errorf("%q: %+v, %t", name, got, ok)
		}
	}
	d.Heard(id(50), "look", presence.Card{Run: strings.Repeat("r", 1000), Number: 1}, now)
	if _, ok := d.Get(id(50)); ok {
		t.Error("a run with a long name is kept")
	}
	d.Tick(now.Add(4 * time.Hour))
	if got, _ := d.Get(id(1)); !got.Away {
		t.Error("a host that promises nothing for 300 million years is not marked")
	}
}

// Cards cost each host no more with more hosts.
func TestRates(t *testing.T) {
	for _, n := range []int{1, 500, 1000, 10_000, 100_000} {
		cards := func(changes bool, wanted time.Duration) int {
			var a presence.Announcer
			a.Connected()
			count := 0
			for now := time.Unix(0, 0); now.Before(time.Unix(0, 0).Add(wanted)); now = now.Add(10 * time.Millisecond) {
				if changes {
					a.Changed()
				}
				if a.Due(now, n).All {
					count++
				}
			}
			return count
		}
		const long = 20 * time.Minute
		if got := float64(cards(false, long)) * float64(n) / long.Seconds(); got > 101+float64(n)/long.Seconds() {
			t.Errorf("each of %d hosts hears %.1f cards a second of hosts that have nothing to say", n, got)
		}
		if got := float64(cards(true, long)) * float64(n) / long.Seconds(); got > 1001+float64(n)/long.Seconds() {
			t.Errorf("each of %d hosts hears %.1f cards a second of hosts that always change", n, got)
		}
	}
}

// A change after a quiet time is said at once, and many who ask are answered with one card.
func TestAnnouncer(t *testing.T) {
	now := time.Unix(0, 0)
	var a presence.Announcer
	a.Connected()
	if s := a.Due(now, 1000); !s.All || !s.Asks || s.Every != 10*time.Second {
		t.Fatalf("first: %+v", s)
	}
	if s := a.Due(now, 1000); s.All || s.To != "" {
		t.Fatalf("at once again: %+v", s)
	}
	now = now.Add(2 * time.Second)
	a.Changed()
	if s := a.Due(now, 1000); !s.All || s.Asks {
		t.Fatalf("a change: %+v", s)
	}
	a.Asked("A", now, 300*time.Millisecond)
	a.Asked("A", now, 100*time.Millisecond)
	if wake := a.Wake(1000); !wake.Equal(now.Add(300 * time.Millisecond)) {
		t.Errorf("it wakes at %v", wake)
	}
	now = now.Add(300 * time.Millisecond)
	if s := a.Due(now, 1000); s.All || s.To != "A" {
		t.Errorf("one asks: %+v", s)
	}
	a.Asked("A", now, 0)
	a.Asked("B", now, time.Hour)
	if s := a.Due(now, 1000); s.All || s.To != "" {
		t.Errorf("two ask soon after a card for all: %+v", s)
	}
	if wake := a.Wake(1000); !wake.Equal(now.Add(700 * time.Millisecond)) {
		t.Errorf("it wakes at %v", wake)
	}
	now = now.Add(700 * time.Millisecond)
	if s := a.Due(now, 1000); !s.All {
		t.Errorf("two ask: %+v", s)
	}
	if s := a.Due(now, 1000); s.All || s.To != "" {
		t.Errorf("after it: %+v", s)
	}
}

// Hosts that ask all the time get no more cards than if something changed all the time.
func TestAskedAllTheTime(t *testing.T) {
	for _, hosts := range []int{1, 2, 1000} {
		for askers := range 3 {
			var a presence.Announcer
			begun, cards := time.Unix(0, 0), 0
			for now := begun; now.Before(begun.Add(time.Minute)); now = now.Add(time.Millisecond) {
				for asker := range askers {
					a.Asked(id(asker), now, 0)
				}
				if s := a.Due(now, hosts); s.All || s.To != "" {
					cards++
				}
			}
			most := 13 // at rest
			if askers > 0 {
				most += 600
			}
			if cards > most {
				t.Errorf("%d of %d hosts ask: %d cards in a minute", askers, hosts, cards)
			}
		}
	}
}
