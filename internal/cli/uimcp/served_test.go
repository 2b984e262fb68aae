package uimcp

import (
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newRunning starts a program on ports of its own, and returns the URLs of both.
func newRunning(t *testing.T) (p *program, pages, agent string) {
	t.Helper()
	cache(t)
	p, err := newProgram(appConfig{Dir: filepath.Join(t.TempDir(), ".claude", "ui"), env: env{version: "dev"}, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if pages, err = p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p, pages, "http://127.0.0.1:" + strconv.Itoa(p.Status(t.Context()).MCPPort)
}

// Every listener answers GET /health, under each of its names, and no more than that.
func TestHealth(t *testing.T) {
	_, pages, agent := newRunning(t)
	for _, base := range []string{pages, agent} {
		for _, name := range []string{"127.0.0.1", "localhost"} {
			url := strings.Replace(base, "127.0.0.1", name, 1) + "/health"
			if status, body := get(t, newBrowser(t), url); status != http.StatusOK || body != `{"status":"ok"}`+"\n" {
				t.Errorf("GET %s: %d %s", url, status, body)
			}
		}
		res, err := newBrowser(t).Post(base+"/health", "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode/100 != 4 {
			t.Errorf("POST %s/health: %s", base, res.Status)
		}
	}
}

// What a client learns of the version is the same everywhere: in the handshake, from ui_status and
// from healthCheck.
func TestOneVersion(t *testing.T) {
	p, _, agent := newRunning(t)
	want := p.Status(t.Context()).Version
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: agent + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := c.InitializeResult().ServerInfo.Version; got != want || want == "" {
		t.Errorf("serverInfo has the version %q, ui_status %q", got, want)
	}
	res, err := newBrowser(t).Post(agent+"/mcp", "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"healthCheck"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || !strings.Contains(string(body), `"version":"`+want+`"`) {
		t.Errorf("healthCheck: %s, %v", body, err)
	}
}
