// Package idle decides when a terminal has been quiet for long enough. It reads
// no clock: time comes in.
//
// Each sign of activity begins a new generation. Somebody who has seen the
// screen of one generation can ask to hear only of a later one, so that asking
// again and again does not return the same quiet screen each time.
package idle

import "time"

// A Detector keeps when something last happened. The zero value is not usable:
// see [New].
type Detector struct {
	last       time.Time
	generation uint64
}

// New returns a detector for something that begins now, in generation 0.
func New(now time.Time) *Detector { return &Detector{last: now} }

// Touch says that something happened.
func (d *Detector) Touch(now time.Time) {
	d.last = now
	d.generation++
}

// Generation returns how often Touch was called.
func (d *Detector) Generation() uint64 { return d.generation }

// Last returns when something last happened.
func (d *Detector) Last() time.Time { return d.last }

// A Wait is somebody's wish to hear of silence.
type Wait struct {
	// Timeout is how long it must be quiet.
	Timeout time.Duration
	// After, when HasAfter, is a generation whose silence does not count.
	After    uint64
	HasAfter bool
	// Since is when the waiting began. When Fresh, silence before does not count.
	Since time.Time
	Fresh bool
}

// A Verdict is the answer to a Wait at one moment.
type Verdict struct {
	// Quiet says that the wait is over.
	Quiet bool
	// Ask is how long nothing can change but by Touch; ask again then. When it is
	// zero and Quiet is false, only Touch can end the wait.
	Ask time.Duration
}

// Check says whether it has been quiet as wished. What has begun as a wait for
// another generation goes on as an ordinary one once there is one: see [Wait].
func (d *Detector) Check(now time.Time, w Wait) Verdict {
	since := d.last
	switch {
	case w.Fresh: // counts more than After
		if w.Since.After(since) {
			since = w.Since
		}
	case w.HasAfter && w.After == d.generation:
		return Verdict{}
	}
	if rest := w.Timeout - now.Sub(since); rest > 0 {
		return Verdict{Ask: rest}
	}
	return Verdict{Quiet: true}
}
