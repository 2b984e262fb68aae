package e2e

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// overHTTP connects a client to each MCP endpoint at an address, and calls do with each.
func overHTTP(t *testing.T, address string, do func(t *testing.T, s *server)) {
	for name, endpoint := range map[string]struct {
		transport mcp.Transport
		revision  string
	}{
		"sessions":  {&mcp.StreamableClientTransport{Endpoint: address + "/mcp"}, "2025-11-25"},
		"stateless": {&mcp.StreamableClientTransport{Endpoint: address + "/mcp"}, "2026-07-28"},
		"sse":       {&mcp.SSEClientTransport{Endpoint: address + "/sse"}, "2025-11-25"},
	} {
		t.Run(name, func(t *testing.T) {
			client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "0"}, nil)
			session, err := client.Connect(t.Context(), endpoint.transport, &mcp.ClientSessionOptions{ProtocolVersion: endpoint.revision})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := session.Close(); err != nil {
					t.Errorf("Close = %v", err)
				}
			}()
			result := session.InitializeResult()
			if got := result.ProtocolVersion; got != endpoint.revision {
				t.Errorf("the client speaks %s, want %s", got, endpoint.revision)
			}
			if result.Capabilities.Extensions["io.modelcontextprotocol/ui"] == nil {
				t.Errorf("views are not declared: %v", result.Capabilities.Extensions)
			}
			do(t, &server{t: t, mcp: session})
		})
	}
}

// An agent may use the MCP port instead of the standard streams, in both eras and over SSE, and
// finds the same app there.
func TestMCPOverHTTP(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	s.ok("ui_start", nil)
	address := s.agentURL("")
	s.run("count = 0")
	overHTTP(t, address, func(t *testing.T, s *server) {
		if got := s.run("count = count + 1 return type(count)"); got != `"number"` {
			t.Errorf("ui_run = %s", got)
		}
		s.fails("Server already running", "ui_start", nil)
	})
	if got := s.run("return count"); got != "3" {
		t.Errorf("over standard streams count is %s, want 3", got)
	}

	for _, endpoint := range []string{"/mcp", "/sse"} {
		if status, body := get(t, address+endpoint, "Origin", "https://evil.example"); status != http.StatusForbidden {
			t.Errorf("%s for a page of another site: %d %q", endpoint, status, body)
		}
	}
}

// Subscribers over HTTP are notified when a resource changes.
func TestWatchOverHTTP(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	s.ok("ui_start", nil)
	for name, transport := range map[string]mcp.Transport{
		"sessions": &mcp.StreamableClientTransport{Endpoint: s.agentURL("/mcp")},
		"sse":      &mcp.SSEClientTransport{Endpoint: s.agentURL("/sse")},
	} {
		t.Run(name, func(t *testing.T) {
			updates := make(chan string, 1)
			client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "0"}, &mcp.ClientOptions{
				ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
					select {
					case updates <- req.Params.URI:
					default: // one is enough
					}
				},
			})
			session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "ui://state"}); err != nil {
				t.Fatal(err)
			}
			s.run(fmt.Sprintf("mcp.value = {note = %q}", name))
			if uri := <-updates; uri != "ui://state" {
				t.Errorf("update of %s", uri)
			}
		})
	}
}

// A call may close the port over which it came.
func TestConfigureOverHTTP(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		s.ok("ui_start", nil)
		client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "0"}, nil)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.agentURL("/mcp")}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
		if err != nil {
			t.Fatal(err)
		}
		over := &server{t: t, mcp: session}
		if got := over.ok("ui_configure", map[string]any{"base_dir": s.dir}); !strings.Contains(got, s.dir) {
			t.Errorf("%s: ui_configure = %s", revision, got)
		}
		_ = session.Close() // the server may have closed it
		if st := s.status(); st.State != "configured" {
			t.Errorf("%s: the state is %s", revision, st.State)
		}
	}
}
