//go:build linux || darwin

package wsh

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/cli/join"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/testkit/wait"
)

// With --confirm, the bridge's client asks the person before a line that matches is entered, in
// both protocol eras. A client without dialogs is refused.
func TestConfirm(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	startBridge(t).initialize().must("wsh_create_session", `{"name":"s","command":"bash --norc"}`) // keeps the server
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			var answer, shown atomic.Value
			answer.Store("refuse")
			asking := connectConfirming(t, version, &mcp.ClientOptions{
				Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}},
				ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					shown.Store(req.Params.Message)
					wait.Pause(wait.Reading)
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": answer.Load()}}, nil
				},
			})
			run := func(c *mcp.ClientSession, line, want string) {
				t.Helper()
				args, err := json.Marshal(map[string]string{"session": "s", "input": line})
				if err != nil {
					t.Fatal(err)
				}
				res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "wsh_run_command", Arguments: json.RawMessage(args)})
				if err != nil || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, want) {
					t.Errorf("%s: %v, %v; want %s", line, res, err, want)
				}
			}
			run(asking, "echo r''mx", `rmx\n`)
			run(asking, "echo rm refused", "the person refused this")
			if text, _ := shown.Load().(string); !strings.Contains(text, "echo rm refused") || !strings.Contains(text, `terminal "s"`) {
				t.Errorf("shown: %s", text)
			}
			answer.Store("allow")
			run(asking, "echo rm al''lowed", `rm allowed\n`)
			run(connectConfirming(t, version, nil), "echo rm x", "nobody can be asked")
		})
	}
}

// connectConfirming connects a client to a bridge that asks about lines with the word rm.
func connectConfirming(t *testing.T, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	cmd := wshCommand(t, "mcp", "--confirm", `\brm\b`)
	cmd.Env = append(cmd.Env, "SHELL=/bin/sh")
	c, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, o).Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: wait.Patience}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// A bridge of an earlier build uses a server only if that repeats the pattern.
func TestConfirmIsRepeated(t *testing.T) {
	d := newHost(t)
	conn, err := net.Dial("unix", filepath.Join(d.dir, "default.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, res, err := join.Upgrade(t.Context(), conn, caller.BridgePath, caller.BridgeProtocol, http.Header{caller.ConfirmHeader: {"rm"}})
	if err != nil || res.StatusCode != http.StatusSwitchingProtocols || res.Header.Get(caller.ConfirmHeader) != "rm" {
		t.Errorf("the answer is %v, %v", res, err)
	}
}

// A server that is started with --confirm asks about what programs send on every interface: a
// person at a terminal attached to the session answers, and nobody else can. What that person types
// is not asked about.
func TestConfirmOnServer(t *testing.T) {
	t.Parallel()
	d := newHost(t, "--confirm", `\brm\b`)
	d.create(`{"name":"s"}`)
	for name, status := range map[string]int{"an input": 409, "a command": 409, "a new session": 409} {
		path, body := map[string]string{"an input": "/sessions/s/input", "a command": "/sessions/s/run", "a new session": "/sessions"}[name],
			map[string]string{"an input": "echo rm\r", "a command": `{"line":"echo rm"}`, "a new session": `{"command":"echo rm"}`}[name]
		if got, answer := d.ask("POST", path, body); got != status || !strings.Contains(answer, "not_permitted") {
			t.Errorf("%s: %d %s", name, got, answer)
		}
	}
	if _, errs, status := wsh(t, "send", "s", "echo rm", "-k", "Enter"); status != 1 || !strings.Contains(errs, "nobody can be asked") {
		t.Errorf("wsh send: status %d: %s", status, errs)
	}
	must(t, "send", "s", "echo l''s", "-k", "Enter")

	p := sit(t, 60, 20, `"$WSH" attach s`)
	p.seesLine("ls")
	p.types("echo ty''ped rm\r")
	p.seesLine("typed rm")
	sent := make(chan int, 1)
	go func() {
		_, _, status := wsh(t, "send", "s", "echo all''owed rm", "-k", "Enter")
		sent <- status
	}()
	p.sees("1  Allow")
	p.sees("the command wsh")
	if status := pressAll(p, sent, "1", "\r"); status != 0 {
		t.Errorf("wsh send: status %d", status)
	}
	p.seesLine("allowed rm")
}
