package remote

import (
	"sync/atomic"

	"ui-mcp/internal/fault"
)

const (
	// maxKept is how many bytes are kept for one host at a time: what it has sent and is not
	// handled yet, and answers that it has not taken yet. maxKeptForAll is how many for all hosts
	// together.
	maxKept, maxKeptForAll = 80 << 20, 256 << 20
)

// errTooMuch is what callers get whose host has too much under way.
var errTooMuch = fault.New(fault.Exhausted, "what your host has sent there, and not taken from there, is more than %d MiB: wait for some of it", maxKept>>20)

// An account counts bytes that are kept for another host. The nil account takes any number. Its
// methods may be called from anywhere.
type account struct {
	of   *account // the account of all hosts together, or nil
	most int64
	kept atomic.Int64
}

// take counts n bytes more, and reports false, and counts nothing, if those are too many.
func (a *account) take(n int) bool {
	if a == nil {
		return true
	}
	for {
		kept := a.kept.Load()
		if n > 0 && kept+int64(n) > a.most {
			return false
		}
		if a.kept.CompareAndSwap(kept, kept+int64(n)) {
			break
		}
	}
	if !a.of.take(n) {
		a.kept.Add(int64(-n))
		return false
	}
	return true
}

// give counts n bytes less.
func (a *account) give(n int) { a.take(-n) }
