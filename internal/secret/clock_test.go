package secret

import (
	"testing"
	"testing/synctest"
	"time"
)

// A clock that is set back prolongs no secret, and one that is set forward ends it, as the sleep of
// the machine does.
func TestClockIsSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewStore[int](Rules{Most: 10})
		issue := func(issuer *Issued[int], life time.Duration) *Issued[int] {
			_, i, ok := s.Issue(issuer, "", 1, life)
			if !ok {
				t.Fatal("no secret")
			}
			return i
		}
		first := issue(nil, time.Minute)
		second := issue(first, time.Hour)
		for _, i := range []*Issued[int]{first, second} {
			i.expires = i.expires.Add(time.Hour) // as if the clock had been set back by an hour
			if i.Left() != time.Minute {
				t.Errorf("a minute is %v", i.Left())
			}
		}
		time.Sleep(time.Minute)
		if first.Good() || second.Good() || first.Left() != 0 {
			t.Errorf("after a minute: %t, %t, %v left", first.Good(), second.Good(), first.Left())
		}
		third := issue(nil, time.Hour)
		third.expires = third.expires.Add(-24 * time.Hour)
		if third.Good() || third.Left() != 0 {
			t.Errorf("after a day: %t, %v left", third.Good(), third.Left())
		}
	})
}
