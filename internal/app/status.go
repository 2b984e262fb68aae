package app

import (
	"context"
	"maps"
	"slices"
)

// Status is what ui_status reports.
type Status struct {
	State   string `json:"state"`
	Version string `json:"version"`
	BaseDir string `json:"base_dir"`
	URL     string `json:"url,omitempty"`
	*Live          // nil unless running
}

// Live is what is counted while the app runs.
type Live struct {
	Sessions      int    `json:"sessions"` // connected browsers
	Pages         int    `json:"pages"`    // pages that are connected, over all sessions
	Errors        int    `json:"errors"`   // what does not work, over all sessions
	Events        int    `json:"events"`   // that no agent has collected yet
	EventsDropped uint64 `json:"events_dropped"`
}

// Status says in what state the app is.
func (a *App) Status(context.Context) Status { return a.status() }

func (a *App) status() Status {
	state, dir, r := a.now()
	st := Status{State: state.String(), Version: a.version, BaseDir: dir}
	if state == Running {
		st.URL = r.url
		st.Live = &Live{Sessions: r.engine.Clients(), Pages: r.engine.Clients(), Errors: r.engine.Errors()}
		st.Events, st.EventsDropped = r.events()
	}
	return st
}

// events counts the events that wait and those that were lost, over all sessions.
func (r *running) events() (waiting int, dropped uint64) {
	r.mu.Lock()
	queues := slices.Collect(maps.Values(r.queues))
	r.mu.Unlock()
	for _, q := range queues {
		waiting += len(q.Pending())
		dropped += q.Dropped()
	}
	return waiting, dropped
}
