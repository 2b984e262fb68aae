// Package testkit has what tests of the whole program share: an MCP client of a process, and access
// to the files with which an agent and a person work.
//
// Any error fails the test: functions do not return errors.
package testkit

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/wait"
)

// Connect starts a command that serves MCP on its standard streams, and initializes it. The command
// has no display, so it opens no browser. At the end of the test the process must end successfully
// within [wait.Patience] after its standard input; if the test has failed, its standard error is
// logged.
func Connect(t testing.TB, cmd *exec.Cmd) *mcp.ClientSession {
	t.Helper()
	session, _ := ConnectLogged(t, cmd)
	return session
}

// ConnectLogged is [Connect], and returns what the command writes to its standard error, too.
func ConnectLogged(t testing.TB, cmd *exec.Cmd) (*mcp.ClientSession, *Log) {
	t.Helper()
	log := &Log{}
	cmd.Stderr = log
	cmd.Env = append(cmd.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("standard error of the server:\n%s", log)
		}
	})
	session := Client(t, nil, &mcp.CommandTransport{Command: cmd, TerminateDuration: wait.Patience}, "")
	t.Cleanup(func() { // before Client's own
		if err := session.Close(); err != nil {
			t.Errorf("the server failed: %v", err)
		}
	})
	return session, log
}

// Client connects a client, or a plain one if it is nil, in a revision of the protocol, or the
// newest one if that is "". It is closed at the end of the test.
func Client(t testing.TB, c *mcp.Client, over mcp.Transport, revision string) *mcp.ClientSession {
	t.Helper()
	if c == nil {
		c = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
	}
	session, err := c.Connect(t.Context(), over, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // the server may have ended
	return session
}

// InMemory is [Client] of a server of this process, which has ended when the test has.
func InMemory(t testing.TB, s *mcp.Server, c *mcp.Client, revision string) *mcp.ClientSession {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	session, err := s.Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Wait() }) // the client has disconnected
	return Client(t, c, near, revision)
}

// Call calls a tool and returns the texts of its result, and whether the result is an error.
func Call(t testing.TB, s *mcp.ClientSession, tool string, args map[string]any) (texts []string, isError bool) {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	for _, c := range res.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, c.Text)
		}
	}
	return texts, res.IsError
}

// CodeOf returns the code of a protocol error, or 0.
func CodeOf(err error) int64 {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return e.Code
	}
	return 0
}

// Tools returns the tools that a server lists, and compares each with its golden file in
// testdata/tools: they are an API, and what the model knows of us. With update, it writes the files
// instead.
func Tools(t testing.TB, s *mcp.ClientSession, update bool) []*mcp.Tool {
	t.Helper()
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var golden []string
	for _, tool := range list.Tools {
		name := "testdata/tools/" + tool.Name + ".json"
		golden = append(golden, filepath.FromSlash(name))
		got, err := json.MarshalIndent(tool, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		text := string(got) + "\n"
		if update {
			Write(t, ".", name, text)
		}
		if diff := cmp.Diff(Read(t, ".", name), text); diff != "" {
			t.Errorf("%s: -want +got (-update writes it, and needs a review):\n%s", tool.Name, diff)
		}
	}
	if files, err := filepath.Glob("testdata/tools/*.json"); err != nil || cmp.Diff(golden, files) != "" {
		t.Errorf("golden files %q, tools %q, %v", files, golden, err)
	}
	return list.Tools
}

// A Log collects what a process writes, for a test to read. The zero Log is empty. Its methods may
// be called from any goroutine.
type Log struct {
	mu  sync.Mutex // guards buf
	buf bytes.Buffer
}

// Write appends output of the process. It never fails.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// String returns all output so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
