package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A server is a ui-mcp process with an MCP client on its standard streams.
type server struct {
	t   *testing.T
	dir string // the base directory
	mcp *mcp.ClientSession
	log *syncBuffer // standard error
}

// start starts "ui-mcp mcp" on a base directory.
func start(t *testing.T, dir string, flags ...string) *server {
	t.Helper()
	s := &server{t: t, dir: dir, log: &syncBuffer{}}
	cmd := exec.Command("ui-mcp", append([]string{"mcp", "--dir", dir}, flags...)...)
	cmd.Stderr = s.log
	cmd.Env = append(os.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=")
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "0"}, nil)
	var err error
	if s.mcp, err = client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: 20 * time.Second}, nil); err != nil {
		t.Fatalf("initialize: %v\n%s", err, s.log)
	}
	t.Cleanup(func() {
		if err := s.mcp.Close(); err != nil {
			t.Errorf("the server ended badly: %v", err)
		}
		if t.Failed() {
			t.Logf("standard error of the server:\n%s", s.log)
		}
	})
	return s
}

// call calls a tool and returns its text, and whether it is an error.
func (s *server) call(tool string, args map[string]any) (text string, isError bool) {
	s.t.Helper()
	res, err := s.mcp.CallTool(s.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		s.t.Fatalf("%s: %v", tool, err)
	}
	var b strings.Builder
	for _, c := range res.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			b.WriteString(c.Text)
		}
	}
	return b.String(), res.IsError
}

// ok calls a tool that must succeed.
func (s *server) ok(tool string, args map[string]any) string {
	s.t.Helper()
	text, isError := s.call(tool, args)
	if isError {
		s.t.Fatalf("%s: %s", tool, text)
	}
	return text
}

// fails calls a tool that must fail with a text that contains want.
func (s *server) fails(want, tool string, args map[string]any) {
	s.t.Helper()
	if text, isError := s.call(tool, args); !isError || !strings.Contains(text, want) {
		s.t.Fatalf("%s = %q (error %v), want an error with %q", tool, text, isError, want)
	}
}

// run runs Lua code in the default session and returns the JSON of its result.
func (s *server) run(code string) string {
	s.t.Helper()
	return s.ok("ui_run", map[string]any{"code": code})
}

// write writes a file below the base directory, as an editor does.
func (s *server) write(name, content string) {
	s.t.Helper()
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file+"~", []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(file+"~", file); err != nil {
		s.t.Fatal(err)
	}
}

// read reads a file below the base directory.
func (s *server) read(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

// status is what ui_status says.
func (s *server) status() (st struct {
	State, Version, URL string
	Sessions            int
}) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.ok("ui_status", nil)), &st); err != nil {
		s.t.Fatal(err)
	}
	return st
}

// agentURL is the URL of the agent's HTTP door.
func (s *server) agentURL(path string) string {
	s.t.Helper()
	return "http://127.0.0.1:" + strings.TrimSpace(s.read("mcp-port")) + path
}

// get makes an HTTP request and returns its status and body.
func get(t *testing.T, url string, headers ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, strings.TrimSpace(string(body))
}

// syncBuffer is a buffer that a process writes and a test reads.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
