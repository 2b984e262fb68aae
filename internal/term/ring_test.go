package term

import (
	"math/rand/v2"
	"testing"
)

// What goes in comes out, in order, however it is cut, and the reader waits when
// there is no room.
func TestRing(t *testing.T) {
	const total = 20 * ringSize
	r := newRing()
	done := make(chan struct{})
	scheduled := make(chan struct{}, 1)
	go func() {
		defer close(done)
		random := rand.New(rand.NewPCG(1, 2))
		for sent := 0; sent < total; {
			space := r.space()
			n := min(1+random.IntN(5000), len(space), total-sent)
			for i := range n {
				space[i] = byte((sent + i) % 251)
			}
			sent += n
			if r.put(n) {
				scheduled <- struct{}{}
			}
		}
	}()
	random := rand.New(rand.NewPCG(3, 4))
	got := 0
	for got < total {
		<-scheduled
		for more := true; more; {
			if !r.pending() {
				t.Fatal("scheduled without anything to take")
			}
			b := r.peek()
			n := min(1+random.IntN(7000), len(b))
			for i := range n {
				if b[i] != byte((got+i)%251) {
					t.Fatalf("byte %d is %d", got+i, b[i])
				}
			}
			got += n
			more = r.drop(n)
		}
	}
	<-done
	if r.pending() || got != total {
		t.Errorf("%d of %d bytes, pending %v", got, total, r.pending())
	}
}
