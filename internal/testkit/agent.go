// Package testkit is what tests of the whole program share: an agent that talks to a
// process of ours, and the files with which an agent and a person work.
//
// Whatever goes wrong fails the test: functions do not return errors. The package is
// for tests: nothing of the program may import it.
package testkit

import (
	"bytes"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// endTime is how long a process may take to end when its standard input has.
const endTime = 20 * time.Second

// Connect starts a command that serves MCP on its standard streams, and initializes
// it. The command finds no display, so it opens no browser. When the test is over the
// process must end well; what it has written to standard error is shown when the
// test has failed.
func Connect(t testing.TB, cmd *exec.Cmd) *mcp.ClientSession {
	t.Helper()
	log := &Log{}
	cmd.Stderr = log
	cmd.Env = append(cmd.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=")
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: endTime}, nil)
	if err != nil {
		t.Fatalf("initialize: %v\n%s", err, log)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the server ended badly: %v", err)
		}
		if t.Failed() {
			t.Logf("standard error of the server:\n%s", log)
		}
	})
	return session
}

// Call calls a tool and returns its texts, and whether they are an error.
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

// A Log is what a process writes and a test reads. The zero Log is empty; its methods
// may be called from anywhere.
type Log struct {
	mu  sync.Mutex // guards buf
	buf bytes.Buffer
}

// Write adds what a process has written. It never fails.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// String is all that was written so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
