package fleet

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

const (
	// emptyPause is the pause before a host is asked again that had no session to wait for.
	emptyPause = time.Second
	// lateTime is how much longer than the first host others may take until the time to wait is
	// over.
	lateTime = time.Second
)

// anyIdle waits until the first session of any host is idle. Hosts that cannot be reached when it
// begins, or cannot be reached any more, drop out.
func (r *Router) anyIdle(ctx context.Context, by terminals.Grant, in terminals.RaceQuery, out *terminals.AnyIdle) error {
	if host, name, ok := strings.Cut(in.LastSession, "/"); ok && strings.EqualFold(host, r.fleet.opts.Name) {
		in.LastSession = name
	}
	here := &racer{Doer: r.local}
	here.tags, _ = tagsOn(r.fleet.opts.Name, in.Tags)
	racers := []*racer{here}
	for _, v := range r.fleet.reached(by) {
		if tags, ok := tagsOn(v.on, in.Tags); ok {
			racers = append(racers, &racer{Doer: v, far: &v, tags: tags})
		}
	}
	if len(racers) == 1 {
		in.Tags = here.tags
		return r.local.Do(ctx, by, &terminals.AwaitAnyIdle.Operation, &in, out)
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	reports := make(chan report)
	for _, one := range racers {
		running.Go(func() { one.run(ctx, by, in, reports) })
	}
	var over error // that the time to wait is over
	var late <-chan time.Time
	for waiting := len(racers); ; { // those that may have a session to wait for
		select {
		case got := <-reports:
			switch detail := fault.DetailOf(got.err); {
			case got.out != nil:
				*out = *got.out
				return nil
			case got.err == nil:
				waiting++
				continue
			case detail == term.NotQuiet:
				if over = got.err; late == nil {
					late = time.After(lateTime)
				}
			case detail != registry.NoSessions && got.of == here:
				return got.err // the call itself is wrong
			}
			if waiting--; waiting == 0 {
				return cmp.Or(over, fault.With(registry.NoSessions, fault.New(fault.NotFound, "no session whose program runs matches on any host: create one first")))
			}
		case <-late:
			return over
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// reached returns the hosts that are connected and of which a caller may know.
func (f *Fleet) reached(by terminals.Grant) []hostTerminals {
	list := f.named(by)
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.DeleteFunc(list, func(v hostTerminals) bool { return v.remote == nil })
}

// A racer waits for the sessions of one host.
type racer struct {
	terminals.Doer
	far  *hostTerminals // the other host, or nil
	tags []string       // of the filter, as the host knows them
}

// A report says that a racer waits once more (no answer and no error), or what has become of that.
type report struct {
	of  *racer
	out *terminals.AnyIdle
	err error
}

// run waits for the sessions of the host. One without sessions is asked again: some may be created.
func (r *racer) run(ctx context.Context, by terminals.Grant, in terminals.RaceQuery, reports chan<- report) {
	if r.far != nil {
		host, name, _ := strings.Cut(in.LastSession, "/")
		if in.LastSession = name; !strings.EqualFold(host, r.far.on) { // one of another host may have this name
			in.LastSession = ""
		}
	}
	in.Tags = r.tags
	most := term.DefaultWait
	if in.MaxWaitMS != nil {
		most = time.Duration(min(*in.MaxWaitMS, uint64(term.MaxWait.Milliseconds()))) * time.Millisecond
	}
	tell := func(g report) bool {
		g.of = r
		select {
		case reports <- g:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for end := time.Now().Add(most); ; {
		in.MaxWaitMS = new(uint64(max(time.Until(end).Milliseconds(), 0)))
		var out terminals.AnyIdle
		err := r.Do(ctx, by, &terminals.AwaitAnyIdle.Operation, &in, &out)
		if err == nil {
			if r.far != nil {
				r.far.prefix(&out)
			}
			tell(report{out: &out})
			return
		}
		if !tell(report{err: err}) || fault.DetailOf(err) != registry.NoSessions {
			return
		}
		if wake.After(ctx, emptyPause) != nil {
			return
		}
		if !tell(report{}) {
			return
		}
	}
}
