//go:build linux || darwin

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/leak"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// hosts are folders that stand for hosts: "ssh NAME COMMAND" runs a command with the folder of that
// name as its home.
type hosts struct {
	t   *testing.T
	dir string
}

func newHosts(t *testing.T, names ...string) hosts {
	t.Helper()
	h := hosts{t, testkit.ShortDir(t)}
	script := "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\n" + `export HOME="@/$2" XDG_RUNTIME_DIR="@/$2" XDG_CACHE_HOME="@/$2/cache" XDG_CONFIG_HOME="@/$2"
shift 2
eval "exec $*"
`
	for _, name := range append(names, "bin") {
		if err := os.Mkdir(filepath.Join(h.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(h.dir, "bin", "ssh"), []byte(strings.ReplaceAll(script, "@", h.dir)), 0o700); err != nil {
		t.Fatal(err)
	}
	return h
}

// home is the folder of a host.
func (h hosts) home(name string) string { return filepath.Join(h.dir, name) }

// command returns a command on a host.
func (h hosts) command(host, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = h.home(host)
	cmd.Env = append(sandbox(h.home(host)), "XDG_CONFIG_HOME="+h.home(host), "TMPDIR="+h.home(host), "PATH="+filepath.Join(h.dir, "bin")+":"+os.Getenv("PATH"))
	return cmd
}

// run runs a command of wsh on a host.
func (h hosts) run(host string, args ...string) string {
	h.t.Helper()
	out, err := h.command(host, "wsh", args...).CombinedOutput()
	if err != nil {
		h.t.Fatalf("on %s: wsh %q: %v\n%s", host, args, err, out)
	}
	return string(out)
}

// serve starts the server of terminals of a host.
func (h hosts) serve(host string, flags ...string) *testkit.Log {
	h.t.Helper()
	cmd := h.command(host, "wsh", append([]string{"server", "--bind", "127.0.0.1:0", "--hostname", host, "--log-level", "debug"}, flags...)...)
	log := &testkit.Log{}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
		if err := cmd.Wait(); err != nil {
			h.t.Errorf("the server of %s ended badly: %v", host, err)
		}
		if h.t.Failed() {
			h.t.Logf("standard error of the server of %s:\n%s", host, log.String())
		}
	})
	wait.Until(h.t, "the server of "+host+" serves", func() bool {
		found, err := h.command(host, "wsh", "status").Output()
		return err == nil && len(found) > 0
	})
	return log
}

// An agentProcess is a client of "ui-mcp mcp" on a host.
type agentProcess struct {
	*mcp.ClientSession
	cmd  *exec.Cmd
	base string // directory
	log  testkit.Log
}

func (h hosts) agent(host string) *agentProcess {
	h.t.Helper()
	a := &agentProcess{base: filepath.Join(h.home(host), "project", ".claude", "ui")}
	if err := os.MkdirAll(a.base, 0o755); err != nil {
		h.t.Fatal(err)
	}
	a.cmd = h.command(host, "ui-mcp", "mcp", "--own", "--dir", a.base, "--toolsets", "ui,popup,terminal", "--log-level", "debug")
	a.cmd.Stderr = &a.log
	var err error
	a.ClientSession, err = mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "0"}, nil).
		Connect(h.t.Context(), &mcp.CommandTransport{Command: a.cmd, TerminateDuration: wait.Patience}, nil)
	if err != nil {
		h.t.Fatalf("%v\n%s", err, a.log.String())
	}
	h.t.Cleanup(func() {
		_ = a.Close() // it may have been killed
		if h.t.Failed() {
			h.t.Logf("standard error of ui-mcp on %s:\n%s", host, a.log.String())
		}
	})
	return a
}

// popup asks a question as the agent does, and returns where the result comes.
func (a *agentProcess) popup(t *testing.T, title string) <-chan string {
	results := make(chan string, 1)
	go func() {
		res, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "popup", Arguments: map[string]any{
			"title": title, "message": "On which?", "options": []map[string]string{{"label": "Staging", "value": "staging"}, {"label": "Production", "value": "production"}},
		}})
		if err != nil {
			results <- err.Error()
			return
		}
		text, _ := json.Marshal(res.Content)
		results <- string(text)
	}()
	return results
}

// stored returns what the questions that are kept have come to.
func (a *agentProcess) stored(t *testing.T) (values []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(a.base, "popups", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		var record struct{ Answer *struct{ Value string } }
		if content, err := os.ReadFile(file); err == nil && json.Unmarshal(content, &record) == nil && record.Answer != nil {
			values = append(values, record.Answer.Value)
		}
	}
	slices.Sort(values)
	return values
}

// An agent on one host asks, and the person answers on the page of another host. Killing the
// agent's server while the question is open loses nothing.
func TestQuestionFromAnotherHost(t *testing.T) {
	load.Long(t, "fleet and questions have the parts of the way")
	t.Parallel()
	h := newHosts(t, "laptop", "build")
	logs := []*testkit.Log{h.serve("build", "--confirm", "^rm "), h.serve("laptop")}
	h.run("laptop", "servers", "add", "ssh://build")
	page := startPages(t, h.home("laptop"), "shop")
	there := startPages(t, h.home("build"), "other") // of another project on the agent's host
	agent := h.agent("build")

	result := agent.popup(t, "Deploy?")
	page.asked("Deploy?")
	page.Wait(inQuestion("dialog") + `.textContent.includes("build")`)
	page.ClickOn(option("Production"))
	if got := wait.For(t, "the answer", result); !strings.Contains(got, `production`) || !strings.Contains(got, "answered") {
		t.Error(got)
	}
	page.idle()

	// The agent's server is killed while the question is open. Its next run asks again, since the
	// person has not decided, and keeps the answer.
	agent.popup(t, "Again?")
	page.asked("Again?")
	if err := agent.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	page.idle()
	agent = h.agent("build")
	page.asked("Again?")
	page.ClickOn(option("Staging"))
	wait.Until(t, "the answers are kept", func() bool { return slices.Equal(agent.stored(t), []string{"production", "staging"}) })
	page.idle()

	// What a terminal there asks is on the pages of both hosts, once on each.
	h.run("build", "run", "-b", "--name", "work", "--", "cat")
	sent := make(chan error, 1)
	go func() { sent <- h.command("build", "wsh", "send", "work", "rm -rf build", "-k", "Enter").Run() }()
	page.asked("work")
	there.asked("work")
	for _, p := range []*pageServer{page, there} {
		p.Wait(`!` + inQuestion("dialog") + `.textContent.includes("1 of")`)
	}
	page.ClickOn(option("Allow"))
	if err := wait.For(t, "what was sent", sent); err != nil {
		t.Error(err)
	}
	page.idle()
	there.idle()

	// A program in a terminal of the agent's server asks for a secret.
	const password = "horse-battery-hosts"
	search := leak.For(t, password)
	call, results := collectResults(t, agent.ClientSession)
	call("wsh_create_session", map[string]any{"name": "secret", "command": `bash -c 'read -rs -p "Password: " p; echo "got ${#p}"; exec cat'`})
	page.asked("asks for a secret")
	page.Press(password)
	page.Press(browser.Enter)
	if got := call("wsh_await_quiesce", map[string]any{"session": "secret", "wait_for": fmt.Sprintf("got %d", len(password))}); !strings.Contains(got, "found") {
		t.Error(got)
	}
	page.idle()
	there.idle()
	search.Text("the results of tools", results())
	for _, log := range append(logs, &page.log, &there.log, &agent.log) {
		search.Text("a log", log.String())
	}
	if n := search.Tree(h.dir); n == 0 {
		t.Error("no file was searched")
	}
}
