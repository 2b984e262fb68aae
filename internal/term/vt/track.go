package vt

import "slices"

// Track keeps a position at its character when the lines are wrapped again, which renumbers them,
// until [Terminal.Untrack]. Output does not move it, and its line may leave the history.
func (t *Terminal) Track(p *Position) { t.tracked = append(t.tracked, p) }

// Untrack undoes Track.
func (t *Terminal) Untrack(p *Position) {
	if i := slices.Index(t.tracked, p); i >= 0 {
		t.tracked = slices.Delete(t.tracked, i, i+1)
	}
}
