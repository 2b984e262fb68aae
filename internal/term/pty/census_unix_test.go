//go:build linux || darwin

package pty

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// However many ask at once, one look serves those who came before it began; each gets one that
// began after it had asked.
func TestCensusIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int64
		c := newCensus(func() (map[int][]member, error) {
			n := looks.Add(1)
			time.Sleep(time.Second)
			return map[int][]member{7: {{pid: int(n)}}}, nil
		})
		var all sync.WaitGroup
		ask := func(want int) {
			all.Go(func() {
				if got, err := c.of(7); err != nil || len(got) != 1 || got[0].pid != want {
					t.Errorf("asked for look %d, got %v, %v", want, got, err)
				}
			})
			synctest.Wait()
		}
		ask(1)
		for range 1000 {
			ask(2) // the first has begun
		}
		all.Wait()
		ask(3)
		all.Wait()
		if got, err := c.of(8); err != nil || got != nil || looks.Load() != 4 {
			t.Errorf("another session: %v after %d looks", got, looks.Load())
		}
	})
}
