package hubconn

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A host that a hub refuses asks again soon while it has not asked for long, and seldom afterwards.
func TestAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &again{}
		refused := func(d time.Duration) (attempts int, longest time.Duration) {
			for end := time.Now().Add(d); time.Now().Before(end); attempts++ {
				a.note(ErrNotAccepted)
				pause := a.delay(attempts)
				longest = max(longest, pause)
				time.Sleep(pause)
			}
			return attempts, longest
		}
		for _, tt := range []struct {
			part, longest time.Duration
			attempts      int
		}{
			{2 * time.Minute, 2 * time.Second, 121},
			{8 * time.Minute, 10 * time.Second, 140},
			{20 * time.Minute, 30 * time.Second, 100},
			{time.Hour, 30 * time.Second, 241},
		} {
			attempts, longest := refused(tt.part)
			t.Logf("%v: %d attempts, after %v at most", tt.part, attempts, longest)
			if attempts > tt.attempts || longest > tt.longest {
				t.Errorf("in %v, %d attempts, after %v at most", tt.part, attempts, longest)
			}
		}
		a.refused.Store(nil)
		a.note(errors.New("away"))
		if pause := a.delay(0); pause > firstDelay {
			t.Errorf("a hub that is away for the first time is tried after %v", pause)
		}
		if pause := a.delay(100); pause < lastDelay/2 || pause > lastDelay {
			t.Errorf("a hub that is away for long is tried after %v", pause)
		}
	})
}
