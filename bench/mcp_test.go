package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/mcpbridge"
	"ui-mcp/internal/transport/mcpserver"
	otherend "ui-mcp/internal/transport/peer"
)

// These benchmarks measure what a tool call costs beyond the SDK: the same trivial tool, in a
// separate process, behind our transports and behind the SDK's. Calls alternate between the two, so
// that other work on the machine affects both.

// echoEnv makes the test program an MCP server with one tool. Its value is the kind of server:
// "ours stdio", "bare http"...
const echoEnv = "UI_MCP_BENCH_ECHO"

type echoInput struct {
	Text string `json:"text" jsonschema:"what to say"`
}

// serveEcho runs that server until its standard input ends.
func serveEcho(kind string) error {
	log := slog.New(slog.DiscardHandler)
	var ours *mcpserver.Server
	var s *mcp.Server
	maker, transport, _ := strings.Cut(kind, " ")
	if maker == "ours" {
		ours = mcpserver.New(mcpserver.Options{Name: "echo", Version: "0", Logger: log})
		mcpserver.AddTool(ours, mcpserver.Tool{
			Name: "echo", Description: "Says it.",
			Hints: mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		}, func(_ context.Context, in echoInput) (mcpserver.Result, error) { return mcpserver.Text(in.Text), nil })
	} else {
		s = mcp.NewServer(&mcp.Implementation{Name: "echo", Version: "0"}, nil)
		mcp.AddTool(s, &mcp.Tool{Name: "echo", Description: "Says it."}, func(_ context.Context, _ *mcp.CallToolRequest, in echoInput) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.Text}}}, nil, nil
		})
	}
	if socket, ok := strings.CutPrefix(transport, "bridge "); ok {
		return mcpbridge.Serve(context.Background(), mcpbridge.Options{In: os.Stdin, Out: os.Stdout, Log: log, Connect: func(context.Context) (io.ReadWriteCloser, error) {
			return net.Dial("unix", socket)
		}})
	}
	if transport == "stdio" {
		if maker == "ours" {
			return mcpserver.Serve(context.Background(), ours, &mcpserver.Stdio{In: os.Stdin, Out: os.Stdout, Log: log})
		}
		return s.Run(context.Background(), &mcp.StdioTransport{})
	}
	if socket, ok := strings.CutPrefix(transport, "lines "); ok {
		return serveLines(mcpserver.NewHTTP(ours, mcpserver.HTTPOptions{Log: log}), socket)
	}
	var h http.Handler
	if maker == "ours" {
		mux := http.NewServeMux()
		for pattern, route := range mcpserver.NewHTTP(ours, mcpserver.HTTPOptions{Log: log}).Routes() {
			mux.Handle(pattern, route)
		}
		h = gate.Pages(mux, gate.PageOptions{})
	} else {
		h = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: transport == "stateless"})
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	endWithInput()
	fmt.Printf("http://%s/mcp\n", l.Addr())
	// As both commands do, look up once for each connection whose program is at the other end.
	server := &http.Server{Handler: h, ConnContext: otherend.NewContext}
	return server.Serve(l)
}

// endWithInput ends the process when its standard input does.
func endWithInput() {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
}

// serveLines serves bridges on a Unix socket.
func serveLines(h *mcpserver.HTTP, socket string) error {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	endWithInput()
	fmt.Println(socket)
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			_ = h.ServeLines(context.Background(), conn, []byte(mcpbridge.Farewell), 0) // the bridge has ended
		}()
	}
}

// An echo is such a server, with a client that does as little as possible.
type echo struct {
	b    *testing.B
	in   io.Writer
	out  *bufio.Reader
	url  string // "" over standard streams
	head http.Header
}

func startEcho(b *testing.B, maker, transport string) *echo {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), echoEnv+"="+maker+" "+transport)
	in, out := piped(b, cmd)
	b.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			b.Errorf("the %s server on %s ended badly: %v", maker, transport, err)
		}
	})
	e := &echo{b: b, in: in, out: bufio.NewReader(out), head: http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
	}}
	if transport != "stdio" && !strings.HasPrefix(transport, "bridge ") {
		line, err := e.out.ReadString('\n')
		if err != nil {
			b.Fatal(err)
		}
		e.url = strings.TrimSpace(line)
	}
	if strings.HasPrefix(transport, "lines ") {
		return e // for bridges only
	}
	if transport == "stateless" {
		e.head.Set("MCP-Protocol-Version", "2026-07-28")
		e.head.Set("Mcp-Method", "tools/call")
		e.head.Set("Mcp-Name", "echo")
		return e
	}
	e.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}`)
	const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	if e.url != "" {
		e.send(initialized)
	} else if _, err := io.WriteString(in, initialized+"\n"); err != nil {
		b.Fatal(err)
	}
	return e
}

// send sends a message and returns the reply.
func (e *echo) send(message string) []byte {
	if e.url == "" {
		if _, err := io.WriteString(e.in, message+"\n"); err != nil {
			e.b.Fatal(err)
		}
		line, err := e.out.ReadBytes('\n')
		if err != nil {
			e.b.Fatal(err)
		}
		return line
	}
	req, err := http.NewRequestWithContext(e.b.Context(), http.MethodPost, e.url, strings.NewReader(message))
	if err != nil {
		e.b.Fatal(err)
	}
	req.Header = e.head
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		e.b.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || res.StatusCode >= 300 {
		e.b.Fatalf("%s: %d %s, %v", message, res.StatusCode, body, err)
	}
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		e.head.Set("Mcp-Session-Id", id)
	}
	return body
}

// call calls the tool and returns how long it took.
func (e *echo) call(id int) time.Duration {
	meta := ""
	if e.head.Get("Mcp-Method") != "" {
		meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	}
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}%s}}`, id, meta)
	start := time.Now()
	answer := e.send(message)
	took := time.Since(start)
	i, j := bytes.IndexByte(answer, '{'), bytes.LastIndexByte(answer, '}')
	var msg struct {
		ID     int
		Result struct{ Content []struct{ Text string } }
	}
	if i < 0 || json.Unmarshal(answer[i:j+1], &msg) != nil || msg.ID != id || len(msg.Result.Content) != 1 || msg.Result.Content[0].Text != "hello" {
		e.b.Fatalf("answer to %d: %s", id, answer)
	}
	return took
}

// BenchmarkBridge reports how long a call takes through a bridge to a server on a Unix socket,
// absolutely and relative to the SDK's servers on standard streams and over HTTP.
func BenchmarkBridge(b *testing.B) {
	dir := testkit.ShortDir(b)
	socket := filepath.Join(dir, "s")
	startEcho(b, "ours", "lines "+socket)
	peers := []*echo{startEcho(b, "ours", "bridge "+socket), startEcho(b, "bare", "stdio"), startEcho(b, "bare", "session")}
	took := make([]stopwatch, len(peers))
	for id := range 200 { // until the heaps have grown
		for _, peer := range peers {
			peer.call(id + 1)
		}
	}
	for id := 1000; b.Loop(); id++ {
		for i := range peers { // each comes after each of the others
			i = (i*(1+id%2) + id/2) % len(peers)
			took[i] = append(took[i], peers[i].call(id))
		}
	}
	took[0].report(b)
	took[0].than(b, took[1], "of-bare-SDK")
	took[0].than(b, took[2], "of-bare-SDK-over-HTTP")
}

// BenchmarkToolCall reports how long a call takes behind our transports, absolutely and relative to
// the SDK's.
func BenchmarkToolCall(b *testing.B) {
	for _, transport := range []string{"stdio", "session", "stateless"} {
		b.Run(transport, func(b *testing.B) {
			ours, bare := startEcho(b, "ours", transport), startEcho(b, "bare", transport)
			for id := range 200 { // until the heaps have grown
				ours.call(id)
				bare.call(id)
			}
			var o, r stopwatch
			for id := 1000; b.Loop(); id++ {
				if id%2 == 0 { // the second one may find the processor awake
					o, r = append(o, ours.call(id)), append(r, bare.call(id))
				} else {
					r, o = append(r, bare.call(id)), append(o, ours.call(id))
				}
			}
			o.report(b)
			o.than(b, r, "of-bare-SDK")
		})
	}
}
