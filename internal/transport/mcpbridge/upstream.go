package mcpbridge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/wake"
)

const (
	// retryTime is how long calls look for a server while each one that they find is ending.
	retryTime = 20 * time.Second
	// retryPause is the pause between two attempts.
	retryPause = 50 * time.Millisecond
	// writeTime is how long a server may take to read a message. Its connection ends after that: no
	// other message of the client gets through meanwhile.
	writeTime = 30 * time.Second
	// repeatTime is how long another server may take to answer the client's handshake, which calls
	// wait for.
	repeatTime = 20 * time.Second
)

// An upstream is a connection to a server, and the client's session on it.
type upstream struct {
	conn  io.ReadWriteCloser
	close func()        // closes conn
	ended chan struct{} // closed when everything that the server had sent has been read

	// Guarded by bridge.mu.
	farewell bool                            // the server has answered all calls that it has accepted
	retired  bool                            // its calls have been taken off
	asked    map[any]json.RawMessage         // the server's ids of unanswered requests, by the client's
	repeats  map[any]chan<- *jsonrpc.Message // by key: who gets the answers to requests of the bridge's own
}

// Why a call was not answered. The causes are wrapped.
var (
	errUnstable = errors.New("servers end as soon as they are connected to")
	errStuck    = errors.New("this call did not run: the server has read nothing for " + writeTime.String() + "; it may be suspended or stuck")
	errSilent   = errors.New("this call did not run: another server was found, but it has not answered for " + repeatTime.String())
	errLost     = errors.New("the server ended before it answered: whether the call ran is unknown, and what the server had is gone; the next call starts another one")
)

// deliver sends calls in their order, until each is with a server or has failed. The caller holds
// turn.
func (b *bridge) deliver(queue []*call) {
	limit := time.Now().Add(retryTime)
	for len(queue) > 0 {
		c := queue[0]
		if b.isOver(c) {
			queue = queue[1:]
			continue
		}
		l, err := b.connect(c)
		if err == nil {
			if err = b.send(l, c); err == nil {
				queue = queue[1:]
				continue
			}
			queue = append(b.retire(l), queue...)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				err = errStuck
			} else {
				err = errUnstable
			}
		}
		if err == errUnstable && time.Now().Before(limit) {
			if err = wake.After(b.ctx, retryPause); err == nil {
				continue
			}
		}
		for _, c := range queue {
			b.fail(c, err)
		}
		return
	}
}

func (b *bridge) isOver(c *call) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !slices.Contains(b.calls, c)
}

// connect returns the upstream, or makes one, which has the client's session if there was a
// handshake. c is the call that needs it. The error is errUnstable if the server has ended
// meanwhile.
func (b *bridge) connect(c *call) (*upstream, error) {
	b.mu.Lock()
	l, handshake := b.upstream, b.handshake
	b.mu.Unlock()
	if l != nil {
		return l, nil
	}
	conn, err := b.o.Connect(b.ctx)
	if err != nil {
		return nil, err
	}
	if l = b.start(conn); l == nil {
		return nil, errEnded
	}
	if handshake == nil || c.Method == "initialize" && !c.stateless {
		return l, nil
	}
	if err = b.repeat(l, handshake); err == nil {
		return l, nil
	}
	l.close()
	<-l.ended
	b.retire(l) // the client's calls were not sent on it
	return nil, err
}

// start makes a connection the upstream, and reads from it until it ends. It returns nil if the
// bridge has ended.
func (b *bridge) start(conn io.ReadWriteCloser) *upstream {
	l := &upstream{conn: conn, ended: make(chan struct{}), asked: map[any]json.RawMessage{}, repeats: map[any]chan<- *jsonrpc.Message{}}
	l.close = sync.OnceFunc(func() {
		if err := conn.Close(); err != nil {
			b.o.Log.Debug("closing the connection to the server failed", "error", err)
		}
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		l.close()
		return nil
	}
	b.upstream = l
	b.work.Go(func() { b.receive(l) })
	return l
}

// send writes a call. After an error the server does not have it, and the upstream has ended.
func (b *bridge) send(l *upstream, c *call) error {
	b.mu.Lock()
	if !slices.Contains(b.calls, c) {
		b.mu.Unlock()
		return nil
	}
	c.upstream = l
	b.mu.Unlock()
	err := b.write(l, c.Raw)
	if err == nil {
		return nil
	}
	b.mu.Lock()
	c.upstream = nil
	b.mu.Unlock()
	// The server may have answered other calls before it ended.
	<-l.ended
	return err
}

func (b *bridge) write(l *upstream, message []byte) error {
	if c, ok := l.conn.(interface{ SetWriteDeadline(time.Time) error }); ok {
		_ = c.SetWriteDeadline(time.Now().Add(writeTime)) // else the connection has ended
	}
	_, err := l.conn.Write(append(message[:len(message):len(message)], '\n'))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		l.close() // a part of the message may have been written
	}
	return err
}

// retire gives up an upstream that has ended. It answers the calls that nothing can answer any
// more, and returns those that must be sent again, in their order. The caller holds turn.
func (b *bridge) retire(l *upstream) (again []*call) {
	b.mu.Lock()
	if l.retired {
		b.mu.Unlock()
		return nil
	}
	l.retired = true
	if b.upstream == l {
		b.upstream = nil
	}
	var unanswered []*call
	for _, c := range b.calls {
		if c.upstream == l {
			c.upstream = nil
			unanswered = append(unanswered, c)
		}
	}
	asked, farewell := l.asked, l.farewell
	l.asked = map[any]json.RawMessage{}
	b.mu.Unlock()
	for id := range asked {
		b.withdraw(id, "the server has ended")
	}
	for _, c := range unanswered {
		switch {
		case farewell && c.isAwaited():
			again = append(again, c)
		case c.isRepeatable() && !c.repeated:
			c.repeated = true
			again = append(again, c)
		default:
			b.fail(c, errLost)
		}
	}
	return again
}

// repeat starts a session for the client on another server, unnoticed by the client. The error is
// errUnstable if the server has ended meanwhile.
func (b *bridge) repeat(l *upstream, handshake *jsonrpc.Message) error {
	answer := make(chan *jsonrpc.Message, 1)
	if err := b.ask(l, handshake, answer); err != nil {
		return errUnstable
	}
	var m *jsonrpc.Message
	select {
	case m = <-answer:
	case <-l.ended:
		select {
		case m = <-answer:
		default:
			return errUnstable
		}
	case <-time.After(repeatTime):
		return errSilent
	case <-b.ctx.Done():
		return context.Cause(b.ctx)
	}
	if problem := errorOf(m); problem != nil {
		return fmt.Errorf("another server refused the handshake: %w", problem)
	}
	b.mu.Lock()
	ready := b.ready
	again := slices.Collect(maps.Values(b.subscriptions))
	b.mu.Unlock()
	if ready == nil {
		return nil
	}
	if b.write(l, ready) != nil {
		return errUnstable
	}
	for _, m := range again {
		if b.ask(l, m, nil) != nil {
			return errUnstable
		}
	}
	b.reportChanges(m)
	return nil
}

// ask sends a request of the client again, with an id of the bridge's own. The answer goes to a
// channel, or nowhere.
func (b *bridge) ask(l *upstream, m *jsonrpc.Message, to chan<- *jsonrpc.Message) error {
	id := "bridge-" + rand.Text() // the client's ids must not be used twice
	data, err := jsonrpc.Marshal(jsonrpc.Request{ID: id, Method: m.Method, Params: m.Params})
	if err != nil {
		return err
	}
	b.mu.Lock()
	l.repeats[id] = to
	b.mu.Unlock()
	return b.write(l, data)
}

// reportChanges tells the client that the lists of another server may differ.
func (b *bridge) reportChanges(handshake *jsonrpc.Message) {
	var r struct {
		Result struct {
			Capabilities map[string]json.RawMessage
		}
	}
	_ = json.Unmarshal(handshake.Raw, &r) // then it promises nothing
	for _, list := range []string{"tools", "resources", "prompts"} {
		var promise struct{ ListChanged bool }
		if json.Unmarshal(r.Result.Capabilities[list], &promise) == nil && promise.ListChanged {
			b.out.write([]byte(`{"jsonrpc":"2.0","method":"notifications/` + list + `/list_changed"}`))
		}
	}
}
