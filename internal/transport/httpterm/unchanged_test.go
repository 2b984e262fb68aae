package httpterm_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpterm"
)

// An answered request of the API.
type answered struct {
	status      int
	contentType string
	body        string
}

func answeredBy(t *testing.T, h http.Handler, r *http.Request) answered {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(terminals.NewContext(r.Context(), terminals.Everything)))
	return answered{w.Code, w.Header().Get("Content-Type"), w.Body.String()}
}

// besideMCP returns the API of terminals, served together with MCP. An MCP client is connected that
// lists the sessions and subscribes to changes.
func besideMCP(t *testing.T, of terminals.Terminals) http.Handler {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	face := mcpterm.New(mcpterm.Options{Terminals: of, Grant: func(context.Context) terminals.Grant { return terminals.Everything }})
	s := mcpserver.New(mcpserver.Options{Name: "wsh", Version: "0", Logger: log, Tune: face.Tune})
	face.Register(s)
	ctx, stop := context.WithCancel(context.Background())
	notified := make(chan struct{})
	go func() {
		defer close(notified)
		face.Notify(ctx, s)
	}()
	overMCP := mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Log: log})
	mux := http.NewServeMux()
	mux.Handle("/mcp", overMCP.Routes()["/mcp"])
	mux.Handle("/", httpterm.New(of))
	server := httptest.NewServer(mux)
	c, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: server.URL + "/mcp", HTTPClient: server.Client()}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "wsh_list_sessions"}); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"wsh://sessions", "wsh://sessions/a/screen"} {
		// Not every case has the session.
		_ = c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri})
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		stop()
		<-notified
		if err := overMCP.Close(context.Background()); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	return mux
}

// representative are a case of a request that succeeds, and of some requests one that fails.
func representative(row httpterm.Row) (list []opcases.Case) {
	fails := []string{"session.get", "session.create", "input.send", "screen.get", "wait.text", "overlay.update"}
	have := map[bool]bool{}
	for _, c := range opcases.All {
		failing := c.Err != nil
		if c.Op == row.Op().Name && c.By == nil && !have[failing] && (!failing || slices.Contains(fails, c.Op)) {
			have[failing] = true
			list = append(list, c)
		}
	}
	return list
}

// The API is the same when MCP is served with it and has clients: it gives the answers that it
// gives alone, in TestCases.
func TestAPIUnchanged(t *testing.T) {
	each := func(t *testing.T, fails bool) {
		for _, row := range httpterm.Rows() {
			for _, c := range representative(row) {
				if (c.Err != nil) == fails {
					t.Run(row.Name()+" "+c.In, func(t *testing.T) { checkBy(t, besideMCP(t, opcases.New(t, c)), row, c, "") })
				}
			}
		}
	}
	t.Run("Representative subset of existing HTTP API tests with MCP server enabled", func(t *testing.T) { each(t, false) })
	t.Run("Verify no regressions: same endpoints, same responses, same behavior", func(t *testing.T) { each(t, true) })
	t.Run("MCP `/mcp` route does not interfere with existing routes", func(t *testing.T) {
		before := []opcases.Step{{Op: "session.create", In: `{"name":"mcp"}`}}
		without, with := httpterm.New(opcases.New(t, opcases.Case{Before: before})), besideMCP(t, opcases.New(t, opcases.Case{Before: before}))
		for _, path := range []string{"/mcp/", "/mcpx", "/mcp/sessions", "/", "/health", "/sessions/mcp/input/mode", "/openapi.yaml"} {
			req := func() *http.Request { return httptest.NewRequest(http.MethodGet, path, nil) }
			a, b := answeredBy(t, without, req()), answeredBy(t, with, req())
			if a != b || (strings.HasPrefix(path, "/mcp")) != (a.status == http.StatusNotFound) {
				t.Errorf("%s: %d %.100s, with MCP %d %.100s", path, a.status, a.body, b.status, b.body)
			}
		}
		req := httptest.NewRequest(http.MethodPost, "/mcp", io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)))
		req.Header.Set("Content-Type", "application/json")
		if a := answeredBy(t, without, req); a.status != http.StatusNotFound {
			t.Errorf("the API has /mcp: %d", a.status)
		}
	})
}
