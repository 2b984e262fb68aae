package httpui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"ui-mcp/internal/fault"
)

// socketWorld is a UI server with one session, "1".
type socketWorld struct {
	*testing.T
	memorySession *memorySession
	server        server
}

func newSocketWorld(t *testing.T) *socketWorld {
	t.Helper()
	w := &socketWorld{T: t, memorySession: newMemorySession()}
	h := NewUI(UIOptions{
		Sessions: rooms(map[string]*memorySession{"1": w.memorySession}),
		HTML:     t.TempDir(),
		Client:   builtClient,
		Fallback: builtHTML,
		Log:      logTo(t),
	})
	w.server = serve(t, h)
	return w
}

// open connects a page to a session.
func (w *socketWorld) open(session string) *websocket.Conn {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws://"+w.server.Addr().String()+"/ws/"+session, &websocket.DialOptions{
		HTTPClient:      newClientFor(w.T),
		CompressionMode: websocket.CompressionContextTakeover,
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
	w := newSocketWorld(t)
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

func TestSocketCloseCodes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		session string // 1 unless given
		attach  error
		receive error
		say     string
		binary  bool
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
		{name: "binary message", say: "{}", binary: true, code: websocket.StatusUnsupportedData, reason: "text"},
		{name: "message too long", say: strings.Repeat("x", 32<<20+1), code: websocket.StatusMessageTooBig},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newSocketWorld(t)
			w.memorySession.attachErr = test.attach
			w.memorySession.receive = func(context.Context, []byte) error { return test.receive }
			if test.session == "" {
				test.session = "1"
			}
			conn := w.open(test.session)
			if test.say != "" {
				w.want(conn, "snapshot")
				// A message that is too long may be refused before it is sent wholly.
				kind := websocket.MessageText
				if test.binary {
					kind = websocket.MessageBinary
				}
				_ = conn.Write(t.Context(), kind, []byte(test.say))
			}
			w.wantClose(conn, test.code, test.reason)
			w.memorySession.await(t, 0)
		})
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
