//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/mcpcases"
	"ui-mcp/internal/testkit/wait"
)

// The cases of terminals over MCP, through "wsh mcp" and the server that it starts, in both
// protocol eras. Its tools have no views, which need a page.
func TestBridgeCases(t *testing.T) {
	load.Long(t, "wsh TestMCPCases runs the same cases over HTTP")
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			dir := shortDir(t)
			t.Cleanup(func() { stopServerOf(t, dir) })
			cmd := exec.Command("wsh", "mcp", "--bind", "127.0.0.1:0")
			cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "HOME="+dir)
			cmd.Stderr = os.Stderr
			var n mcpcases.Notices
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, n.Options())
			session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: wait.Patience}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := session.Close(); err != nil {
					t.Errorf("wsh mcp failed: %v", err)
				}
			})
			if ext := session.InitializeResult().Capabilities.Extensions; len(ext) > 0 {
				t.Errorf("it declares %v", ext)
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 14 {
				t.Errorf("the tools are %v (%v)", list, err)
			}
			for _, tool := range list.Tools {
				if tool.Meta["ui"] != nil || tool.Meta["ui/resourceUri"] != nil {
					t.Errorf("%s has the metadata of a view: %v", tool.Name, tool.Meta)
				}
			}
			mcpcases.Run(t, session, &n)
		})
	}
}
