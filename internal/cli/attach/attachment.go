package attach

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	server "ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/socketwire"
)

const (
	// answerTime is how long a server may take to answer the request.
	answerTime = 10 * time.Second
	// flushTime is how long it may take to read what was sent.
	flushTime = 500 * time.Millisecond
	// askAfter is the silence after which a server is asked whether it is there, and sayAfter the
	// one of which the person learns. lookEvery is how often to look.
	askAfter, sayAfter, lookEvery = time.Second, 2500 * time.Millisecond, 500 * time.Millisecond
)

// An attachment is a connection to a server over which a session is attached. A goroutine writes
// the frames that are queued, so that a server that does not read does not delay typing.
type attachment struct {
	conn    *server.Attached
	ctx     context.Context // ends with the attachment
	cancel  context.CancelFunc
	session identity
	running sync.WaitGroup
	over    chan outcome // capacity 1; gets how the connection ended
	// heard is since when pump waits for the server; nil while it does something else, such as
	// writing to a slow terminal.
	heard atomic.Pointer[time.Time]

	mu     sync.Mutex // guards the fields below
	wake   *sync.Cond
	queue  []socketwire.Frame
	size   int  // of what they have, and of what is being written, in bytes
	full   bool // something typed did not fit: nothing is added that came after it
	closed bool // or failed
}

// A Refusal is an error that the server has answered with. It has the codes of HTTP. Any answer of
// a server with another protocol is one.
type Refusal struct {
	Code     string `json:"code"`
	Message  string `json:"message"`
	Protocol int    `json:"protocol"` // the server's: see [terminals.Protocol]; 0 if it states none
	// Session is the ID of the session, when the terminal was attached to it before and could not
	// come back.
	Session string `json:"-"`
}

// Error implements error.
func (r *Refusal) Error() string { return r.Message }

// newAttachment sends the request, and returns the attachment when it was accepted. The connection
// belongs to the attachment, and is closed if it was not.
func newAttachment(ctx context.Context, conn net.Conn, session string, request socketwire.Frame) (_ *attachment, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	attached, err := server.Attach(ctx, conn, session, request)
	if known, ok := errors.AsType[*fault.Error](err); ok && known.Detail != "" {
		return nil, &Refusal{Code: errcode.Of(err), Message: err.Error(), Protocol: terminals.Protocol}
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = attached.Close()
		}
	}()
	f, err := attached.Read(ctx)
	if err != nil {
		return nil, fault.Wrap(fault.Gone, cmp.Or(ctx.Err(), err), "the server does not answer")
	}
	switch f.Kind {
	case socketwire.CreateSessionResponse, socketwire.AttachSessionResponse:
	case socketwire.Failed:
		r := &Refusal{}
		if err := f.Decode(r); err != nil {
			return nil, err
		}
		return nil, r
	default:
		return nil, fault.New(fault.Precondition, "the server's answer, a frame of type %02x, is unknown: \"wsh version\" compares its version with this one's", byte(f.Kind))
	}
	answer := struct {
		identity
		Protocol int `json:"protocol"`
	}{}
	if err := json.Unmarshal(f.Content, &answer); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "the server's answer")
	}
	if answer.Protocol != terminals.Protocol {
		return nil, &Refusal{Message: "the server has another protocol", Protocol: answer.Protocol}
	}
	return startAttachment(attached, answer.identity), nil
}

// startAttachment begins to write to a connection.
func startAttachment(conn *server.Attached, session identity) *attachment {
	l := &attachment{conn: conn, session: session, over: make(chan outcome, 1)}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.wake = sync.NewCond(&l.mu)
	l.running.Go(l.write)
	return l
}

// frame returns a frame with a copy of the content.
func frame(k socketwire.Kind, content []byte) socketwire.Frame {
	return socketwire.Frame{Kind: k, Content: bytes.Clone(content)}
}

// send queues frames. It does not block.
func (l *attachment) send(frames []socketwire.Frame) {
	if len(frames) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, frames...)
	l.size += sizeOf(frames)
	l.wake.Broadcast()
}

func sizeOf(frames []socketwire.Frame) (n int) {
	for _, f := range frames {
		n += 1 + len(f.Content)
	}
	return n
}

// sendTyped queues the frames of what was typed. While the server does not read, only maxPending
// bytes wait, and what is typed then is dropped: the terminal must be read all the same, for the
// keys that detach.
func (l *attachment) sendTyped(frames []socketwire.Frame) {
	l.mu.Lock()
	l.full = l.size > 0 && (l.full || l.size+sizeOf(frames) > maxPending)
	full := l.full
	l.mu.Unlock()
	if !full {
		l.send(frames)
	}
}

// flush waits until what is queued is written. A server that does not read delays it for a moment.
func (l *attachment) flush() {
	late := false
	defer time.AfterFunc(flushTime, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		late = true
		l.wake.Broadcast()
	}).Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.size > 0 && !l.closed && !late {
		l.wake.Wait()
	}
}

// write writes what is queued until the attachment is closed.
func (l *attachment) write() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.closed {
		if len(l.queue) == 0 {
			l.wake.Wait()
			continue
		}
		f := l.queue[0]
		l.queue = l.queue[1:]
		l.mu.Unlock()
		err := l.conn.Write(l.ctx, f)
		l.mu.Lock()
		l.size -= 1 + len(f.Content)
		l.closed = l.closed || err != nil // pump notices, too
		l.wake.Broadcast()
	}
}

// pump draws what the server sends, until the connection ends. It rings when the server refuses or
// drops something, such as what was typed.
func (l *attachment) pump(draw func(*attachment, []byte) error, ring func() error) outcome {
	for {
		l.heard.Store(new(time.Now()))
		f, err := l.conn.Read(l.ctx)
		l.heard.Store(nil)
		if err != nil {
			return outcome{}
		}
		switch f.Kind {
		case socketwire.PtyOutput:
			if err := draw(l, f.Content); err != nil {
				return outcome{failed: err}
			}
		case socketwire.Failed:
			if err := ring(); err != nil {
				return outcome{failed: err}
			}
		case socketwire.Ping:
			l.send([]socketwire.Frame{frame(socketwire.Pong, nil)})
		case socketwire.Detach:
			return farewell(f)
		}
	}
}

// silence returns for how long pump has waited for the server.
func (l *attachment) silence() time.Duration {
	if since := l.heard.Load(); since != nil {
		return time.Since(*since)
	}
	return 0
}

// listen calls silent, again and again, while the server does not answer, and back when it does,
// until the attachment ends.
func (l *attachment) listen(silent, back func()) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for said := false; ; {
		select {
		case <-look.C:
		case <-l.ctx.Done():
			return
		}
		silence := l.silence()
		if silence >= askAfter {
			l.send([]socketwire.Frame{frame(socketwire.Ping, nil)})
		}
		if silence >= sayAfter {
			said = true
			silent()
		} else if said {
			said = false
			back()
		}
	}
}

// close ends the connection and waits for its goroutines.
func (l *attachment) close() {
	l.mu.Lock()
	l.closed = true
	l.wake.Broadcast()
	l.mu.Unlock()
	l.cancel()
	_ = l.conn.Close()
	l.running.Wait()
}
