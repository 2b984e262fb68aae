// Package idle decides when a terminal has been quiet for long enough. It reads no clock and sets
// no timer: callers pass the time. Each sign of activity starts a new generation. A caller that has
// seen the screen of one generation can wait for a later one, so that repeated waits do not return
// the same quiet screen each time.
package idle

import "time"

// A Detector records the last activity. Create it with [New].
type Detector struct {
	At    time.Time // the last activity
	Count uint64    // of activity: the generation
}

// New returns a detector whose activity starts now, in generation 0.
func New(now time.Time) *Detector { return &Detector{At: now} }

// Touch records activity.
func (d *Detector) Touch(now time.Time) {
	d.At = now
	d.Count++
}

// A Wait is a condition on silence.
type Wait struct {
	// Timeout is how long the silence must last.
	Timeout time.Duration
	// After is a generation whose silence does not count, if HasAfter.
	After    uint64
	HasAfter bool
	// Since is when the wait started. If Fresh, earlier silence does not count.
	Since time.Time
	Fresh bool
}

// A Verdict is the state of a Wait at one moment.
type Verdict struct {
	// Quiet means that the wait is over.
	Quiet bool
	// Ask is when to check again: until then, only Touch can change the verdict. If Ask is zero and
	// Quiet is false, only Touch can end the wait.
	Ask time.Duration
}

// Check reports whether w is satisfied at the time now. A wait for a later generation becomes an
// ordinary one as soon as that generation starts.
func (d *Detector) Check(now time.Time, w Wait) Verdict {
	since := d.At
	switch {
	case w.Fresh: // takes precedence over After
		if w.Since.After(since) {
			since = w.Since
		}
	case w.HasAfter && w.After == d.Count:
		return Verdict{}
	}
	if rest := w.Timeout - now.Sub(since); rest > 0 {
		return Verdict{Ask: rest}
	}
	return Verdict{Quiet: true}
}
