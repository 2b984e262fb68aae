package mailbox

import (
	"slices"
	"testing"
	"testing/synctest"

	"ui-mcp/internal/fault"
)

type text string

func (t text) Size() int { return len(t) }

// A watcher that is slow loses the oldest events, by their number or by their size, and learns how
// many. The newest one stays, however large it is.
func TestOldestAreLost(t *testing.T) {
	b := New[text]()
	for range maxEvents + 3 {
		b.Put("x", nil)
	}
	if events, missed := b.Take(); len(events) != maxEvents || missed != 3 {
		t.Errorf("%d events, and %d missed", len(events), missed)
	}
	large := text(make([]byte, maxBytes+1))
	for _, e := range []text{"small", large} {
		b.Put(e, nil)
	}
	if events, missed := b.Take(); !slices.Equal(events, []text{large}) || missed != 1 {
		t.Errorf("%d events, and %d missed", len(events), missed)
	}
	if events, missed := b.Take(); len(events)+missed != 0 {
		t.Errorf("an empty box has %d events, and %d missed", len(events), missed)
	}
}

// An event takes the place of the newest one that it makes obsolete.
func TestReplaces(t *testing.T) {
	b := New[text]()
	for _, e := range []text{"a1", "b1", "b2", "a2"} {
		b.Put(e, func(newest text) bool { return newest[0] == e[0] })
	}
	if events, _ := b.Take(); !slices.Equal(events, []text{"a1", "b2", "a2"}) {
		t.Errorf("events are %q", events)
	}
}

// A caller waits for events until the box is closed.
func TestNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New[text]()
		got, ended := make(chan []text, 1), make(chan error, 1)
		go func() {
			events, _, err := b.Next(t.Context())
			got <- events
			for err == nil {
				_, _, err = b.Next(t.Context())
			}
			ended <- err
		}()
		synctest.Wait()
		b.Put("first", nil)
		if events := <-got; !slices.Equal(events, []text{"first"}) {
			t.Errorf("Next = %q", events)
		}
		b.Close()
		b.Close()
		if err := <-ended; fault.KindOf(err) != fault.Gone {
			t.Errorf("after Close, Next = %v", err)
		}
	})
}
