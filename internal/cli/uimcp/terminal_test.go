package uimcp

import (
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/termask"
	"ui-mcp/internal/transport/mcpterm"
)

// With the toolset terminal, agents work in sessions of this process, beside the app.
func TestToolsets(t *testing.T) {
	t.Setenv("SHELL", "/bin/sh")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	quiet := slog.New(slog.DiscardHandler)
	broker := persons.Broker(t, popup.Options{})
	claim := newClaim(quiet)
	defer func() {
		if err := claim.Release(); err != nil {
			t.Error(err)
		}
	}()
	terminal, err := newShells(appConfig{env: env{version: "dev"}, Log: quiet}, claim, broker, func() termask.Rule { return termask.Off }, func() string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		toolsets []toolset
		prefixes string
		tools    int
	}{
		{[]toolset{uiTools}, "ui", 11}, {[]toolset{terminalTools}, "wsh", 14}, {[]toolset{uiTools, terminalTools}, "ui wsh", 25},
	} {
		var with *mcpterm.Face
		if strings.Contains(tt.prefixes, "wsh") {
			with = terminal.newFace(nil)
		}
		s, _ := newServer(noisy{}, nil, "dev", quiet, tt.toolsets, with, nil)
		c := testkit.InMemory(t, s.Server, nil, "")
		list, err := c.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != tt.tools {
			t.Errorf("%v: %v, %v", tt.toolsets, list, err)
		}
		for _, tool := range list.Tools {
			if prefix, _, _ := strings.Cut(tool.Name, "_"); !strings.Contains(tt.prefixes, prefix) {
				t.Errorf("%v: %s", tt.toolsets, tool.Name)
			}
		}
		if with != nil {
			for _, step := range []struct{ tool, args, want string }{
				{"wsh_create_session", `{"name":"s","command":"echo hel''lo; cat"}`, `"session":"s"`},
				{"wsh_await_quiesce", `{"session":"s","wait_for":"hello"}`, "hello"},
				{"wsh_manage_session", `{"session":"s","action":"kill"}`, `"success":true`},
			} {
				res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: step.tool, Arguments: json.RawMessage(step.args)})
				if err != nil || res.IsError || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, step.want) {
					t.Errorf("%s: %v, %v", step.tool, res, err)
				}
			}
		}
		c.Close()
	}
	terminal.close()
	if _, err := os.Stat(terminal.scripts); !os.IsNotExist(err) {
		t.Errorf("a folder is left behind: %v", err)
	}
}
