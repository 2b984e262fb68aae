//go:build linux || darwin

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A program finds its own session, by name and by ID and in the list, however early it asks.
func TestProgramFindsItsSession(t *testing.T) {
	t.Parallel()
	s := startShellServer(t, "Unix")
	n := load.Count(10, 100)
	const command = `wsh screen "$WSH_SESSION" && wsh screen "$WSH_SESSION_ID" && wsh list --json | grep -q "\"$WSH_SESSION_ID\""`
	for i := range n {
		if res, body := s.do(t, "POST", "/sessions", fmt.Sprintf(`{"name":"s%d","command":%q}`, i, command)); res.StatusCode != 201 {
			t.Fatalf("POST /sessions: %d %s", res.StatusCode, body)
		}
	}
	for i := range n {
		path := fmt.Sprintf("/sessions/s%d", i)
		var body string
		wait.Until(t, "the program has ended", func() bool {
			_, body = s.do(t, "GET", path, "")
			return strings.Contains(body, `"exit":{`)
		})
		if !strings.Contains(body, `"exit":{"code":0`) {
			_, screen := s.do(t, "GET", path+"/screen?format=plain", "")
			t.Errorf("%s: %s\n%s", path, body, screen)
		}
	}
}
