package presence

import (
	"fmt"
	"testing"
	"time"
)

// A host that floods the others loses its own cards, and none of theirs.
func TestLimits(t *testing.T) {
	var l Limits
	now := time.Unix(0, 0)
	floods, others := 0, 0
	for n := range 100_000 {
		if l.Allows("flood", now) {
			floods++
		}
		if n < 500 && l.Allows(fmt.Sprint(n), now) {
			others++
		}
	}
	if floods > cardsAtOnce || others != 500 {
		t.Errorf("%d cards of the flood are read, and %d of 500 others", floods, others)
	}
	// In the long run it has its rate.
	read := 0
	for range 10_000 { // 10 seconds
		now = now.Add(time.Millisecond)
		if l.Allows("flood", now) {
			read++
		}
	}
	if read < 190 || read > 250 {
		t.Errorf("%d cards are read in ten seconds", read)
	}
	// Many senders are forgotten again.
	for n := range 50_000 {
		l.Allows(fmt.Sprint(n), now)
		if n%5_000 == 0 {
			now = now.Add(time.Minute)
		}
	}
	if n := len(l.senders); n > 2*maxSenders {
		t.Errorf("%d senders are remembered", n)
	}
}
