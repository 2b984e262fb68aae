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
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/terminals"
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
	b := &bridgeProcess{t: t, cmd: exec.Command(os.Args[0], append([]string{"mcp"}, args...)...)}
	b.cmd.Env = append(append(os.Environ(), "WSH_TEST=run", "SHELL=/bin/sh"), env...)
	b.cmd.Stderr = &b.errs
	var err error
	if b.in, err = b.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	b.out = bufio.NewReader(out)
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = b.cmd.Process.Kill() // it may have ended
		_ = b.cmd.Wait()
		if t.Failed() {
			t.Logf("standard error of the bridge:\n%s", b.errs.String())
		}
		if pid, ok := serverPID(t); ok {
			_ = syscall.Kill(pid, syscall.SIGTERM) // it may have ended
			for end := time.Now().Add(wait.Patience); !hasEnded(pid) && time.Now().Before(end); {
				<-time.After(time.Millisecond)
			}
		}
	})
	return b
}

// serverPID returns the process of the server of the test.
func serverPID(t *testing.T) (int, bool) {
	t.Helper()
	folder, err := instance.Open(slog.New(slog.DiscardHandler))
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

// stoppedAt returns when the server with this log decided to end because of its last bridge.
func stoppedAt(t *testing.T, log string) time.Time {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^time=(\S+) .*msg=stopping reason="the last bridge has ended"`).FindSubmatch(data)
	if m == nil {
		t.Fatalf("the log does not say why the server ended:\n%s", data)
	}
	at, err := time.Parse(time.RFC3339Nano, string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// The names of the subtests are those of the specification's list.
func TestStdioBridge(t *testing.T) {
	for name, story := range map[string]func(*testing.T){
		"`wsh mcp` with no server running → server auto-spawns → tools work": func(t *testing.T) {
			b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
			b.must("wsh_create_session", `{"name":"a","command":"cat"}`)
			if got := b.must("wsh_list_sessions", `{}`); !strings.Contains(got, `"a"`) {
				t.Errorf("sessions: %s", got)
			}
			mustPID(t)
		},
		"`wsh mcp` with server already running → connects to existing server": func(t *testing.T) {
			p := launch(t)
			if status, body := ask(t, client(t, nil), "POST", p.address+"/sessions", `{"name":"mine","command":"cat"}`); status != 201 {
				t.Fatalf("create: %d %s", status, body)
			}
			b := startBridge(t).initialize()
			if got := b.must("wsh_list_sessions", `{}`); !strings.Contains(got, `"mine"`) {
				t.Errorf("sessions: %s", got)
			}
			if pid := mustPID(t); pid != p.cmd.Process.Pid {
				t.Errorf("the server is %d, not %d", pid, p.cmd.Process.Pid)
			}
			if status := b.end(); status != 0 {
				t.Errorf("status %d", status)
			}
			if status, body := ask(t, client(t, nil), "GET", p.address+"/sessions/mine", ""); status != 200 {
				t.Errorf("after the bridge's end: %d %s", status, body)
			}
		},
		"Core agent loop over stdio: create session, run command, read screen, kill": func(t *testing.T) {
			b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
			b.must("wsh_create_session", `{"name":"a"}`)
			b.must("wsh_run_command", `{"session":"a","input":"echo he''llo","format":"plain"}`)
			wait.Until(t, "the screen has the output", func() bool {
				return strings.Contains(b.must("wsh_get_screen", `{"session":"a","format":"plain"}`), "hello") // perhaps after a late prompt
			})
			b.must("wsh_manage_session", `{"session":"a","action":"kill"}`)
			if got := b.must("wsh_list_sessions", `{}`); strings.Contains(got, `"a"`) {
				t.Errorf("sessions: %s", got)
			}
		},
		"Verify same results as HTTP transport": func(t *testing.T) {
			p := launch(t)
			b := startBridge(t).initialize()
			b.must("wsh_create_session", `{"name":"a","command":"printf 'a b\\n'; exec cat"}`)
			wait.Until(t, "there is output", func() bool {
				return strings.Contains(b.must("wsh_get_screen", `{"session":"a"}`), "a b")
			})
			for tool, arguments := range map[string]string{
				"wsh_get_screen": `{"session":"a"}`, "wsh_get_scrollback": `{"session":"a"}`, "wsh_input_mode": `{"session":"a"}`,
				"wsh_screen_mode": `{"session":"a"}`, "wsh_send_input": `{"session":"none","input":"x"}`, "wsh_create_session": `{"rows":-1}`,
			} {
				over := b.call(tool, arguments)
				_, body := ask(t, client(t, nil), "POST", p.address+"/mcp",
					fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, b.id, tool, arguments),
					"Accept: application/json, text/event-stream")
				if i := strings.Index(body, "data: "); i >= 0 {
					body = body[i+len("data: "):]
				}
				var direct answer
				if err := json.Unmarshal([]byte(body), &direct); err != nil {
					t.Fatalf("%s: %s", tool, body)
				}
				if diff := cmp.Diff(direct, over); diff != "" {
					t.Errorf("%s %s (-HTTP +bridge):\n%s", tool, arguments, diff)
				}
			}
		},
		"Close stdin → `wsh mcp` exits cleanly": func(t *testing.T) {
			b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
			b.must("wsh_create_session", `{"command":"sleep 1000"}`)
			pid := mustPID(t)
			if status := b.end(); status != 0 || b.errs.Len() > 0 {
				t.Errorf("status %d: %s", status, b.errs.String())
			}
			untilEnded(t, pid)
		},
		"Kill `wsh mcp` → ephemeral server shuts down (if only client)": func(t *testing.T) {
			b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
			var session struct{ PID int }
			if err := json.Unmarshal([]byte(b.must("wsh_create_session", `{"command":"exec sleep 1000"}`)), &session); err != nil {
				t.Fatal(err)
			}
			pid := mustPID(t)
			folder, err := instance.Open(slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			killed := time.Now()
			if err := b.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			untilEnded(t, pid)
			untilEnded(t, session.PID)
			// The server's own account: how fast this test looks depends on the machine.
			if took := stoppedAt(t, folder.LogFile("default")).Sub(killed) + closeTime; took > 10*time.Second {
				t.Errorf("the server may have taken %v to end, %v of them to answer requests", took, closeTime)
			}
		},
		"Malformed JSON-RPC on stdin → error response, no crash": func(t *testing.T) {
			b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
			for line, code := range map[string]int{"nonsense": -32700, "[]": -32600, `{"jsonrpc":"2.0"}`: -32600, `{"jsonrpc":"1.0","id":5,"method":"ping"}`: -32600} {
				b.write(line)
				if a := b.read(); a.Error == nil || a.Error.Code != code {
					t.Errorf("%s: %+v", line, a)
				}
			}
			b.must("wsh_list_sessions", `{}`)
		},
		"Invalid method → error response": func(t *testing.T) {
			b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
			b.write(`{"jsonrpc":"2.0","id":1,"method":"frobnicate"}`)
			if a := b.read(); a.Error == nil || a.Error.Code != -32601 || a.ID != 1.0 {
				t.Errorf("%+v", a)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			runtimeDir(t)
			story(t)
		})
	}
}

// A server that was killed is replaced with the next call, without a new handshake.
func TestBridgeOutlivesServer(t *testing.T) {
	runtimeDir(t)
	b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
	b.must("wsh_create_session", `{"name":"a","command":"cat"}`)
	first := mustPID(t)
	b.id++
	b.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"wsh_await_quiesce","arguments":{"session":"a","timeout_ms":300000,"max_wait_ms":300000}}}`, b.id))
	b.write(`{"jsonrpc":"2.0","id":"later","method":"ping"}`) // the server has the first one by then
	if a := b.read(); a.ID != "later" || a.Error != nil {
		t.Fatalf("ping: %+v", a)
	}
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if a := b.read(); a.ID != float64(b.id) || a.Error == nil || !strings.Contains(a.Error.Message, "unknown") {
		t.Errorf("the call that was under way: %+v", a)
	}
	untilEnded(t, first)
	b.must("wsh_create_session", `{"name":"b","command":"cat"}`)
	if second := mustPID(t); second == first {
		t.Error("no other server was started")
	}
	if status := b.end(); status != 0 {
		t.Errorf("status %d", status)
	}
}

// While the server is suspended, the client can cancel its calls; the other ones are answered when
// the server goes on.
func TestBridgeWithSuspendedServer(t *testing.T) {
	runtimeDir(t)
	b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
	b.must("wsh_create_session", `{"name":"a","command":"cat"}`)
	b.write(`{"jsonrpc":"2.0","id":"wait","method":"tools/call","params":{"name":"wsh_await_quiesce","arguments":{"session":"a","timeout_ms":300000,"max_wait_ms":300000}}}`)
	b.write(`{"jsonrpc":"2.0","id":"before","method":"ping"}`) // the server has the first one by then
	if a := b.read(); a.ID != "before" || a.Error != nil {
		t.Fatalf("ping: %+v", a)
	}
	pid := mustPID(t)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	goOn := sync.OnceFunc(func() {
		if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
			t.Error(err)
		}
	})
	defer goOn()
	b.write(`{"jsonrpc":"2.0","id":"list","method":"tools/call","params":{"name":"wsh_list_sessions","arguments":{}}}`)
	b.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"wait"}}`)
	// Only a call that was cancelled, and not just unanswered, makes the bridge say this.
	b.write(`{"jsonrpc":"2.0","id":"wait","method":"ping"}`)
	if a := b.read(); a.ID != "wait" || a.Error == nil || !strings.Contains(a.Error.Message, "was cancelled") {
		t.Fatalf("after the cancellation: %+v", a)
	}
	goOn()
	if a := b.read(); a.ID != "list" || a.Error != nil || len(a.Result.Content) == 0 || !strings.Contains(a.Result.Content[0].Text, `"a"`) {
		t.Errorf("the call that was not cancelled: %+v", a)
	}
	b.must("wsh_get_screen", `{"session":"a"}`)
	if now := mustPID(t); now != pid {
		t.Errorf("the server is %d, not %d", now, pid)
	}
	if status := b.end(); status != 0 {
		t.Errorf("status %d", status)
	}
	untilEnded(t, pid)
}

// Two bridges at once start one server, which stays until both have ended.
func TestTwoBridges(t *testing.T) {
	runtimeDir(t)
	one, two := startBridge(t, "--bind", "127.0.0.1:0"), startBridge(t, "--bind", "127.0.0.1:0")
	one.write(handshake)
	two.write(handshake)
	for _, b := range []*bridgeProcess{one, two} {
		if a := b.read(); a.Error != nil {
			t.Fatalf("initialize: %+v", a.Error)
		}
	}
	one.must("wsh_create_session", `{"name":"shared","command":"cat"}`)
	if got := two.must("wsh_list_sessions", `{}`); !strings.Contains(got, `"shared"`) {
		t.Errorf("the second bridge sees %s", got)
	}
	pid := mustPID(t)
	if status := one.end(); status != 0 {
		t.Errorf("status %d", status)
	}
	two.must("wsh_get_screen", `{"session":"shared"}`)
	if status := two.end(); status != 0 {
		t.Errorf("status %d", status)
	}
	untilEnded(t, pid)
}

// A session that a person has made keeps a server that a bridge started.
func TestPersonKeepsServer(t *testing.T) {
	dir := runtimeDir(t)
	b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
	b.must("wsh_create_session", `{"name":"agents","command":"cat"}`)
	socket := overSocket(t, filepath.Join(dir, "default.sock"))
	if status, body := ask(t, socket, "POST", "http://localhost/sessions", `{"name":"mine","command":"cat"}`); status != 201 {
		t.Fatalf("create: %d %s", status, body)
	}
	pid := mustPID(t)
	if status := b.end(); status != 0 {
		t.Errorf("status %d", status)
	}
	// The server decides after a while; what it decides can be seen when the person's session ends.
	if status, body := ask(t, socket, "GET", "http://localhost/sessions/agents/idle?timeout_ms=8000&max_wait_ms=60000", ""); status != 200 {
		t.Errorf("after the bridge: %d %s", status, body)
	}
	for _, name := range []string{"mine", "agents"} {
		if status, body := ask(t, socket, "DELETE", "http://localhost/sessions/"+name, ""); status >= 300 {
			t.Errorf("remove %s: %d %s", name, status, body)
		}
	}
	untilEnded(t, pid)
}

// A client that never reads does not keep the bridge from ending.
func TestBridgeWithoutReader(t *testing.T) {
	runtimeDir(t)
	b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
	b.must("wsh_create_session", `{"name":"a","command":"cat"}`)
	for id := range 200 {
		b.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":"n%d","method":"tools/list"}`, id))
	}
	pid := mustPID(t)
	b.in.Close()
	untilEnded(t, pid)
	if err := b.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}

// Every request is answered once, whatever the client sends and whatever the server's state.
func TestBridgeStories(t *testing.T) {
	wait := `{"jsonrpc":"2.0","id":"wait","method":"tools/call","params":{"name":"wsh_await_quiesce","arguments":{"session":"a","timeout_ms":300000,"max_wait_ms":300000}}}`
	ping := `{"jsonrpc":"2.0","id":"ping","method":"ping"}`
	for name, story := range map[string]func(*testing.T, *bridgeProcess){
		"a line of 64 MiB": func(t *testing.T, b *bridgeProcess) {
			b.initialize().write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 64<<20) + `"}}`)
			if a := b.read(); a.Error == nil || a.Error.Code != -32600 || !strings.Contains(a.Error.Message, "longer than") {
				t.Errorf("%+v", a)
			}
			b.must("wsh_list_sessions", `{}`)
		},
		"batches": func(t *testing.T, b *bridgeProcess) {
			b.initialize().write("[" + ping + "," + ping + "]")
			if a := b.read(); a.ID != nil || a.Error == nil || a.Error.Code != -32600 || !strings.Contains(a.Error.Message, "batches") {
				t.Errorf("%+v", a)
			}
			b.must("wsh_list_sessions", `{}`)
		},
		"the input ends while the server starts": func(t *testing.T, b *bridgeProcess) {
			b.write(handshake)
			b.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			b.write(ping)
			b.in.Close()
			if first, second := b.read(), b.read(); first.ID != "start" || first.Error != nil || second.ID != "ping" || second.Error != nil {
				t.Errorf("%+v, %+v", first, second)
			}
		},
		"the input ends during a call": func(t *testing.T, b *bridgeProcess) {
			b.initialize().must("wsh_create_session", `{"name":"a","command":"read x; echo read $x; exec cat"}`)
			b.write(strings.ReplaceAll(wait, `"timeout_ms":300000`, `"wait_for":"read it"`))
			b.write(`{"jsonrpc":"2.0","id":"send","method":"tools/call","params":{"name":"wsh_send_input","arguments":{"session":"a","input":"it\n"}}}`)
			b.in.Close()
			ids := map[any]bool{}
			for range 2 {
				a := b.read()
				ids[a.ID] = a.Error == nil && !a.Result.IsError
			}
			if diff := cmp.Diff(map[any]bool{"wait": true, "send": true}, ids); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
		},
		"a cancelled call": func(t *testing.T, b *bridgeProcess) {
			b.initialize().must("wsh_create_session", `{"name":"a","command":"cat"}`)
			b.write(wait)
			b.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"wait"}}`)
			b.must("wsh_list_sessions", `{}`)
		},
		"the server announces sessions": func(t *testing.T, b *bridgeProcess) {
			b.initialize().write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wsh_create_session","arguments":{"command":"cat"}}}`)
			for seen := ""; seen != "notifications/resources/list_changed"; {
				line, err := b.out.ReadBytes('\n')
				var a answer
				if err != nil || json.Unmarshal(line, &a) != nil {
					t.Fatalf("%s, %v", line, err)
				}
				seen = a.Method
			}
		},
		"the server stops during a call": func(t *testing.T, b *bridgeProcess) {
			b.initialize().must("wsh_create_session", `{"name":"a","command":"cat"}`)
			first := mustPID(t)
			b.write(wait)
			b.write(ping)
			if a := b.read(); a.ID != "ping" {
				t.Fatalf("%+v", a)
			}
			if err := syscall.Kill(first, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if a := b.read(); a.ID != "wait" || a.Error == nil && !a.Result.IsError {
				t.Errorf("%+v", a)
			}
			b.must("wsh_create_session", `{"name":"a","command":"cat"}`)
			if second := mustPID(t); second == first {
				t.Error("no other server was started")
			}
		},
		"the server restarts between calls": func(t *testing.T, b *bridgeProcess) {
			b.initialize().must("wsh_create_session", `{"name":"a","command":"cat"}`)
			for last, restarts := 0, 0; restarts < 3; {
				// A server that has not acted on the first signal yet would be killed by a second.
				if pid, ok := serverPID(t); ok && pid != last {
					last = pid
					restarts++
					_ = syscall.Kill(pid, syscall.SIGTERM) // it may have ended
				}
				b.must("wsh_create_session", `{"command":"cat"}`) // perhaps while that server ends
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			runtimeDir(t)
			b := startBridge(t, "--bind", "127.0.0.1:0")
			story(t, b)
			b.in.Close()
			for {
				line, err := b.out.ReadBytes('\n')
				if err != nil {
					break
				}
				var a answer
				if err := json.Unmarshal(line, &a); err != nil || a.Method == "" && a.ID != float64(1) {
					t.Errorf("at the end: %s", line)
				}
			}
			_ = b.cmd.Wait() // its status is in ProcessState
			if status := b.cmd.ProcessState.ExitCode(); status != 0 {
				t.Errorf("status %d", status)
			}
		})
	}
}

// If no server can run, or none can be trusted, calls are answered with the reason.
func TestBridgeEnvironment(t *testing.T) {
	for name, tt := range map[string]struct {
		env  func(dir string) []string
		want string // "" if it works
	}{
		"no home directory":            {func(string) []string { return []string{"HOME="} }, ""},
		"a relative home directory":    {func(string) []string { return []string{"HOME=here", "XDG_RUNTIME_DIR=", "XDG_CACHE_HOME="} }, "not an absolute path"},
		"a folder that cannot be made": {func(string) []string { return []string{"XDG_RUNTIME_DIR=/dev/null/none"} }, "the folder of running servers"},
		"a folder that others can read": {func(dir string) []string {
			mkdir(t, filepath.Join(dir, "open"), 0o755, -1)
			mkdir(t, filepath.Join(dir, "open", "wsh"), 0o755, -1)
			return []string{"XDG_RUNTIME_DIR=" + filepath.Join(dir, "open")}
		}, "lets other users in"},
		"a folder of another user": {func(dir string) []string {
			mkdir(t, filepath.Join(dir, "foreign"), 0o755, -1)
			mkdir(t, filepath.Join(dir, "foreign", "wsh"), 0o700, 12345)
			return []string{"XDG_RUNTIME_DIR=" + filepath.Join(dir, "foreign")}
		}, "another user"},
		"a folder that is a link": {func(dir string) []string {
			mkdir(t, filepath.Join(dir, "links"), 0o700, -1)
			mkdir(t, filepath.Join(dir, "target"), 0o700, -1)
			if err := os.Symlink(filepath.Join(dir, "target"), filepath.Join(dir, "links", "wsh")); err != nil {
				t.Fatal(err)
			}
			return []string{"XDG_RUNTIME_DIR=" + filepath.Join(dir, "links")}
		}, "cannot be trusted"},
		"a relative folder of caches": {func(string) []string { return []string{"HOME=", "XDG_RUNTIME_DIR=", "XDG_CACHE_HOME=here"} }, "set XDG_RUNTIME_DIR"},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "caches") && runtime.GOOS == "darwin" {
				t.Skip("XDG_CACHE_HOME does not count here")
			}
			if strings.Contains(name, "another user") && os.Geteuid() != 0 {
				t.Skip("only root can make another user's folder")
			}
			dir := runtimeDir(t)
			b := startBridgeIn(t, tt.env(filepath.Dir(dir)), "--bind", "127.0.0.1:0")
			b.write(handshake)
			switch a := b.read(); {
			case tt.want == "" && a.Error != nil:
				t.Errorf("%+v", a.Error)
			case tt.want != "" && (a.Error == nil || !strings.Contains(a.Error.Message, tt.want)):
				t.Errorf("%+v, want %q", a.Error, tt.want)
			}
			if status := b.end(); status != 0 {
				t.Errorf("status %d", status)
			}
		})
	}
}

// mkdir makes a directory for a user; -1 is this one.
func mkdir(t *testing.T, path string, mode os.FileMode, uid int) {
	t.Helper()
	if err := errors.Join(os.Mkdir(path, mode), os.Chmod(path, mode), os.Chown(path, uid, -1)); err != nil {
		t.Fatal(err)
	}
}

// A server of another version is refused by the number of its protocol, and works again with the
// next call when it has been replaced.
func TestBridgeToOlderServer(t *testing.T) {
	runtimeDir(t)
	folder, err := instance.Open(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	claim, err := folder.Claim("default", "")
	if err != nil {
		t.Fatal(err)
	}
	l, err := claim.Listen()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /server/info", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"version":"0.0.9","protocol":%d}`, terminals.Protocol-1)
	})
	old := &http.Server{Handler: mux}
	served := make(chan error, 1)
	go func() { served <- old.Serve(l) }()
	b := startBridge(t, "--bind", "127.0.0.1:0")
	b.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`)
	if a := b.read(); a.ID != 1.0 || a.Error == nil || !strings.Contains(a.Error.Message, "version 0.0.9 with protocol 0") || !strings.Contains(a.Error.Message, `"wsh stop" ends the older server`) {
		t.Errorf("initialize: %+v", a.Error)
	}
	if err := errors.Join(old.Close(), claim.Release()); err != nil {
		t.Error(err)
	}
	<-served
	b.initialize().must("wsh_list_sessions", `{}`)
}

// A client without an environment, such as one of the desktop, gets login shells that prepare one.
func TestBareEnvironment(t *testing.T) {
	runtimeDir(t)
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".profile"), []byte("PREPARED=yes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	b := startBridgeIn(t, []string{"HOME=" + home, "SHELL=/bin/bash", "TERM=", "SHLVL=", "LANG=", "LC_ALL=", "LC_CTYPE=", "USER=", "PATH="}).initialize()
	b.must("wsh_create_session", `{"name":"s"}`)
	got := b.must("wsh_run_command", `{"session":"s","input":"echo \"<$PREPARED $LANG $USER>\"; [ -n \"$PATH\" ] && echo found"}`)
	if want := "<yes C.UTF-8 " + u.Username + `>\nfound`; !strings.Contains(got, want) {
		t.Errorf("no %s in %s", want, got)
	}
}
