//go:build linux || darwin

package wsh

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/testkit/load"
)

// A bridge joins the server that runs, which stays when the bridge ends.
func TestBridgeJoinsServer(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"mine","command":"cat"}`)
	b := startBridge(t).initialize()
	if got := b.must("wsh_list_sessions", `{}`); !strings.Contains(got, `"mine"`) {
		t.Errorf("sessions: %s", got)
	}
	if status := b.end(); status != 0 || b.errs.Len() > 0 {
		t.Errorf("status %d: %s", status, &b.errs)
	}
	if !d.isThere("mine") {
		t.Error("the session has ended with the bridge")
	}
}

// A server that a bridge has started ends with it, even if that is killed, and so do the programs
// there.
func TestBridgeKilled(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	b := startBridge(t, "--bind", "127.0.0.1:0").initialize()
	var session struct{ PID int }
	if err := json.Unmarshal([]byte(b.must("wsh_create_session", `{"command":"exec sleep 1000"}`)), &session); err != nil {
		t.Fatal(err)
	}
	pid := mustPID(t)
	if err := b.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	untilEnded(t, pid)
	untilEnded(t, session.PID)
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
