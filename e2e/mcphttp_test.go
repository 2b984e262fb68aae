package e2e

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/testkit/wait"
)

// An agent may use the MCP port instead of the standard streams, in both eras and over SSE, finds
// the same app there, is notified when a resource changes, and may close the port over which its
// call came.
func TestMCPOverHTTP(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	for name, tt := range map[string]struct {
		path, revision string
		transport      func(address string) mcp.Transport
	}{
		"sessions":  {"/mcp", "2025-11-25", func(at string) mcp.Transport { return &mcp.StreamableClientTransport{Endpoint: at} }},
		"stateless": {"/mcp", "2026-07-28", func(at string) mcp.Transport { return &mcp.StreamableClientTransport{Endpoint: at} }},
		"sse":       {"/sse", "2025-11-25", func(at string) mcp.Transport { return &mcp.SSEClientTransport{Endpoint: at} }},
	} {
		t.Run(name, func(t *testing.T) {
			s.ok("ui_start", nil)
			s.run("count = 7")
			updates := make(chan string, 1)
			client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "0"}, &mcp.ClientOptions{
				ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
					select {
					case updates <- req.Params.URI:
					default: // one is enough
					}
				},
			})
			session := testkit.Client(t, client, tt.transport(s.agentURL(tt.path)), tt.revision)
			result := session.InitializeResult()
			if got := result.ProtocolVersion; got != tt.revision {
				t.Errorf("the client speaks %s, want %s", got, tt.revision)
			}
			if result.Capabilities.Extensions["io.modelcontextprotocol/ui"] == nil {
				t.Errorf("views are not declared: %v", result.Capabilities.Extensions)
			}
			over := &server{t: t, mcp: session}
			over.returns("return count", "7")
			over.fails("Server already running", "ui_start", nil)
			if name != "stateless" {
				if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "ui://state"}); err != nil {
					t.Fatal(err)
				}
				s.run("mcp.value = {note = 1}")
				if uri := wait.For(t, "the update", updates); uri != "ui://state" {
					t.Errorf("update of %s", uri)
				}
			}
			if status, body := get(t, s.agentURL(tt.path), "Origin", "https://evil.example"); status != http.StatusForbidden {
				t.Errorf("for a page of another site: %d %q", status, body)
			}
			by := over
			if tt.path == "/sse" {
				by = s // the SDK's client may overlook an answer with which the stream ends
			}
			if got := by.ok("ui_configure", map[string]any{"base_dir": s.dir}); !strings.Contains(got, s.dir) {
				t.Errorf("ui_configure = %s", got)
			}
			_ = session.Close() // the server may have closed it
			if st := s.status(); st.State != "configured" {
				t.Errorf("the state is %s", st.State)
			}
		})
	}
}
