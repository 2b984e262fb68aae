package term

import (
	"testing"
	"testing/synctest"
)

// Of those that wait for a slot, the one that has taken the least is next; of what it did not take
// while others did, one turn is saved up.
func TestSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(1)
		const turn = turnBytes
		order := ""
		wait := func(name string, taken uint64) {
			go func() {
				from := s.take(taken)
				order += name
				if name == "r" && from != turn {
					t.Errorf("a redraw counts as if %d had been taken", from)
				}
			}()
			synctest.Wait()
		}
		wait("a", turn)
		wait("b", 3*turn) // floods
		wait("c", 2*turn)
		s.give()
		wait("d", 4*turn)
		wait("r", 0) // a redraw, from now on: before all but the turn in progress
		for range 3 {
			s.give()
			synctest.Wait()
		}
		s.give()
		wait("e", 0) // a free slot is taken at once
		if order != "acrbde" {
			t.Errorf("the order is %q", order)
		}
	})
}
