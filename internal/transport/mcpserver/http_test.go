package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"0"}}}`

// sessionCall is a call of a tool in the era of sessions.
func sessionCall(id, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":%q}}`, id, tool)
}

// handshake begins a session at /mcp and returns its id.
func (s *httpServer) handshake(t *testing.T) string {
	t.Helper()
	res := s.do(t, http.MethodPost, "/mcp", initialize)
	id := res.Header.Get(sessionHeader)
	if got := messages(t, res); id == "" || len(got) != 1 || !strings.Contains(got[0], `"result"`) {
		t.Fatalf("initialize: session %q, %s", id, got)
	}
	return id
}

// statelessCall is a call of a tool in the stateless era, and the headers that go with it.
func statelessCall(id, tool string) (message string, headers []string) {
	return callTool(id, tool), []string{versionHeader, StatelessSince, "Mcp-Method", "tools/call", "Mcp-Name", tool}
}

func TestHTTPStatus(t *testing.T) {
	const maxBody = 2000
	s := serveHTTP(t, newTestServer(quiet()), HTTPOptions{MaxBody: maxBody})
	session := s.handshake(t)
	// A message of n bytes.
	long := func(n int) string {
		const head, tail = `{"jsonrpc":"2.0","id":"`, `","method":"ping"}`
		return head + strings.Repeat("x", n-len(head+tail)) + tail
	}
	unknown := `{"jsonrpc":"2.0","id":1,"method":"no/such","params":{` + statelessMeta + `}}`
	for _, tt := range []struct {
		name         string
		method, path string
		body         string
		headers      []string
		status       int
		body1        string // part of the answer
	}{
		{"a call", "POST", "/mcp", ping, nil, 200, `"result":{}`},
		{"a call in a session", "POST", "/mcp", ping, []string{sessionHeader, session}, 200, `"result":{}`},
		{"a notification", "POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, []string{sessionHeader, session}, 202, ""},
		{"a notification nobody knows", "POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/no"}`, nil, 202, ""},
		{"a response", "POST", "/mcp", `{"jsonrpc":"2.0","id":7,"result":{}}`, []string{sessionHeader, session}, 202, ""},
		{"a malformed response", "POST", "/mcp", `{"jsonrpc":"2.0","id":{},"error":7}`, nil, 202, ""},
		{"no JSON", "POST", "/mcp", `{`, nil, 400, `"code":-32700`},
		{"an empty body", "POST", "/mcp", ``, nil, 400, `"code":-32700`},
		{"no message", "POST", "/mcp", `{}`, nil, 400, `"code":-32600`},
		{"a batch", "POST", "/mcp", `[` + ping + `]`, nil, 400, `"code":-32600`},
		{"a revision nobody knows", "POST", "/mcp", ping, []string{versionHeader, "1999-01-01"}, 400, `Unsupported protocol version`},
		{"headers that differ from the body", "POST", "/mcp", callTool("1", "hello"), []string{versionHeader, StatelessSince, "Mcp-Method", "tools/list"}, 400, `"code":-32020`},
		{"headers that repeat another member", "POST", "/mcp", strings.Replace(callTool("1", "hello"), `"name":"hello"`, `"name":"hello","Name":"other"`, 1), []string{versionHeader, StatelessSince, "Mcp-Method", "tools/call", "Mcp-Name", "other"}, 400, `"code":-32020`},
		{"a header that is no base64", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"abc",` + statelessMeta + `}}`, []string{versionHeader, StatelessSince, "Mcp-Method", "resources/read", "Mcp-Name", "=?base64?YWJj!?="}, 400, `"code":-32020`},
		{"a version in a header only", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`, []string{versionHeader, StatelessSince, "Mcp-Method", "logging/setLevel"}, 400, `"code":-32602`},
		{"GET without a session", "GET", "/mcp", "", nil, 400, `Mcp-Session-Id`},
		{"DELETE without a session", "DELETE", "/mcp", "", nil, 400, `Mcp-Session-Id`},
		{"a method nobody knows", "POST", "/mcp", unknown, []string{versionHeader, StatelessSince, "Mcp-Method", "no/such"}, 404, `"error":{"code":-32601,"message":"method not found: \"no/such\""}`},
		{"a method nobody knows, without a version", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, nil, 404, `"error":{"code":-32601,"message":"method not found: \"no/such\""}`},
		{"a method nobody knows, in a session", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, []string{sessionHeader, session}, 200, `"error":{"code":-32601,"message":"method not found: \"no/such\""}`},
		{"POST to a session that is not", "POST", "/mcp", ping, []string{sessionHeader, "no"}, 404, `"id":"p","error":{"code":-32600,"message":"Invalid Request: session not found"}`},
		{"a notification to a session that is not", "POST", "/mcp", `{"jsonrpc":"2.0","method":"notifications/no"}`, []string{sessionHeader, "no"}, 404, `session not found`},
		{"GET of a session that is not", "GET", "/mcp", "", []string{sessionHeader, "no"}, 404, `session not found`},
		{"DELETE of a session that is not", "DELETE", "/mcp", "", []string{sessionHeader, "no"}, 404, `session not found`},
		{"PUT", "PUT", "/mcp", ping, nil, 405, ``},
		{"GET in the stateless era", "GET", "/mcp", "", []string{versionHeader, StatelessSince}, 405, ``},
		{"HEAD of a stream", "HEAD", "/sse", "", nil, 405, ``},
		{"neither form accepted", "POST", "/mcp", ping, []string{"Accept", "text/html"}, 406, `text/event-stream`},
		{"GET accepts no stream", "GET", "/mcp", "", []string{sessionHeader, session, "Accept", "application/json"}, 406, `text/event-stream`},
		{"the longest body", "POST", "/mcp", long(maxBody), nil, 200, `"result":{}`},
		{"a longer body", "POST", "/mcp", long(maxBody + 1), nil, 413, `longer than 2000 bytes`},
		{"a body that is no JSON", "POST", "/mcp", ping, []string{"Content-Type", "text/plain"}, 415, `application/json`},
		{"a message without a stream", "POST", "/message", ping, nil, 400, `GET /sse`},
		{"a message to a stream that is not", "POST", "/message?sessionId=no", ping, nil, 404, `GET /sse`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := s.do(t, tt.method, tt.path, tt.body, tt.headers...)
			body := content(t, res)
			if res.StatusCode != tt.status || !strings.Contains(body, tt.body1) {
				t.Errorf("got %d %s, want %d %s", res.StatusCode, body, tt.status, tt.body1)
			}
			if tt.status == http.StatusAccepted && body != "" {
				t.Errorf("202 with a body: %s", body)
			}
			if tt.status >= 400 && tt.method != "HEAD" && !json.Valid([]byte(body)) {
				t.Errorf("the error is no JSON: %s", body)
			}
			if tt.status == http.StatusMethodNotAllowed && res.Header.Get("Allow") == "" {
				t.Error("405 without Allow")
			}
		})
	}
}

// A client that takes one form of answers, or does not say, gets what it takes: in a session and
// without one, also when the call reports progress.
func TestAccept(t *testing.T) {
	srv := newTestServer(quiet())
	AddTool(srv, Tool{Name: "progress", Hints: harmless}, func(ctx context.Context, _ struct{}) (Result, error) {
		NotifyProgress(ctx, time.Second, time.Minute, "half")
		return Text("whole"), nil
	})
	s := serveHTTP(t, srv, HTTPOptions{})
	session := s.handshake(t)
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"progress","_meta":{"progressToken":"p"}}}`
	for _, headers := range [][]string{nil, {sessionHeader, session}} {
		for accept, form := range map[string]string{
			"application/json": "application/json", "application/json;q=0.9, text/html": "application/json", "": "application/json",
			"text/event-stream": "text/event-stream", "*/*": "text/event-stream", "application/json, */*": "text/event-stream",
		} {
			res := s.do(t, "POST", "/mcp", call, append(headers, "Accept", accept)...)
			body := content(t, res)
			if got := res.Header.Get("Content-Type"); res.StatusCode != 200 || got != form || !strings.Contains(body, `"text":"whole"`) {
				t.Errorf("Accept: %s: %d %s %s", accept, res.StatusCode, got, body)
			}
			if stream := form != "application/json"; strings.Contains(body, "half") != stream || json.Valid([]byte(body)) == stream {
				t.Errorf("Accept: %s: %s", accept, body)
			}
		}
	}
	if res := s.do(t, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, "Accept", "application/json"); res.StatusCode != 404 {
		t.Errorf("a method that nobody knows: %d", res.StatusCode)
	}
	res := s.do(t, "POST", "/mcp", initialize, "Accept", "application/json")
	if res.Header.Get(sessionHeader) == "" || !json.Valid([]byte(content(t, res))) {
		t.Errorf("initialize: %v", res.Header)
	}
}

// A message to a stream is checked like any other.
func TestSSEMessageStatus(t *testing.T) {
	w := openSSEWire(t, newTestServer(quiet()), HTTPOptions{})
	for name, tt := range map[string]struct {
		body    string
		headers []string
		status  int
	}{
		"a call":                  {ping, nil, 202},
		"a notification":          {`{"jsonrpc":"2.0","method":"notifications/no"}`, nil, 202},
		"a malformed response":    {`{"jsonrpc":"2.0","id":{},"error":7}`, nil, 202},
		"no JSON":                 {`{`, nil, 400},
		"a body that is too long": {strings.Repeat(" ", DefaultMaxBody+1), nil, 413},
		"a body that is no JSON":  {ping, []string{"Content-Type", "text/plain"}, 415},
	} {
		if res := w.server.do(t, http.MethodPost, w.endpoint, tt.body, tt.headers...); res.StatusCode != tt.status {
			t.Errorf("%s: %d %s, want %d", name, res.StatusCode, content(t, res), tt.status)
		}
	}
}

// Errors about params contain no names of Go types, whatever is wrong.
func TestErrorsNameNoGoTypes(t *testing.T) {
	for _, method := range []string{"initialize", "ping", "tools/list", "tools/call", "resources/read", "resources/subscribe", "prompts/get", "completion/complete"} {
		for _, params := range []string{`{"_meta":7}`, `{"name":{},"uri":7,"cursor":[],"level":{},"ref":7,"argument":8,"protocolVersion":{},"notifications":7}`} {
			for _, open := range wires {
				if method == "initialize" && open.name == "http" && strings.Contains(params, "_meta") {
					continue // what the params are is said by the headers there
				}
				w := open.open(t, newTestServer(quiet()))
				if method != "initialize" {
					w.send(t, initialize)
					w.receive(t)
				}
				w.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"method":%q,"params":%s}`, method, params))
				got := w.receive(t)
				for _, name := range []string{"Go ", "Params", "*mcp", "unmarshal", `"code":0`} {
					if strings.Contains(got, name) {
						t.Errorf("%s, %s %s: %s", open.name, method, params, got)
					}
				}
				w.finish(t)
			}
		}
	}
}

func TestHTTPSessionEndsWithDelete(t *testing.T) {
	s := serveHTTP(t, newTestServer(quiet()), HTTPOptions{})
	id := s.handshake(t)
	if res := s.do(t, http.MethodDelete, "/mcp", "", sessionHeader, id); res.StatusCode != http.StatusNoContent {
		t.Fatalf("DELETE = %d %s", res.StatusCode, content(t, res))
	}
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		if res := s.do(t, method, "/mcp", ping, sessionHeader, id); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s afterwards = %d %s, want 404", method, res.StatusCode, content(t, res))
		}
	}
	if n := len(s.mcp.sessions.known); n != 0 {
		t.Errorf("%d sessions are still known", n)
	}
}

// A client that closes its session waits for none of its calls, not even for one whose answer it
// has stopped waiting for.
func TestHTTPDeleteEndsCalls(t *testing.T) {
	for name, abandoned := range map[string]bool{"in progress": false, "abandoned": true} {
		t.Run(name, func(t *testing.T) {
			server := newTestServer(quiet())
			p := addProbe(server)
			s := serveHTTP(t, server, HTTPOptions{})
			id, other := s.handshake(t), s.handshake(t)
			ctx, disconnect := context.WithCancel(t.Context())
			defer disconnect()
			answered := make(chan []string, 1)
			go func() {
				defer close(answered)
				if res, err := s.try(ctx, http.MethodPost, "/mcp", sessionCall("c", "probe"), sessionHeader, id); err == nil {
					answered <- messages(t, res)
				} else if !abandoned {
					t.Error(err)
				}
			}()
			<-p.started
			if abandoned {
				disconnect()
				<-answered
			}
			if res := s.do(t, http.MethodDelete, "/mcp", "", sessionHeader, id); res.StatusCode != http.StatusNoContent {
				t.Errorf("DELETE = %d %s", res.StatusCode, content(t, res))
			}
			if err := <-p.ended; !errors.Is(err, errDeleted) || fault.KindOf(err) == fault.Gone {
				t.Errorf("the call ended with %v, so that a question would stay open", err)
			}
			if !abandoned {
				if got := <-answered; len(got) != 1 || !strings.Contains(got[0], errDeleted.Error()) {
					t.Errorf("the call was answered with %s", got)
				}
			}
			if got := messages(t, s.do(t, http.MethodPost, "/mcp", ping, sessionHeader, other)); len(got) != 1 {
				t.Errorf("another session's ping was answered with %s", got)
			}
		})
	}
}

// Of too many sessions, the one ends that has not been used for the longest time. One whose client
// listens is in use.
func TestHTTPTooManySessions(t *testing.T) {
	s := serveHTTP(t, newTestServer(quiet()), HTTPOptions{})
	listens, leaves := s.handshake(t), s.handshake(t)
	stream := s.do(t, http.MethodGet, "/mcp", "", sessionHeader, listens)
	defer stream.Body.Close()
	for i := range maxSessions - 1 {
		c := newConnection(t.Context(), s.mcp.server, quiet(), 1, t.Context(), nil)
		c.id = fmt.Sprint(i)
		s.mcp.sessions.add(&httpSession{connection: c, unused: time.Now()})
	}
	s.mcp.sessions.closing.Wait()
	if res := s.do(t, http.MethodPost, "/mcp", ping, sessionHeader, leaves); res.StatusCode != http.StatusNotFound {
		t.Errorf("a ping in the oldest session = %d %s, want 404", res.StatusCode, content(t, res))
	}
	if got := messages(t, s.do(t, http.MethodPost, "/mcp", ping, sessionHeader, listens)); len(got) != 1 {
		t.Errorf("a ping in a session that listens was answered with %s", got)
	}
	if n := len(s.mcp.sessions.known); n != maxSessions {
		t.Errorf("%d sessions are known", n)
	}
}

// A handshake that fails makes no session.
func TestHTTPFailedHandshake(t *testing.T) {
	s := serveHTTP(t, newTestServer(quiet()), HTTPOptions{})
	res := s.do(t, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":5}}`)
	if id := res.Header.Get(sessionHeader); id != "" {
		t.Errorf("it has session %q", id)
	}
	content(t, res)
	if n := len(s.mcp.sessions.known); n != 0 {
		t.Errorf("%d sessions are known", n)
	}
}

// A probe is a tool that tells when it is called, and why it ends.
type probe struct {
	started chan struct{}
	ended   chan error
}

func addProbe(s *Server) *probe {
	p := &probe{started: make(chan struct{}), ended: make(chan error, 1)}
	AddTool(s, Tool{Name: "probe", Description: "Waits to be cancelled.", Hints: harmless},
		func(ctx context.Context, _ struct{}) (Result, error) {
			close(p.started)
			<-ctx.Done()
			p.ended <- context.Cause(ctx)
			return Result{}, context.Cause(ctx)
		})
	return p
}

// In the stateless era a call ends with its request.
func TestHTTPGoneClientCancelsItsCall(t *testing.T) {
	server := newTestServer(quiet())
	p := addProbe(server)
	s := serveHTTP(t, server, HTTPOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	message, headers := statelessCall("1", "probe")
	done := make(chan error, 1)
	go func() {
		res, err := s.try(ctx, http.MethodPost, "/mcp", message, headers...)
		if err == nil {
			res.Body.Close()
		}
		done <- err
	}()
	<-p.started
	cancel()
	if err := <-done; err == nil {
		t.Error("the cancelled request was answered")
	}
	<-p.ended
}

// A call without a session cannot ask its client, which has no way to answer.
func TestHTTPAskingWithoutSession(t *testing.T) {
	server := newTestServer(quiet())
	AddTool(server, Tool{Name: "ask", Hints: harmless}, func(ctx context.Context, _ struct{}) (Result, error) {
		if err := CallOf(ctx).Session.Ping(ctx, nil); err != nil {
			return Text("nobody"), nil
		}
		return Text("somebody"), nil
	})
	s := serveHTTP(t, server, HTTPOptions{})
	if got := messages(t, s.do(t, http.MethodPost, "/mcp", sessionCall("c", "ask"))); len(got) != 1 || !strings.Contains(got[0], "nobody") {
		t.Errorf("answers = %s", got)
	}
}

// In the era of sessions a call is cancelled by a message, which may say that the client has merely
// waited long enough; and only a client of that session ends it so.
func TestHTTPCancelledCall(t *testing.T) {
	for reason, gaveUp := range map[string]bool{``: false, `,"reason":"McpError: MCP error -32001: Request timed out"`: true} {
		server := newTestServer(quiet())
		p := addProbe(server)
		s := serveHTTP(t, server, HTTPOptions{})
		id, other := s.handshake(t), s.handshake(t)
		answered := make(chan []string, 1)
		go func() {
			answered <- messages(t, s.do(t, http.MethodPost, "/mcp", sessionCall("c", "probe"), sessionHeader, id))
		}()
		<-p.started
		for _, from := range []string{other, id} {
			if len(p.ended) > 0 {
				t.Errorf("%q: the client of another session has ended the call", reason)
			}
			res := s.do(t, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"`+reason+`}}`, sessionHeader, from)
			if res.StatusCode != http.StatusAccepted {
				t.Errorf("cancelled = %d %s", res.StatusCode, content(t, res))
			}
		}
		if err := <-p.ended; errors.Is(err, ErrGaveUp) != gaveUp {
			t.Errorf("%q: %v", reason, err)
		}
		<-answered // its request ends, too
	}
}

// Close cancels what runs, lets the answers out, and ends every stream.
func TestHTTPCloseWithCallsUnderWay(t *testing.T) {
	for name, call := range map[string]func(*testing.T, *httpServer) func() []string{
		"stateless": func(t *testing.T, s *httpServer) func() []string {
			message, headers := statelessCall("c", "probe")
			return func() []string { return messages(t, s.do(t, http.MethodPost, "/mcp", message, headers...)) }
		},
		"session": func(t *testing.T, s *httpServer) func() []string {
			id := s.handshake(t)
			return func() []string {
				return messages(t, s.do(t, http.MethodPost, "/mcp", sessionCall("c", "probe"), sessionHeader, id))
			}
		},
		"sse": func(t *testing.T, s *httpServer) func() []string {
			w := &sseWire{server: s}
			w.connect(t)
			w.send(t, initialize)
			w.receive(t)
			w.send(t, sessionCall("c", "probe"))
			return func() []string { return []string{w.receive(t)} }
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := newTestServer(quiet())
			p := addProbe(server)
			s := serveHTTP(t, server, HTTPOptions{})
			receive := call(t, s)
			answers := make(chan []string, 1)
			go func() { answers <- receive() }()
			<-p.started
			if err := s.mcp.Close(t.Context()); err != nil {
				t.Errorf("Close = %v", err)
			}
			if got := <-answers; len(got) != 1 || !strings.Contains(got[0], "the server is stopping") || !strings.Contains(got[0], `"id":"c"`) {
				t.Errorf("answers = %s", got)
			}
			for path, method := range map[string]string{"/mcp": "POST", "/sse": "GET", "/message": "POST"} {
				if res := s.do(t, method, path, ping); res.StatusCode != http.StatusServiceUnavailable {
					t.Errorf("%s after Close = %d", path, res.StatusCode)
				}
			}
		})
	}
}

// A call whose body arrives while the server closes is told so: 404 would mean that a session has
// ended.
func TestHTTPCloseDuringBody(t *testing.T) {
	s := serveHTTP(t, newTestServer(quiet()), HTTPOptions{})
	reading := make(chan struct{})
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got100Continue: func() { close(reading) }})
	body, rest := io.Pipe()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/mcp", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Expect": {"100-continue"}}
	answers := make(chan string, 1)
	go func() {
		res, err := s.client.Do(r)
		if err != nil {
			answers <- err.Error()
			return
		}
		answers <- res.Status + content(t, res)
	}()
	<-reading
	closed := make(chan error, 1)
	go func() { closed <- s.mcp.Close(t.Context()) }()
	<-s.mcp.answers.Context().Done()
	if _, err := io.WriteString(rest, ping); err != nil {
		t.Error(err)
	}
	rest.Close()
	if got := <-answers; !strings.HasPrefix(got, "503") || !strings.Contains(got, `"id":"p"`) || !strings.Contains(got, errClosed.Error()) {
		t.Errorf("got %s", got)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// A client of a session may listen for what no call of its own causes.
func TestHTTPListenStream(t *testing.T) {
	server := newTestServer(quiet())
	server.AddTool(&mcp.Tool{Name: "tell", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			err := req.Session.NotifyProgress(context.Background(), &mcp.ProgressNotificationParams{ProgressToken: "p", Progress: 1})
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: req.Session.ID()}}}, err
		})
	s := serveHTTP(t, server, HTTPOptions{})
	id := s.handshake(t)
	stream := s.do(t, http.MethodGet, "/mcp", "", sessionHeader, id)
	if got := stream.Header.Get("X-Accel-Buffering"); stream.StatusCode != http.StatusOK || got != "no" {
		t.Fatalf("GET = %d, buffering %q", stream.StatusCode, got)
	}
	if got := messages(t, s.do(t, http.MethodPost, "/mcp", sessionCall("c", "tell"), sessionHeader, id)); len(got) != 1 || !strings.Contains(got[0], id) {
		t.Errorf("the call was answered with %s", got)
	}
	events := newEventReader(stream.Body)
	if _, data, err := events.next(); err != nil || !strings.Contains(data, `"notifications/progress"`) {
		t.Errorf("the stream has %s, %v", data, err)
	}
	if res := s.do(t, http.MethodGet, "/mcp", "", sessionHeader, id); res.StatusCode != http.StatusConflict {
		t.Errorf("a second stream = %d %s", res.StatusCode, content(t, res))
	}
	if err := s.mcp.Close(t.Context()); err != nil {
		t.Errorf("Close = %v", err)
	}
	if _, data, err := events.next(); err == nil {
		t.Errorf("the stream goes on after Close: %s", data)
	}
}

// A client whose stream has ended opens a new one, which is a new session.
func TestSSEReconnect(t *testing.T) {
	server := newTestServer(quiet())
	p := addProbe(server)
	w := openSSEWire(t, server, HTTPOptions{})
	w.send(t, initialize)
	w.receive(t)
	w.send(t, sessionCall("c", "probe"))
	<-p.started
	old := w.endpoint
	w.stream.Body.Close()
	<-p.ended // nobody waits for the answer any more

	w.connect(t)
	if w.endpoint == old {
		t.Error("the session is the same")
	}
	w.send(t, initialize)
	if got := w.receive(t); !strings.Contains(got, `"serverInfo"`) {
		t.Errorf("initialize = %s", got)
	}
}

// In the stateless era a client listens with a call, which lasts until the server closes.
func TestHTTPSubscription(t *testing.T) {
	server := New(Options{Name: "test", Version: "0", Logger: quiet(), Tune: func(o *mcp.ServerOptions) {
		o.Capabilities.Resources = &mcp.ResourceCapabilities{Subscribe: true}
		o.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
		o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	}})
	const uri = "test://watched"
	server.AddResource(&mcp.Resource{URI: uri, Name: "watched"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{}, nil
	})
	s := serveHTTP(t, server, HTTPOptions{})
	listen := `{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["` + uri + `"]},` + statelessMeta + `}}`
	stream := s.do(t, http.MethodPost, "/mcp", listen, versionHeader, StatelessSince, "Mcp-Method", "subscriptions/listen")
	events := newEventReader(stream.Body)
	next := func(want string) {
		t.Helper()
		if _, data, err := events.next(); err != nil || !strings.Contains(data, want) {
			t.Fatalf("the stream has %s, %v; want %s", data, err, want)
		}
	}
	next(`"notifications/subscriptions/acknowledged"`)
	if err := server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	next(`"notifications/resources/updated"`)
	closed := make(chan error, 1)
	go func() { closed <- s.mcp.Close(context.Background()) }()
	next(`"id":"s"`)
	if err := <-closed; err != nil {
		t.Errorf("Close = %v", err)
	}
}
