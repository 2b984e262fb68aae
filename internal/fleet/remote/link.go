// Package remote carries out operations on the terminals of other hosts: all of
// [terminals.Terminals], over any carrier of messages between hosts ([Conn]).
//
// Whatever is asked of a host is a stream of messages: the caller opens it with the operation, its
// input, and the rights of its own caller; the answer ends it. Between both there may be events,
// output, or the frames of an attached terminal. Packets of package stream carry it, so a slow
// reader holds up nothing but its own stream, and lost packets are sent again. What opens a stream
// is sent once and taken once: an operation is never carried out twice. While nothing is to be
// said, both ends say that they are there. When nothing was heard for [stream.Silence], a caller
// gets an error which says that the operation may have been carried out.
package remote

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/stream"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
)

const (
	// MaxCalls is how many operations of one host, other than streams, may be under way here.
	MaxCalls = 256
	// maxQueries is how many answers that are there at once are made for one host at a time.
	maxQueries = 16
	// maxStreams is how many streams, operations included, one host may have here, and
	// maxGuestStreams how many a guest may have.
	maxStreams, maxGuestStreams = 4096, 512
	// maxGuests is how many hosts are remembered that have nothing under way here.
	maxGuests = 1024
)

// Options configure a link.
type Options struct {
	Conn Conn // required
	// Terminals are what other hosts may use, as far as Allow lets them. Without them, other hosts
	// can use nothing.
	Terminals terminals.Terminals
	// Allow returns what a host may do, and false if it may do nothing. It is asked for each stream
	// that a host opens, and must not wait: see also [Link.Withdraw].
	Allow func(host string) (terminals.Grant, bool)
}

// A Link is this host's end of all that hosts ask of each other over one connection. Its methods
// may be called from anywhere.
type Link struct {
	o      Options
	run    string // differs between any two links of a host, so that they have no stream in common
	byName map[string]*terminals.Operation
	ctx    context.Context // of what other hosts have asked for; it ends in Close
	cancel context.CancelCauseFunc
	stop   func() // ends receiving
	busy   sync.WaitGroup

	mu     sync.Mutex // guards the fields below
	next   uint64
	opened map[string]*end   // streams that this host has opened, by number
	guests map[string]*guest // hosts that have opened streams, by ID
	closed bool

	account account // of what is kept for all hosts
	most    int64   // how much is kept for one
}

// A guest is a host that has opened streams here.
type guest struct {
	streams map[string]*served // by number
	calls   int
	runs    []*seen       // the one that was used last is the last
	queries chan struct{} // has a token for each answer that is being made
	account account
}

// A served is this host's end of a stream that another host has opened.
type served struct {
	*end
	ctx  context.Context // of what was asked for
	stop context.CancelCauseFunc
}

// NewLink returns a link over a connection, which remains the caller's to close. The caller must
// Close the link, too, before it or after.
func NewLink(o Options) (*Link, error) {
	l := &Link{o: o, run: rand.Text()[:runLength], byName: map[string]*terminals.Operation{}, opened: map[string]*end{}, guests: map[string]*guest{}}
	l.account.most, l.most = maxKeptForAll, maxKept
	for _, op := range terminals.All() {
		l.byName[op.Name] = op
	}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	stop, err := o.Conn.Receive(l.receive)
	if err != nil {
		return nil, fault.Wrap(fault.Unreachable, err, "listen for other hosts")
	}
	l.stop = stop
	return l, nil
}

// What callers get while a link is being closed, on other hosts and on this one.
var (
	errClosed  = fault.With(term.Stopping, fault.New(fault.Gone, "the host is stopping"))
	errClosing = fault.With(term.Stopping, fault.New(fault.Gone, "this host is stopping"))
)

// Close ends all streams, and waits until what other hosts have asked for has ended.
func (l *Link) Close() {
	l.mu.Lock()
	l.closed = true
	for _, e := range l.opened {
		if err := l.broken(); err != nil {
			e.cancel(e.silent(err)) // the link is closed since its connection has ended
		} else {
			e.cancel(errClosing)
		}
	}
	l.mu.Unlock()
	l.cancel(errClosed)
	late := time.AfterFunc(partingTime, l.abandon)
	l.busy.Wait()
	late.Stop()
	l.stop()
}

// broken returns why the connection has ended, or nil while it has not.
func (l *Link) broken() error {
	select {
	case <-l.o.Conn.Done():
		return l.o.Conn.Err()
	default:
		return nil
	}
}

// abandon ends the streams of other hosts, which have not taken what was sent to them last.
func (l *Link) abandon() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, g := range l.guests {
		for _, s := range g.streams {
			s.cancel(ErrEnded)
		}
	}
}

// errWithdrawn is what callers get whose host has lost its rights.
var errWithdrawn = fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "the rights of your host have changed here"))

// Withdraw ends all that a host has under way here, with an error of detail [terminals.NotAllowed].
// Callers use it when the host's rights have changed: Allow must return the new ones before.
func (l *Link) Withdraw(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if g := l.guests[host]; g != nil {
		for _, s := range g.streams {
			s.stop(errWithdrawn)
		}
	}
}

// Host returns the host with an ID. Its name is for the texts of errors.
func (l *Link) Host(id, name string) *Host { return &Host{l, id, name} }

// receive takes a message of another host. It does not wait.
func (l *Link) receive(m Message) {
	if m.Kind == Open {
		l.accept(m)
		return
	}
	l.mu.Lock()
	e := l.opened[m.Stream]
	if m.Kind == Up || m.Kind == Stop {
		e = nil
		if g := l.guests[m.Peer]; g != nil && g.streams[m.Stream] != nil {
			e = g.streams[m.Stream].end
		}
	}
	l.mu.Unlock()
	if e != nil && e.to.Peer != m.Peer {
		return
	}
	switch {
	case e == nil && m.Kind == Up:
		l.try(Message{Peer: m.Peer, Kind: Unknown, Stream: m.Stream})
	case e == nil && m.Kind == Down:
		l.try(Message{Peer: m.Peer, Kind: Stop, Stream: m.Stream})
	case e == nil:
	case m.Kind == Up || m.Kind == Down:
		e.receive(m.Data)
	case m.Kind == Stop:
		e.cancel(ErrEnded)
	case m.Kind == Unknown:
		e.cancel(e.silent(fault.New(fault.Gone, "it has been started again, or has given up")))
	case m.Kind == Absent:
		e.cancel(absent(e.name))
	}
}

// absent is the error that a host is not there.
func absent(name string) error {
	return fault.With(terminals.HostAway, fault.New(fault.Unreachable, "host %s is not connected now", name))
}

// try sends a message if there is room for it: its loss does no harm.
func (l *Link) try(m Message) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = l.o.Conn.Send(ctx, m)
}

// refuse ends a stream that was not even opened.
func (l *Link) refuse(m Message, err error) {
	now := time.Now()
	s := stream.New(now)
	s.End(append([]byte{whole}, encode(outcome{Error: newFailure(err)})...))
	for _, packet := range s.Packets(now) {
		l.try(Message{Peer: m.Peer, Kind: Down, Stream: m.Stream, Data: packet})
	}
}

// accept opens a stream for another host.
func (l *Link) accept(m Message) {
	run, n, ok := parseNumber(m.Stream)
	if !ok || len(m.Data) == 0 || m.Data[0] > whole {
		return
	}
	if err := l.begin(m, run, n); err != nil {
		l.refuse(m, err)
	}
}

// begin begins to serve a stream, unless that was done before.
func (l *Link) begin(m Message, run string, n uint64) error {
	l.mu.Lock() // so that Withdraw finds the stream, or Allow has the new rights
	defer l.mu.Unlock()
	limit, ok := terminals.Grant{}, false
	if l.o.Terminals != nil {
		limit, ok = l.o.Allow(m.Peer)
	}
	if !ok {
		return fault.With(terminals.NotAllowed, fault.New(fault.Precondition, `that host has not accepted yours: its owner does so with "wsh servers accept"`))
	}
	g := l.guests[m.Peer]
	if g == nil {
		l.forgetGuests()
		g = &guest{streams: map[string]*served{}, queries: make(chan struct{}, maxQueries), account: account{of: &l.account, most: l.most}}
		l.guests[m.Peer] = g
	}
	most := maxStreams
	if limit.Guest {
		most = maxGuestStreams
	}
	switch {
	case !g.isNew(run, n):
		return nil
	case l.closed:
		return errClosed
	case len(g.streams) >= most:
		return fault.New(fault.Exhausted, "your host has %d streams under way there: wait for some of them", most)
	case !g.account.take(len(m.Data)):
		return errTooMuch
	}
	s := &served{end: newEnd(context.Background(), l.o.Conn, Message{Peer: m.Peer, Kind: Down, Stream: m.Stream}, m.Peer)}
	s.ctx, s.stop = context.WithCancelCause(l.ctx)
	s.account, s.exceed, s.taken, s.held = &g.account, s.stop, len(m.Data), len(m.Data)
	g.streams[m.Stream] = s
	l.busy.Go(func() { l.serve(g, s, limit, m.Data) })
	return nil
}

// forgetGuests forgets some hosts that have nothing under way, if there are many. The caller holds
// l.mu.
func (l *Link) forgetGuests() {
	for id, g := range l.guests {
		if len(l.guests) < maxGuests {
			return
		}
		if len(g.streams) == 0 {
			delete(l.guests, id)
		}
	}
}

// isNew reports whether a stream was not opened before.
func (g *guest) isNew(run string, n uint64) bool {
	i := slices.IndexFunc(g.runs, func(s *seen) bool { return s.run == run })
	s := &seen{run: run}
	if i >= 0 {
		s = g.runs[i]
		g.runs = slices.Delete(g.runs, i, i+1)
	} else if len(g.runs) == maxRuns {
		g.runs = slices.Delete(g.runs, 0, 1)
	}
	g.runs = append(g.runs, s)
	return s.add(n)
}
