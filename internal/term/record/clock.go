package record

import "time"

const (
	leap     = time.Minute // more than what clocks are corrected by
	leapWait = pruneEvery
)

// A clock tells whether the computer's clock says how old files are. When it has been set, or the
// machine has slept, files may seem older than they are, and what is removed for its age is lost:
// so it is not believed for a while, in which a wrong time is mostly corrected.
type clock struct {
	wall  time.Time // at the last look, without the monotonic reading
	at    time.Time // the same moment
	doubt time.Time // until then
}

// isRight reports whether the time is believed. It is called at each look.
func (c *clock) isRight(now time.Time) bool {
	wall := now.Round(0)
	if c.at.IsZero() {
		c.wall, c.at = wall, now
	}
	if gone := wall.Sub(c.wall) - now.Sub(c.at); gone.Abs() > leap {
		c.doubt = now.Add(leapWait)
	}
	c.wall, c.at = wall, now
	return !now.Before(c.doubt)
}
