package app

import (
	"context"
	"maps"
	"slices"
	"time"
)

// Status is what ui_status reports.
type Status struct {
	State   string `json:"state"`
	Version string `json:"version"`
	BaseDir string `json:"base_dir,omitempty"` // none while unconfigured
	URL     string `json:"url,omitempty"`
	// Agents is how many programs of agents share this server, if there are several. IgnoredFlags
	// lists flags of the caller's command line that the first of them has not given.
	Agents       int      `json:"agents,omitempty"`
	IgnoredFlags []string `json:"ignored_flags,omitempty"`
	*Live                 // nil unless running
}

// Live is what is counted while the app runs.
type Live struct {
	// TerminalsURL is the page with the terminals of this process, if it has any.
	TerminalsURL  string `json:"terminals_url,omitempty"`
	MCPPort       int    `json:"mcp_port"` // of the agent's endpoint
	Sessions      int    `json:"sessions"` // that a page is connected to
	Pages         int    `json:"pages"`    // that are connected, over all sessions
	Views         int    `json:"views"`    // in conversations, that are connected; pages includes them
	Errors        int    `json:"errors"`   // problems, over all sessions
	Events        int    `json:"events"`   // that no agent has collected yet
	EventsDropped uint64 `json:"events_dropped"`
	// OtherServers are those that run the same base directory, the oldest first. They have sessions
	// and events of their own.
	OtherServers []OtherServer `json:"other_servers,omitempty"`
}

// An OtherServer is another process that runs the same base directory.
type OtherServer struct {
	PID     int       `json:"pid"`
	URL     string    `json:"url"` // of its pages
	Started time.Time `json:"started"`
}

// Version is the program's version, by its README, without a leading v.
func (a *App) Version() string { return a.version }

// busy is how long a status waits for sessions that apply what was saved just before.
const busy = time.Second

// Status returns the state of the app, with what was saved before the call. Its URL is for the
// person's browser.
func (a *App) Status(ctx context.Context) Status {
	if _, _, r := a.now(); r != nil {
		ctx, cancel := context.WithTimeout(ctx, busy)
		defer cancel()
		r.engine.Apply(ctx)
	}
	st := a.status()
	if st.Live != nil {
		st.URL = a.opts.Link(st.URL)
		if st.TerminalsURL != "" {
			st.TerminalsURL = a.opts.Link(st.TerminalsURL)
		}
		for _, s := range a.opts.Claim.OthersIn(st.BaseDir) {
			st.OtherServers = append(st.OtherServers, OtherServer{PID: s.PID, URL: "http://" + s.Pages, Started: s.Started})
		}
	}
	return st
}

// Notify displays a text on every page of the running app, as [ui.Engine.Notify] does.
func (a *App) Notify(text string) {
	if _, _, r := a.now(); r != nil {
		r.engine.Notify(text)
	}
}

// status is the part of [App.Status] that reads no file: scripts may ask for it in every
// transaction.
func (a *App) status() Status {
	state, dir, r := a.now()
	st := Status{State: state.String(), Version: a.version, BaseDir: dir}
	if state == Running {
		a.addLive(&st, r)
	}
	return st
}

// statusIn is the status as the scripts of a run see it: they may ask before the first page can.
func (a *App) statusIn(r *running) Status {
	st := a.status()
	if st.Live == nil && r.ctx.Err() == nil {
		st.State, st.BaseDir = Running.String(), r.dir
		a.addLive(&st, r)
	}
	return st
}

func (a *App) addLive(st *Status, r *running) {
	st.URL = r.url
	st.Live = &Live{MCPPort: r.agentPort, Views: a.opts.Views(), Sessions: 1} // that is being checked
	if e := r.engine; e != nil {
		st.Sessions, st.Pages, st.Errors = e.Viewed(), e.Clients(), e.Errors()
	}
	st.Events, st.EventsDropped = r.events()
	st.TerminalsURL = a.terminalsPage(r)
}

// events counts the queued and the dropped events of all sessions.
func (r *running) events() (waiting int, dropped uint64) {
	r.mu.Lock()
	queues := slices.Collect(maps.Values(r.queues))
	r.mu.Unlock()
	for _, q := range queues {
		waiting += q.Len()
		dropped += q.Dropped()
	}
	return waiting, dropped
}
