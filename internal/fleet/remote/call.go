package remote

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/stream"
	"ui-mcp/internal/terminals"
)

// A Link is this host's end of all calls to other hosts, over one connection. Its methods may be
// called from anywhere. Close ends it.
type Link struct {
	nc   *nats.Conn
	self string
	run  string // differs between any two links, so that a late reply reaches none but its own
	subs []*nats.Subscription

	mu      sync.Mutex // guards the fields below
	next    uint64
	waiting map[string]chan<- *nats.Msg
}

// NewLink returns the link of the host with an ID.
func NewLink(nc *nats.Conn, self string) (*Link, error) {
	l := &Link{nc: nc, self: self, run: rand.Text()[:8], waiting: map[string]chan<- *nats.Msg{}}
	sub, err := nc.Subscribe(version+"."+self+"."+reply+".>", l.replied)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "listen for replies of other hosts")
	}
	l.subs = append(l.subs, sub)
	return l, nil
}

// Close ends the link. Calls that wait notice when their contexts end.
func (l *Link) Close() {
	for _, sub := range l.subs {
		_ = sub.Unsubscribe() // the connection may have ended before
	}
}

// replied passes a reply on to the call that waits for it. A call that does not take its replies
// has enough of them to fail by.
func (l *Link) replied(m *nats.Msg) {
	t, ok := parse(m.Subject)
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.waiting[t.what]; c != nil {
		select {
		case c <- m:
		default:
		}
	}
}

// expect returns the number of a new call, and where its replies arrive. forget must be called.
func (l *Link) expect() (number string, replies <-chan *nats.Msg, forget func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	number = l.run + strconv.FormatUint(l.next, 36)
	c := make(chan *nats.Msg, maxParts)
	l.waiting[number] = c
	return number, c, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.waiting, number)
	}
}

// maxParts is how many replies of a call may wait to be read.
const maxParts = 64

// A Host is another host, as far as it lets this one. It is a [terminals.Doer].
type Host struct {
	link *Link
	id   string
	name string // for errors
}

// Host returns the host with an ID. Its name is for texts of errors.
func (l *Link) Host(id, name string) *Host { return &Host{l, id, name} }

// Do implements [terminals.Doer]. Beside what the operation itself reports, the error can have the
// details [Away], [Silent], [Cut] and [Lacks].
func (h *Host) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	b, err := h.call(ctx, do, o.Name, by, in, "")
	if err != nil {
		return err
	}
	var got outcome
	if err := json.Unmarshal(b, &got); err != nil {
		return fault.Wrap(fault.Internal, err, "the answer of host %s", h.name)
	}
	if len(got.Out) > 0 {
		if err := json.Unmarshal(got.Out, out); err != nil {
			return fault.Wrap(fault.Internal, err, "the answer of host %s", h.name)
		}
	}
	return got.Error.error()
}

// call sends a call and returns its outcome.
func (h *Host) call(ctx context.Context, verb, what string, by terminals.Grant, in any, end string) ([]byte, error) {
	input, err := json.Marshal(in)
	if err != nil {
		panic(err) // the program's own types can be encoded
	}
	b, err := json.Marshal(call{newClaim(by), input, end})
	if err != nil {
		panic(err) // likewise
	}
	if !h.link.nc.IsConnected() {
		return nil, fault.With(Cut, fault.New(fault.Gone, "host %s cannot be reached: this host is not connected to the hub now, and nothing was done", h.name))
	}
	number, replies, forget := h.link.expect()
	defer forget()
	err = h.link.nc.PublishRequest(subject(h.id, verb, h.link.self, what), subject(h.link.self, reply, h.id, number), b)
	if err != nil {
		return nil, fault.With(Cut, fault.Wrap(fault.Gone, err, "host %s cannot be reached, and nothing was done", h.name))
	}
	var outcome []byte
	silence := time.NewTimer(stream.Silence)
	defer silence.Stop()
	for {
		select {
		case m := <-replies:
			silence.Reset(stream.Silence)
			switch {
			case m.Header.Get("Status") == noResponders:
				return nil, fault.With(Away, fault.New(fault.Gone, "host %s is not connected now, and nothing was done", h.name))
			case len(m.Data) == 0:
				return nil, fault.New(fault.Internal, "host %s has sent an empty reply", h.name)
			case m.Data[0] == waits:
				continue
			}
			outcome = append(outcome, m.Data[1:]...)
			if m.Data[0] == last {
				return outcome, nil
			}
		case <-silence.C:
			return nil, fault.With(Silent, fault.New(fault.Gone, "host %s has not answered for %v: what was asked may have been done, or not", h.name, stream.Silence))
		case <-ctx.Done():
			_ = h.link.nc.Publish(subject(h.id, cancel, h.link.self, number), nil) // it ends by itself if this is lost
			return nil, context.Cause(ctx)
		}
	}
}

// noResponders is the status of a reply by a server of NATS: nobody listens on the subject.
const noResponders = "503"
