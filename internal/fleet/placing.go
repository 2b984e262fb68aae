package fleet

import (
	"context"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/place"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// loadTime is how long the load of a machine takes to show what was started there: it is an average
// of a minute.
const loadTime = time.Minute

// create starts a program on the host that has the labels and the most to spare. If that one has no
// room any more or cannot be reached, so that nothing was done, it is the next.
func (r *Router) create(ctx context.Context, by terminals.Grant, in terminals.NewSession, out *wire.Session) error {
	labels := in.On
	in.On = nil
	hosts, doers, err := r.candidates(ctx, by)
	if err != nil {
		return err
	}
	var refused error
	for {
		i, err := place.Choose(hosts, labels, r.fleet.recent())
		if err != nil {
			if refused != nil {
				return refused // the last that was tried says more
			}
			return err
		}
		err = doers[i].Do(ctx, by, &terminals.CreateSession.Operation, &in, out)
		v, elsewhere := doers[i].(hostTerminals)
		if err == nil {
			r.fleet.mu.Lock()
			r.fleet.placed = append(r.fleet.placed, placed{hosts[i].Name, time.Now()})
			r.fleet.mu.Unlock()
			if elsewhere {
				v.prefix(out)
			}
		} else if elsewhere {
			err = v.explain(err)
		}
		if detail := fault.DetailOf(err); detail != registry.TooManySessions && detail != terminals.HostAway && detail != terminals.HubAway {
			return err
		}
		refused = err
		hosts, doers = slices.Delete(hosts, i, i+1), slices.Delete(doers, i, i+1)
	}
}

// candidates returns this host and those that are connected, as far as a caller may know of them,
// with the terminals of each.
func (r *Router) candidates(ctx context.Context, by terminals.Grant) (hosts []place.Host, doers []terminals.Doer, err error) {
	here, err := terminals.GetServer.Do(ctx, r.local, terminals.Everything, terminals.None{})
	if err != nil {
		return nil, nil, err
	}
	hosts, doers = append(hosts, place.Host{Name: r.fleet.opts.Name, Labels: here.Labels, Capacity: here.Capacity}), append(doers, r.local)
	r.fleet.settle(ctx)
	views := r.fleet.reached(by)
	r.fleet.askEach(ctx, views, func(ctx context.Context, i int) { views[i].learn(ctx) })
	for _, v := range views {
		r.fleet.mu.Lock()
		manages, labels, capacity := v.manages, v.labels, v.capacity
		r.fleet.mu.Unlock()
		if manages {
			hosts, doers = append(hosts, place.Host{Name: v.on, Labels: labels, Capacity: *capacity}), append(doers, v)
		}
	}
	return hosts, doers, nil
}

// learn asks a host that tells nothing of itself what it can do.
func (v hostTerminals) learn(ctx context.Context) {
	f := v.fleet
	f.mu.Lock()
	known := v.via == nil && v.capacity != nil // by pings
	f.mu.Unlock()
	if known {
		return
	}
	info, err := terminals.GetServer.Do(ctx, v, terminals.Everything, terminals.None{})
	f.mu.Lock()
	defer f.mu.Unlock()
	if v.manages = false; err == nil {
		v.describedBy(info)
	}
}

// settle waits a moment for hosts to which the first connection is being opened. Others that are
// being connected to were away before.
func (f *Fleet) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	f.mu.Lock()
	hosts := f.hosts
	f.mu.Unlock()
	for _, h := range hosts {
		h.until(ctx, func() bool { return h.health != terminals.Connecting || h.reason != "" })
	}
}

// recent returns how many sessions were placed on each host that its load may not show yet.
func (f *Fleet) recent() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.placed = slices.DeleteFunc(f.placed, func(p placed) bool { return time.Since(p.at) > loadTime })
	count := map[string]int{}
	for _, p := range f.placed {
		count[p.host]++
	}
	return count
}

type placed struct {
	host string
	at   time.Time
}
