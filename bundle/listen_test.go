package bundle_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// needPrograms skips a test on systems that lack what its script needs.
func needPrograms(t *testing.T, names ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts are for POSIX shells")
	}
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("the script needs %s", name)
		}
	}
}

// listening waits until an agent listens to session 1, or none does.
func (w *world) listening(want string) {
	w.t.Helper()
	wait.Until(w.t, "mcp:pollingEvents() returned "+want, func() bool {
		return w.run("1", "return mcp:pollingEvents()") == want
	})
}

// A listener that is killed, however suddenly, takes its request with it: a request left behind
// would take the next event, which would be lost.
func TestKilledListener(t *testing.T) {
	t.Parallel()
	needPrograms(t, "curl", "awk")
	w := newWorld(t)
	agent := testkit.AgentURL(t, w.dir)
	for _, tt := range []struct{ name, script, arg string }{
		{"event", "event", ""},
		{"wait-for-state.sh", "scripts/wait-for-state.sh", agent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := *w
			w.t = t
			cmd := exec.Command("sh", filepath.Join(w.dir, filepath.FromSlash(tt.script)), tt.arg)
			if tt.arg == "" {
				cmd.Args = cmd.Args[:2]
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			w.listening("true")
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it says that the process was killed
			w.listening("false")

			w.run("1", `mcp.pushState({ for_whom = "`+tt.name+`" })`)
			if got, want := w.events("1"), `[{"for_whom":"`+tt.name+`"}]`; got != want {
				t.Errorf("the next listener got %s, want %s", got, want)
			}
		})
	}
}

// The script for agents that the specification gives prints each event on a line, and succeeds when
// the server ends while it waits.
func TestSpecifiedListener(t *testing.T) {
	t.Parallel()
	needPrograms(t, "bash", "curl", "jq")
	w := newWorld(t)
	w.run("1", `mcp.pushState({ app = "contacts", event = "chat", text = "hello" })
		mcp.pushState({ app = "contacts", event = "button", id = "save" })`)
	cmd := exec.Command("bash", filepath.Join("testdata", "spec", "wait-for-state.sh"), testkit.AgentURL(t, w.dir), "1")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.listening("true")
	w.run("1", `mcp.pushState({ app = "contacts", event = "button", id = "cancel" })`)
	wait.Until(t, "the script has the event and listens again", func() bool {
		return w.run("1", "return mcp:pendingEventCount() == 0 and mcp:pollingEvents()") == "true"
	})
	// Configuring ends the session and its port.
	w.ok("ui_configure", map[string]any{"base_dir": w.dir})
	if err := cmd.Wait(); err != nil {
		t.Errorf("the script ended with %v", err)
	}
	const want = `{"app":"contacts","event":"chat","text":"hello"}
{"app":"contacts","event":"button","id":"save"}
{"app":"contacts","event":"button","id":"cancel"}
`
	if got := strings.ReplaceAll(out.String(), "\r", ""); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}
