//go:build linux || darwin

package e2e

import (
	"os/exec"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// An agent that runs two commands at once does not answer the question of the first one with the
// second one.
func TestTwoCommandsAtOnce(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	a := startAllToolsets(t, shortDir(t), "shop")
	a.ok("wsh_create_session", map[string]any{"name": "work"})
	a.ok("wsh_await_quiesce", map[string]any{"session": "work", "prompt": true})
	results := make(chan string, 2)
	run := func(line string) {
		texts, _ := testkit.Call(t, a.ClientSession, "wsh_run_command", map[string]any{"session": "work", "input": line, "max_wait_ms": 100_000})
		results <- strings.Join(texts, "")
	}
	go run(`echo begun; sleep 1; read -p "Name: " name; echo "hello $name"`)
	a.ok("wsh_await_quiesce", map[string]any{"session": "work", "wait_for": "^begun", "pattern": true})
	go run("echo second")
	if got := wait.For(t, "the first command waits", results); !strings.Contains(got, `"state":"waiting"`) {
		t.Fatalf("the first command: %s", got)
	}
	a.ok("wsh_send_input", map[string]any{"session": "work", "input": "Ada\r"})
	if got := wait.For(t, "the second command", results); !strings.Contains(got, `"output":"second\n"`) {
		t.Errorf("the second command: %s", got)
	}
	if got := a.ok("wsh_get_screen", map[string]any{"session": "work", "format": "plain"}); !strings.Contains(got, "hello Ada") {
		t.Errorf("the screen: %s", got)
	}
}
