package httpui

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/events"
	"ui-mcp/internal/fault"
)

// queueApp is an App with one session, "1", whose events are in a real queue.
func queueApp(q *events.Queue) appFuncs {
	return appFuncs{
		wait: func(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error {
			if session != "1" {
				return fault.New(fault.NotFound, "no session %q", session)
			}
			return q.Wait(ctx, timeout, deliver)
		},
		state: func(_ context.Context, session string) (json.RawMessage, error) {
			if session != "1" {
				return nil, fault.New(fault.NotFound, "no session %q", session)
			}
			return json.RawMessage(`{"type":"App"}`), nil
		},
	}
}

func TestMCPRoutes(t *testing.T) {
	t.Parallel()
	q := events.New()
	h := NewMCP(MCPOptions{App: queueApp(q), Routes: map[string]http.Handler{
		"POST /message": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }),
		"/mcp":          http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "mcp") }),
	}})
	badTimeout := func(text string) string {
		return fmt.Sprintf(`{"error":"timeout must be a whole number of seconds from 1 to 120, not \"%s\""}`, text)
	}
	tests := []struct {
		method, target string
		status         int
		body           string
		allow          string
	}{
		{"GET", "/wait", 200, `[1,{"a":2}]`, ""},
		{"GET", "/wait?timeout=1", 200, `[1,{"a":2}]`, ""},
		{"GET", "/wait?timeout=120&session=1", 200, `[1,{"a":2}]`, ""},
		{"GET", "/wait?session=2", 404, `{"error":"no session \"2\""}`, ""},
		{"GET", "/wait?timeout=0", 400, badTimeout("0"), ""},
		{"GET", "/wait?timeout=-5", 400, badTimeout("-5"), ""},
		{"GET", "/wait?timeout=121", 400, badTimeout("121"), ""},
		{"GET", "/wait?timeout=99999999999999999999", 400, badTimeout("99999999999999999999"), ""},
		{"GET", "/wait?timeout=1.5", 400, badTimeout("1.5"), ""},
		{"GET", "/wait?timeout=soon", 400, badTimeout("soon"), ""},
		{"GET", "/wait?timeout=", 400, badTimeout(""), ""},
		{"HEAD", "/wait", 405, "", "GET"},
		{"POST", "/wait", 405, `{"error":"/wait understands GET only"}`, "GET"},
		{"GET", "/state", 200, `{"type":"App"}`, ""},
		{"GET", "/state?session=2", 404, `{"error":"no session \"2\""}`, ""},
		{"DELETE", "/state", 405, `{"error":"/state understands GET only"}`, "GET"},
		{"POST", "/message", 202, "", ""},
		{"GET", "/message", 405, `{"error":"/message understands POST only"}`, "POST"},
		{"GET", "/mcp", 200, "mcp", ""},
		{"GET", "/", 404, `{"error":"there is nothing at /; see /wait, /state, /inspect and /variables"}`, ""},
		{"GET", "/nothing", 404, `{"error":"there is nothing at /nothing; see /wait, /state, /inspect and /variables"}`, ""},
	}
	for _, test := range tests {
		t.Run(test.method+" "+test.target, func(t *testing.T) {
			q.Push(json.RawMessage("1"))
			q.Push(json.RawMessage(`{"a":2}`))
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(test.method, test.target, nil))
			took := q.Len() == 0
			_ = q.Wait(t.Context(), 0, func([]json.RawMessage) error { return nil })
			if got := strings.TrimSpace(w.Body.String()); w.Code != test.status || test.method != "HEAD" && got != test.body {
				t.Errorf("answer = %d %s, want %d %s", w.Code, got, test.status, test.body)
			}
			if got := w.Header().Get("Allow"); got != test.allow {
				t.Errorf("Allow = %q, want %q", got, test.allow)
			}
			if kind := w.Header().Get("Content-Type"); strings.HasPrefix(test.body, "{") && kind != "application/json" {
				t.Errorf("Content-Type = %q", kind)
			}
			if want := test.status == 200 && strings.HasPrefix(test.target, "/wait"); took != want {
				t.Errorf("took events: %t, want %t", took, want)
			}
		})
	}
}

// A person who has mistaken the agent's port for that of the pages gets a page.
func TestPageForPeople(t *testing.T) {
	t.Parallel()
	h := NewMCP(MCPOptions{App: queueApp(events.New())})
	r := httptest.NewRequest("GET", "/no%3Cb%3E", nil)
	r.Header.Set("Accept", "text/html")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if body := w.Body.String(); w.Code != 404 || !strings.Contains(body, "nothing at /no&lt;b&gt;. This port is for agents") {
		t.Errorf("%d\n%s", w.Code, body)
	}
}

func TestWaitPassesTheTimeout(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]time.Duration{
		"/wait":             30 * time.Second,
		"/wait?timeout=1":   time.Second,
		"/wait?timeout=120": 2 * time.Minute,
	} {
		var got time.Duration
		h := NewMCP(MCPOptions{App: appFuncs{wait: func(_ context.Context, _ string, d time.Duration, _ func([]json.RawMessage) error) error {
			got = d
			return nil
		}}})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		if got != want || w.Code != http.StatusNoContent || w.Body.Len() != 0 {
			t.Errorf("%s: waited %v and answered %d %q", target, got, w.Code, w.Body)
		}
	}
}

// The client leaves when the events are taken already, but not yet written.
func TestUndeliveredEventsAreBack(t *testing.T) {
	t.Parallel()
	q := events.New()
	app := queueApp(q)
	taken, back := make(chan struct{}), make(chan struct{})
	inner := app.wait
	app.wait = func(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error {
		defer close(back)
		return inner(ctx, session, timeout, func(events []json.RawMessage) error {
			close(taken)
			<-ctx.Done()
			return deliver(events)
		})
	}
	s := serve(t, NewMCP(MCPOptions{App: app, Log: logTo(t)}))
	var want []json.RawMessage
	for i := range 100 {
		want = append(want, json.RawMessage(strconv.Itoa(i)))
	}
	for _, e := range want {
		q.Push(e)
	}
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "GET /wait HTTP/1.1\r\nHost: %s\r\n\r\n", s.Addr()); err != nil {
		t.Fatal(err)
	}
	<-taken
	q.Push(json.RawMessage(`"later"`))
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-back:
	case <-time.After(patience):
		t.Fatal("the events were not put back")
	}
	want = append(want, json.RawMessage(`"later"`))
	if got, _ := q.Oldest(1 << 20); !slices.EqualFunc(got, want, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
		t.Errorf("the queue is not what it was")
	}
}

// Events count as undelivered if the client reads only the head of the answer.
func TestPartlyDeliveredEventsAreBack(t *testing.T) {
	t.Parallel()
	q := events.New()
	app := queueApp(q)
	back := make(chan struct{})
	inner := app.wait
	app.wait = func(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error {
		defer close(back)
		return inner(ctx, session, timeout, deliver)
	}
	s := serve(t, NewMCP(MCPOptions{App: app, Log: logTo(t)}))
	for range 32 { // more than the buffers of the network hold
		q.Push(json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`))
	}
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "GET /wait HTTP/1.1\r\nHost: %s\r\n\r\n", s.Addr()); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(conn).ReadString('\n'); !strings.Contains(line, "200") || err != nil {
		t.Fatalf("answer begins with %q, %v", line, err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-back:
		if n := q.Len(); n != 32 {
			t.Errorf("%d events were put back, want 32", n)
		}
	case <-time.After(patience):
		t.Fatal("the events were not put back")
	}
}
