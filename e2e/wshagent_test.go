//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// A shellAgent is an agent with the tools for terminals. It knows nothing but what they return.
type shellAgent struct {
	*mcp.ClientSession

	t    testing.TB
	home string       // below it is everything that the server and its programs write
	errs *testkit.Log // what the agent's server writes to its standard error

	transcript *testkit.Log // every call and its answer
}

// startShellAgent connects an agent through "wsh mcp" to the server that it starts.
func startShellAgent(t testing.TB) *shellAgent {
	t.Helper()
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no shell that marks its commands: ", err)
	}
	dir := testkit.ShortDir(t)
	t.Cleanup(func() { stopServerOf(t, dir) })
	recordings := filepath.Join(dir, "recordings")
	testkit.Write(t, dir, "config.toml", fmt.Sprintf("[server]\nlog_level = \"debug\"\nrecord = %q\n", recordings))
	cmd := exec.Command("wsh", "mcp", "--bind", "127.0.0.1:0", "--config", filepath.Join(dir, "config.toml"), "--log-level", "debug")
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "HOME="+dir, "SHELL="+shell)
	session, errs := testkit.ConnectLogged(t, cmd)
	a := &shellAgent{session, t, dir, errs, &testkit.Log{}}
	t.Cleanup(func() {
		if t.Failed() || testing.Verbose() {
			t.Logf("what the agent did:\n%s", a.transcript)
		}
	})
	return a
}

// stopServerOf stops the server that a bridge has started, and waits for its end. It would end by
// itself some seconds after the bridge.
func stopServerOf(t testing.TB, dir string) {
	t.Helper()
	servers, err := discovery.OpenIn(filepath.Join(dir, "wsh"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s, ok := servers.Find("default")
	if !ok {
		return
	}
	_ = syscall.Kill(s.PID, syscall.SIGTERM) // it may have ended
	ended := func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.PID))
		defunct := err == nil && bytes.Contains(stat, []byte(") Z ")) // its parent may not have noticed
		return defunct || errors.Is(syscall.Kill(s.PID, 0), syscall.ESRCH)
	}
	for end := time.Now().Add(wait.Patience); !ended(); <-time.After(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the server, process %d, does not end", s.PID)
		}
	}
}

// A toolAnswer is what tools return: each of them some of the fields.
type toolAnswer struct {
	Session string
	State   string
	Status  string
	Output  string
	Mode    string
	Lines   []string // in the plain format
	Screen  *struct {
		Lines []string
		Mode  string
	}
	Matches    []struct{ Text string }
	Total      int
	Next       int
	Generation uint64
	ExitCode   *int `json:"exit_code"`
	Shell      string

	text string
}

// last returns the last line of the screen in which there is something.
func (r toolAnswer) last() string {
	lines := r.Lines
	if r.Screen != nil {
		lines = r.Screen.Lines
	}
	for _, line := range slices.Backward(lines) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

type args = map[string]any

// try calls a tool, and returns whether its answer is an error.
func (a *shellAgent) try(tool string, arguments args) (answer toolAnswer, isError bool) {
	a.t.Helper()
	start := time.Now()
	texts, isError := testkit.Call(a.t, a.ClientSession, tool, arguments)
	answer.text = strings.Join(texts, "\n")
	fmt.Fprintf(a.transcript, "> %s %v\n< %s (%v)\n", tool, arguments, answer.text, time.Since(start).Round(time.Millisecond))
	_ = json.Unmarshal([]byte(answer.text), &answer) // lists, and errors in words, have none of the fields
	return answer, isError
}

// call calls a tool that must succeed.
func (a *shellAgent) call(tool string, arguments args) toolAnswer {
	a.t.Helper()
	answer, isError := a.try(tool, arguments)
	if isError {
		a.t.Fatalf("%s %v: %s", tool, arguments, answer.text)
	}
	return answer
}
