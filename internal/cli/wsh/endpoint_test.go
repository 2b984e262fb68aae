package wsh

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/mcpcases"
)

// At /mcp, in both protocol eras, callers have the tools that their token allows.
func TestMCP(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	address, _ := serve(t, "--bind", "127.0.0.1:0", "--token", "0123456789abcdef")
	owner := "Authorization: Bearer 0123456789abcdef"
	_, body := ask(t, overTCP(t, nil), "POST", address+"/auth/tokens", `{"rights":["read"]}`, owner)
	var issued struct{ Token string }
	if err := json.Unmarshal([]byte(body), &issued); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		reader := connectMCP(t, address, issued.Token, version, "c", nil)
		list, err := reader.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 4 {
			t.Errorf("%s: a reader has %v, %v", version, list, err)
		}
		res, err := reader.CallTool(t.Context(), &mcp.CallToolParams{Name: "wsh_create_session"})
		if err != nil || !res.IsError {
			t.Errorf("%s: a reader creates a session: %v, %v", version, res, err)
		}
	}
}

// The cases of the specification, over Streamable HTTP in both protocol eras. Package mcpserver has
// in what these differ.
func TestMCPCases(t *testing.T) {
	load.Sequential(t)
	t.Parallel()
	runtimeDir(t)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			if version > "2026" && !load.All() {
				t.Skip("left to make check")
			}
			t.Parallel()
			address, _ := serve(t, "-L", "cases-"+version, "--bind", "127.0.0.1:0")
			var n mcpcases.Notices
			mcpcases.Run(t, connectMCP(t, address, "", version, "c", n.Options()), &n)
		})
	}
}

// Each client of MCP has a limit of sessions of its own, in both protocol eras.
func TestMaxAgentSessions(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	address, _ := serve(t, "--bind", "127.0.0.1:0", "--max-agent-sessions", "2")
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		create := func(c *mcp.ClientSession, ok bool) {
			t.Helper()
			res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "wsh_create_session", Arguments: json.RawMessage(`{"command":"cat"}`)})
			if err != nil || res.IsError == ok {
				t.Errorf("%s: a session: %v, %v", version, res, err)
				return
			}
			if text := res.Content[0].(*mcp.TextContent).Text; !ok && !strings.Contains(text, "2 sessions of yours") {
				t.Errorf("%s: refused with %s", version, text)
			}
		}
		one, other := connectMCP(t, address, "", version, "one "+version, nil), connectMCP(t, address, "", version, "other "+version, nil)
		create(one, true)
		create(one, true)
		create(one, false)
		create(other, true)
		list, err := one.CallTool(t.Context(), &mcp.CallToolParams{Name: "wsh_list_sessions"})
		if err != nil {
			t.Fatal(err)
		}
		var sessions []struct{ Name string }
		if err := json.Unmarshal([]byte(list.Content[0].(*mcp.TextContent).Text), &sessions); err != nil || len(sessions) == 0 {
			t.Fatalf("%v, %v", list, err)
		}
		// Another client kills them all, and the limit is free again.
		for _, s := range sessions {
			args := map[string]string{"session": s.Name, "action": "kill"}
			if res, err := other.CallTool(t.Context(), &mcp.CallToolParams{Name: "wsh_manage_session", Arguments: args}); err != nil || res.IsError {
				t.Errorf("kill: %v, %v", res, err)
			}
		}
		create(one, true)
		create(one, true)
		create(one, false)
		if version >= "2026" {
			continue
		}
		// A client that comes back has a new MCP session.
		if err := one.Close(); err != nil {
			t.Error(err)
		}
		create(connectMCP(t, address, "", version, "one "+version, nil), true)
	}
}

// connectMCP connects a client of MCP to a server.
func connectMCP(t *testing.T, address, token, version, name string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	h := overTCP(t, nil)
	h.Transport = withToken{h.Transport, token}
	c := mcp.NewClient(&mcp.Implementation{Name: name, Version: "0"}, o)
	s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: address + "/mcp", HTTPClient: h}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // the server may have stopped
	return s
}

// withToken adds a token to requests.
type withToken struct {
	next  http.RoundTripper
	token string
}

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if w.token != "" {
		r.Header.Set("Authorization", "Bearer "+w.token)
	}
	return w.next.RoundTrip(r)
}
