//go:build linux || darwin

package wsh

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// /dev/stdout is standard output, also where that is a pipe.
func TestWriteToStdout(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"echo ready; cat","record":true}`)
	must(t, "wait", "a", "--text", "ready")
	for _, args := range []string{"screen a -o /dev/stdout", "record a /dev/stdout --save"} {
		p := sit(t, 80, 12, `"$WSH" `+args+` | sed 's/^/piped /'; "$WSH" `+args+`; echo "status $?"; cat`)
		p.sees("status 0")
		if text := strings.Join(p.history(), "\n"); !strings.Contains(text, "piped ") || strings.Count(text, "ready") < 2 {
			t.Errorf("%s:\n%s", args, text)
		}
	}
}

// recordingOf writes a recording of version 2 with a size and events, and returns its path.
func recordingOf(t *testing.T, size, events string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.cast")
	if err := os.WriteFile(file, []byte(`{"version": 2, `+size+"}\n"+events), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// --text prints the lines as a terminal displays them: where the cursor moves to another one, a new
// one begins, and what is drawn again counts once.
func TestRecordText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, size, events, want string }{
		{"a full screen", `"width": 20, "height": 4`, `[0, "o", "\u001b[H\u001b[2Jtop\u001b[2;1Hmiddle\u001b[4;1Hbottom"]`, "top\nmiddle\n\nbottom\n"},
		{"what was drawn before", `"width": 20, "height": 4`, `[0, "o", "10%"]` + "\n" + `[1, "o", "\r100%\r\ndone\r\n"]`, "100%\ndone\n"},
		{"more than a screen", `"width": 20, "height": 2`, `[0, "o", "1\r\n2\r\n3\r\n4\r\n"]`, "1\n2\n3\n4\n"},
		{"wrapped lines", `"width": 4, "height": 2`, `[0, "o", "abcdefghij\r\nk"]`, "abcdefghij\nk\n"},
		{"an editor that has ended", `"width": 20, "height": 4`, `[0, "o", "$ vi\r\n\u001b[?1049h~\u001b[?1049l$ "]`, "$ vi\n$\n"},
		{"an editor at the end", `"width": 20, "height": 4`, `[0, "o", "$ vi\r\n\u001b[?1049h\u001b[Htext"]`, "$ vi\ntext\n"},
		{"a new size", `"width": 20, "height": 2`, `[0, "o", "one two"]` + "\n" + `[1, "r", "3x2"]` + "\n" + `[2, "o", "\r\nx"]`, "one two\nx\n"},
	} {
		if out := must(t, "record", "--text", recordingOf(t, tt.size, tt.events)); out != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, out, tt.want)
		}
	}
}

// Where a session is recorded, agents learn the size, an address and a command, and all of them
// lead to the recording.
func TestMCPRecording(t *testing.T) {
	runtimeDir(t)
	address, _ := serve(t, "-L", "recording", "--bind", "127.0.0.1:0")
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
