package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit"
)

// A server is a ui-mcp process with an MCP client on its standard streams.
type server struct {
	t   *testing.T
	dir string // the base directory
	mcp *mcp.ClientSession
}

// start starts "ui-mcp mcp" on a base directory.
func start(t *testing.T, dir string, flags ...string) *server {
	t.Helper()
	return &server{t: t, dir: dir, mcp: testkit.Connect(t, exec.Command("ui-mcp", append([]string{"mcp", "--dir", dir}, flags...)...))}
}

// startAlone starts one that knows of no other server, so that their questions do not meet.
func startAlone(t *testing.T) *server {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	return &server{t: t, dir: dir, mcp: testkit.Connect(t, alone(t, exec.Command("ui-mcp", "mcp", "--dir", dir)))}
}

// alone gives a command folders of its own, in which no server is registered.
func alone(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	dir := t.TempDir()
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "XDG_CACHE_HOME="+dir)
	return cmd
}

// call calls a tool and returns its text, and whether it is an error.
func (s *server) call(tool string, args map[string]any) (text string, isError bool) {
	s.t.Helper()
	texts, isError := testkit.Call(s.t, s.mcp, tool, args)
	return strings.Join(texts, ""), isError
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

// returns runs Lua code that must return JSON.
func (s *server) returns(code, want string) {
	s.t.Helper()
	if got := s.run(code); got != want {
		s.t.Errorf("%s is %s, want %s", code, got, want)
	}
}

// write writes a file below the base directory, as an editor does.
func (s *server) write(name, content string) {
	s.t.Helper()
	testkit.Write(s.t, s.dir, name, content)
}

// read reads a file below the base directory.
func (s *server) read(name string) string {
	s.t.Helper()
	return testkit.Read(s.t, s.dir, name)
}

// status returns the result of ui_status.
func (s *server) status() (st struct {
	State, Version, URL string
	Sessions, Pages     int
}) {
	s.t.Helper()
	// What the agent has to be told may follow.
	if err := json.NewDecoder(strings.NewReader(s.ok("ui_status", nil))).Decode(&st); err != nil {
		s.t.Fatal(err)
	}
	return st
}

// agentURL returns a URL on the agent's port.
func (s *server) agentURL(path string) string {
	s.t.Helper()
	return testkit.AgentURL(s.t, s.dir) + path
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

// serveUntilEnd starts "ui-mcp serve", and waits until it serves. url is the page's address. stop
// ends the server; so does the end of the test.
func serveUntilEnd(t *testing.T, cmd *exec.Cmd) (url string, stop func()) {
	t.Helper()
	log := &testkit.Log{}
	cmd.Stderr = log
	cmd.Env = append(cmd.Environ(), "TMPDIR="+testkit.ShortDir(t)) // it removes nothing when a failed test ends it
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server failed: %v\n%s", err, log)
		}
	})
	t.Cleanup(func() {
		if t.Failed() {
			_ = cmd.Process.Signal(syscall.SIGQUIT)
		}
		stop()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "Open "); ok {
			url, _, _ = strings.Cut(rest, " ")
			return url, stop
		}
	}
	t.Fatalf("ui-mcp serve ended\n%s", log)
	return "", nil
}
