package wsterm_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/wsterm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds failures only.
const patience = 2 * time.Minute

// A server serves terminals to callers with one grant.
type server struct {
	*httptest.Server
	stop context.CancelCauseFunc // ends the contexts of requests
}

func handler(l terminals.Terminals) http.Handler {
	mux := http.NewServeMux()
	wsterm.Routes(l, wsterm.Options{})(mux)
	return mux
}

func serve(t testing.TB, l terminals.Terminals, by terminals.Grant) *server {
	t.Helper()
	running, stop := context.WithCancelCause(context.Background())
	h := handler(l)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		defer context.AfterFunc(running, func() { cancel(context.Cause(running)) })()
		h.ServeHTTP(w, r.WithContext(terminals.NewContext(ctx, by)))
	}))
	t.Cleanup(func() {
		stop(nil)
		srv.Close()
	})
	return &server{srv, stop}
}

// A conn is a client's connection.
type conn struct {
	*websocket.Conn
	ctx    context.Context
	events []string // that have arrived before a reply
}

// connect returns a connection, whose greeting has been read, or the code of the refusal.
func (s *server) connect(t testing.TB, path string) (_ *conn, code string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	c, resp, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(s.URL, "http")+path, nil)
	if err != nil {
		var body struct{ Error struct{ Code string } }
		if resp == nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		if err := json.Unmarshal(b, &body); err != nil || body.Error.Code == "" {
			t.Fatalf("%s: the refusal is %d %q", path, resp.StatusCode, b)
		}
		return nil, body.Error.Code
	}
	t.Cleanup(func() { _ = c.CloseNow() })
	c.SetReadLimit(64 << 20)
	conn := &conn{Conn: c, ctx: ctx}
	if strings.HasSuffix(path, "json") {
		if got := conn.read(t); got != `{"connected":true}` {
			t.Fatalf("the greeting is %s", got)
		}
	}
	return conn, ""
}

// dial is connect for paths that are not refused.
func (s *server) dial(t testing.TB, path string) *conn {
	t.Helper()
	c, code := s.connect(t, path)
	if code != "" {
		t.Fatalf("%s is refused: %s", path, code)
	}
	return c
}

// read returns the next message.
func (c *conn) read(t testing.TB) string {
	t.Helper()
	_, b, err := c.Conn.Read(c.ctx)
	if err != nil {
		t.Fatalf("the connection has ended: %v", err)
	}
	return string(b)
}

func (c *conn) write(t testing.TB, text string) {
	t.Helper()
	if err := c.Write(c.ctx, websocket.MessageText, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// A reply is the answer to a request.
type reply struct {
	ID     json.RawMessage
	Method string
	Result json.RawMessage
	Error  *struct{ Code, Message string }
}

// call sends a request and returns its reply. Events that arrive before it are kept.
func (c *conn) call(t testing.TB, r map[string]any) reply {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	c.write(t, string(b))
	for {
		text := c.read(t)
		var got reply
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got.Result != nil || got.Error != nil {
			return got
		}
		c.events = append(c.events, text)
	}
}

// reply returns the next message that is no event. Events that arrive before it are kept: those of
// the server come at any moment.
func (c *conn) reply(t testing.TB) string {
	t.Helper()
	for {
		text := c.read(t)
		var e struct{ Event string }
		if err := json.Unmarshal([]byte(text), &e); err != nil || e.Event == "" {
			return text
		}
		c.events = append(c.events, text)
	}
}

// do is call for requests that succeed.
func (c *conn) do(t testing.TB, method, session, params string) string {
	t.Helper()
	r := map[string]any{"id": method, "method": method}
	if session != "" {
		r["session"] = session
	}
	if params != "" {
		r["params"] = json.RawMessage(params)
	}
	got := c.call(t, r)
	if got.Error != nil {
		t.Fatalf("%s %s: %s %s", method, params, got.Error.Code, got.Error.Message)
	}
	return string(got.Result)
}

// await returns the next message that contains what is wanted, and drops those before it.
func (c *conn) await(t testing.TB, want string) string {
	t.Helper()
	return c.awaitAll(t, want)
}

// awaitAll reads until each of the wanted messages has come, in whatever order: requests that wait
// are answered when their wait ends, and two that end at once in either order. It returns the last
// of them, and drops the others.
func (c *conn) awaitAll(t testing.TB, want ...string) string {
	t.Helper()
	var near string
	for {
		if len(c.events) > 0 {
			near, c.events = c.events[0], c.events[1:]
		} else {
			_, b, err := c.Conn.Read(c.ctx)
			if err != nil {
				t.Fatalf("no %s: %v; the last message is %s", want, err, near)
			}
			near = string(b)
		}
		for i, w := range want {
			if opcases.Diff(w, near) == "" {
				want = slices.Delete(want, i, i+1)
				break
			}
		}
		if len(want) == 0 {
			return near
		}
	}
}

// closed returns the code and the reason with which the connection is closed.
func (c *conn) closed(t testing.TB) (websocket.StatusCode, string) {
	t.Helper()
	for {
		if _, _, err := c.Conn.Read(c.ctx); err != nil {
			if e, ok := errors.AsType[websocket.CloseError](err); ok {
				return e.Code, e.Reason
			}
			t.Fatalf("not closed in order: %v", err)
		}
	}
}
