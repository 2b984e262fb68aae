//go:build unix

package wsh

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// With --confirm, the bridge's client asks the person before a line that matches is entered, in
// both protocol eras. A client without dialogs is refused.
func TestConfirm(t *testing.T) {
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
					<-time.After(500 * time.Millisecond) // a person needs that
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
	cmd := exec.Command(os.Args[0], "mcp", "--confirm", `\brm\b`)
	cmd.Env = append(os.Environ(), "WSH_TEST=run", "SHELL=/bin/sh")
	c, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, o).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: version})
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
