//go:build unix

package wsh

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// The specification's list has the names of the subtests.
func TestStdioBridge(t *testing.T) {
	t.Parallel()
	load.Long(t, "TestMCPCases runs all tools through a bridge, and TestLifetime ends servers")
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
			if status, body := ask(t, overTCP(t, nil), "POST", p.address+"/sessions", `{"name":"mine","command":"cat"}`); status != 201 {
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
			if status, body := ask(t, overTCP(t, nil), "GET", p.address+"/sessions/mine", ""); status != 200 {
				t.Errorf("after the bridge's end: %d %s", status, body)
			}
		},
		"Core agent loop over stdio: create session, run command, read screen, kill": func(t *testing.T) {
			b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
			b.must("wsh_create_session", `{"name":"a"}`)
			project, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			if got := b.must("wsh_run_command", `{"session":"a","input":"pwd","format":"plain"}`); !strings.Contains(got, project) {
				t.Errorf("it is not in the project: %s", got)
			}
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
				_, body := ask(t, overTCP(t, nil), "POST", p.address+"/mcp",
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
			folder, err := instance.Open(vars(t), slog.New(slog.DiscardHandler))
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
	t.Parallel()
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
	said := func() (texts string) {
		for _, c := range b.call("wsh_list_sessions", `{}`).Result.Content {
			texts += c.Text
		}
		return texts
	}
	if got := said(); !strings.Contains(got, "Gone are the sessions a.") {
		t.Errorf("after that the client gets %q", got)
	}
	if got := said(); strings.Contains(got, "Gone") {
		t.Errorf("it is told twice: %q", got)
	}
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
	t.Parallel()
	load.Long(t, "TestMCPCases has a bridge and a server, and few changes touch what happens when one hangs")
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
	untilSuspended(t, pid)
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
	t.Parallel()
	load.Long(t, "TestLifetimeOfBridges has two bridges, without processes")
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
	t.Parallel()
	load.Long(t, "TestBridgeKeepsServer and TestLifetimeOfBridges decide the same, on a clock of their own")
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
	t.Parallel()
	load.Long(t, "TestMCPCases has a bridge that ends, and few changes touch one that nobody reads")
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
