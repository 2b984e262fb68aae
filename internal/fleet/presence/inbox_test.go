package presence_test

import (
	"testing"
	"time"

	"ui-mcp/internal/fleet/presence"
)

// A host that floods the others loses its own cards, and none of theirs.
func TestInbox(t *testing.T) {
	var b presence.Inbox[string]
	now := time.Unix(0, 0)
	put := func(from, card string) { b.Put(from, card, now) }
	for range 100_000 {
		put("flood", "old")
	}
	for n := range 500 {
		put(id(n), id(n))
	}
	put("flood", "newest")
	floods, others := 0, map[string]bool{}
	for n := 0; ; n++ {
		card, ok := b.Take()
		if !ok {
			break
		}
		if n == 0 != (card == "old") && n < 500 {
			t.Fatalf("card %d is %q: hosts do not take turns", n, card)
		}
		if card == "old" || card == "newest" {
			floods++
		} else {
			others[card] = true
		}
	}
	if floods > 4 || len(others) != 500 {
		t.Errorf("%d cards of the flood are read, and those of %d hosts", floods, len(others))
	}
	// In the long run it has its rate, and a host that was quiet has more at once.
	read := 0
	for range 10_000 { // 10 seconds
		now = now.Add(time.Millisecond)
		put("flood", "more")
		if _, ok := b.Take(); ok {
			read++
		}
	}
	if read < 190 || read > 250 {
		t.Errorf("%d cards are read in ten seconds", read)
	}
	put("quiet", "a")
	put("quiet", "b")
	if a, _ := b.Take(); a != "a" {
		t.Errorf("the first card is %q", a)
	}
	if last, _ := b.Take(); last != "b" {
		t.Errorf("the second card is %q", last)
	}
	// Many senders are forgotten again, and many waiting cards are bounded.
	for n := range 100_000 {
		put(id(n), "x")
		if n%10_000 == 0 {
			now = now.Add(time.Minute)
		}
	}
	waiting := 0
	for _, ok := b.Take(); ok; _, ok = b.Take() {
		waiting++
	}
	if waiting > 4096 {
		t.Errorf("%d cards wait", waiting)
	}
}
