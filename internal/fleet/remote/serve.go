package remote

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/stream"
	"ui-mcp/internal/terminals"
)

// maxCalls is how many calls of one host may be under way.
const maxCalls = 256

// A Server carries out what other hosts ask for. Close ends it.
type Server struct {
	nc        *nats.Conn
	host      string
	terminals terminals.Terminals
	allow     func(host string) (terminals.Grant, bool)
	byName    map[string]*terminals.Operation

	ctx  context.Context
	stop context.CancelFunc
	busy sync.WaitGroup
	subs []*nats.Subscription

	mu    sync.Mutex // guards calls
	calls map[string]*host
}

// A host is a caller, with its calls that are under way.
type host struct{ calls map[string]context.CancelFunc }

// Serve carries out operations for other hosts. allow returns what a host may do, and false if it
// may do nothing; it is asked again for each call.
func Serve(nc *nats.Conn, self string, t terminals.Terminals, allow func(host string) (terminals.Grant, bool)) (*Server, error) {
	s := &Server{nc: nc, host: self, terminals: t, allow: allow, byName: map[string]*terminals.Operation{}, calls: map[string]*host{}}
	for _, o := range terminals.All() {
		s.byName[o.Name] = o
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	for verb, f := range map[string]nats.MsgHandler{do: s.do, cancel: s.cancel} {
		sub, err := nc.Subscribe(version+"."+self+"."+verb+".>", f)
		if err != nil {
			s.Close()
			return nil, fault.Wrap(fault.Internal, err, "listen for other hosts")
		}
		s.subs = append(s.subs, sub)
	}
	if err := nc.Flush(); err != nil { // from now on, calls arrive
		s.Close()
		return nil, fault.Wrap(fault.Gone, err, "listen for other hosts")
	}
	return s, nil
}

// Close ends what other hosts wait for, and waits until it has ended.
func (s *Server) Close() {
	for _, sub := range s.subs {
		_ = sub.Unsubscribe() // the connection may have ended before
	}
	s.stop()
	s.busy.Wait()
}

// do starts a call.
func (s *Server) do(m *nats.Msg) {
	t, ok := parse(m.Subject)
	if !ok || m.Reply == "" {
		return
	}
	number := m.Reply[strings.LastIndexByte(m.Reply, '.')+1:]
	if m.Reply != subject(t.caller, reply, s.host, number) {
		return // not ours to answer
	}
	o, in, out, by, err := s.decode(t, m.Data)
	if err != nil {
		s.reply(m, nil, err)
		return
	}
	ctx, end, err := s.begin(t.caller, number)
	if err != nil {
		s.reply(m, nil, err)
		return
	}
	s.busy.Go(func() {
		defer end()
		var alive *time.Timer
		alive = time.AfterFunc(stream.Alive, func() {
			_ = m.Respond([]byte{waits})
			alive.Reset(stream.Alive)
		})
		err := s.terminals.Do(ctx, by, o, in, out)
		alive.Stop()
		s.reply(m, out, err)
	})
}

// decode reads a call, and finds out what its caller may do.
func (s *Server) decode(t target, b []byte) (o *terminals.Operation, in, out any, by terminals.Grant, err error) {
	limit, ok := s.allow(t.caller)
	if !ok {
		return nil, nil, nil, by, fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "this host has not accepted yours: its owner does so with \"wsh servers accept\""))
	}
	if o = s.byName[t.what]; o == nil {
		return nil, nil, nil, by, fault.With(Lacks, fault.New(fault.Invalid, "this host does not know %.60q: it may be older", t.what))
	}
	var c call
	if err := json.Unmarshal(b, &c); err != nil {
		return nil, nil, nil, by, fault.Wrap(fault.Invalid, err, "the call of another host")
	}
	if by, err = c.By.within(limit); err != nil {
		return nil, nil, nil, by, err
	}
	in, out = o.New()
	return o, in, out, by, fault.Wrap(fault.Invalid, json.Unmarshal(c.In, in), "the input of %s", o.Name)
}

// begin counts a call, and returns a context that ends with it.
func (s *Server) begin(caller, number string) (context.Context, func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.calls[caller]
	if h == nil {
		h = &host{map[string]context.CancelFunc{}}
		s.calls[caller] = h
	}
	if len(h.calls) >= maxCalls {
		return nil, nil, fault.New(fault.Exhausted, "%d calls of your host are under way here: wait for some of them", maxCalls)
	}
	ctx, stop := context.WithCancel(s.ctx)
	h.calls[number] = stop
	return ctx, func() {
		stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		if delete(h.calls, number); len(h.calls) == 0 {
			delete(s.calls, caller)
		}
	}, nil
}

// cancel ends a call that its caller does not wait for any more.
func (s *Server) cancel(m *nats.Msg) {
	t, ok := parse(m.Subject)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.calls[t.caller]; h != nil {
		if stop := h.calls[t.what]; stop != nil {
			stop()
		}
	}
}

// reply sends the outcome of a call. If it does not arrive, the caller notices by the silence.
func (s *Server) reply(m *nats.Msg, out any, failed error) {
	var o outcome
	o.Error = newFailure(failed)
	if out != nil {
		b, err := json.Marshal(out)
		if err != nil {
			o = outcome{Error: newFailure(fault.Wrap(fault.Internal, err, "encode the answer"))}
		} else {
			o.Out = b
		}
	}
	b, err := json.Marshal(o)
	if err != nil {
		panic(err) // the program's own types can be encoded
	}
	for len(b) > partSize {
		_ = m.Respond(append([]byte{part}, b[:partSize]...))
		b = b[partSize:]
	}
	_ = m.Respond(append([]byte{last}, b...))
}
