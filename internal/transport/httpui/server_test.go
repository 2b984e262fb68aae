package httpui

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/events"
)

func TestCloseEndsLongPolls(t *testing.T) {
	t.Parallel()
	app := queueApp(events.New())
	entered, closed := make(chan struct{}), make(chan error, 1)
	inner := app.wait
	app.wait = func(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error {
		close(entered)
		return inner(ctx, session, timeout, deliver)
	}
	s := serve(t, NewMCP(MCPOptions{App: app, Log: logTo(t)}))
	go func() {
		<-entered
		closed <- s.Close(t.Context())
	}()
	// Scripts take a connection that is cut for the end of the server, and any status but 200 and
	// 204 for an error.
	if res, err := newClientFor(t).Get("http://" + s.Addr().String() + "/wait?timeout=120"); err == nil {
		_ = res.Body.Close()
		t.Errorf("answer = %s", res.Status)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close = %v", err)
	}
}

func TestCloseEndsWebSockets(t *testing.T) {
	t.Parallel()
	w := newSocketWorld(t)
	conns := []*websocket.Conn{w.open("1"), w.open("1"), w.open("1")}
	for _, conn := range conns {
		w.want(conn, "snapshot")
	}
	closed := make(chan error, 1)
	go func() { closed <- w.server.Close(t.Context()) }()
	for _, conn := range conns {
		w.wantClose(conn, websocket.StatusGoingAway, "stopping")
	}
	if err := <-closed; err != nil {
		t.Errorf("Close = %v", err)
	}
	w.memorySession.mu.Lock()
	defer w.memorySession.mu.Unlock()
	if n := len(w.memorySession.pages); n != 0 {
		t.Errorf("%d pages are attached after Close", n)
	}
}
