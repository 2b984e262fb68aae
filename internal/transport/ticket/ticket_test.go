package ticket_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ui-mcp/internal/transport/ticket"
)

func issue(t *testing.T, s *ticket.Store[int], holder string, value int, now time.Time) string {
	t.Helper()
	text, ok := s.Issue(holder, value, now)
	if !ok || len(text) != 32 {
		t.Fatalf("ticket %q, %t", text, ok)
	}
	return text
}

func TestLife(t *testing.T) {
	s := &ticket.Store[int]{Life: time.Minute, Most: 10}
	now := time.Now()
	first, second := issue(t, s, "", 1, now), issue(t, s, "", 2, now.Add(time.Second))
	for _, tt := range []struct {
		text  string
		after time.Duration
		value int
	}{{"", 0, 0}, {first + "x", 0, 0}, {second, time.Minute, 2}, {second, time.Minute, 0}, {first, time.Minute, 0}} {
		if got, ok := s.Redeem(tt.text, now.Add(tt.after)); got != tt.value || ok != (tt.value != 0) {
			t.Errorf("%q after %v: %d, %t; want %d", tt.text, tt.after, got, ok, tt.value)
		}
	}
}

func TestLimits(t *testing.T) {
	now := time.Now()
	s := &ticket.Store[int]{Life: time.Minute, Most: 5, Each: 2}
	used := issue(t, s, "a", 1, now)
	issue(t, s, "a", 2, now)
	if _, ok := s.Issue("a", 3, now); ok {
		t.Error("one holder has more tickets than it may")
	}
	s.Redeem(used, now)
	issue(t, s, "a", 3, now)
	for range 3 {
		issue(t, s, "", 4, now)
	}
	for _, holder := range []string{"", "b"} {
		if _, ok := s.Issue(holder, 5, now); ok {
			t.Errorf("%q gets one ticket too many", holder)
		}
	}
	issue(t, s, "a", 6, now.Add(time.Minute)) // the others are too old

	s = &ticket.Store[int]{Life: time.Minute, Most: 2, Displaces: true}
	texts := []string{issue(t, s, "", 1, now), issue(t, s, "", 2, now), issue(t, s, "", 3, now)}
	for i, want := range []bool{false, true, true} {
		if _, ok := s.Redeem(texts[i], now); ok != want {
			t.Errorf("ticket %d: %t", i, ok)
		}
	}
}

// Of many that use a ticket at once, one is admitted.
func TestRace(t *testing.T) {
	s := &ticket.Store[int]{Life: time.Minute, Most: 1}
	for range 100 {
		text := issue(t, s, "", 1, time.Now())
		var admitted atomic.Int32
		var racing sync.WaitGroup
		for range 8 {
			racing.Go(func() {
				if _, ok := s.Redeem(text, time.Now()); ok {
					admitted.Add(1)
				}
			})
		}
		racing.Wait()
		if n := admitted.Load(); n != 1 {
			t.Fatalf("a ticket let %d in", n)
		}
	}
}
