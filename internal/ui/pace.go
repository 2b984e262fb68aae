package ui

import "time"

const (
	// deferredShare is the part of the time that a session's deferred work may take for long, and
	// deferredBurst how much more it may take at once.
	deferredShare = 0.25
	deferredBurst = 10 * time.Second
)

// A pace limits work to a share of the time, after a burst. It is pure: callers say what time it
// is.
type pace struct {
	share float64
	burst time.Duration

	debt time.Duration // what was spent beyond the share
	last time.Time     // when debt was computed
}

// spend records that work took d until now, and reports whether the burst is used up.
func (p *pace) spend(now time.Time, d time.Duration) bool {
	p.settle(now)
	p.debt += d
	return p.debt > p.burst
}

// wait returns how long to wait before more work. After a wait, there is some time to spend.
func (p *pace) wait(now time.Time) time.Duration {
	p.settle(now)
	if p.debt <= p.burst {
		return 0
	}
	const slice = 10 * time.Millisecond
	return time.Duration(float64(p.debt-p.burst+slice) / p.share)
}

// calm reports whether the burst could be spent again, for the greater part.
func (p *pace) calm(now time.Time) bool {
	p.settle(now)
	return p.debt < p.burst/2
}

func (p *pace) settle(now time.Time) {
	if !p.last.IsZero() {
		p.debt = max(0, p.debt-time.Duration(p.share*float64(now.Sub(p.last))))
	}
	p.last = now
}
