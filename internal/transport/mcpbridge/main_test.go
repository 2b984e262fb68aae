package mcpbridge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"ui-mcp/internal/testkit"

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
	dir := testkit.ShortDir(t)
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
				if release, ok := handlers.Reserve(); ok {
					log.Debug("a connection has ended", "why", handlers.ServeLines(context.Background(), conn, []byte(Farewell), 0))
					release()
				}
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
