package httpui

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/fault"
)

// statusNoSession is the close code that tells a page that its session does not exist.
const statusNoSession websocket.StatusCode = 4404

const (
	// maxReceived is the size limit of a page's message in bytes.
	maxReceived = 4 << 20
	// compressFrom is the size in bytes from which a message is compressed. Below, it would cost more than it saves, all
	// the more since most pages are on this machine.
	compressFrom = 16 << 10
)

// socket serves a page's WebSocket until either side closes it.
func (h *uiHandler) socket(w http.ResponseWriter, r *http.Request, id string) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		CompressionMode:      websocket.CompressionContextTakeover,
		CompressionThreshold: compressFrom,
	})
	if err != nil {
		h.log.Debug("WebSocket refused", "error", err) // Accept has answered
		return
	}
	conn.SetReadLimit(maxReceived)

	// The request's context ends when the server stops. The connection then needs a moment more, to say goodbye.
	ctx, cut := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cut()
	s := &socket{conn: conn, client: newClient(h.sockets, cut), log: h.log.With("session", id)}
	defer s.client.release()
	defer context.AfterFunc(r.Context(), func() {
		s.client.end(websocket.StatusGoingAway, "the server is stopping")
	})()

	written := make(chan struct{})
	go func() {
		defer close(written)
		s.write(ctx)
	}()
	// A browser cannot see the status of a refused upgrade, but it can see a close code. So who asks for a session that
	// does not exist is let in, to be told.
	session, err := h.sessions(id)
	if err != nil {
		s.fail(err)
		s.discard(ctx)
	} else {
		s.read(ctx, session)
	}
	cut()
	<-written
}

// A socket is one connection: a reader, which is the handler's goroutine, and a writer.
type socket struct {
	conn   *websocket.Conn
	client *client
	log    *slog.Logger
	turns  atomic.Uint64 // counts up when the session begins with a message and when it is done: odd while the reader is not reading
}

// read passes on what the page sends until the connection ends.
func (s *socket) read(ctx context.Context, session Session) {
	defer session.Detach(s.client) // also after a failed Attach, which may yet take effect
	if err := session.Attach(ctx, s.client); err != nil {
		s.fail(err)
	}
	for {
		kind, msg, err := s.conn.Read(ctx)
		switch {
		case err != nil:
			return
		case s.client.isEnded(): // the page has yet to hear that it is being closed
		case kind != websocket.MessageText:
			s.client.end(websocket.StatusUnsupportedData, "messages are JSON in text frames")
		default:
			s.turns.Add(1)
			if err := session.Receive(ctx, s.client, msg); err != nil {
				s.fail(err)
			}
			s.turns.Add(1)
		}
	}
}

// discard reads until the connection ends: the library needs a reader to see the answer to a close.
func (s *socket) discard(ctx context.Context) {
	for {
		if _, _, err := s.conn.Read(ctx); err != nil {
			return
		}
	}
}

// fail has the connection closed for an error.
func (s *socket) fail(err error) {
	code := closeCode(err)
	if !s.client.isEnded() && code != statusNoSession {
		s.log.Warn("closing the connection of a page", "error", err)
	}
	s.client.end(code, err.Error())
}

func closeCode(err error) websocket.StatusCode {
	switch fault.KindOf(err) {
	case fault.NotFound:
		return statusNoSession
	case fault.Invalid:
		return websocket.StatusPolicyViolation
	case fault.Gone:
		return websocket.StatusGoingAway
	case fault.Precondition, fault.Exhausted, fault.Timeout:
		return websocket.StatusTryAgainLater
	default:
		return websocket.StatusInternalError
	}
}

// write sends what is queued, and pings, until the connection is to end; then it closes it.
func (s *socket) write(ctx context.Context) {
	ping := time.NewTicker(s.client.limits.ping)
	defer ping.Stop()
	for {
		var err error
		select {
		case <-s.client.ended:
			// An error means that the page has not answered in time. It has been cut off, and that is all there is to do.
			_ = s.conn.Close(s.client.verdict())
			return
		case <-ctx.Done():
			err = ctx.Err()
		case <-s.client.wake:
			err = s.flush(ctx)
		case <-ping.C:
			err = s.ping(ctx)
		}
		if err != nil {
			_ = s.conn.CloseNow() // this ends the reader, too
			return
		}
	}
}

// flush writes the queue until it is empty.
func (s *socket) flush(ctx context.Context) error {
	for {
		msg, ok := s.client.next()
		if !ok {
			return nil
		}
		wctx, cancel := context.WithTimeout(ctx, s.client.limits.write)
		err := s.conn.Write(wctx, websocket.MessageText, msg)
		cancel()
		s.client.written(msg)
		if err != nil {
			return err
		}
	}
}

// ping asks whether the page is still there.
func (s *socket) ping(ctx context.Context) error {
	before := s.turns.Load()
	pctx, cancel := context.WithTimeout(ctx, s.client.limits.pong)
	defer cancel()
	err := s.conn.Ping(pctx)
	if errors.Is(err, context.DeadlineExceeded) && (before%2 == 1 || s.turns.Load() != before) {
		return nil // the answer may be waiting behind a message that the session was working on; there are more pings
	}
	return err
}
