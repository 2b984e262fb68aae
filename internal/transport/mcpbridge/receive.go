package mcpbridge

import (
	"encoding/json"
	"strconv"
	"strings"

	"ui-mcp/internal/transport/jsonrpc"
)

// receive passes on what the server sends, until the connection ends, and takes care of the calls
// that were not answered.
func (b *bridge) receive(l *upstream) {
	lines := jsonrpc.NewLineReader(l.conn, maxMessage)
	for {
		line, err := lines.Next()
		if err != nil { // also when a message is too long: it is not known which call it answers
			b.o.Log.Debug("the connection to the server has ended", "error", err)
			break
		}
		m := jsonrpc.Parse(line)
		if m.Invalid != nil {
			b.o.Log.Warn("ignored a malformed message from the server", "why", m.Invalid)
			continue
		}
		b.pass(l, &m)
	}
	l.close()
	close(l.ended)
	b.turn.Lock()
	defer b.turn.Unlock()
	b.deliver(b.retire(l))
}

func (b *bridge) pass(l *upstream, m *jsonrpc.Message) {
	switch {
	case m.IsResponse:
		b.passAnswer(l, m)
	case strings.HasPrefix(m.Method, OwnPrefix):
		if m.Method == FarewellMethod {
			b.mu.Lock()
			l.farewell = true
			b.mu.Unlock()
		}
		if b.o.Own != nil {
			b.o.Own(m.Method, m.Params)
		}
	case m.Method == "notifications/cancelled":
		b.passWithdrawal(l, m)
	case m.IsNotification():
		b.out.write(m.Raw)
	default:
		b.passRequest(l, m)
	}
}

func (b *bridge) passAnswer(l *upstream, m *jsonrpc.Message) {
	key := keyOf(m.ID)
	b.mu.Lock()
	to, own := l.repeats[key]
	delete(l.repeats, key)
	c := b.callLocked(key)
	known := c != nil && c.upstream == l
	if known {
		b.rememberLocked(c, m)
	}
	b.mu.Unlock()
	switch {
	case own && to != nil:
		to <- m
	case own:
		if problem := errorOf(m); problem != nil {
			b.o.Log.Warn("another server refused to repeat what the client had asked for", "error", problem)
		}
	case known:
		b.answer(c, m.Raw)
	default: // the client has cancelled the call
		b.o.Log.Debug("dropped an answer", "id", string(m.ID))
	}
}

// passRequest passes on a request of the server, with an id that no other server's request had: an
// answer that comes late must not answer another question.
func (b *bridge) passRequest(l *upstream, m *jsonrpc.Message) {
	b.mu.Lock()
	b.asked++
	id := json.RawMessage(strconv.Itoa(b.asked))
	l.asked[keyOf(id)] = m.ID
	b.mu.Unlock()
	b.out.write(withID(m.Raw, id))
}

// passWithdrawal passes on that the server no longer needs an answer.
func (b *bridge) passWithdrawal(l *upstream, m *jsonrpc.Message) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    string          `json:"reason"`
	}
	_ = json.Unmarshal(m.Params, &p) // then it is about no request
	theirs := keyOf(p.RequestID)
	b.mu.Lock()
	var id any
	for ours, other := range l.asked {
		if keyOf(other) == theirs {
			id = ours
			delete(l.asked, ours)
		}
	}
	b.mu.Unlock()
	if id != nil {
		b.withdraw(id, p.Reason)
	}
}

// withdraw notifies the client that the answer to a request is no longer needed.
func (b *bridge) withdraw(id any, reason string) {
	message, err := jsonrpc.Marshal(map[string]any{"jsonrpc": jsonrpc.Version, "method": "notifications/cancelled",
		"params": map[string]any{"requestId": id, "reason": reason}})
	if err == nil {
		b.out.write(message)
	}
}

// respond forwards the client's answer to a request of the server. The caller holds turn.
func (b *bridge) respond(m *jsonrpc.Message) {
	b.mu.Lock()
	l, known := b.upstream, false
	var theirs json.RawMessage
	if l != nil {
		theirs, known = l.asked[keyOf(m.ID)]
		delete(l.asked, keyOf(m.ID))
	}
	b.mu.Unlock()
	if !known {
		b.o.Log.Debug("dropped a response: no server waits for it")
		return
	}
	if err := b.write(l, withID(m.Raw, theirs)); err != nil {
		b.o.Log.Warn("a response was not delivered", "error", err)
	}
}

// note takes what a notification of the client says to the bridge.
func (b *bridge) note(m *jsonrpc.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch m.Method {
	case "notifications/initialized":
		b.ready = m.Raw
	case "notifications/cancelled":
		b.cancelLocked(m)
	}
}

// notify forwards a notification of the client. It starts no server: a new one would not know what
// the notification refers to. The caller holds turn.
func (b *bridge) notify(m *jsonrpc.Message) {
	b.mu.Lock()
	l := b.upstream
	b.mu.Unlock()
	if l == nil {
		b.o.Log.Debug("dropped a notification: there is no server", "method", m.Method)
		return
	}
	if err := b.write(l, m.Raw); err != nil {
		b.o.Log.Warn("a notification was not delivered", "method", m.Method, "error", err)
	}
}

// cancelLocked ends a call that the client has cancelled; it gets no answer. The server learns of
// that by the notification.
func (b *bridge) cancelLocked(m *jsonrpc.Message) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(m.Params, &p)                     // then it names no call
	if c := b.callLocked(keyOf(p.RequestID)); c != nil { // else the server may have just answered it
		b.finishLocked(c)
	}
}

// rememberLocked notes what a call has changed in the session, to be repeated on another server.
func (b *bridge) rememberLocked(c *call, m *jsonrpc.Message) {
	switch c.Method {
	case "initialize", "resources/subscribe", "resources/unsubscribe":
	default:
		return
	}
	if c.stateless || errorOf(m) != nil {
		return
	}
	var p struct {
		URI string `json:"uri"`
	}
	_ = json.Unmarshal(c.Params, &p) // the server has understood it
	switch c.Method {
	case "initialize":
		b.handshake = c.Message
		clear(b.subscriptions)
	case "resources/subscribe":
		b.subscriptions[p.URI] = c.Message
	case "resources/unsubscribe":
		delete(b.subscriptions, p.URI)
	}
}
