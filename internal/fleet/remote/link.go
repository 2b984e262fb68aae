// Package remote carries out operations on the terminals of other hosts: all of
// [terminals.Terminals], over any carrier of messages between hosts ([Conn]).
//
// Whatever is asked of a host is a stream of messages: the caller opens it with the operation, its
// input, and for whom it asks; the answer ends it. Between both there may be events, output, or the
// frames of an attached terminal. Packets of package stream carry it, so a slow reader holds up
// nothing but its own stream, and lost packets are sent again. What opens a stream is sent once
// and taken once: an operation is never carried out twice. While nothing is to be said, both ends
// say that they are there. When nothing was heard for [stream.Silence], a caller gets an error which
// says that the operation may have been carried out.
package remote

import (
	"context"
	"crypto/rand"
	"strconv"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// Options configure a link.
type Options struct {
	Conn Conn // required
	// Terminals are what other hosts may use, as far as Allow lets them. Without them, other hosts
	// can use nothing.
	Terminals terminals.Terminals
	// Allow returns what a host may do, and false if it may do nothing. It is asked for each stream
	// that a host opens: see also [Link.Withdraw].
	Allow func(host string) (terminals.Grant, bool)
}

// A Link is this host's end of all that hosts ask of each other over one connection. Its methods
// may be called from anywhere.
type Link struct {
	o    Options
	run  string // differs between any two links of a host, so that they have no stream in common
	stop func() // ends receiving
	busy sync.WaitGroup

	mu     sync.Mutex // guards the fields below
	next   uint64
	opened map[string]*end   // streams that this host has opened, by number
	guests map[string]*guest // hosts that have opened streams, by ID
	closed bool
}

// NewLink returns a link over a connection, which remains the caller's to close. The caller must
// Close the link, too, after the connection or before it.
func NewLink(o Options) (*Link, error) {
	l := &Link{o: o, run: rand.Text()[:8], opened: map[string]*end{}, guests: map[string]*guest{}}
	stop, err := o.Conn.Receive(l.receive)
	if err != nil {
		return nil, fault.Wrap(fault.Gone, err, "listen for other hosts")
	}
	l.stop = stop
	return l, nil
}

// Close ends all streams, and waits until what other hosts have asked for has ended.
func (l *Link) Close() {}

// Withdraw ends all that a host has under way here, with an error of detail [terminals.NotAllowed].
// Callers use it when the host's rights have changed.
func (l *Link) Withdraw(host string) {}

// Host returns the host with an ID. Its name is for the texts of errors.
func (l *Link) Host(id, name string) *Host { return &Host{l, id, name} }

func (l *Link) receive(Message) {}

type (
	end   struct{}
	guest struct{}
)

var _ = strconv.Itoa
var _ context.Context
