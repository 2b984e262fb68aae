//go:build linux || darwin

package e2e

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/leak"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A pageServer is a process of "ui-mcp serve", and a tab with the page of its questions.
type pageServer struct {
	*browser.Tab
	t    *testing.T
	cmd  *exec.Cmd
	base string // directory
	log  testkit.Log
}

// startPages starts a server for a project of a home, and opens its page of questions.
func startPages(t *testing.T, home, project string) *pageServer {
	t.Helper()
	s := &pageServer{t: t, base: filepath.Join(home, project, ".claude", "ui")}
	if err := os.MkdirAll(s.base, 0o755); err != nil {
		t.Fatal(err)
	}
	s.cmd = exec.Command("ui-mcp", "serve", "--dir", s.base, "--port", "0", "--mcp-port", "0", "--log-level", "debug")
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = filepath.Join(home, project), append(sandbox(home), "TMPDIR="+home), &s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.kill()
		if t.Failed() {
			t.Logf("standard error of the server of %s:\n%s", project, s.log.String())
		}
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "Open "); ok {
			address, _, _ := strings.Cut(rest, " ")
			page, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			s.Tab = browser.New(t).Tab()
			s.Open("http://" + page.Host + "/popup")
			s.Wait(questionElement + `?.dataset.ready === "true"`)
			s.watched()
			return s
		}
	}
	t.Fatal("the server does not say where it is")
	return nil
}

// watched waits until the user's other servers can know that the page is open.
func (s *pageServer) watched() {
	s.t.Helper()
	wait.Until(s.t, "the open page is announced", func() bool {
		return slices.ContainsFunc(discovery.Look(s.cmd.Env), func(o discovery.Server) bool { return o.PID == s.cmd.Process.Pid && o.Watched })
	})
}

// kill ends the server at once. It may be called more than once.
func (s *pageServer) kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	_ = s.cmd.Wait()
}

// asked waits until the page displays a question with this in its title, and takes an answer.
func (s *pageServer) asked(title string) {
	s.t.Helper()
	s.Wait(questionElement + `.dataset.state === "dialog" && ` + inQuestion("h2") + fmt.Sprintf(`.textContent.includes(%q) && `, title) + settled)
}

// idle waits until the page displays no question.
func (s *pageServer) idle() {
	s.t.Helper()
	s.Wait(questionElement + `.dataset.state === "idle"`)
}

// withdrawn waits until the page says that the secret is not asked for any more, and closes that:
// the dialog stays, so that no half of a secret is typed into what is below.
func (s *pageServer) withdrawn() {
	s.t.Helper()
	s.Wait(inQuestion("dialog") + `.textContent.includes("The program no longer asks for this.")`)
	s.Press(browser.Escape)
	s.idle()
}

// A program in a session of "wsh server" asks for a secret, which the person types on a page of
// ui-mcp. It is in no other place but that program.
func TestSecretOfTerminalOnPage(t *testing.T) {
	load.Long(t, "TestSecretIsNowhere has the path from the page, and nearby the rest")
	t.Parallel()
	needPrograms(t, "bash")
	const password = "horse-battery-page"
	search := leak.For(t, password)
	recordings := t.TempDir()
	s := startShellServer(t, "TCP", "--log-level", "debug", "--record", recordings)
	home := filepath.Dir(filepath.Dir(s.socket))
	agent := testkit.Client(t, nil, &mcp.StreamableClientTransport{Endpoint: s.base + "/mcp"}, "")
	call, results := collectResults(t, agent)
	// The program asks before there is a page.
	call("wsh_create_session", map[string]any{"name": "secret", "cwd": home, "command": `bash -c 'read -rs -p "Password: " p; echo "got ${#p}"; exec cat'`})
	call("wsh_await_quiesce", map[string]any{"session": "secret", "wait_for": "Password: "})
	shop, garden := startPages(t, home, "shop"), startPages(t, home, "garden")
	garden.asked("asks for a secret")
	shop.asked("asks for a secret")
	wait.Until(t, "the agent learns that the person is asked", func() bool {
		return strings.Contains(call("wsh_list_sessions", nil), `"person_asked":true`)
	})
	shop.Wait(inQuestion(".message pre") + `.textContent.includes("Password:") && ` + inQuestion("input.text") + `.type === "password"`)
	shop.Press(password)
	shop.Press(browser.Enter)
	if got := call("wsh_await_quiesce", map[string]any{"session": "secret", "wait_for": fmt.Sprintf("got %d", len(password))}); !strings.Contains(got, "found") {
		t.Error(got)
	}
	shop.idle()
	garden.withdrawn()
	call("wsh_get_screen", map[string]any{"session": "secret"})
	_, typed := s.do(t, "GET", "/sessions/secret/typed", "")
	search.Text("the ledger", typed)
	search.Text("the results of tools", results())
	for _, page := range []*pageServer{shop, garden} {
		search.Text("the document", browser.Eval[string](page.Tab, questionElement+`.shadowRoot.innerHTML + [...`+questionElement+`.shadowRoot.querySelectorAll("input, textarea")].map((e) => e.value)`))
		search.Text("the page's storage", browser.Eval[string](page.Tab, `JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })`))
		search.Text("the log of ui-mcp", page.log.String())
		if stored, _ := filepath.Glob(filepath.Join(page.base, "popups", "*")); len(stored) > 0 {
			t.Errorf("stored: %q", stored)
		}
	}
	search.Text("the log of wsh", s.log.String())
	for _, dir := range []string{home, recordings} {
		if n := search.Tree(dir); n == 0 {
			t.Errorf("no file of %s was searched", dir)
		}
	}
	search.Processes()

	// What ui-mcp asks is displayed at attached terminals, too.
	attach(t, home, "secret", func(types func(string), has func(string) bool) {
		ask := exec.Command("ui-mcp", "ask", "Ship it?", "-o", "Ship", "-o", "Wait")
		ask.Dir, ask.Env = shop.cmd.Dir, shop.cmd.Env
		answered := make(chan error, 1)
		go func() { answered <- ask.Run() }()
		shop.asked("Question")
		wait.Until(t, "the question of ui-mcp is on the terminal", func() bool { return has("Ship it?") })
		wait.Until(t, "it is answered there", func() bool {
			wait.Pause(wait.Reading)
			types("1")
			select {
			case err := <-answered:
				if err != nil {
					t.Errorf("answered on the terminal: %v", err)
				}
				return true
			default:
				return false
			}
		})
		shop.idle()
	})

	// The server of terminals is killed while it asks: its question is withdrawn.
	call("wsh_create_session", map[string]any{"name": "other", "cwd": home, "command": `bash -c 'read -rs -p "Password: " p'`})
	shop.asked("“other”")
	garden.asked("“other”")
	s.stop(t, os.Kill)
	shop.withdrawn()
	garden.withdrawn()
}
