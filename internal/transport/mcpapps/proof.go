package mcpapps

import (
	"context"
	"time"
)

// proofWithin is how long a view has to say that it displays an app. Until then, nothing shows that
// the client displays any: declaring is not displaying.
const proofWithin = 8 * time.Second

// Await notes which views there are, for a tool that is about to display a session. appears then
// waits until one more view displays it, at most 8 seconds. waited is false if it returned without
// waiting: after a wait in vain there is none until a view says hello again, since a client that
// displays nothing would pay the time at each call.
func (v *Views) Await(session string) (appears func(ctx context.Context) (appeared, waited bool)) {
	v.mu.Lock()
	before := v.hellos
	v.mu.Unlock()
	return func(ctx context.Context) (appeared, waited bool) {
		limit := time.NewTimer(proofWithin)
		defer limit.Stop()
		for {
			v.mu.Lock()
			attached, inVain := v.attached, v.hellos == v.vainAt
			v.mu.Unlock()
			switch {
			case v.displays(session, before):
				return true, true
			case inVain:
				return false, false
			}
			select {
			case <-attached:
			case <-ctx.Done():
				return false, false
			case <-limit.C:
				v.mu.Lock()
				v.vainAt = v.hellos
				v.mu.Unlock()
				return false, true
			}
		}
	}
}

// displays reports whether a view that said hello after the first ones displays a session.
func (v *Views) displays(session string, first int64) bool {
	all, _ := v.showing(session)
	for _, one := range all {
		if one.number > first {
			return true
		}
	}
	return false
}

// noteAttached wakes those who wait for a view.
func (v *Views) noteAttached() {
	v.mu.Lock()
	defer v.mu.Unlock()
	close(v.attached)
	v.attached = make(chan struct{})
}
