package mcpbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"ui-mcp/internal/transport/jsonrpc"
)

const (
	// retryTime is how long a call looks for a server while the one that it found is ending.
	retryTime = 20 * time.Second
	// retryPause is the pause between two attempts.
	retryPause = 50 * time.Millisecond
	// noticeTime is how long the server may take to accept a notification or a response.
	noticeTime = 10 * time.Second
	// listenTime is how long calls wait for that stream to be opened.
	listenTime = time.Second
	// listenPause is the pause before a stream of the server is opened again.
	listenPause = time.Second
	// maxProblem is how much of the text of an error is read, in bytes.
	maxProblem = 1 << 20
)

// A link is a server, and the client's session on it.
type link struct {
	server  *Server
	session *session // nil before a handshake; guarded by bridge.mu
}

// A session is the result of a handshake with one server.
type session struct {
	id, version string // "" where the server has none
	ctx         context.Context
	end         context.CancelFunc
	// asked are the requests of the server that the client has not answered: their ids, by key.
	// Guarded by bridge.mu.
	asked map[string]json.RawMessage
}

func (s *session) setHeaders(h http.Header) {
	if s.id != "" {
		h.Set(sessionHeader, s.id)
	}
	if s.version != "" {
		h.Set(versionHeader, s.version)
	}
}

// Why an attempt to send a message failed. The causes are wrapped.
var (
	errUndelivered = errors.New("the server could not be reached")
	errStopping    = errors.New("the server is stopping")
	errForgotten   = errors.New("the server does not know the session")
	errLost        = errors.New("the server ended before it answered")
)

// forward sends a call until it is answered, or cannot be.
func (b *bridge) forward(c *call) {
	limit := time.Now().Add(retryTime)
	for lost := 0; ; {
		l, s, err := b.connect(c)
		if err == nil {
			err = b.attempt(c, l, s)
		}
		switch {
		case b.isOver(c):
			return
		case err == nil:
			return
		case errors.Is(err, errUndelivered), errors.Is(err, errStopping):
			b.drop(l)
		case errors.Is(err, errForgotten):
			b.forget(l, s)
		case errors.Is(err, errLost) && !c.isRepeatable():
			b.fail(c, fmt.Errorf("%w: whether the call ran is unknown, and what the server had is gone; the next call starts another one", err))
			return
		case errors.Is(err, errLost) && lost == 0:
			lost++
		default:
			b.fail(c, err)
			return
		}
		if time.Now().After(limit) {
			b.fail(c, err)
			return
		}
		select {
		case <-time.After(retryPause):
		case <-c.ctx.Done():
		}
	}
}

// connect returns a server, with the client's session if it has shaken hands. c is the call that
// needs it.
func (b *bridge) connect(c *call) (*link, *session, error) {
	needs := !c.stateless && !isHandshake(c)
	ready := func() (*link, *session, []byte) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.link == nil {
			return nil, nil, b.handshake
		}
		return b.link, b.link.session, b.handshake
	}
	if l, s, handshake := ready(); l != nil && (s != nil || !needs || handshake == nil) {
		return l, s, nil
	}
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-c.ctx.Done():
		return nil, nil, context.Cause(c.ctx)
	}
	l, s, handshake := ready()
	if l == nil {
		server, err := b.o.Connect(c.ctx)
		if err != nil {
			return nil, nil, err
		}
		l, s = &link{server: server}, nil
		b.mu.Lock()
		b.link = l
		b.mu.Unlock()
	}
	if s != nil || !needs || handshake == nil {
		return l, s, nil
	}
	s, err := b.repeatHandshake(c.ctx, l, handshake)
	if errors.Is(err, errLost) {
		err = fmt.Errorf("%w: %w", errUndelivered, err) // the call itself was not sent
	}
	return l, s, err
}

// drop gives up a server that has ended. The next call connects again.
func (b *bridge) drop(l *link) {
	b.mu.Lock()
	mine := l != nil && b.link == l
	var s *session
	if mine {
		b.link, s = nil, l.session
	}
	b.mu.Unlock()
	if mine {
		b.endSession(s)
		l.server.Close()
	}
}

// forget gives up a session that the server does not know any more.
func (b *bridge) forget(l *link, s *session) {
	b.mu.Lock()
	mine := s != nil && l.session == s
	if mine {
		l.session = nil
	}
	b.mu.Unlock()
	if mine {
		b.endSession(s)
	}
}

// endSession tells the client that the requests of a session have no use for answers any more.
func (b *bridge) endSession(s *session) {
	if s == nil {
		return
	}
	s.end()
	b.mu.Lock()
	asked := s.asked
	s.asked = map[string]json.RawMessage{}
	b.mu.Unlock()
	for _, id := range asked {
		message, err := jsonrpc.Marshal(map[string]any{"jsonrpc": jsonrpc.Version, "method": "notifications/cancelled",
			"params": map[string]any{"requestId": id, "reason": "the server has ended"}})
		if err == nil {
			b.out.write(message)
		}
	}
}

// attempt sends a call to a server, and delivers all that the server sends in answer.
func (b *bridge) attempt(c *call, l *link, s *session) error {
	set := func(h http.Header) {
		if c.stateless {
			c.params.setHeaders(h, c.method)
		} else if s != nil && !isHandshake(c) {
			s.setHeaders(h)
		}
	}
	res, err := b.post(c.ctx, l, c.message, set, c.onSent)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if isHandshake(c) {
		return b.shakeHands(c, l, res)
	}
	var failed error
	answered := false
	err = b.messages(res, func(m *jsonrpc.Message) {
		switch {
		case !m.IsResponse:
			b.deliver(s, m)
		case res.StatusCode == http.StatusNotFound && s != nil && !isMethodNotFound(m):
			failed = errForgotten
		case res.StatusCode == http.StatusServiceUnavailable:
			failed = errStopping
		case !answered:
			answered = true
			b.remember(c, m)
			b.answer(c, withID(m, c))
		}
	})
	if problem, ok := errors.AsType[*statusError](err); ok {
		switch {
		case problem.status == http.StatusNotFound && s != nil && !c.stateless:
			return errForgotten
		case problem.status == http.StatusServiceUnavailable:
			return errStopping
		}
	}
	switch {
	case answered:
		return nil
	case failed != nil:
		return failed
	case err == nil:
		return fmt.Errorf("the server sent no answer (status %d)", res.StatusCode)
	}
	return err
}

// withID returns an answer as the client expects it: errors about a message as a whole come without
// its id.
func withID(m *jsonrpc.Message, c *call) []byte {
	if m.ID != nil && keyOf(m.ID) == c.key {
		return m.Raw
	}
	var r jsonrpc.Response
	if err := json.Unmarshal(m.Raw, &r); err != nil || r.Error == nil {
		r = jsonrpc.Failure(nil, jsonrpc.Errorf(codeFailed, "the server has sent a malformed answer"))
	}
	return jsonrpc.Failure(c.id, r.Error).Encode()
}

func isMethodNotFound(m *jsonrpc.Message) bool {
	var r jsonrpc.Response
	return json.Unmarshal(m.Raw, &r) == nil && r.Error != nil && r.Error.Code == jsonrpc.CodeMethodNotFound
}

// deliver passes on a notification or a request of the server.
func (b *bridge) deliver(s *session, m *jsonrpc.Message) {
	if !m.IsNotification() && s != nil {
		b.mu.Lock()
		s.asked[keyOf(m.ID)] = m.ID
		b.mu.Unlock()
	}
	b.out.write(m.Raw)
}

// remember notes what a call has changed in the session, to be repeated on another server.
func (b *bridge) remember(c *call, m *jsonrpc.Message) {
	if c.stateless || !isResult(m) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch c.method {
	case "resources/subscribe":
		b.subscriptions[c.params.URI] = c.message
	case "resources/unsubscribe":
		delete(b.subscriptions, c.params.URI)
	case "logging/setLevel":
		b.level = c.message
	}
}

func isResult(m *jsonrpc.Message) bool {
	var r struct{ Result json.RawMessage }
	return json.Unmarshal(m.Raw, &r) == nil && r.Result != nil
}

// send sends a message whose answer does not matter.
func (b *bridge) send(ctx context.Context, l *link, s *session, message []byte) error {
	ctx, cancel := context.WithTimeout(ctx, noticeTime)
	defer cancel()
	res, err := b.post(ctx, l, message, s.setHeaders, func() {})
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, io.LimitReader(res.Body, maxProblem))
	switch {
	case res.StatusCode == http.StatusNotFound:
		return errForgotten
	case res.StatusCode >= http.StatusMultipleChoices:
		return &statusError{status: res.StatusCode}
	}
	return err
}

// current returns the session in use, if there is one.
func (b *bridge) current() (*link, *session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.link == nil || b.link.session == nil {
		return nil, nil
	}
	return b.link, b.link.session
}

// deleteSession ends the session on the server.
func (b *bridge) deleteSession(ctx context.Context, l *link) error {
	b.mu.Lock()
	s := l.session
	b.mu.Unlock()
	if s == nil || s.id == "" {
		return nil
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, l.server.URL, nil)
	if err != nil {
		return err
	}
	s.setHeaders(req.Header)
	res, err := l.server.Client.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}
