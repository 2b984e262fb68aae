//go:build linux || darwin

package wsh

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Where a session is recorded, agents learn the size, an address and a command, and all of them
// lead to the recording.
func TestMCPRecording(t *testing.T) {
	runtimeDir(t)
	address, stop := serve(t, "-L", "recording", "--bind", "127.0.0.1:0")
	t.Cleanup(func() { stop() })
	agent := connectMCP(t, address, "", "2025-11-25", "c", nil)
	type state struct {
		Recording bool
		Bytes     int
		URL, Save string
	}
	call := func(tool, args string) (got struct{ Recording *state }) {
		t.Helper()
		res, err := agent.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
		if err != nil || res.IsError {
			t.Fatalf("%s %s: %v, %v", tool, args, res, err)
		}
		text := res.Content[0].(*mcp.TextContent).Text
		text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]") // a list of one
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s %s: %s: %v", tool, args, text, err)
		}
		return got
	}
	if got := call("wsh_create_session", `{"name":"-x","command":"bash --norc"}`); got.Recording != nil {
		t.Errorf("a session without a recording: %+v", got.Recording)
	}
	started := call("wsh_manage_session", `{"session":"-x","action":"start_recording"}`).Recording
	if started == nil || !started.Recording || started.Bytes == 0 {
		t.Fatalf("started: %+v", started)
	}
	call("wsh_run_command", `{"session":"-x","input":"echo recorded"}`)
	stopped := call("wsh_manage_session", `{"session":"-x","action":"stop_recording"}`).Recording
	if stopped == nil || stopped.Recording || stopped.Bytes <= started.Bytes || stopped.URL != started.URL {
		t.Fatalf("stopped: %+v", stopped)
	}
	for _, args := range []string{`{}`, `{"session":"-x"}`} {
		if diff := cmp.Diff(stopped, call("wsh_list_sessions", args).Recording); diff != "" {
			t.Errorf("%s: -want +got:\n%s", args, diff)
		}
	}
	status, file := ask(t, overTCP(t, nil), "GET", stopped.URL, "")
	if status != 200 || len(file) != stopped.Bytes || !strings.Contains(file, "recorded") {
		t.Errorf("%s: %d, %d bytes of %d", stopped.URL, status, len(file), stopped.Bytes)
	}
	const command = "wsh record --save -L recording -- -x"
	if stopped.Save != command {
		t.Errorf("the command is %s", stopped.Save)
	}
	t.Chdir(t.TempDir())
	must(t, "record", "--save", "-L", "recording", "--", "-x")
	saved, err := os.ReadFile("-x.cast")
	if err != nil || string(saved) != file {
		t.Errorf("the command wrote %d bytes, %v", len(saved), err)
	}
}
