package mcpapps

import (
	"context"
	"slices"
	"time"
)

// proofWithin is how long a view has to say that it displays an app. Until then, nothing shows that
// the client displays any: declaring is not displaying. A client that has not read the view within
// readWithin will not display it before the call has ended.
const (
	proofWithin = 8 * time.Second
	readWithin  = time.Second
)

// Await notes which views there are, for a tool that is about to display a session. appears then
// waits until one more view displays it: at most 8 seconds, and only 1 while no client has read the
// view. waited is false if it returned without waiting: after one wait in vain there are no others,
// since a client that displays nothing, or displays views only when the call has ended, would pay
// the time at each call.
func (v *Views) Await(session string) (appears func(ctx context.Context) (appeared, waited bool)) {
	v.mu.Lock()
	before := v.hellos
	v.mu.Unlock()
	return func(ctx context.Context) (appeared, waited bool) {
		begun := time.Now()
		for {
			v.mu.Lock()
			progress, inVain, read := v.progress, v.inVain, v.read
			v.mu.Unlock()
			limit := readWithin
			if read {
				limit = proofWithin
			}
			switch {
			case v.displays(session, before):
				return true, true
			case inVain:
				return false, false
			}
			timer := time.NewTimer(limit - time.Since(begun))
			select {
			case <-progress:
			case <-ctx.Done():
				timer.Stop()
				return false, false
			case <-timer.C:
				v.mu.Lock()
				v.inVain = true
				v.mu.Unlock()
				return false, true
			}
			timer.Stop()
		}
	}
}

// displays reports whether a view that said hello after the first ones displays a session.
func (v *Views) displays(session string, first int64) bool {
	return slices.ContainsFunc(v.showing(session), func(one *view) bool { return one.number > first })
}

// noteRead records that a client has read the view.
func (v *Views) noteRead() {
	v.mu.Lock()
	v.read = true
	v.mu.Unlock()
	v.noteProgress()
}

// noteProgress wakes those who wait for a view.
func (v *Views) noteProgress() {
	v.mu.Lock()
	defer v.mu.Unlock()
	close(v.progress)
	v.progress = make(chan struct{})
}
