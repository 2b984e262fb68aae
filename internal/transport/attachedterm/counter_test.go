package attachedterm

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// A stuckInput is the input of a program that reads nothing until it is released.
type stuckInput struct {
	mu    sync.Mutex
	free  bool
	after []func()
	most  int // how many waited at a time
}

func (s *stuckInput) AfterInput(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free {
		return false
	}
	s.after = append(s.after, f)
	s.most = max(s.most, len(s.after))
	return true
}

func (s *stuckInput) release() {
	s.mu.Lock()
	s.free = true
	after := s.after
	s.after = nil
	s.mu.Unlock()
	for _, f := range after {
		f()
	}
}

// However often a client types while the program reads nothing, one report waits. In the end, all
// is reported.
func TestCounter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var in stuckInput
		var reports []int
		c := newCounter(&in, func(bytes int) { reports = append(reports, bytes) })
		const all = 1000
		for n := range all {
			c.count(n + 1)
		}
		synctest.Wait()
		if len(reports) > 0 || in.most > 1 {
			t.Errorf("before the program reads: reports %v, %d wait", reports, in.most)
		}
		in.release()
		synctest.Wait()
		if !slices.IsSorted(reports) || len(reports) == 0 || reports[len(reports)-1] != all {
			t.Errorf("when it has read: reports %v, want up to %d", reports, all)
		}
		c.count(all + 1)
		synctest.Wait()
		if last := reports[len(reports)-1]; last != all+1 {
			t.Errorf("a key that is read at once: %d is reported", last)
		}
		c.close()
	})
}
