package mcpbridge

import (
	"ui-mcp/internal/transport/jsonrpc"
)

// notify forwards a notification of the client. It starts no server: one that has just started
// would not know what it is about.
func (b *bridge) notify(m *jsonrpc.Message) {
	if m.Method == "notifications/cancelled" && b.abandon(m) {
		return
	}
	l, s := b.current()
	if s == nil {
		b.o.Log.Debug("dropped a notification: there is no session", "method", m.Method)
		return
	}
	if err := b.send(b.ctx, l, s, m.Raw); err != nil {
		b.o.Log.Warn("a notification was not delivered", "method", m.Method, "error", err)
	}
	if m.Method == "notifications/initialized" {
		b.mu.Lock()
		first := b.ready == nil
		b.ready = m.Raw
		b.mu.Unlock()
		if first {
			b.startListening(l, s)
		}
	}
}

// abandon ends a call that the client has cancelled, which is not answered any more. It reports
// whether that is all: a session learns of it by the notification.
func (b *bridge) abandon(m *jsonrpc.Message) bool {
	p := parseParams(m.Params)
	b.mu.Lock()
	c := b.calls[keyOf(p.RequestID)]
	if c != nil {
		c.cancelled = true
		b.finishLocked(c)
	}
	b.mu.Unlock()
	if c == nil {
		return false // it may be one that the server has just answered
	}
	if c.stateless {
		c.cancel()
	}
	return c.stateless
}

// respond forwards the client's answer to a request of the server.
func (b *bridge) respond(m *jsonrpc.Message) {
	l, s := b.current()
	known := false
	if s != nil {
		b.mu.Lock()
		_, known = s.asked[keyOf(m.ID)]
		delete(s.asked, keyOf(m.ID))
		b.mu.Unlock()
	}
	if !known {
		b.o.Log.Debug("dropped a response: no server waits for it")
		return
	}
	if err := b.send(b.ctx, l, s, m.Raw); err != nil {
		b.o.Log.Warn("a response was not delivered", "error", err)
	}
}
