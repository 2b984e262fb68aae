package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/remote"
)

// listTime is how long a list of all sessions waits for one host. What was known of it last takes
// the place of its answer.
const listTime = time.Second

// A Router is the sessions of this host and of all others, on which a session is called HOST/NAME.
// What concerns no session is this host's own, but lists, waits for any session, and what follows
// all sessions.
type Router struct {
	fleet *Fleet
	local terminals.Terminals
}

var _ terminals.Terminals = (*Router)(nil)

// Over returns the sessions of this host, and of the others. The terminals of the first call are
// those that hosts of hubs may use, as far as this server lets them: hubs are joined from then on.
func (f *Fleet) Over(local terminals.Terminals) *Router {
	f.serve.Do(func() {
		f.server = remote.NewServer(remote.Hello{ID: strings.ReplaceAll(f.opts.ID, "-", ""), Name: f.opts.Name, Version: f.opts.Version}, local, f.opts.Log)
		close(f.served)
	})
	return &Router{f, local}
}

// Serve lets the server at the other end of a stream use the terminals of this host, as its user,
// until it leaves or ctx ends. [Fleet.Over] must have been called.
func (f *Fleet) Serve(ctx context.Context, rw io.ReadWriteCloser) error {
	return f.server.Serve(ctx, rw, func() (terminals.Grant, bool) { return terminals.Everything.Confirmed(f.opts.Confirm), true })
}

// OnServer implements [terminals.OnServer].
func (r *Router) OnServer(name string) (terminals.Terminals, error) {
	if name == "" || strings.EqualFold(name, r.fleet.opts.Name) {
		return r.local, nil
	}
	v, err := r.fleet.on(name)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// route returns the other host of the session that an input names, or nil, and the input as it is
// there.
func (r *Router) route(in any) (v *hostTerminals, there any, err error) {
	session, _ := terminals.SessionIn(in)
	host, name, ok := strings.Cut(session, "/")
	if !ok || host == "" {
		return nil, in, nil
	}
	there = terminals.WithoutPrefix(in, session[:len(host)+1])
	if strings.EqualFold(host, r.fleet.opts.Name) {
		return nil, there, nil
	}
	other, err := r.fleet.on(host)
	if err == nil && strings.Contains(name, "/") { // on a third host, which is reached from here or not at all
		err = registry.UnknownSession(session)
	}
	return &other, there, err
}

// Do implements [terminals.Doer].
func (r *Router) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	switch o {
	case &terminals.ListSessions.Operation:
		return r.list(ctx, by, *in.(*terminals.SessionFilter), out.(*[]wire.Session))
	case &terminals.AwaitAnyIdle.Operation:
		return r.anyIdle(ctx, by, *in.(*terminals.RaceQuery), out.(*terminals.AnyIdle))
	case &terminals.CreateSession.Operation:
		if in := in.(*terminals.NewSession); in.On != nil && !strings.Contains(in.Name, "/") {
			return r.create(ctx, by, *in, out.(*wire.Session))
		}
	}
	v, in, err := r.route(in)
	switch {
	case err != nil:
		return err
	case v == nil:
		return r.local.Do(ctx, by, o, in, out)
	}
	if err = v.Do(ctx, by, o, in, out); err == nil {
		v.prefix(out)
	}
	return v.explain(err)
}

// prefix gives the names of sessions in an answer of the host the host's name. A session without a
// name, which no host should have, must not look like one of this host.
func (v hostTerminals) prefix(out any) {
	for _, s := range sessionsIn(out) {
		s.Name, s.ID = v.on+"/"+s.Name, v.called(s.ID)
	}
	switch out := out.(type) {
	case *wire.Lifecycle:
		out.Params.OldName, out.Params.NewName = v.called(out.Params.OldName), v.called(out.Params.NewName)
	case *terminals.AnyIdle:
		out.Session = v.called(out.Session)
	}
}

// called returns what a session of the host is called here.
func (v hostTerminals) called(name string) string {
	if name == "" {
		return ""
	}
	return v.on + "/" + name
}

// explain returns an error of the host, whose text may name sessions, with the host's name, unless
// it begins with that.
func (v hostTerminals) explain(err error) error {
	if err == nil || slices.ContainsFunc([]string{"%s: ", "server %s ", "host %s "}, func(form string) bool {
		return strings.HasPrefix(strings.TrimPrefix(err.Error(), "nothing was done: "), fmt.Sprintf(form, v.on))
	}) {
		return err
	}
	if known, ok := errors.AsType[*fault.Error](err); ok {
		return fault.With(known.Detail, fault.Wrap(known.Kind, err, "%s", v.on))
	}
	return err
}

// list lists the sessions of all hosts: first of this host, then of the others.
func (r *Router) list(ctx context.Context, by terminals.Grant, in terminals.SessionFilter, out *[]wire.Session) error {
	hosts, here := r.fleet.named(by), in
	here.Tags, _ = tagsOn(r.fleet.opts.Name, in.Tags)
	if len(hosts) == 0 {
		return r.local.Do(ctx, by, &terminals.ListSessions.Operation, &here, out)
	}
	lists := make([][]wire.Session, len(hosts))
	var asking sync.WaitGroup
	asking.Go(func() {
		r.fleet.askEach(ctx, hosts, func(ctx context.Context, i int) { lists[i] = hosts[i].list(ctx, by, in) })
	})
	err := r.local.Do(ctx, by, &terminals.ListSessions.Operation, &here, out)
	asking.Wait()
	if err != nil {
		return err
	}
	*out = slices.Concat(append([][]wire.Session{*out}, lists...)...)
	return nil
}

// maxAsked is how many hosts are asked for a list, or who they are, at once: each answer may have 4
// MiB, whatever a host has to say.
const maxAsked = 64

// askEach asks hosts, which have listTime together. The quickest ones are the first, so that slow
// ones hold up each other.
func (f *Fleet) askEach(ctx context.Context, hosts []hostTerminals, ask func(ctx context.Context, i int)) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	order := make([]int, len(hosts))
	for i := range order {
		order[i] = i
	}
	f.mu.Lock()
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Compare(cmp.Or(hosts[i].latency, listTime), cmp.Or(hosts[j].latency, listTime))
	})
	f.mu.Unlock()
	var asking errgroup.Group
	asking.SetLimit(maxAsked)
	for _, i := range order {
		asking.Go(func() error {
			ask(ctx, i)
			return nil
		})
	}
	_ = asking.Wait() // there are none
}

// list returns the sessions of the host that a caller may see, as they are called here: what it
// answers in time, or else what was known last.
func (v hostTerminals) list(ctx context.Context, by terminals.Grant, in terminals.SessionFilter) (list []wire.Session) {
	f := v.fleet
	f.mu.Lock()
	reached := v.remote != nil
	f.mu.Unlock()
	there, err := v.grant(by, &terminals.ListSessions.Operation, "")
	if err != nil {
		return nil
	}
	var ok bool
	if in.Tags, ok = tagsOn(v.on, in.Tags); !ok {
		return nil
	}
	answered := false
	if reached && ctx.Err() == nil {
		began := time.Now()
		err := v.Do(ctx, by, &terminals.ListSessions.Operation, &in, &list)
		if v.via != nil { // nobody pings it
			f.mu.Lock()
			v.latency = time.Since(began)
			f.mu.Unlock()
		}
		switch {
		case err == nil:
			answered = true
		case fault.DetailOf(err) == terminals.NotAllowed: // any other error may pass, as of a busy host
			return nil
		default:
			v.poke() // whether it is there at all
		}
	}
	if !answered {
		list = v.lastKnown(there, in)
	} else if by.Sessions == nil && by.Tags == nil && in.Tags == nil {
		f.mu.Lock()
		v.keep(list)
		f.mu.Unlock()
	}
	v.prefix(&list)
	return list
}

// tagsOn returns the tags of a filter that concern a host, as that host knows them: TAG, which
// names no host, and HOST/TAG with its name. It reports false if no tag concerns the host: then the
// filter matches nothing there.
func tagsOn(host string, tags []string) (there []string, ok bool) {
	for _, tag := range tags {
		if of, rest, ok := strings.Cut(tag, "/"); !ok {
			there = append(there, tag)
		} else if strings.EqualFold(of, host) {
			there = append(there, rest)
		}
	}
	if there == nil {
		return tags, len(tags) == 0
	}
	return there, true
}

// lastKnown returns the sessions that were known last, as a caller with a grant may see them.
func (v hostTerminals) lastKnown(there terminals.Grant, in terminals.SessionFilter) (list []wire.Session) {
	v.fleet.mu.Lock()
	defer v.fleet.mu.Unlock()
	age := time.Since(v.listed)
	if age > keepTime || v.health == terminals.Rejected {
		return nil
	}
	for _, s := range v.sessions {
		if covers(there.Sessions, there.Tags, s) && covers(nil, in.Tags, s) {
			s.Server, s.LastKnownMS = v.on, new(wire.Milliseconds(age))
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b wire.Session) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// covers reports whether a session has one of the names or tags, if there are any.
func covers(names, tags []string, s wire.Session) bool {
	if names == nil && tags == nil {
		return true
	}
	return (&label.Scope{Names: names, Tags: tags}).Covers(s.Name, s.Tags)
}

// Open implements [terminals.Terminals].
func (r *Router) Open(ctx context.Context, by terminals.Grant, o *terminals.Operation, in any) (terminals.Stream, error) {
	if o == &terminals.Follow.Operation {
		return r.follow(ctx, by)
	}
	v, in, err := r.route(in)
	switch {
	case err != nil:
		return nil, err
	case v == nil:
		return r.local.Open(ctx, by, o, in)
	}
	s, err := v.Open(ctx, by, o, in)
	if err != nil {
		return nil, v.explain(err)
	}
	return stream{s, *v}, nil
}

// A stream is one of another host. Its session has the name that it has here.
type stream struct {
	terminals.Stream
	on hostTerminals
}

// Receive implements [terminals.Stream].
func (s stream) Receive(ctx context.Context, out any) error {
	return s.on.explain(s.Stream.Receive(ctx, out))
}

// Name implements [terminals.Stream].
func (s stream) Name() string { return s.on.called(s.Stream.Name()) }

// SessionID implements [terminals.Stream].
func (s stream) SessionID() string { return s.on.called(s.Stream.SessionID()) }
