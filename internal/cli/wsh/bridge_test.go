//go:build unix

package wsh

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/testkit/wait"
)

// A bridgeProcess is "wsh mcp" in a process of its own.
type bridgeProcess struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs bytes.Buffer
	id   int // of the last call
}

// startBridge starts "wsh mcp". It is killed at the end of the test, and so is the server.
func startBridge(t *testing.T, args ...string) *bridgeProcess {
	t.Helper()
	return startBridgeIn(t, nil, args...)
}

// startBridgeIn is startBridge with variables ("NAME=value") beside those of the test's
// environment.
func startBridgeIn(t *testing.T, env []string, args ...string) *bridgeProcess {
	t.Helper()
	b := &bridgeProcess{t: t, cmd: wshCommand(t, append([]string{"mcp"}, args...)...)}
	b.cmd.Env = append(append(b.cmd.Env, "SHELL=/bin/sh"), env...)
	b.cmd.Stderr = &b.errs
	in, inErr := b.cmd.StdinPipe()
	out, outErr := b.cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr, b.cmd.Start()); err != nil {
		t.Fatal(err)
	}
	b.in, b.out = in, bufio.NewReader(out)
	t.Cleanup(func() {
		_ = b.cmd.Process.Kill() // it may have ended
		_ = b.cmd.Wait()
		if t.Failed() {
			t.Logf("standard error of the bridge:\n%s", b.errs.String())
		}
		if pid, ok := serverPID(t); ok {
			_ = syscall.Kill(pid, syscall.SIGTERM) // it may have ended
			for end := time.Now().Add(wait.Patience); !hasEnded(pid) && time.Now().Before(end); {
				wait.Pause(time.Millisecond)
			}
		}
	})
	return b
}

// serverPID returns the process of the server of the test.
func serverPID(t *testing.T) (int, bool) {
	t.Helper()
	folder, err := instance.Open(vars(t), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s, ok := folder.Find("default")
	return s.PID, ok
}

func mustPID(t *testing.T) int {
	t.Helper()
	pid, ok := serverPID(t)
	if !ok {
		t.Fatal("no server runs")
	}
	return pid
}

// untilEnded waits until a process that is not our child has ended.
func untilEnded(t *testing.T, pid int) {
	t.Helper()
	wait.Until(t, fmt.Sprintf("process %d has ended", pid), func() bool { return hasEnded(pid) })
}

// hasEnded reports whether a process has ended. Its parent may not have noticed.
func hasEnded(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}

// An answer is what a bridge has written.
type answer struct {
	JSONRPC string `json:"jsonrpc"`
	ID      any
	Method  string
	Result  struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
	Error *struct {
		Code    int
		Message string
	}
}

func (b *bridgeProcess) write(line string) {
	b.t.Helper()
	if _, err := io.WriteString(b.in, line+"\n"); err != nil {
		b.t.Fatal(err)
	}
}

// read returns the next answer; notifications are skipped.
func (b *bridgeProcess) read() answer {
	b.t.Helper()
	for {
		line, err := b.out.ReadBytes('\n')
		var a answer
		if err != nil || json.Unmarshal(line, &a) != nil || a.JSONRPC != "2.0" {
			b.t.Fatalf("not a message: %.500q, %v", line, err)
		}
		if a.Method == "" {
			return a
		}
	}
}

const handshake = `{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`

func (b *bridgeProcess) initialize() *bridgeProcess {
	b.t.Helper()
	b.write(handshake)
	if a := b.read(); a.Error != nil || a.ID != "start" {
		b.t.Fatalf("initialize: %+v", a.Error)
	}
	b.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return b
}

// call calls a tool, and returns the answer to it.
func (b *bridgeProcess) call(tool, arguments string) answer {
	b.t.Helper()
	b.id++
	b.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, b.id, tool, arguments))
	a := b.read()
	if a.ID != float64(b.id) {
		b.t.Fatalf("the answer to %v, not to %d: %+v", a.ID, b.id, a)
	}
	return a
}

// must calls a tool, and returns its structured content.
func (b *bridgeProcess) must(tool, arguments string) string {
	b.t.Helper()
	a := b.call(tool, arguments)
	if a.Error != nil || a.Result.IsError || len(a.Result.Content) == 0 {
		b.t.Fatalf("%s %s: %+v, %+v", tool, arguments, a.Error, a.Result)
	}
	return a.Result.Content[0].Text
}

// end closes the input, and returns the exit status. Notifications may come until then.
func (b *bridgeProcess) end() int {
	b.t.Helper()
	b.in.Close()
	rest, err := io.ReadAll(b.out)
	if err != nil {
		b.t.Error(err)
	}
	for line := range bytes.Lines(rest) {
		var a answer
		if err := json.Unmarshal(line, &a); err != nil || a.Method == "" || a.ID != nil {
			b.t.Errorf("at the end: %q, %v", line, err)
		}
	}
	_ = b.cmd.Wait() // its status is in ProcessState
	return b.cmd.ProcessState.ExitCode()
}
