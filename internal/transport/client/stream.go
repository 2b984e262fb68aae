package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/ws"
	"ui-mcp/internal/transport/wsterm"
	"ui-mcp/internal/wake"
)

const (
	// maxMessage is the length limit of a message, in bytes.
	maxMessage = 16<<20 + 1
	// maxQueued is how many bytes may wait for the caller, before the newest message. Servers stop
	// at a quarter of that.
	maxQueued = 1 << 20
	// maxBreaks is how often in succession the connection of an output may break without bringing
	// bytes, and breakTime the pause after each.
	maxBreaks, breakTime = 3, 100 * time.Millisecond
)

// A stream is what a server delivers over a WebSocket. A goroutine reads that at once, so that
// pings are answered while the caller is busy; the server sends no more than has room here. One
// goroutine at a time may call next.
type stream struct {
	c       *Client
	o       *terminals.Operation
	ctx     context.Context // ends with the stream
	end     func(error)
	running sync.WaitGroup
	more    chan struct{} // capacity 1; a token means that something has arrived
	lost    chan struct{} // closed when failed is set

	// again connects where the last connection has broken; nil: the stream ends then.
	again  func() (*ws.Dialed, error)
	breaks int    // since bytes have arrived; owned by receive
	got    uint64 // offset behind what has arrived; owned by receive
	done   uint64 // offset behind what the caller has handled; owned by next
	taken  uint64 // bytes of what the caller is handling; owned by next

	mu       sync.Mutex // guards the fields below
	conn     *ws.Dialed
	id, name string
	queue    []message
	queued   uint64 // bytes
	failed   error  // why nothing else comes
}

// A message is what a stream delivers: bytes, or a text.
type message struct {
	bytes []byte
	part  json.RawMessage
	size  uint64
}

// errClosed is why a stream has ended that its caller has closed.
var errClosed = fault.New(fault.Gone, "the stream was closed")

// IsEnd reports whether the error of a stream says that the session's program has ended.
func IsEnd(err error) bool {
	return fault.KindOf(err) == fault.Gone && fault.DetailOf(err) == "" && !errors.Is(err, ErrBroken)
}

// Open implements [terminals.Terminals]. Where the connection of an output with an offset breaks,
// that goes on.
func (c *Client) Open(ctx context.Context, by terminals.Grant, o *terminals.Operation, in any) (terminals.Stream, error) {
	if err := c.o.Allow(by, o); err != nil {
		return nil, err
	}
	ctx, end := c.watch(ctx, by)
	defer end(nil)
	path := "/ws/json"
	switch in := in.(type) {
	case *terminals.WatchQuery:
		if in.Events == nil {
			in.Events = []string{} // it is needed, but may be empty
		}
	case *terminals.OutputQuery:
		path = "/ws/raw"
	}
	if o == &terminals.FollowQuestions.Operation {
		path = httpio.QuestionsPath
	}
	session, _ := terminals.SessionIn(in)
	conn, err := c.deliver(ctx, o, session, path, in)
	if err != nil {
		return nil, err
	}
	s := &stream{c: c, o: o, conn: conn, more: make(chan struct{}, 1), lost: make(chan struct{})}
	s.ctx, s.end = c.watch(context.Background(), by)
	if in, ok := in.(*terminals.OutputQuery); ok && in.From != nil {
		s.got, s.done = *in.From, *in.From
		s.again = func() (*ws.Dialed, error) {
			rest := *in
			rest.From = &s.got
			return c.deliver(s.ctx, o, s.id, path, &rest)
		}
	}
	first, err := conn.Read(ctx)
	if err != nil {
		err = c.broken(ctx, err)
		s.end(err)
		_ = conn.Close()
		return nil, err
	}
	err = s.take(first)
	s.running.Go(func() {
		for err == nil {
			err = s.receive()
		}
		s.mu.Lock()
		s.failed = err
		s.mu.Unlock()
		_ = s.conn.Close()
		close(s.lost)
	})
	return s, nil
}

// deliver opens the WebSocket of a stream.
func (c *Client) deliver(ctx context.Context, o *terminals.Operation, session, path string, in any) (*ws.Dialed, error) {
	query, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	conn, err := c.dial(ctx, o, session, path, url.Values{"in": {string(query)}})
	if err == nil && conn.Header.Get(httpio.WireHeader) != httpio.Wire {
		_ = conn.Close()
		return nil, fault.With(terminals.HostLacks, fault.New(fault.Invalid, "the server is of an older version, which has no such streams: \"wsh stop\" there ends it, and its sessions"))
	}
	return conn, err
}

// dial opens the WebSocket of an operation, at a path below that of a session, or of the server if
// that is "".
func (c *Client) dial(ctx context.Context, o *terminals.Operation, session, path string, query url.Values) (*ws.Dialed, error) {
	if session != "" {
		name, err := httpterm.Segment("session", session)
		if err != nil {
			return nil, err
		}
		path = "/sessions/" + name + path
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	conn, res, err := ws.Dial(ctx, c.base+path, c.http, maxMessage)
	switch {
	case err == nil:
		return conn, nil
	case res == nil || res.Body == nil:
		return nil, c.broken(ctx, err)
	}
	return nil, c.refused(ctx, o, res)
}

// receive takes the next message. When the connection has broken, it opens another one if the
// stream can go on.
func (s *stream) receive() error {
	m, err := s.conn.Read(s.ctx)
	for err != nil {
		s.breaks++
		if code, _ := ws.Reason(err); s.again == nil || s.breaks > maxBreaks || code == ws.PolicyViolation || s.ctx.Err() != nil {
			return s.c.ended(s.ctx, s.o, err)
		}
		_ = s.conn.Close()
		if err := wake.After(s.ctx, breakTime*time.Duration(s.breaks-1)); err != nil {
			return err
		}
		conn, broken := s.again()
		if errors.Is(broken, ErrBroken) { // while it was opened: a break like others
			err = broken
			continue
		}
		if broken != nil {
			return broken
		}
		s.mu.Lock()
		s.conn = conn
		s.mu.Unlock()
		m, err = conn.Read(s.ctx)
	}
	return s.take(m)
}

// ended returns why a stream of an operation has ended with ctx, given the error of reading.
func (c *Client) ended(ctx context.Context, o *terminals.Operation, err error) error {
	switch code, reason := ws.Reason(err); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case code == ws.PolicyViolation: // the caller is not admitted any more
		return c.o.Failed(o, fault.With(terminals.Withdrawn, fault.New(fault.Gone, "%s", reason)))
	case code == ws.GoingAway:
		return c.o.Failed(o, fault.With(registry.Stopping, fault.New(fault.Gone, "the server is stopping")))
	}
	return c.broken(ctx, err)
}

// take handles a message of the server, and queues what is for the caller. Its error ends the
// stream.
func (s *stream) take(m ws.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := uint64(len(m.Data))
	if s.queued > maxQueued || len(m.Data) > s.c.o.Limit(s.o) {
		return fault.New(fault.Exhausted, "the server sends more than it may")
	}
	if m.Binary && s.o == &terminals.ReadOutput.Operation {
		s.breaks = 0
		s.got += size
		s.queued += size
		if n := len(s.queue); n > 0 && s.queue[n-1].bytes != nil {
			s.queue[n-1].bytes = append(s.queue[n-1].bytes, m.Data...)
			s.queue[n-1].size += size
		} else {
			s.queue = append(s.queue, message{bytes: m.Data, size: size})
		}
		wake.Up(s.more)
		return nil
	}
	var part wsterm.Part
	if err := json.Unmarshal(m.Data, &part); err != nil {
		return fault.Wrap(fault.Internal, err, "the server's message is not as expected: its version may differ")
	}
	if part.ID != "" {
		s.id = safetext.Plain(part.ID)
	}
	if part.Name != nil {
		s.name = safetext.Plain(*part.Name)
	}
	if f := part.Error; f != nil {
		return s.c.o.Failed(s.o, errcode.Parse(f.Status, f.Code, f.Message))
	}
	if part.Part != nil && s.o != &terminals.ReadOutput.Operation && s.o != &terminals.Join.Operation {
		s.queued += size
		s.queue = append(s.queue, message{part: part.Part, size: size})
		wake.Up(s.more)
	}
	return nil
}

// next waits for a message, and tells the server that the one before it has been handled.
func (s *stream) next(ctx context.Context) (message, error) {
	if s.taken > 0 {
		s.done, s.taken = s.done+s.taken, 0
		within, cancel := context.WithCancel(ctx)
		stop := context.AfterFunc(s.ctx, cancel)
		_ = s.present().Send(within, fmt.Appendf(nil, `{"read":%d}`, s.done)) // if it fails, so does reading
		stop()
		cancel()
	}
	for {
		s.mu.Lock()
		err := s.failed
		if len(s.queue) > 0 {
			m := s.queue[0]
			s.queue[0] = message{}
			s.queue, s.taken = s.queue[1:], m.size
			s.queued -= m.size
			s.mu.Unlock()
			return m, nil
		}
		s.mu.Unlock()
		if err != nil {
			return message{}, err
		}
		select {
		case <-s.more:
		case <-s.lost:
		case <-ctx.Done():
			return message{}, context.Cause(ctx)
		}
	}
}

func (s *stream) present() *ws.Dialed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn
}

// Name implements [terminals.Stream].
func (s *stream) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.name
}

// SessionID implements [terminals.Stream].
func (s *stream) SessionID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id
}

// Receive implements [terminals.Stream].
func (s *stream) Receive(ctx context.Context, out any) error {
	m, err := s.next(ctx)
	if err != nil {
		return err
	}
	if output, ok := out.(*[]byte); ok {
		*output = m.bytes
		return nil
	}
	return fault.Wrap(fault.Internal, s.c.o.Decode(s.o, m.part, out), "the server's events are not as expected: its version may differ")
}

// Send implements [terminals.Stream].
func (s *stream) Send(ctx context.Context, in any) error {
	if s.o != &terminals.FollowQuestions.Operation {
		return terminals.ErrDeaf
	}
	b, err := json.Marshal(in)
	if err == nil {
		err = s.conn.Send(ctx, b)
	}
	if err != nil {
		return s.c.broken(ctx, err)
	}
	return nil
}

// Close implements [terminals.Stream].
func (s *stream) Close() {
	s.end(errClosed)
	s.running.Wait()
}
