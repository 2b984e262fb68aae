package mcpbridge

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"ui-mcp/internal/transport/jsonrpc"
)

// open starts the session that a handshake has brought about.
func (b *bridge) open(l *link, res *http.Response, answer *jsonrpc.Message) *session {
	var r struct {
		Result struct {
			Version string `json:"protocolVersion"`
		}
	}
	_ = json.Unmarshal(answer.Raw, &r) // without a version, none is stated
	s := &session{id: res.Header.Get(sessionHeader), version: r.Result.Version, asked: map[string]json.RawMessage{}}
	s.ctx, s.end = context.WithCancel(b.ctx)
	b.mu.Lock()
	old := l.session
	l.session = s
	b.mu.Unlock()
	b.endSession(old)
	return s
}

// shakeHands delivers the answer to the client's own handshake.
func (b *bridge) shakeHands(c *call, l *link, res *http.Response) error {
	answered := false
	err := b.messages(res, func(m *jsonrpc.Message) {
		switch {
		case !m.IsResponse:
			b.out.write(m.Raw)
		case res.StatusCode == http.StatusServiceUnavailable:
		case !answered:
			answered = true
			if isResult(m) {
				b.mu.Lock()
				b.handshake, b.ready, b.level = c.message, nil, nil
				clear(b.subscriptions)
				b.mu.Unlock()
				b.open(l, res, m)
			}
			b.answer(c, withID(m, c))
		}
	})
	switch {
	case answered:
		return nil
	case res.StatusCode == http.StatusServiceUnavailable:
		return errStopping
	case err == nil:
		return fmt.Errorf("the server sent no answer (status %d)", res.StatusCode)
	}
	return err
}

// repeatHandshake gives the client a session on another server, without its knowledge.
func (b *bridge) repeatHandshake(ctx context.Context, l *link, handshake []byte) (*session, error) {
	res, err := b.post(ctx, l, handshake, func(http.Header) {}, func() {})
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var s *session
	var answer *jsonrpc.Message
	err = b.messages(res, func(m *jsonrpc.Message) {
		if m.IsResponse && isResult(m) && s == nil {
			s, answer = b.open(l, res, m), m
		}
	})
	switch {
	case s == nil && res.StatusCode == http.StatusServiceUnavailable:
		return nil, errStopping
	case s == nil && err == nil:
		return nil, fmt.Errorf("another server refused the handshake (status %d)", res.StatusCode)
	case s == nil:
		return nil, err
	}
	b.mu.Lock()
	ready, again := b.ready, [][]byte{}
	if b.level != nil {
		again = append(again, b.level)
	}
	for _, message := range b.subscriptions {
		again = append(again, message)
	}
	b.mu.Unlock()
	if ready == nil {
		return s, nil
	}
	for _, message := range append([][]byte{ready}, again...) {
		if err := b.send(ctx, l, s, message); err != nil {
			b.forget(l, s)
			return nil, err
		}
	}
	b.startListening(l, s)
	b.reportChanges(answer)
	return s, nil
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
