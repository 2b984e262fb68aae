package chromium

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"ui-mcp/internal/fault"
)

// A message is one of the Chrome DevTools Protocol, in either direction. Messages end with a zero
// byte.
type message struct {
	ID      int64           `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// ErrEnded is the error of calls to a browser that has ended.
var ErrEnded = fault.New(fault.Gone, "the browser has ended")

// writeWithin is how long a browser may leave a call unread.
const writeWithin = 5 * time.Second

// A conn carries calls to a browser, and its events. It is safe for concurrent use.
type conn struct {
	ended chan struct{} // closed when the browser's end of the pipe is closed

	writing sync.Mutex // held during a write
	out     io.Writer

	mu       sync.Mutex // guards the fields below
	last     int64
	waiting  map[int64]chan message
	handlers map[string]func(method string, params json.RawMessage) // by session
}

func newConn(in io.Reader, out io.Writer) *conn {
	c := &conn{out: out, ended: make(chan struct{}), waiting: map[int64]chan message{}, handlers: map[string]func(string, json.RawMessage){}}
	go c.read(in) // it ends with the pipe; Close of the process waits for it
	return c
}

// maxMessage bounds a message of the browser, in bytes: what a page tells must not fill the memory.
const maxMessage = 128 << 20

// read delivers messages until the pipe ends.
func (c *conn) read(in io.Reader) {
	defer close(c.ended)
	messages := bufio.NewScanner(in)
	messages.Buffer(make([]byte, 64<<10), maxMessage)
	searched := 0 // bytes of a message whose end has not been read
	messages.Split(func(data []byte, _ bool) (advance int, token []byte, err error) {
		end := bytes.IndexByte(data[searched:], 0)
		if end < 0 {
			searched = len(data)
			return 0, nil, nil
		}
		end += searched
		searched = 0
		return end + 1, data[:end], nil
	})
	for messages.Scan() {
		var m message
		if json.Unmarshal(messages.Bytes(), &m) != nil {
			continue
		}
		c.mu.Lock()
		answer, handler := c.waiting[m.ID], c.handlers[m.Session]
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		switch {
		case answer != nil:
			answer <- m
		case m.Method != "" && handler != nil:
			handler(m.Method, m.Params)
		}
	}
	_ = messages.Err() // however it ends, the browser is heard no more
}

// listen has a session's events delivered to f, on the goroutine that reads: f must not block. nil
// ends that.
func (c *conn) listen(session string, f func(method string, params json.RawMessage)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f == nil {
		delete(c.handlers, session)
		return
	}
	c.handlers[session] = f
}

// send sends a call without waiting for its answer, which goes to the returned channel.
func (c *conn) send(session, method string, params any) (id int64, answer chan message, err error) {
	m := message{Session: session, Method: method}
	if params != nil {
		if m.Params, err = json.Marshal(params); err != nil {
			return 0, nil, fault.Wrap(fault.Internal, err, "%s", method)
		}
	}
	answer = make(chan message, 1)
	c.mu.Lock()
	c.last++
	m.ID = c.last
	c.waiting[m.ID] = answer
	c.mu.Unlock()
	raw, err := json.Marshal(m)
	if err != nil {
		return 0, nil, fault.Wrap(fault.Internal, err, "%s", method)
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if out, ok := c.out.(interface{ SetWriteDeadline(time.Time) error }); ok {
		_ = out.SetWriteDeadline(time.Now().Add(writeWithin)) // not every system has deadlines of pipes
	}
	if _, err := c.out.Write(append(raw, 0)); err != nil {
		c.forget(m.ID)
		return 0, nil, ErrEnded
	}
	return m.ID, answer, nil
}

func (c *conn) forget(id int64) {
	c.mu.Lock()
	delete(c.waiting, id)
	c.mu.Unlock()
}

// call calls a method of the protocol, and stores its result unless that is nil.
func (c *conn) call(ctx context.Context, session, method string, params, result any) error {
	id, answer, err := c.send(session, method, params)
	if err != nil {
		return err
	}
	select {
	case m := <-answer:
		switch {
		case m.Error != nil:
			return fault.New(fault.Internal, "browser: %s: %s", method, m.Error.Message)
		case result == nil:
			return nil
		}
		if err := json.Unmarshal(m.Result, result); err != nil {
			return fault.Wrap(fault.Internal, err, "browser: %s", method)
		}
		return nil
	case <-c.ended:
		return ErrEnded
	case <-ctx.Done():
		c.forget(id)
		return context.Cause(ctx)
	}
}
