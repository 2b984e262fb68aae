package remote

import "context"

// Protocol is the version of what crosses between hosts. Hosts of different versions do not
// understand each other.
const Protocol = 1

// A Conn carries messages between this host and others. It knows who they are: a message that
// arrives names its sender truly. It may lose messages, but does not keep them to deliver them
// late. Its methods may be called from anywhere.
type Conn interface {
	// Self returns the ID of this host.
	Self() string
	// Send sends a message to its Peer. It waits while there is no room for it, until ctx ends; if
	// that has ended before, it does not wait. An error is of kind Unreachable with the detail
	// [terminals.HostAway] or [terminals.HubAway], or the cause of ctx: the message was not sent,
	// and never will be. Without an error it may arrive.
	Send(ctx context.Context, m Message) error
	// Receive has f called with each message that arrives from now on, in the order in which its
	// sender has sent them, one at a time. f must not wait. stop ends that; f may be running when
	// it returns. Only one f receives at a time.
	Receive(f func(Message)) (stop func(), err error)
	// Done returns a channel that is closed when the connection has ended for good. Err says why.
	Done() <-chan struct{}
	Err() error
}

// A Message is what crosses between two hosts. It belongs to a stream.
type Message struct {
	Peer   string // ID of the host to which it goes, or from which it comes
	Kind   Kind
	Stream string // number of the stream: letters and digits, at most [MaxNumber]
	Data   []byte // at most [MaxData] bytes, which must not change any more
}

// A Kind says what a message does. It is a letter.
type Kind byte

// The kinds of messages.
const (
	Open    Kind = 'o' // opens a stream: what the caller wants
	Up      Kind = 'u' // a packet of the host that has opened the stream
	Down    Kind = 'd' // a packet of the other one
	Stop    Kind = 's' // the host that has opened the stream has no use for it any more
	Unknown Kind = 'n' // answers an Up: there is no such stream
	Absent  Kind = 'a' // answers an Open, by the carrier: nothing receives there
)

// Limits of messages, in bytes.
const (
	MaxNumber = 24
	MaxData   = 128 << 10
)
