package stream

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ui-mcp/internal/testkit/load"
)

// A network between two ends loses, repeats and delays packets, and may be away.
type network struct {
	random *rand.Rand
	ends   [2]*Stream
	on     [2][]arrival // to each end
	now    time.Time
	away   time.Time // until when it loses everything
	lose   float64
}

type arrival struct {
	at     time.Time
	packet []byte
}

// send takes what an end has to send.
func (n *network) send(from int) {
	for _, p := range n.ends[from].Packets(n.now) {
		if n.now.Before(n.away) || n.random.Float64() < n.lose {
			continue
		}
		copies := 1
		if n.random.IntN(20) == 0 {
			copies = 2
		}
		for range copies {
			delay := time.Duration(n.random.IntN(50)) * time.Millisecond
			n.on[1-from] = append(n.on[1-from], arrival{n.now.Add(delay), bytes.Clone(p)})
		}
	}
}

// step goes to the next time at which something happens, and does it.
func (n *network) step(t *testing.T) {
	next := n.ends[0].Wake()
	if w := n.ends[1].Wake(); w.Before(next) {
		next = w
	}
	for _, list := range n.on {
		for _, a := range list {
			if a.at.Before(next) {
				next = a.at
			}
		}
	}
	if next.After(n.now) {
		n.now = next
	}
	for to := range n.on {
		kept := n.on[to][:0]
		for _, a := range n.on[to] {
			if a.at.After(n.now) {
				kept = append(kept, a)
				continue
			}
			if err := n.ends[to].Receive(a.packet, n.now); err != nil {
				t.Fatal(err)
			}
		}
		n.on[to] = kept
	}
	n.send(0)
	n.send(1)
}

// TestInOrderAndOnce sends messages both ways over networks that do everything wrong, with readers
// that pause: all arrive, once and in order, and never more than a window is under way.
func TestInOrderAndOnce(t *testing.T) {
	for seed := range uint64(load.Count(12, 200)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			start := time.Unix(0, 0)
			n := &network{random: random, now: start, lose: random.Float64() / 3, ends: [2]*Stream{New(start), New(start)}}
			const messages = 100
			var written, got [2]int
			for steps := 0; got != [2]int{messages, messages}; steps++ {
				if steps == 200_000 || n.ends[0].Gone(n.now) || n.ends[1].Gone(n.now) {
					t.Fatalf("written %v, got %v at %s", written, got, n.now.Sub(start))
				}
				if random.IntN(500) == 0 && n.now.After(n.away.Add(Silence)) {
					n.away = n.now.Add(time.Duration(random.IntN(10_000)) * time.Millisecond)
				}
				for e, s := range n.ends {
					for written[e] < messages && random.IntN(3) > 0 {
						b := bytes.Repeat([]byte{byte(written[e])}, 1+random.IntN(20_000)>>random.IntN(8))
						b = fmt.Appendf(b, " %d", written[e])
						if written[e] == messages-1 {
							s.End(b)
						} else if !s.Write(b) {
							break
						}
						written[e]++
					}
					held := uint64(0)
					for _, b := range s.inbox {
						held += cost(b)
					}
					if held > Window+MaxMessage+overhead {
						t.Fatalf("end %d holds %d bytes", e, held)
					}
					for random.IntN(4) > 0 {
						b, ok := s.Read()
						if !ok {
							break
						}
						if !bytes.HasSuffix(b, fmt.Appendf(nil, " %d", got[e])) {
							t.Fatalf("end %d: got %q, want message %d", e, b[max(len(b)-10, 0):], got[e])
						}
						got[e]++
					}
				}
				n.step(t)
			}
			for e, s := range n.ends {
				if !s.Finished() {
					t.Errorf("end %d does not know that the other one has ended", e)
				}
			}
		})
	}
}

// An end that says that it takes any number of bytes, and acknowledges none, has no more kept for
// it than others.
func TestEndlessWindow(t *testing.T) {
	now := time.Unix(0, 0)
	s := New(now)
	if err := s.Receive(packet{kind: status, allowed: 1 << 60}.append(nil), now); err != nil {
		t.Fatal(err)
	}
	written := 0
	for n := 0; n < 10*Window/1000 && s.Write(make([]byte, 1000)); n++ {
		written += 1000
	}
	if written < Window/2 || s.Kept() > Window {
		t.Errorf("%d bytes are written, %d kept", written, s.Kept())
	}
	s.Packets(now)
	if err := s.Receive(packet{kind: message, ack: 1, number: 1, allowed: 1 << 60, data: []byte("x")}.append(nil), now); err != nil {
		t.Fatal(err)
	}
	if kept := s.Kept(); !s.Write(make([]byte, 900)) || s.Kept() != kept+900+overhead {
		t.Errorf("when a message is acknowledged, %d bytes are kept, then %d", kept, s.Kept())
	}
	if _, ok := s.Read(); !ok || s.Kept() > Window {
		t.Errorf("%d bytes are kept", s.Kept())
	}
}

// FuzzReceive gives an end any packets: it takes them, or refuses them, and never holds
// more than it has announced.
func FuzzReceive(f *testing.F) {
	now := time.Unix(0, 0)
	other := New(now)
	other.Write([]byte("hello"))
	f.Add(other.Packets(now)[0], []byte{})
	f.Add(packet{kind: end, number: 1, data: []byte("x")}.append(nil), packet{kind: status, missing: true}.append(nil))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		s := New(now)
		s.Write([]byte("x"))
		for _, p := range [][]byte{a, b, a, b} {
			now = now.Add(time.Second)
			if s.Receive(p, now) != nil {
				return
			}
			held := 0
			for _, m := range s.inbox {
				held += len(m)
			}
			if held > Window+MaxMessage {
				t.Fatalf("%d bytes are held", held)
			}
			for _, p := range s.Packets(now) {
				if _, err := parse(p); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
