package attach

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/frame"
)

// answerTime is how long a server may take to answer the request.
const answerTime = 20 * time.Second

// A link is a connection to a server over which a session is attached. One goroutine writes what
// others have queued, so that a server that does not read delays nobody who types.
type link struct {
	conn    net.Conn
	in      *bufio.Reader
	running sync.WaitGroup
	quiet   atomic.Bool // nothing more is drawn

	mu     sync.Mutex // guards the fields below
	wake   *sync.Cond
	queue  []byte // frames
	closed bool
}

// An outcome is how a link ended: with the server's farewell, because the terminal failed, or
// without a reason.
type outcome struct {
	end    *frame.End
	failed error
}

// A Refusal is an error that the server has answered with. Its code is as over HTTP.
type Refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error implements error.
func (r *Refusal) Error() string { return r.Message }

// newLink sends the request, and returns the link and the session's name when it was accepted. The
// caller closes the connection if it was not.
func newLink(ctx context.Context, conn net.Conn, kind frame.Kind, content []byte) (*link, string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) })
	defer stop()
	if _, err := conn.Write(frame.Append(nil, kind, content)); err != nil {
		return nil, "", fault.Wrap(fault.Gone, err, "the server ended")
	}
	in := bufio.NewReaderSize(conn, 64<<10)
	f, err := frame.Read(in)
	if err != nil {
		return nil, "", fault.Wrap(fault.Gone, err, "the server does not answer")
	}
	switch f.Kind {
	case frame.CreateSessionResponse, frame.AttachSessionResponse:
	case frame.Failed:
		r := new(Refusal)
		if err := f.Decode(r); err != nil {
			return nil, "", err
		}
		return nil, "", r
	default:
		return nil, "", fault.New(fault.Precondition, "the server answers with a frame of type %02x: is it of another version?", byte(f.Kind))
	}
	var response struct{ Name string }
	if err := json.Unmarshal(f.Content, &response); err != nil {
		return nil, "", fault.Wrap(fault.Precondition, err, "the server's answer")
	}
	l := &link{conn: conn, in: in}
	l.wake = sync.NewCond(&l.mu)
	l.running.Go(l.write)
	return l, response.Name, nil
}

// send queues a frame.
func (l *link) send(kind frame.Kind, content []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = frame.Append(l.queue, kind, content)
	l.wake.Signal()
}

// write writes what is queued until the link is closed.
func (l *link) write() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		for len(l.queue) == 0 && !l.closed {
			l.wake.Wait()
		}
		if l.closed {
			return
		}
		b := l.queue
		l.queue = nil
		l.mu.Unlock()
		_, err := l.conn.Write(b)
		l.mu.Lock()
		if err != nil {
			return // pump notices, too
		}
	}
}

// pump draws what the server sends, until the connection ends.
func (l *link) pump(draw func([]byte) error) outcome {
	for {
		f, err := frame.Read(l.in)
		if err != nil {
			return outcome{}
		}
		switch f.Kind {
		case frame.PtyOutput:
			if l.quiet.Load() {
				continue
			}
			if err := draw(f.Content); err != nil {
				return outcome{failed: err}
			}
		case frame.Ping:
			l.send(frame.Pong, nil)
		case frame.Detach:
			end := new(frame.End)
			if f.Decode(end) != nil {
				return outcome{}
			}
			return outcome{end: end}
		}
	}
}

// close ends the connection and waits for its goroutines.
func (l *link) close() {
	l.mu.Lock()
	l.closed = true
	l.wake.Signal()
	l.mu.Unlock()
	_ = l.conn.Close()
	l.running.Wait()
}
