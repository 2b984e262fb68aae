//go:build linux || darwin

package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/leak"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// The programs of an agent on "wsh server" ask a person who is attached to another session of the
// directory, as --ask-prompts says: there the person types a secret that goes to the program only.
func TestServerAsksPrompts(t *testing.T) {
	t.Parallel()
	needPrograms(t, "bash")
	for rule, line := range map[string]bool{"secrets": false, "all": true} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			password := "battery-staple-" + rule
			search := leak.For(t, password)
			recordings := t.TempDir()
			s := startShellServer(t, "TCP", "--ask-prompts", rule, "--log-level", "debug", "--record", recordings)
			home := filepath.Dir(filepath.Dir(s.socket))
			agent := testkit.Client(t, nil, &mcp.StreamableClientTransport{Endpoint: s.base + "/mcp"}, "")
			call, results := collectResults(t, agent)
			asked := func(session string) bool {
				t.Helper()
				var list []struct {
					Name        string
					PersonAsked bool `json:"person_asked"`
				}
				if err := json.Unmarshal([]byte(call("wsh_list_sessions", nil)), &list); err != nil {
					t.Fatal(err)
				}
				for _, s := range list {
					if s.Name == session {
						return s.PersonAsked
					}
				}
				t.Fatalf("there is no session %s", session)
				return false
			}
			if _, body := s.do(t, "POST", "/sessions", fmt.Sprintf(`{"name":"mine","command":"echo at work; exec cat","cwd":%q}`, home)); !strings.Contains(body, "mine") {
				t.Fatal(body)
			}
			call("wsh_create_session", map[string]any{"name": "line", "cwd": home, "command": `bash -c 'read -p "Name: " n; echo "hello $n"; exec cat'`})
			call("wsh_await_quiesce", map[string]any{"session": "line", "wait_for": "Name: "})
			if line {
				answer(t, home, "asks you something", "Ada", func() {}, func() {
					call("wsh_await_quiesce", map[string]any{"session": "line", "wait_for": "hello Ada"})
				})
			}
			call("wsh_create_session", map[string]any{"name": "secret", "cwd": home, "command": `bash -c 'read -rs -p "Password: " p; echo "got ${#p}"; exec cat'`})
			answer(t, home, "asks for a secret", password, func() {
				wait.Until(t, "the agent learns that the person is asked", func() bool { return asked("secret") })
				if asked("line") { // although it has waited longer
					t.Error("the person is asked for a line")
				}
			}, func() {
				if got := call("wsh_await_quiesce", map[string]any{"session": "secret", "wait_for": fmt.Sprintf("got %d", len(password))}); !strings.Contains(got, "found") {
					t.Error(got)
				}
			})
			wait.Until(t, "the question is over", func() bool { return !asked("secret") })
			for _, session := range []string{"secret", "mine"} {
				call("wsh_get_screen", map[string]any{"session": session})
				call("wsh_get_scrollback", map[string]any{"session": session})
				_, typed := s.do(t, "GET", "/sessions/"+session+"/typed", "")
				search.Text("the ledger", typed)
			}
			search.Text("the results of tools", results())
			search.Text("the log", s.log.String())
			for _, dir := range []string{home, recordings} {
				if n := search.Tree(dir); n == 0 {
					t.Errorf("no file of %s was searched", dir)
				}
			}
		})
	}
}

// answer attaches a person's terminal to the session "mine", waits for a question there, runs
// asked, answers with a text and runs answered before the person leaves. A question takes no key
// before it was there for half a second without any, and Tab selects its text.
func answer(t *testing.T, home, title, text string, asked, answered func()) {
	t.Helper()
	attach(t, home, "mine", func(types func(string), has func(string) bool) {
		wait.Until(t, "the person is asked", func() bool { return has(title) })
		asked()
		wait.Until(t, "the text is selected", func() bool {
			wait.Pause(wait.Reading)
			types("\t")
			for range 200 { // on a busy machine, another key must not follow one that counts
				if has("▏") {
					return true
				}
				wait.Pause(100 * time.Millisecond)
			}
			return false
		})
		types(text) // at once, as a paste is, which answers nothing by itself
		wait.Until(t, "the text is there", func() bool { return has(text) || has(strings.Repeat("•", len(text))) })
		types("\r")
		answered()
	})
}

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

// An agent that runs two commands at once does not answer the question of the first one with the
// second one.
func TestTwoCommandsAtOnce(t *testing.T) {
	t.Parallel()
	needPrograms(t, "bash")
	a := startAllToolsets(t, testkit.ShortDir(t), "shop")
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
