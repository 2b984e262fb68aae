package hotload

import "time"

// A window decides when a burst of events has ended: after quiet without an event, but at most max
// after its first event. It reads no clock.
type window struct {
	quiet, max time.Duration
	first      time.Time // of the burst; zero without a burst
}

// mark records an event and returns how long to wait from now, unless another one arrives.
func (w *window) mark(now time.Time) time.Duration {
	if w.first.IsZero() {
		w.first = now
	}
	return max(0, min(w.quiet, w.first.Add(w.max).Sub(now)))
}

func (w *window) clear() { w.first = time.Time{} }

func (w *window) open() bool { return !w.first.IsZero() }
