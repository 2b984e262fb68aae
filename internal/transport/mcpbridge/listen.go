package mcpbridge

import (
	"net/http"
	"sync"
	"time"

	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/sse"
)

// startListening opens the stream of what the server sends of its own accord. It returns when the
// stream is open, so that the next call's effects are seen on it, but does not wait long.
func (b *bridge) startListening(l *link, s *session) {
	if s.id == "" {
		return
	}
	b.mu.Lock()
	if b.ended {
		b.mu.Unlock()
		return
	}
	b.work.Add(1)
	b.mu.Unlock()
	open := make(chan struct{})
	go func() {
		defer b.work.Done()
		b.listen(l, s, sync.OnceFunc(func() { close(open) }))
	}()
	select {
	case <-open:
	case <-time.After(listenTime):
	}
}

// listen delivers what the server sends of its own accord, until the session ends. It calls opened
// when the server has answered.
func (b *bridge) listen(l *link, s *session, opened func()) {
	last := ""
	for {
		res, err := b.subscribe(l, s, last)
		opened()
		switch {
		case s.ctx.Err() != nil:
			if err == nil {
				res.Body.Close()
			}
			return
		case err != nil:
			b.o.Log.Debug("the server has ended", "error", err)
			b.drop(l)
			return
		case res.StatusCode == http.StatusNotFound:
			res.Body.Close()
			b.forget(l, s)
			return
		case res.StatusCode != http.StatusOK: // servers need not have such a stream
			res.Body.Close()
			return
		}
		id, err := b.events(res.Body, func(m *jsonrpc.Message) {
			if !m.IsResponse {
				b.deliver(s, m)
				return
			}
			b.mu.Lock()
			c := b.calls[keyOf(m.ID)]
			b.mu.Unlock()
			if c != nil {
				b.answer(c, withID(m, c))
			}
		})
		res.Body.Close()
		if id != "" {
			last = id
		}
		b.o.Log.Debug("the server's stream has ended", "error", err)
		select {
		case <-time.After(listenPause):
		case <-s.ctx.Done():
			return
		}
	}
}

func (b *bridge) subscribe(l *link, s *session, last string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(s.ctx, http.MethodGet, l.server.URL, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", sse.ContentType)
	s.setHeaders(req.Header)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	return l.server.Client.Do(req)
}
