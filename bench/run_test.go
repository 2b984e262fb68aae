//go:build linux

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"os"
	"testing"
	"time"

	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpterm"
)

// A bareShell is the bash that sessions start, on a pseudo-terminal that a plain reader reads.
type bareShell struct {
	b       *testing.B
	process *pty.Process
	unread  []byte
}

// promptEnd is what the shell writes after its prompt.
const promptEnd = "\x1b]133;B"

func startBareShell(b *testing.B) *bareShell {
	b.Helper()
	scripts, err := shell.Install(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.TempDir(), "LANG=C.UTF-8", "TERM=xterm-256color"}
	how, err := scripts.Start("/bin/bash", func(string) (string, bool) { return "", false })
	if err != nil {
		b.Fatal(err)
	}
	for name, value := range how.Env {
		environ = append(environ, name+"="+value)
	}
	p, err := pty.Start(pty.Options{Path: how.Path, Args: how.Args, Dir: b.TempDir(), Env: environ, Cols: termCols, Rows: termRows})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := p.Close(); err != nil {
			b.Error(err)
		}
	})
	s := &bareShell{b: b, process: p}
	s.prompt()
	return s
}

// prompt reads up to the end of the next prompt.
func (s *bareShell) prompt() {
	chunk := make([]byte, 4096)
	for {
		if i := bytes.Index(s.unread, []byte(promptEnd)); i >= 0 {
			s.unread = s.unread[i+len(promptEnd):]
			return
		}
		n, err := s.process.Read(chunk)
		if err != nil {
			s.b.Fatalf("before the prompt: %v", err)
		}
		s.unread = append(s.unread, chunk[:n]...)
	}
}

// run enters a line, and returns when the next prompt is there.
func (s *bareShell) run(line string) {
	if _, err := io.WriteString(s.process, line+"\r"); err != nil {
		s.b.Fatal(err)
	}
	s.prompt()
}

// lineClient is a client of the terminals' tools on a connection, which does as little as possible.
type lineClient struct {
	b    *testing.B
	conn net.Conn
	in   *json.Decoder
}

// serveTools serves the tools of terminals on a connection in this process.
func serveTools(b *testing.B) *lineClient {
	b.Helper()
	log := slog.New(slog.DiscardHandler)
	local := terminals.NewLocal(termRegistry(b), terminals.Host{Name: "host"})
	face := mcpterm.New(mcpterm.Options{Terminals: local, Grant: func(context.Context) terminals.Grant { return terminals.Everything }})
	s := mcpserver.New(mcpserver.Options{Name: "wsh", Version: "0", Logger: log, Tune: face.Tune})
	face.Register(s)
	h := mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Log: log})
	client, server := net.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- h.ServeLines(context.Background(), server, []byte(`{"jsonrpc":"2.0","method":"end"}`), 0)
	}()
	b.Cleanup(func() {
		client.Close()
		<-ended // the client has disconnected
		if err := h.Close(context.Background()); err != nil {
			b.Error(err)
		}
	})
	return &lineClient{b, client, json.NewDecoder(client)}
}

// call calls a tool without a session of MCP, and returns its structured content.
func (c *lineClient) call(tool, arguments string, v any) {
	c.b.Helper()
	_, err := io.WriteString(c.conn, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n")
	if err != nil {
		c.b.Fatal(err)
	}
	var answer struct {
		ID     any
		Method string
		Error  json.RawMessage
		Result struct {
			IsError           bool
			StructuredContent json.RawMessage
			Content           []json.RawMessage
		}
	}
	for answer.ID == nil {
		if err := c.in.Decode(&answer); err != nil {
			c.b.Fatal(err)
		}
	}
	if answer.Error != nil || answer.Result.IsError {
		c.b.Fatalf("%s: %s %s", tool, answer.Error, answer.Result.Content)
	}
	if err := json.Unmarshal(answer.Result.StructuredContent, v); err != nil {
		c.b.Fatal(err)
	}
}

// BenchmarkRunTrue measures wsh_run_command of "true" beside the same shell with a plain reader,
// from the line to the next prompt. Both alternate, so that a busy machine slows both.
func BenchmarkRunTrue(b *testing.B) {
	bare, client := startBareShell(b), serveTools(b)
	var session struct{ Session string }
	client.call("wsh_create_session", `{"name":"a"}`, &session)
	var alone, tool, beyond stopwatch
	for b.Loop() {
		start := time.Now()
		bare.run("true")
		between := time.Now()
		var run struct {
			State    string
			ExitCode *int `json:"exit_code"`
		}
		client.call("wsh_run_command", `{"session":"a","input":"true"}`, &run)
		end := time.Now()
		if run.State != "done" || run.ExitCode == nil || *run.ExitCode != 0 {
			b.Fatalf("the run: %+v", run)
		}
		alone, tool = append(alone, between.Sub(start)), append(tool, end.Sub(between))
		beyond = append(beyond, end.Sub(between)-between.Sub(start))
	}
	for name, took := range map[string]stopwatch{"bare-": alone, "tool-": tool, "beyond-": beyond} {
		took.report(b, name)
	}
}
