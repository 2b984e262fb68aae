package httpui

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/ws"
)

// socketWorld is a UI server with one session, "1".
type socketWorld struct {
	*testing.T
	memorySession *memorySession
	server        server
}

func newSocketWorld(t *testing.T, limits func(*ws.Limits)) *socketWorld {
	t.Helper()
	w := &socketWorld{T: t, memorySession: newMemorySession()}
	h := NewUI(UIOptions{
		Sessions: rooms(map[string]*memorySession{"1": w.memorySession}),
		HTML:     t.TempDir(),
		Client:   builtClient,
		Fallback: builtHTML,
		Log:      logTo(t),
	}).(*uiHandler)
	if limits != nil {
		limits(&h.limits)
	}
	w.server = serve(t, h)
	return w
}

// open connects a page to a session.
func (w *socketWorld) open(session string) *websocket.Conn {
	w.Helper()
	return w.dial(session, websocket.CompressionContextTakeover)
}

// openPlain connects a page that knows no compression, so that what is sent to it fills the
// network's buffers.
func (w *socketWorld) openPlain(session string) *websocket.Conn {
	w.Helper()
	return w.dial(session, websocket.CompressionDisabled)
}

func (w *socketWorld) dial(session string, mode websocket.CompressionMode) *websocket.Conn {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws://"+w.server.Addr().String()+"/ws/"+session, &websocket.DialOptions{
		HTTPClient:      newClientFor(w.T),
		CompressionMode: mode,
	})
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(-1)
	return conn
}

func (w *socketWorld) read(conn *websocket.Conn) (string, error) {
	ctx, cancel := context.WithTimeout(w.Context(), patience)
	defer cancel()
	kind, msg, err := conn.Read(ctx)
	if err == nil && kind != websocket.MessageText {
		w.Errorf("message of type %v", kind)
	}
	return string(msg), err
}

func (w *socketWorld) want(conn *websocket.Conn, msg string) {
	w.Helper()
	if got, err := w.read(conn); got != msg || err != nil {
		w.Fatalf("read %.100q, %v; want %.100q", got, err, msg)
	}
}

// wantClose reads until the connection is closed.
func (w *socketWorld) wantClose(conn *websocket.Conn, code websocket.StatusCode, reason string) {
	w.Helper()
	for {
		_, err := w.read(conn)
		if err == nil {
			continue
		}
		closed, ok := errors.AsType[websocket.CloseError](err)
		if !ok || closed.Code != code || !strings.Contains(closed.Reason, reason) {
			w.Errorf("closed with %v, want %d %q", err, code, reason)
		}
		return
	}
}

func (w *socketWorld) send(conn *websocket.Conn, msg string) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), patience)
	defer cancel()
	if err := conn.Write(ctx, websocket.MessageText, []byte(msg)); err != nil {
		w.Fatal(err)
	}
}

func TestSocketTalks(t *testing.T) {
	t.Parallel()
	w := newSocketWorld(t, nil)
	one, two := w.open("1"), w.open("1")
	w.want(one, "snapshot")
	w.want(two, "snapshot")
	for _, msg := range []string{"a", "b", strings.Repeat("large ", 100_000), "c"} {
		w.send(one, msg)
		w.want(one, msg)
		w.want(two, msg)
	}
	if err := one.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Error(err)
	}
	w.memorySession.await(t, 1)
	_ = two.CloseNow() // as when the machine falls asleep
	w.memorySession.await(t, 0)
}

func TestSocketKeepsOrder(t *testing.T) {
	t.Parallel()
	w := newSocketWorld(t, nil)
	conn := w.open("1")
	w.want(conn, "snapshot")
	const n = 1000
	for i := range n {
		w.send(conn, strings.Repeat("x", i))
	}
	for i := range n {
		w.want(conn, strings.Repeat("x", i))
	}
}

func TestSocketCloseCodes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		session string // 1 unless given
		attach  error
		receive error
		say     string
		code    websocket.StatusCode
		reason  string
	}{
		{name: "no such session", session: "2", code: 4404, reason: `no session "2"`},
		{name: "lookup fails", session: "broken", code: websocket.StatusInternalError, reason: "on fire"},
		{name: "attach fails", attach: fault.New(fault.Gone, "ended just now"), code: websocket.StatusGoingAway, reason: "ended just now"},
		{name: "bad message", receive: fault.New(fault.Invalid, "that is no message"), say: "x",
			code: websocket.StatusPolicyViolation, reason: "that is no message"},
		{name: "bad message with a long text", receive: fault.New(fault.Invalid, "%s", strings.Repeat("é", 300)), say: "x",
			code: websocket.StatusPolicyViolation, reason: "é…"},
		{name: "message too long", say: strings.Repeat("x", 32<<20+1), code: websocket.StatusMessageTooBig},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newSocketWorld(t, nil)
			w.memorySession.attachErr = test.attach
			w.memorySession.receive = func(context.Context, []byte) error { return test.receive }
			if test.session == "" {
				test.session = "1"
			}
			conn := w.open(test.session)
			if test.say != "" {
				w.want(conn, "snapshot")
				// A message that is too long may be refused before it is sent wholly.
				_ = conn.Write(t.Context(), websocket.MessageText, []byte(test.say))
			}
			w.wantClose(conn, test.code, test.reason)
			w.memorySession.await(t, 0)
		})
	}
}

func TestSocketWantsText(t *testing.T) {
	t.Parallel()
	w := newSocketWorld(t, nil)
	conn := w.open("1")
	if err := conn.Write(t.Context(), websocket.MessageBinary, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	w.wantClose(conn, websocket.StatusUnsupportedData, "text")
}

func TestSlowPageIsDropped(t *testing.T) {
	t.Parallel()
	w := newSocketWorld(t, func(l *ws.Limits) { l.Bytes, l.Grace, l.Silence = 1<<20, patience, patience })
	slow, quick := w.openPlain("1"), w.openPlain("1")
	w.want(slow, "snapshot")
	w.want(quick, "snapshot")
	// One page reads, the other does not: the buffers of the network fill, then those of the
	// server.
	msg := strings.Repeat("0123456789abcdef", 4<<10)
	dropped := false
	for range 10_000 {
		if !w.memorySession.deliver([]byte(msg)) {
			dropped = true
			break
		}
		w.want(quick, msg)
	}
	if !dropped {
		t.Fatal("the slow page was never dropped")
	}
	w.want(quick, msg) // the quick one got it all the same
	w.wantClose(slow, websocket.StatusTryAgainLater, "connect again")
	w.memorySession.await(t, 1)
	w.want(w.open("1"), "snapshot") // and the slow one can come back
}

// openCounting connects a page that says of each ping that it came, before it answers.
func (w *socketWorld) openCounting(pings chan<- struct{}) *websocket.Conn {
	w.Helper()
	conn, _, err := websocket.Dial(w.Context(), "ws://"+w.server.Addr().String()+"/ws/1", &websocket.DialOptions{
		HTTPClient: newClientFor(w.T),
		OnPingReceived: func(context.Context, []byte) bool {
			pings <- struct{}{}
			return true
		},
	})
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// A session that takes long over a message keeps the reader from seeing the answers to pings. The
// page is not dead.
func TestBusySessionIsNoDeadPage(t *testing.T) {
	t.Parallel()
	w := newSocketWorld(t, func(l *ws.Limits) { l.Ping, l.Silence = time.Millisecond, 600*time.Millisecond })
	pings := make(chan struct{}, 1000)
	w.memorySession.receive = func(ctx context.Context, _ []byte) error {
		for range 3 { // each is sent when the one before had not been answered in time
			select {
			case <-pings:
			case <-ctx.Done():
			}
		}
		return nil
	}
	conn := w.openCounting(pings)
	// The page answers pings while it reads, so it always does.
	messages := make(chan string, 10)
	go func() {
		defer close(messages)
		for {
			msg, err := w.read(conn)
			if err != nil {
				return
			}
			messages <- msg
		}
	}()
	for _, want := range []string{"snapshot", "work"} {
		if got := <-messages; got != want {
			t.Fatalf("read %q, want %q", got, want)
		}
		if want == "snapshot" {
			w.send(conn, "work")
		}
	}
}

func TestSocketOrigin(t *testing.T) {
	t.Parallel()
	w := newSocketWorld(t, nil)
	for origin, ok := range map[string]bool{
		"http://" + w.server.Addr().String(): true,
		"https://evil.example":               false,
		"null":                               false,
	} {
		conn, res, err := websocket.Dial(t.Context(), "ws://"+w.server.Addr().String()+"/ws/1", &websocket.DialOptions{
			HTTPClient: newClientFor(t),
			HTTPHeader: http.Header{"Origin": {origin}},
		})
		if ok != (err == nil) {
			t.Errorf("origin %s: %v", origin, err)
		}
		if err != nil && res.StatusCode != http.StatusForbidden {
			t.Errorf("origin %s: status %d", origin, res.StatusCode)
		}
		if err == nil {
			_ = conn.CloseNow()
		}
	}
}

func TestCloseCodes(t *testing.T) {
	for kind, want := range map[fault.Kind]websocket.StatusCode{
		fault.NotFound: 4404, fault.Invalid: 1008, fault.Gone: 1001, fault.Precondition: 1013, fault.Exhausted: 1013, fault.Unreachable: 1013,
		fault.Timeout: 1013, fault.Internal: 1011, fault.Script: 1011, fault.Exists: 1011,
	} {
		if got := closeCode(fault.New(kind, "x")); got != want {
			t.Errorf("%v: %d, want %d", kind, got, want)
		}
	}
}
