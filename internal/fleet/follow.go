package fleet

import (
	"context"
	"slices"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// maxEvents is how many events of other hosts wait for a follower.
const maxEvents = 1000

// A follower is what happens to sessions of all hosts. When a host is added, reached, lost, renamed
// or removed, its sessions may differ from what the follower knows: then events count as missed.
// The caller reads events of this host itself; other hosts have a goroutine each.
type follower struct {
	*terminals.Parts[terminals.Changes] // of this host

	fleet *Fleet
	by    terminals.Grant

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex // guards the fields below
	events []wire.Lifecycle
	missed int
	wake   context.CancelFunc // of the call that waits, or nil
}

func (r *Router) follow(ctx context.Context, by terminals.Grant) (terminals.Stream, error) {
	local, err := terminals.Follow.Open(ctx, r.local, by, terminals.None{})
	if err != nil {
		return nil, err
	}
	f := &follower{fleet: r.fleet, by: by, Parts: local}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	r.fleet.mu.Lock()
	defer r.fleet.mu.Unlock()
	r.fleet.followers[f] = struct{}{}
	for _, h := range r.fleet.hosts {
		f.follow(h)
	}
	return f, nil
}

// Close implements [terminals.Stream].
func (f *follower) Close() {
	f.fleet.mu.Lock()
	delete(f.fleet.followers, f)
	f.fleet.mu.Unlock()
	f.cancel()
	f.running.Wait()
	f.Parts.Close()
}

// Receive implements [terminals.Stream].
func (f *follower) Receive(ctx context.Context, out any) error {
	for {
		waiting, cancel := context.WithCancel(ctx)
		f.mu.Lock()
		c := terminals.Changes{Events: f.events, Missed: f.missed}
		f.events, f.missed, f.wake = nil, 0, cancel
		f.mu.Unlock()
		if len(c.Events) > 0 || c.Missed > 0 {
			cancel()
			*out.(*terminals.Changes) = c
			return nil
		}
		err := f.Parts.Receive(waiting, out)
		woken := waiting.Err() != nil && ctx.Err() == nil
		cancel()
		if err == nil || !woken {
			return err
		}
	}
}

// add has the follower learn of events, and that it has missed some.
func (f *follower) add(events []wire.Lifecycle, missed int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, events...)
	f.missed += missed
	if most := len(f.events) - maxEvents; most > 0 {
		f.events = slices.Delete(f.events, 0, most)
		f.missed += most
	}
	if f.wake != nil {
		f.wake()
		f.wake = nil
	}
}

// follow begins to follow a host. The caller holds fleet.mu.
func (f *follower) follow(h *host) {
	f.running.Go(func() {
		defer f.add(nil, 1) // it was removed
		h.whileReached(f.ctx, pingEvery, func(ctx context.Context, v hostTerminals, _ Remote) { f.read(ctx, v) })
	})
}

// read passes on what happens on a host until the connection ends.
func (f *follower) read(ctx context.Context, v hostTerminals) {
	stream, err := terminals.Follow.Open(ctx, v, f.by, terminals.None{})
	if err != nil {
		if fault.DetailOf(err) == terminals.HostLacks {
			f.add(nil, 1) // its sessions are known by pings, which are as rare as attempts
		}
		return
	}
	defer stream.Close()
	f.add(nil, 1)       // between the caller's list and now
	defer f.add(nil, 1) // it is listed as it was known last from now on
	for {
		c, err := stream.Next(ctx)
		if err != nil {
			return
		}
		events, missed := c.Events, c.Missed
		if more := len(events) - maxEvents; more > 0 { // what a host sends at once is not bounded
			events, missed = events[more:], missed+more
		}
		v.fleet.mu.Lock()
		if f.by.Sessions == nil && f.by.Tags == nil {
			v.apply(events)
		}
		v.fleet.mu.Unlock()
		for i := range events {
			events[i].Params.Server = v.on
			v.prefix(&events[i])
		}
		f.add(events, missed)
	}
}
