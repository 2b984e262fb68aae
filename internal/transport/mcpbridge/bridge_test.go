package mcpbridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
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

	mu       sync.Mutex // guards the fields below
	listener net.Listener
	http     *mcpserver.HTTP
	conns    map[net.Conn]struct{}
	serving  sync.WaitGroup
	starts   int
	fail     error
	calls    chan string // names of calls of the tool "wait"
	hold     chan struct{}
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
				return mcpserver.Result{}, context.Cause(ctx)
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
	l, err := net.Listen("unix", b.socket)
	if err != nil {
		b.t.Fatal(err)
	}
	b.listener, b.conns = l, map[net.Conn]struct{}{}
	handlers, conns := b.http, b.conns
	b.serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			b.mu.Lock()
			conns[conn] = struct{}{}
			b.mu.Unlock()
			b.serving.Go(func() {
				log.Debug("a connection has ended", "why", handlers.ServeLines(context.Background(), conn, []byte(Farewell)))
				conn.Close()
				b.mu.Lock()
				defer b.mu.Unlock()
				delete(conns, conn)
			})
		}
	})
}

// connect is the bridge's Connect.
func (b *backend) connect(context.Context) (io.ReadWriteCloser, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return nil, b.fail
	}
	if b.listener == nil {
		b.startLocked()
	}
	return net.Dial("unix", b.socket)
}

// connected returns how many connections the server has.
func (b *backend) connected() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.conns)
}

// kill ends the server as if it were killed: connections break.
func (b *backend) kill() { b.end(true) }

// stop ends the server in order.
func (b *backend) stop() { b.end(false) }

func (b *backend) end(kill bool) {
	b.mu.Lock()
	l, handlers, conns := b.listener, b.http, slices.Collect(maps.Keys(b.conns))
	b.listener = nil
	b.mu.Unlock()
	if l == nil {
		return
	}
	l.Close()
	for _, conn := range conns {
		if kill {
			conn.Close()
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait.Patience)
	defer cancel()
	if err := handlers.Close(ctx); err != nil {
		b.t.Errorf("close the server: %v", err)
	}
	b.serving.Wait()
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

// post is send for lines that the bridge may read only after the test has done something else.
func (c *client) post(lines ...string) {
	go func() {
		for _, line := range lines {
			if _, err := io.WriteString(c.in, line+"\n"); err != nil {
				c.t.Error(err)
			}
		}
	}()
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
			wait.Until(c.t, "the connection is closed", func() bool { return b.connected() == 0 })
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
			// The server may still be busy with that call.
			if m := c.call(1, "echo", "the same id"); m.Error == nil || !strings.Contains(m.text(), "was cancelled; use another") {
				c.t.Errorf("the id of a cancelled call: %+v", m)
			}
			if got := c.call(2, "echo", "next").text(); got != "1: next" {
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
			c.send(statelessCall(2, "echo", "next"))
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
		"in order, between two calls": func(b *backend, c *client) {
			c.initialize()
			c.call(1, "echo", "")
			b.stop()
			if got := c.call(2, "echo", "hello").text(); got != "2: hello" {
				c.t.Errorf("echo: %s", got)
			}
		},
		"in order, during a call": func(b *backend, c *client) {
			c.initialize()
			c.send(toolCall(1, "wait", "first"))
			<-b.calls
			b.stop()
			if m := c.next(); m.ID != 1.0 || !strings.Contains(m.text(), "the server is stopping") {
				c.t.Errorf("the call: %+v", m)
			}
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
			if m := c.next(); m.Method != "notifications/cancelled" || m.Params.RequestID != question.ID {
				c.t.Errorf("the question %v is not withdrawn: %+v", question.ID, m)
			}
			if m := c.next(); m.ID != 1.0 || m.Error == nil {
				c.t.Errorf("the call: %+v", m)
			}
			c.send(toolCall(2, "ask", "may I?"))
			second := c.next()
			for strings.HasSuffix(second.Method, "list_changed") {
				second = c.next()
			}
			if second.Method != "elicitation/create" || second.ID == question.ID {
				c.t.Fatalf("the second question: %+v, after %+v", second, question)
			}
			answer := func(id any, action string) {
				text, _ := json.Marshal(id)
				c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":%q}}`, text, action))
			}
			answer(question.ID, "accept") // it was on its way when the server ended
			answer(second.ID, "decline")
			if m := c.next(); m.ID != 2.0 || m.text() != "decline" {
				c.t.Errorf("the second question was answered with %+v", m)
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
	} {
		t.Run(name, func(t *testing.T) {
			b := newBackend(t)
			story(b, run(t, Options{Connect: b.connect}))
		})
	}
}

// A scripted server is the other end of a bridge's connection.
type scripted struct {
	t     *testing.T
	conn  net.Conn
	lines *jsonrpc.LineReader
}

// runScripted starts a bridge, to whose servers the test answers itself.
func runScripted(t *testing.T) (*client, func() *scripted) {
	conns := make(chan net.Conn, 10)
	c := run(t, Options{Connect: func(ctx context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		t.Cleanup(func() { theirs.Close() })
		conns <- theirs
		return ours, nil
	}})
	return c, func() *scripted {
		conn := <-conns
		return &scripted{t, conn, jsonrpc.NewLineReader(conn, maxMessage)}
	}
}

// read returns the method or, of a response, the result of the next message, and its id.
func (s *scripted) read() (what, id string) {
	s.t.Helper()
	line, err := s.lines.Next()
	if err != nil {
		s.t.Fatal(err)
	}
	var m struct {
		ID             json.RawMessage
		Method         string
		Params, Result json.RawMessage
	}
	if err := json.Unmarshal(line, &m); err != nil {
		s.t.Fatalf("%s: %v", line, err)
	}
	if m.Method == "" {
		return string(m.Result), string(m.ID)
	}
	return m.Method, string(m.ID)
}

func (s *scripted) write(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.conn, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scripted) answer(id, result string) {
	s.t.Helper()
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result))
}

func (s *scripted) expect(want string) (id string) {
	s.t.Helper()
	what, id := s.read()
	if what != want {
		s.t.Fatalf("the server got %s, want %s", what, want)
	}
	return id
}

func request(id int, method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"name":"x","uri":"test:x"}}`, id, method)
}

// A server that says farewell has not run the calls that it left unanswered: another one does, in
// order, after the handshake and everything that belongs to it.
func TestFarewell(t *testing.T) {
	c, server := runScripted(t)
	c.post(initialize, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, request(1, "resources/subscribe"), request(2, "logging/setLevel"), request(3, "resources/subscribe"))
	one := server()
	one.answer(one.expect("initialize"), `{"capabilities":{"tools":{"listChanged":true}}}`)
	one.expect("notifications/initialized")
	for range 2 {
		_, id := one.read()
		one.answer(id, "{}")
	}
	id := one.expect("resources/subscribe")
	one.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no"}}`, id))
	for range 4 {
		c.next() // the answers
	}
	c.post(request(4, "tools/call"), request(5, "tools/call"), request(6, "ping"))
	for range 3 {
		one.read()
	}
	one.answer("5", `{"content":[{"text":"five"}]}`)
	one.write(Farewell)
	one.conn.Close()
	if m := c.next(); m.ID != 5.0 || m.text() != "five" {
		t.Errorf("answered before the farewell: %+v", m)
	}
	two := server()
	if id = two.expect("initialize"); id == "0" {
		t.Error("the handshake is repeated with the client's id")
	}
	two.answer(id, `{"capabilities":{"tools":{"listChanged":true}}}`)
	two.expect("notifications/initialized")
	two.expect("logging/setLevel")
	two.answer(two.expect("resources/subscribe"), "{}")
	for _, want := range []string{"4 tools/call", "6 ping"} {
		if what, id := two.read(); id+" "+what != want {
			t.Errorf("the second server got %s %s, want %s", id, what, want)
		}
	}
	two.answer("6", "{}")
	two.answer("4", `{"content":[{"text":"four"}]}`)
	for _, want := range []string{"notifications/tools/list_changed", "result", "four"} {
		if got := c.next().text(); got != want {
			t.Errorf("the client got %s, want %s", got, want)
		}
	}
	if left, err := c.finish(); err != nil || len(left) > 0 {
		t.Errorf("at the end: %+v, %v", left, err)
	}
}

// A server that reads nothing holds up the client for a bounded time. The end of the input is
// noticed then, and the call gets an answer.
func TestServerReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		c := run(t, Options{Connect: func(context.Context) (io.ReadWriteCloser, error) { return near, nil }})
		start := time.Now()
		c.send(request(1, "tools/call"))
		left, err := c.finish()
		if took := time.Since(start); err != nil || took != writeTime {
			t.Errorf("the bridge ended after %v, %v", took, err)
		}
		if len(left) != 1 || left[0].ID != 1.0 || !strings.Contains(left[0].text(), "did not run: the server has read nothing") {
			t.Errorf("the client got %+v", left)
		}
	})
}

// Another server that does not answer the handshake holds up calls for a bounded time.
func TestServerIgnoresHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conns := make(chan net.Conn, 2)
		c := run(t, Options{Connect: func(context.Context) (io.ReadWriteCloser, error) {
			near, far := net.Pipe()
			conns <- far
			return near, nil
		}})
		c.post(initialize)
		one := <-conns
		if _, err := jsonrpc.NewLineReader(one, maxMessage).Next(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(one, `{"jsonrpc":"2.0","id":0,"result":{}}`+"\n"); err != nil {
			t.Fatal(err)
		}
		if m := c.next(); m.ID != 0.0 || m.Error != nil {
			t.Fatalf("initialize: %+v", m)
		}
		one.Close()
		synctest.Wait() // the bridge has noticed
		start := time.Now()
		c.post(request(1, "tools/call"))
		two := <-conns
		defer two.Close()
		if _, err := jsonrpc.NewLineReader(two, maxMessage).Next(); err != nil {
			t.Fatal(err)
		}
		if m := c.next(); m.ID != 1.0 || !strings.Contains(m.text(), "did not run: another server") {
			t.Errorf("the client got %+v", m)
		}
		if took := time.Since(start); took != repeatTime {
			t.Errorf("it took %v", took)
		}
	})
}

// A call that may run twice is sent again once when its answer was lost; a call of a tool is not.
func TestLost(t *testing.T) {
	c, server := runScripted(t)
	c.post(request(1, "tools/list"), request(2, "tools/call"), request(3, "tools/call"))
	one := server()
	for range 3 {
		one.read()
	}
	c.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	one.expect("notifications/cancelled")
	one.conn.Close()
	if m := c.next(); m.ID != 2.0 || !strings.Contains(m.text(), "whether the call ran is unknown") {
		t.Errorf("the call of a tool: %+v", m)
	}
	two := server()
	two.expect("tools/list")
	two.conn.Close()
	if m := c.next(); m.ID != 1.0 || m.Error == nil {
		t.Errorf("lost twice: %+v", m)
	}
	if left, err := c.finish(); err != nil || len(left) > 0 {
		t.Errorf("at the end: %+v, %v", left, err)
	}
}

// Requests of the server have ids of the bridge's own, in both directions.
func TestQuestions(t *testing.T) {
	c, server := runScripted(t)
	c.post(request(1, "ping"))
	s := server()
	s.expect("ping")
	s.write(`{"jsonrpc":"2.0","id":"a","method":"roots/list"}`)
	s.write(`{"jsonrpc":"2.0","id":7,"method":"roots/list"}`)
	first, second := c.next(), c.next()
	s.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"enough"}}`)
	if m := c.next(); m.Method != "notifications/cancelled" || m.Params.RequestID != first.ID || first.ID == second.ID {
		t.Errorf("withdrawn: %+v; the questions are %v and %v", m, first.ID, second.ID)
	}
	c.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":"late"}`, first.ID), fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":"second"}`, second.ID),
		fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":"twice"}`, second.ID), request(2, "ping"))
	if what, id := s.read(); what != `"second"` || id != "7" {
		t.Errorf("the server got %s for %s", what, id)
	}
	s.expect("ping")
}

// Malformed messages of the server are not passed on.
func TestMalformedServer(t *testing.T) {
	c, server := runScripted(t)
	c.post(request(1, "ping"))
	s := server()
	s.expect("ping")
	for _, line := range []string{"nonsense", "[]", `{"id":1,"result":{}}`, "\xff", `{"jsonrpc":"2.0","id":99,"result":{}}`, `{"jsonrpc":"2.0","id":null,"result":{}}`} {
		s.write(line)
	}
	s.answer("1.0", `{"content":[{"text":"good"}]}`)
	if m := c.next(); m.text() != "good" {
		t.Errorf("the client got %+v", m)
	}
}
