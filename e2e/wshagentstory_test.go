//go:build unix

package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"

	"ui-mcp/internal/testkit"
)

// needPrograms skips the test unless programs are installed.
func needPrograms(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
}

// project makes a folder with files, and a session in it.
func (a *shellAgent) project(files map[string]string) (dir, session string) {
	a.t.Helper()
	dir = filepath.Join(a.home, "project")
	for name, content := range files {
		testkit.Write(a.t, dir, name, content)
	}
	return dir, a.call("wsh_create_session", args{"name": "work", "cwd": dir}).Session
}

func TestAgentEditsInVim(t *testing.T) {
	needPrograms(t, "vim")
	eachWay(t, func(t *testing.T, a *shellAgent) {
		dir, name := a.project(map[string]string{"greeting.txt": "helo world\nlast line\n"})
		r := a.call("wsh_run_command", args{"session": name, "input": "vim greeting.txt", "timeout_ms": 500, "format": "plain"})
		if r.State != "waiting" || r.Screen == nil || r.Screen.Lines[0] != "helo world" {
			t.Fatalf("vim: %s", r.text)
		}
		a.call("wsh_send_input", args{"session": name, "input": "cwhello", "keys": []string{"Escape"}})
		a.call("wsh_await_quiesce", args{"session": name, "wait_for": "^hello world", "pattern": true})
		a.call("wsh_send_input", args{"session": name, "input": "o"})
		a.call("wsh_send_input", args{"session": name, "input": "one\n  two\n    three", "paste": true, "keys": []string{"Escape"}})
		a.call("wsh_await_quiesce", args{"session": name, "wait_for": "^    three", "pattern": true})
		a.call("wsh_send_input", args{"session": name, "input": ":wq", "keys": []string{"Enter"}})
		if r := a.call("wsh_await_quiesce", args{"session": name, "prompt": true}); r.ExitCode == nil || *r.ExitCode != 0 {
			t.Errorf("after vim: %s", r.text)
		}
		want := "hello world\none\n  two\n    three\nlast line\n"
		if r := a.call("wsh_run_command", args{"session": name, "input": "cat greeting.txt"}); r.Output != want {
			t.Errorf("the file in the session: %s", r.text)
		}
		if got := testkit.Read(t, dir, "greeting.txt"); got != want {
			t.Errorf("the file: %q", got)
		}
	})
}
