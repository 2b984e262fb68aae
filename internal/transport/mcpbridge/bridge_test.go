package mcpbridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/mcpserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A backend is a place where a server can run: each one that is started replaces the last.
type backend struct {
	t      *testing.T
	socket string

	mu      sync.Mutex // guards the fields below
	server  *httptest.Server
	http    *mcpserver.HTTP
	starts  int
	closed  int // servers that the bridge has closed
	fail    error
	seen    []string    // HTTP methods of requests
	session string      // of the last request that had one
	calls   chan string // names of calls of the tool "wait"
	hold    chan struct{}
}

func newBackend(t *testing.T) *backend {
	dir, err := os.MkdirTemp("", "b") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b := &backend{t: t, socket: filepath.Join(dir, "s"), calls: make(chan string, 100), hold: make(chan struct{})}
	t.Cleanup(b.kill)
	return b
}

type textInput struct {
	Text string `json:"text"`
}

// start starts a server, which says in its instructions how many there were before.
func (b *backend) startLocked() {
	log := slog.New(slog.NewTextHandler(b.t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := mcpserver.New(mcpserver.Options{Name: "backend", Version: "0", Logger: log})
	hints := mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No}
	b.starts++
	generation := b.starts
	mcpserver.AddTool(s, mcpserver.Tool{Name: "echo", Description: "Says it.", Hints: hints},
		func(_ context.Context, in textInput) (mcpserver.Result, error) {
			return mcpserver.Text(fmt.Sprintf("%d: %s", generation, in.Text)), nil
		})
	mcpserver.AddTool(s, mcpserver.Tool{Name: "large", Description: "Says much.", Hints: hints},
		func(_ context.Context, in textInput) (mcpserver.Result, error) {
			return mcpserver.Text(strings.Repeat("x", 10<<20)), nil
		})
	mcpserver.AddTool(s, mcpserver.Tool{Name: "wait", Description: "Waits.", Hints: hints},
		func(ctx context.Context, in textInput) (mcpserver.Result, error) {
			b.calls <- in.Text
			select {
			case <-b.hold:
				return mcpserver.Text("done"), nil
			case <-ctx.Done():
				b.calls <- "cancelled"
				return mcpserver.Result{}, ctx.Err()
			}
		})
	mcp.AddTool(s.Server, &mcp.Tool{Name: "steps", Description: "Reports progress."},
		func(ctx context.Context, req *mcp.CallToolRequest, in textInput) (*mcp.CallToolResult, any, error) {
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: 1}); err != nil {
				return nil, nil, err
			}
			<-b.hold
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil, nil
		})
	mcp.AddTool(s.Server, &mcp.Tool{Name: "ask", Description: "Asks the person."},
		func(ctx context.Context, req *mcp.CallToolRequest, in textInput) (*mcp.CallToolResult, any, error) {
			res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: in.Text, RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}})
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: res.Action}}}, nil, nil
		})
	mcp.AddTool(s.Server, &mcp.Tool{Name: "grow", Description: "Adds a resource."},
		func(context.Context, *mcp.CallToolRequest, textInput) (*mcp.CallToolResult, any, error) {
			s.Server.AddResource(&mcp.Resource{URI: "test://new", Name: "new"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{}, nil
			})
			return &mcp.CallToolResult{}, nil, nil
		})
	b.http = mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Log: log})
	mux := http.NewServeMux()
	for pattern, h := range b.http.Routes() {
		mux.Handle(pattern, h)
	}
	var handler http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.seen = append(b.seen, r.Method)
		if id := r.Header.Get(sessionHeader); id != "" {
			b.session = id
		}
		b.mu.Unlock()
		mux.ServeHTTP(w, r)
	})
	l, err := net.Listen("unix", b.socket)
	if err != nil {
		b.t.Fatal(err)
	}
	b.server = httptest.NewUnstartedServer(handler)
	b.server.Listener.Close()
	b.server.Listener = l
	b.server.Start()
}

// transport connects to the server.
func (b *backend) transport() *http.Transport {
	return &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", b.socket)
	}}
}

// connect is the bridge's Connect.
func (b *backend) connect(context.Context) (*Server, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return nil, b.fail
	}
	if b.server == nil {
		b.startLocked()
	}
	transport := b.transport()
	return &Server{URL: "http://localhost/mcp", Client: &http.Client{Transport: transport}, Close: func() {
		transport.CloseIdleConnections()
		b.mu.Lock()
		defer b.mu.Unlock()
		b.closed++
	}}, nil
}

// kill ends the server as if it were killed: connections break.
func (b *backend) kill() {
	b.mu.Lock()
	server, handlers := b.server, b.http
	b.server = nil
	b.mu.Unlock()
	if server == nil {
		return
	}
	server.Listener.Close()
	server.CloseClientConnections()
	ctx, cancel := context.WithTimeout(context.Background(), wait.Patience)
	defer cancel()
	if err := handlers.Close(ctx); err != nil {
		b.t.Errorf("close the server: %v", err)
	}
	server.Close()
}

// A client is a client of a bridge, which runs.
type client struct {
	t     *testing.T
	in    *io.PipeWriter
	lines *jsonrpc.LineReader
	ended chan error
	stop  context.CancelFunc
}

func run(t *testing.T, o Options) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	o.In, o.Out, o.Log = inR, outW, slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	c := &client{t, inW, jsonrpc.NewLineReader(outR, maxMessage), make(chan error, 1), cancel}
	go func() {
		err := Serve(ctx, o)
		outW.Close()
		c.ended <- err
	}()
	t.Cleanup(func() {
		outR.Close() // the client reads no more
		inW.Close()
		cancel()
		<-c.ended
	})
	return c
}

func (c *client) send(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

// A message is what the bridge has written on one line.
type message struct {
	ID     any
	Method string
	Params struct {
		RequestID any
		Progress  float64
	}
	Result *struct {
		Content []struct{ Text string }
		Tools   []struct{ Name string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

func (m message) text() string {
	switch {
	case m.Error != nil:
		return fmt.Sprintf("error %d: %s", m.Error.Code, m.Error.Message)
	case m.Result == nil:
		return m.Method
	case len(m.Result.Content) == 0:
		return "result"
	}
	return m.Result.Content[0].Text
}

// next returns the next message, which must be JSON-RPC.
func (c *client) next() message {
	c.t.Helper()
	line, err := c.lines.Next()
	if err != nil {
		c.t.Fatalf("no more messages: %v", err)
	}
	var m message
	if err := json.Unmarshal(line, &m); err != nil || !bytes.Contains(line, []byte(`"jsonrpc":"2.0"`)) {
		c.t.Fatalf("not JSON-RPC: %s (%v)", line[:min(len(line), 200)], err)
	}
	return m
}

// call sends a call of a tool and returns the answer, which must come next but for lists that have
// changed.
func (c *client) call(id int, tool, text string) message {
	c.t.Helper()
	c.send(toolCall(id, tool, text))
	for {
		m := c.next()
		if m.Method != "" {
			if strings.HasSuffix(m.Method, "list_changed") {
				continue
			}
			c.t.Fatalf("a message before the answer: %+v", m)
		}
		if m.ID != float64(id) {
			c.t.Fatalf("the answer to %v, not to %d", m.ID, id)
		}
		return m
	}
}

func toolCall(id int, tool, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"text":%q},"_meta":{"progressToken":%d}}}`, id, tool, text, id)
}

func statelessCall(id int, tool, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"text":%q},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, id, tool, text)
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"0"}}}`

func (c *client) initialize() {
	c.t.Helper()
	c.send(initialize)
	if m := c.next(); m.Result == nil || m.ID != 0.0 {
		c.t.Fatalf("initialize: %+v", m)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// finish closes the input and returns what the bridge writes until it ends, and its error.
func (c *client) finish() (left []message, err error) {
	c.t.Helper()
	c.in.Close()
	for {
		line, err := c.lines.Next()
		if err != nil {
			break
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			c.t.Fatalf("not JSON-RPC: %s", line)
		}
		left = append(left, m)
	}
	err = <-c.ended
	c.ended <- err // for the end of the test
	return left, err
}

func TestForward(t *testing.T) {
	for name, story := range map[string]func(*backend, *client){
		"a session": func(b *backend, c *client) {
			c.initialize()
			if got := c.call(1, "echo", "hello").text(); got != "1: hello" {
				c.t.Errorf("echo: %s", got)
			}
			if left, err := c.finish(); err != nil || len(left) > 0 {
				c.t.Errorf("at the end: %+v, %v", left, err)
			}
			b.mu.Lock()
			defer b.mu.Unlock()
			if !slices.Contains(b.seen, "DELETE") || b.closed != 1 {
				c.t.Errorf("the requests are %s, %d servers closed", b.seen, b.closed)
			}
		},
		"without a handshake": func(_ *backend, c *client) {
			c.send(statelessCall(1, "echo", "hello"))
			if m := c.next(); m.text() != "1: hello" {
				c.t.Errorf("echo: %+v", m)
			}
			c.send(`{"jsonrpc":"2.0","id":"ä","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
			if m := c.next(); m.Result == nil || m.ID != "ä" {
				c.t.Errorf("discover: %+v", m)
			}
			c.initialize() // a client may do both
			if got := c.call(2, "echo", "again").text(); got != "1: again" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"progress as it comes": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "steps", ""))
			if m := c.next(); m.Method != "notifications/progress" || m.Params.Progress != 1 {
				c.t.Errorf("first: %+v", m)
			}
			close(b.hold)
			if m := c.next(); m.text() != "done" {
				c.t.Errorf("then: %+v", m)
			}
		},
		"requests of the server": func(_ *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "ask", "may I?"))
			m := c.next()
			if m.Method != "elicitation/create" {
				c.t.Fatalf("the question: %+v", m)
			}
			id, _ := json.Marshal(m.ID)
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"decline"}}`, id))
			if m := c.next(); m.text() != "decline" {
				c.t.Errorf("the result: %+v", m)
			}
		},
		"notifications of the server": func(_ *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "grow", ""))
			seen := map[string]bool{}
			for range 2 {
				seen[c.next().text()] = true
			}
			if diff := cmp.Diff(map[string]bool{"result": true, "notifications/resources/list_changed": true}, seen); diff != "" {
				c.t.Errorf("messages (-want +got):\n%s", diff)
			}
		},
		"a result of 10 MiB": func(_ *backend, c *client) {
			c.initialize()
			if got := c.call(1, "large", "").text(); len(got) != 10<<20 {
				c.t.Errorf("%d bytes: %.100s", len(got), got)
			}
		},
		"calls at the same time": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "wait", "first"))
			<-b.calls
			if got := c.call(2, "echo", "second").text(); got != "1: second" {
				c.t.Errorf("echo: %s", got)
			}
			c.send(toolCall(1, "echo", "the same id"))
			if m := c.next(); m.ID != nil || m.Error == nil || m.Error.Code != jsonrpc.CodeInvalidRequest {
				c.t.Errorf("an id in use: %+v", m)
			}
			close(b.hold)
			if m := c.next(); m.ID != 1.0 || m.text() != "done" {
				c.t.Errorf("the first call: %+v", m)
			}
		},
		"a cancelled call": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "wait", "first"))
			<-b.calls
			c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
			if got := <-b.calls; got != "cancelled" {
				c.t.Errorf("the tool: %s", got)
			}
			if got := c.call(1, "echo", "the id is free").text(); got != "1: the id is free" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"a cancelled call without a session": func(b *backend, c *client) {
			c.send(statelessCall(1, "wait", "first"))
			<-b.calls
			c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
			if got := <-b.calls; got != "cancelled" {
				c.t.Errorf("the tool: %s", got)
			}
			c.send(statelessCall(1, "echo", "next"))
			if m := c.next(); m.text() != "1: next" {
				c.t.Errorf("echo: %+v", m)
			}
		},
		"malformed lines": func(_ *backend, c *client) {
			c.initialize()
			for line, want := range map[string]int{
				"nonsense":                 jsonrpc.CodeParse,
				"[]":                       jsonrpc.CodeInvalidRequest,
				`{"jsonrpc":"2.0","id":1}`: jsonrpc.CodeInvalidRequest,
				`{"id":1,"method":"ping"}`: jsonrpc.CodeInvalidRequest,
				"\xff":                     jsonrpc.CodeParse,
				strings.Repeat("x", 1<<20): jsonrpc.CodeParse,
				`{"jsonrpc":"2.0","id":[1],"method":"ping"}`: jsonrpc.CodeInvalidRequest,
			} {
				c.send(line)
				if m := c.next(); m.Error == nil || m.Error.Code != want {
					c.t.Errorf("%.50q: %+v, want code %d", line, m, want)
				}
			}
			c.send("", `{"jsonrpc":"2.0","id":77,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/unheard-of"}`)
			if got := c.call(1, "echo", "still here").text(); got != "1: still here" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"an unknown method": func(_ *backend, c *client) {
			c.initialize()
			c.send(`{"jsonrpc":"2.0","id":1,"method":"frobnicate"}`)
			if m := c.next(); m.Error == nil || m.ID != 1.0 || m.Error.Code != jsonrpc.CodeMethodNotFound {
				c.t.Errorf("%+v", m)
			}
		},
		"calls when the input ends": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "wait", "first"))
			<-b.calls
			c.in.Close()
			close(b.hold)
			if left, err := c.finish(); err != nil || len(left) != 1 || left[0].text() != "done" {
				c.t.Errorf("left: %+v, %v", left, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBackend(t)
			story(b, run(t, Options{Connect: b.connect}))
		})
	}
}

// A call that does not end is answered when its time after the end of the input is over.
func TestDrainEnds(t *testing.T) {
	b := newBackend(t)
	c := run(t, Options{Connect: b.connect, Drain: time.Millisecond})
	c.initialize()
	c.send(toolCall(1, "wait", "first"))
	<-b.calls
	left, err := c.finish()
	if err != nil || len(left) != 1 || left[0].ID != 1.0 || !strings.Contains(left[0].text(), "being closed") {
		t.Errorf("left: %+v, %v", left, err)
	}
}

func TestServerEnds(t *testing.T) {
	for name, story := range map[string]func(*backend, *client){
		"between two calls": func(b *backend, c *client) {
			c.initialize()
			c.call(1, "echo", "")
			b.kill()
			if got := c.call(2, "echo", "hello").text(); got != "2: hello" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"between two calls without a session": func(b *backend, c *client) {
			c.send(statelessCall(1, "echo", ""))
			c.next()
			b.kill()
			c.send(statelessCall(2, "echo", "hello"))
			if m := c.next(); m.text() != "2: hello" {
				c.t.Errorf("echo: %+v", m)
			}
		},
		"during a call": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "wait", "first"))
			<-b.calls
			b.kill()
			for {
				m := c.next()
				if m.ID == 1.0 {
					if m.Error == nil || !strings.Contains(m.text(), "whether the call ran is unknown") {
						c.t.Errorf("the call: %+v", m)
					}
					break
				}
			}
			if got := c.call(2, "echo", "hello").text(); got != "2: hello" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"during a question": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "ask", "may I?"))
			question := c.next()
			b.kill()
			if m := c.next(); m.ID != 1.0 || m.Error == nil {
				c.t.Errorf("the call: %+v", m)
			}
			c.send(toolCall(2, "echo", "hello"))
			seen := map[string]bool{}
			for range 2 {
				m := c.next()
				if strings.HasSuffix(m.Method, "list_changed") {
					continue
				}
				seen[m.text()] = true
				if m.Method == "notifications/cancelled" && m.Params.RequestID != question.ID {
					c.t.Errorf("cancelled: %+v, want %v", m, question.ID)
				}
			}
			if !seen["notifications/cancelled"] {
				c.t.Errorf("the question is not withdrawn: %v", seen)
			}
		},
		"and cannot be started": func(b *backend, c *client) {
			c.initialize()
			b.mu.Lock()
			b.fail = errors.New("there is no room on the disk")
			b.mu.Unlock()
			b.kill()
			if m := c.call(1, "echo", ""); m.Error == nil || !strings.Contains(m.text(), "no room on the disk") {
				c.t.Errorf("echo: %+v", m)
			}
			b.mu.Lock()
			b.fail = nil
			b.mu.Unlock()
			if got := c.call(2, "echo", "hello").text(); got != "2: hello" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"and its session expires": func(b *backend, c *client) {
			c.initialize()
			c.call(1, "echo", "")
			b.mu.Lock()
			id := b.session
			b.mu.Unlock()
			r, err := http.NewRequestWithContext(c.t.Context(), http.MethodDelete, "http://localhost/mcp", nil)
			if err != nil {
				c.t.Fatal(err)
			}
			r.Header.Set(sessionHeader, id)
			transport := b.transport()
			res, err := transport.RoundTrip(r)
			if err != nil {
				c.t.Fatal(err)
			}
			res.Body.Close()
			transport.CloseIdleConnections()
			if got := c.call(2, "echo", "hello").text(); got != "1: hello" {
				c.t.Errorf("echo: %s", got)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBackend(t)
			story(b, run(t, Options{Connect: b.connect}))
		})
	}
}
