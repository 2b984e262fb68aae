package httpui

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
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
	res, err := newClientFor(t).Get("http://" + s.Addr().String() + "/wait?timeout=120")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusGone || string(body) != "{\"error\":\"the server is stopping\"}\n" || err != nil {
		t.Errorf("answer = %d %q, %v", res.StatusCode, body, err)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close = %v", err)
	}
}

func TestCloseEndsWebSockets(t *testing.T) {
	t.Parallel()
	w := newSocketWorld(t, nil)
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
	w.room.mu.Lock()
	defer w.room.mu.Unlock()
	if n := len(w.room.pages); n != 0 {
		t.Errorf("%d pages are attached after Close", n)
	}
}

// A page that does not answer the goodbye must not hold the server up for ever.
func TestCloseCutsSilentPages(t *testing.T) {
	t.Parallel()
	w := newSocketWorld(t, func(l *socketLimits) { l.grace = 10 * time.Millisecond })
	w.want(w.open("1"), "snapshot") // and never reads again
	begin := time.Now()
	if err := w.server.Close(t.Context()); err != nil {
		t.Errorf("Close = %v", err)
	}
	if d := time.Since(begin); d > 4*time.Second { // the library alone would wait 5 s
		t.Errorf("Close took %v", d)
	}
}

func TestCloseWaitsForRequests(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(entered)
		<-release
		_, _ = io.WriteString(w, "done")
	}))
	closed := make(chan error, 1)
	go func() {
		<-entered
		go func() { closed <- s.Close(context.Background()) }()
		for { // Close has begun when nobody can connect any more
			conn, err := net.Dial("tcp", s.Addr().String())
			if err != nil {
				break
			}
			_ = conn.Close()
		}
		select {
		case <-closed:
			t.Error("Close did not wait for the request")
		default:
		}
		close(release)
	}()
	res, err := newClientFor(t).Get("http://" + s.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); string(body) != "done" || err != nil {
		t.Errorf("answer = %q, %v", body, err)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close = %v", err)
	}
}

func TestCloseInAHurry(t *testing.T) {
	t.Parallel()
	entered, cut := make(chan struct{}), make(chan struct{})
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		for { // a stream that does not care
			if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
				close(cut)
				return
			}
		}
	}))
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: "+s.Addr().String()+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-entered
	why := errors.New("no time")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if err := s.Close(ctx); !errors.Is(err, why) {
		t.Errorf("Close = %v, want the cause", err)
	}
	select {
	case <-cut:
	default:
		t.Error("Close returned while the handler ran")
	}
}

// Browsers open connections in advance. Those must not hold up Close, which they would for five seconds.
func TestCloseDropsFreshConnections(t *testing.T) {
	t.Parallel()
	s := serve(t, http.NotFoundHandler())
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// Connections are accepted in order: once a later one has been served, this one is known.
	res, err := newClientFor(t).Get("http://" + s.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	begin := time.Now()
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("Close = %v", err)
	}
	if d := time.Since(begin); d > 4*time.Second {
		t.Errorf("Close took %v", d)
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("the connection is still open")
	}
}

func TestCloseTwice(t *testing.T) {
	t.Parallel()
	s := serve(t, http.NotFoundHandler())
	for range 2 {
		if err := s.Close(t.Context()); err != nil {
			t.Errorf("Close = %v", err)
		}
	}
	if conn, err := net.Dial("tcp", s.Addr().String()); err == nil {
		_ = conn.Close()
		t.Error("the listener is still open")
	}
}
