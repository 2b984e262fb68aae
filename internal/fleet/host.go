package fleet

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/wake"
)

const (
	// dialTime is how long it may take to reach a host.
	dialTime = 30 * time.Second
	// pingEvery is how often a host is asked whether it is there, and for its sessions.
	pingEvery = 30 * time.Second
	// pingTime is how long it may take to answer that.
	pingTime = 10 * time.Second
	// firstPause and longestPause are the pauses between attempts to reach a host.
	firstPause, longestPause = time.Second, time.Minute
	// connectTime is how long a call waits for a connection that is being opened.
	connectTime = 5 * time.Second
	// keepTime is how long the sessions of a host that is away are listed.
	keepTime = 24 * time.Hour
	// maxKept is how many sessions of a host that is away are listed.
	maxKept = 4096
	// maxReason is how much of an error is displayed, in bytes.
	maxReason = 500
)

// A host is another host. One goroutine connects to it.
type host struct {
	fleet          *Fleet
	address, token string
	alias          string // the name that it was given here, or ""
	added          bool   // it is kept in the file
	hub            *hub   // what else it is; nil: no hub
	via            *hub   // at which it is one of the hosts, or nil: then it has no goroutine

	ctx    context.Context // ends when the host is forgotten
	cancel context.CancelFunc
	poked  chan struct{} // capacity 1; a token asks for an attempt, or a ping, at once
	over   chan struct{} // closed when the goroutine has ended

	// The fields below are guarded by fleet.mu.
	name        string // here; "" if it is not known yet
	health      terminals.Health
	reason      string
	detail      fault.Detail // of the error that it cannot be reached; "": HostAway
	logged      string       // health and reason, as they were in the log last
	remote      Remote       // while it is healthy
	id, version string
	manages     bool // sessions can be created there
	answers     bool // this server may answer the questions there
	labels      []string
	capacity    *terminals.Capacity
	latency     time.Duration           // of a ping; of a host of a hub: of the last list
	seen        time.Time               // when it last answered
	sessions    map[string]wire.Session // those that were known last, by ID, as it calls them
	listed      time.Time               // when they were known
	key         string                  // the key of a host of a hub; of a hub: the key of this server there
	starts      bool                    // the next attempt may start a server that its user has stopped
	changed     chan struct{}           // closed, and replaced, when health or connection change
}

// describe returns what callers may know. The caller holds fleet.mu.
func (h *host) describe() terminals.KnownServer {
	s := terminals.KnownServer{Hostname: h.name, Address: h.address, Health: h.health, Reason: h.reason, ID: h.id, Version: h.version, Labels: h.labels, Capacity: h.capacity, Key: h.key}
	if h.hub != nil && h.hub.member != nil {
		s.Role = string(h.hub.member.State().Role)
	}
	if h.remote != nil && h.via == nil {
		s.LatencyMS = new(float64(h.latency.Microseconds()) / 1000)
	}
	if !h.seen.IsZero() {
		s.LastSeenMS = new(wire.Milliseconds(time.Since(h.seen)))
	}
	return s
}

// poke asks for an attempt to reach the host, or for a ping, at once.
func (h *host) poke() {
	wake.Up(h.poked)
}

// close ends the host's goroutine and connection.
func (h *host) close() {
	h.cancel()
	<-h.over
}

// run keeps a connection to the host until it is forgotten.
func (h *host) run() {
	defer close(h.over)
	for pause := firstPause; h.ctx.Err() == nil; pause = min(2*pause, longestPause) {
		h.become(terminals.Connecting, nil, nil)
		health, lasted, err := h.connect()
		if h.ctx.Err() != nil {
			break
		}
		h.become(health, nil, err)
		least := time.After(firstPause)
		if lasted > pause {
			pause = firstPause
		}
		wait := time.Duration(float64(pause) * (0.8 + 0.4*rand.Float64())) // not all hosts at once
		select {
		case <-h.poked:
			select {
			case <-least:
			case <-h.ctx.Done():
			}
		case <-time.After(wait):
		case <-h.ctx.Done():
		}
	}
	h.become(terminals.Unavailable, nil, fault.New(fault.Gone, "it was removed"))
}

func displayed(err error) string {
	if err == nil {
		return ""
	}
	return safetext.Clip(safetext.Visible(err.Error()), maxReason)
}

func (h *host) become(health terminals.Health, remote Remote, err error) {
	reason := displayed(err)
	f := h.fleet
	f.mu.Lock()
	defer f.mu.Unlock()
	if health == terminals.Connecting && h.reason != "" {
		reason = h.reason // why there is another attempt
	}
	if now := string(health) + ": " + reason; h.ctx.Err() == nil && now != h.logged && health != terminals.Connecting {
		h.logged = now
		f.opts.Log.Info("the state of another server has changed", "name", h.name, "address", h.address, "health", string(health), "reason", reason)
	}
	h.health, h.remote, h.reason = health, remote, reason
	h.signal()
}

// signal tells those who wait that something has changed. The caller holds fleet.mu.
func (h *host) signal() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// connect connects to the host and returns when the connection has ended: how things are then, and
// how long the host could be used.
func (h *host) connect() (health terminals.Health, lasted time.Duration, err error) {
	ctx, cancel := context.WithTimeoutCause(h.ctx, dialTime, fault.New(fault.Timeout, "it has not answered for %v", dialTime))
	defer cancel()
	h.fleet.mu.Lock()
	start := h.starts
	h.starts = false
	h.fleet.mu.Unlock()
	remote, err := h.fleet.opts.Dialer.Dial(ctx, h.address, h.token, start)
	if err != nil {
		return terminals.Unavailable, 0, err
	}
	defer remote.Close()
	if health, err := h.ping(remote); err != nil {
		return health, 0, err
	}
	h.become(terminals.Healthy, remote, nil)
	began := time.Now()
	health, err = h.watch(remote)
	return health, time.Since(began), err
}

// watch pings the host until it cannot be used any more, and returns why.
func (h *host) watch(remote Remote) (terminals.Health, error) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-h.poked:
		case <-remote.Done():
			return terminals.Unavailable, remote.Err()
		case <-h.ctx.Done():
			return terminals.Unavailable, h.ctx.Err()
		}
		if health, err := h.ping(remote); err != nil {
			return health, err
		}
	}
}

// ping asks the host who it is, and for its sessions. An error says that it cannot be used.
func (h *host) ping(remote Remote) (terminals.Health, error) {
	ctx, cancel := context.WithTimeoutCause(h.ctx, pingTime, fault.New(fault.Timeout, "it has not answered for %v", pingTime))
	defer cancel()
	began := time.Now()
	info, err := terminals.GetServer.Do(ctx, remote, terminals.Everything, terminals.None{})
	if err != nil {
		return terminals.Unavailable, err
	}
	took := time.Since(began)
	if health, err := h.admit(info); err != nil {
		return health, err
	}
	list, err := terminals.ListSessions.Do(ctx, remote, terminals.Everything, terminals.SessionFilter{})
	if err != nil {
		return terminals.Unavailable, err
	}
	f := h.fleet
	f.mu.Lock()
	defer f.mu.Unlock()
	h.latency = took
	h.keep(list)
	return terminals.Healthy, nil
}

// admit takes note of who the host says it is. An error says why it cannot be used.
func (h *host) admit(info terminals.ServerInfo) (terminals.Health, error) {
	f := h.fleet
	renamed, err := h.identify(info)
	if err != nil {
		return terminals.Rejected, err
	}
	if renamed && h.added {
		if err := f.save(); err != nil {
			f.opts.Log.Warn("the name of a server was not kept", "address", h.address, "error", err)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if renamed && h.remote != nil { // streams have the old name
		return terminals.Unavailable, fault.New(fault.Gone, "it is called %q now", h.name)
	}
	return terminals.Healthy, nil
}

// identify also reports whether the host has another name.
func (h *host) identify(info terminals.ServerInfo) (renamed bool, err error) {
	f := h.fleet
	f.mu.Lock()
	defer f.mu.Unlock()
	h.seen = time.Now()
	name := h.alias
	if name == "" {
		name = info.Hostname
	}
	switch {
	case info.ID == f.opts.ID:
		return false, fault.New(fault.Precondition, "it is this server itself")
	case info.Protocol != terminals.Protocol:
		return false, fault.New(fault.Precondition, "its version %s speaks protocol %d, and this one %d: use the same version on both hosts", info.Version, info.Protocol, terminals.Protocol)
	case label.CheckWord("name of a server", name) != nil || keys.Valid(strings.ToUpper(name)):
		return false, fault.New(fault.Precondition, "it calls itself %q, which cannot precede names of sessions: add it with a name of your own", safetext.Clip(name, label.MaxName))
	case strings.EqualFold(name, f.opts.Name):
		return false, fault.New(fault.Precondition, "it calls itself %q, as this server: add it with a name of your own", name)
	}
	for _, other := range f.hosts {
		switch {
		case other == h:
		case h.id != info.ID && other.via == nil && other.id == info.ID && other.health != terminals.Rejected: // who was first stays
			return false, fault.New(fault.Precondition, "it is the server that is known at %s already%s", other.address, as(other.name))
		case strings.EqualFold(other.name, name):
			return false, fault.New(fault.Precondition, "it calls itself %q, as the one at %s: add it with a name of your own", name, other.address)
		}
	}
	renamed = name != h.name
	if h.id != info.ID { // another process: what was known of it is over
		h.sessions, h.listed = nil, time.Time{}
	}
	h.name, h.id, h.version = name, info.ID, safetext.Label(info.Version, label.MaxName)
	h.describedBy(info)
	return renamed, nil
}

// describedBy takes note of what the host's machine is for and can do. The caller holds fleet.mu.
func (h *host) describedBy(info terminals.ServerInfo) {
	h.answers = slices.Contains(info.Rights, terminals.Answer.String())
	h.manages, h.labels, h.capacity = slices.Contains(info.Rights, terminals.Manage.String()), nil, &info.Capacity
	if more := withoutOwn(info.Labels); len(info.Labels) <= len(more)+2 && terminals.CheckLabels(more) == nil {
		h.labels = info.Labels
	}
}

// withoutOwn returns labels without the two that every server has.
func withoutOwn(labels []string) []string {
	return slices.DeleteFunc(slices.Clone(labels), func(l string) bool {
		name, value, _ := strings.Cut(l, "=")
		return (name == "os" || name == "arch") && label.CheckWord("", value) == nil
	})
}

// keep takes note of all sessions of the host. The caller holds fleet.mu.
func (h *host) keep(list []wire.Session) {
	h.sessions = nil
	events := make([]wire.Lifecycle, len(list))
	for i, s := range list {
		events[i].Params.Session = s
	}
	h.apply(events)
}

// apply takes note of changes of sessions, which are known as of now. The caller holds fleet.mu.
func (h *host) apply(events []wire.Lifecycle) {
	h.listed = time.Now()
	h.seen = h.listed
	if h.sessions == nil {
		h.sessions = map[string]wire.Session{}
	}
	for _, e := range events {
		s := e.Params.Session
		if _, had := h.sessions[s.ID]; e.Event == removed {
			delete(h.sessions, s.ID)
		} else if had || len(h.sessions) < maxKept { // the rest is not kept
			h.sessions[s.ID] = s
		}
	}
}

var removed = wire.NewLifecycle(registry.Event{Change: registry.Removed}, "").Event

// use returns the connection to the host for an operation. It waits a moment for one that is being
// opened, and asks for another attempt if there is none. A new session is worth starting a server
// for, as it is here. An error has the detail [terminals.HostAway] or [terminals.HubAway].
func (h *host) use(ctx context.Context, o *terminals.Operation) (remote Remote, err error) {
	within, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	asked := h.via != nil // nothing more can be tried
	known := h.until(within, func() bool {
		remote = h.remote
		err = fault.With(cmp.Or(h.detail, terminals.HostAway), fault.New(fault.Unreachable, "server %s cannot be reached now: %s", h.name, cmp.Or(h.reason, "it is being connected to")))
		switch {
		case remote != nil:
			err = nil
		case h.ctx.Err() != nil:
			err = terminals.UnknownServer(h.name)
		case h.health == terminals.Unavailable && !asked:
			asked = true
			h.starts = h.starts || o == &terminals.CreateSession.Operation
			h.poke()
			return false
		}
		return remote != nil || h.ctx.Err() != nil || h.health != terminals.Connecting
	})
	if !known && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return remote, err
}

// until waits until a function, which is called with fleet.mu held, returns true. It reports false
// if ctx ends before.
func (h *host) until(ctx context.Context, is func() bool) bool {
	for {
		h.fleet.mu.Lock()
		done, changed := is(), h.changed
		h.fleet.mu.Unlock()
		if done {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// whileReached calls f with the host and the connection to it while that is reached, until ctx ends
// or the host is forgotten. When f has returned, it is called again for another connection, or
// after a pause, which grows up to most.
func (h *host) whileReached(ctx context.Context, most time.Duration, f func(context.Context, hostTerminals, Remote)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	for pause := firstPause; ctx.Err() == nil; pause = min(2*pause, most) {
		var v hostTerminals
		var to Remote
		if !h.until(ctx, func() bool {
			v, to = hostTerminals{h, h.name}, h.remote
			return to != nil
		}) {
			return
		}
		began := time.Now()
		if f(ctx, v, to); time.Since(began) > pause {
			pause = firstPause
		}
		paused, end := context.WithTimeout(ctx, pause)
		h.until(paused, func() bool { return h.remote != to })
		end()
	}
}

// used takes note of what has become of a call, and returns the error for the caller.
func (h *host) used(err error) error {
	switch fault.DetailOf(err) {
	case terminals.HostAway, terminals.HostSilent, terminals.HubAway:
		h.poke()
	case "":
		f := h.fleet
		f.mu.Lock()
		defer f.mu.Unlock()
		h.seen = time.Now()
	}
	return err
}
