//go:build linux || darwin

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

const buildLua = `
Build = session:prototype("Build", { status = "" })
if not session.reloading then build = Build:new() end
`

// An allAgent is an agent with all toolsets, from one ui-mcp process. Its client asks the person
// in a dialog of its own, where they choose "yes".
type allAgent struct {
	*mcp.ClientSession
	t   *testing.T
	pid int
	ui  string // the base directory
}

func startAllToolsets(t *testing.T, home, project string) *allAgent {
	t.Helper()
	base := filepath.Join(home, project, ".claude", "ui")
	if err := os.MkdirAll(base, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("ui-mcp", "mcp", "--dir", base, "--toolsets", "ui,popup,terminal")
	cmd.Dir = filepath.Join(home, project)
	cmd.Env = sandbox(home)
	var errs testkit.Log
	cmd.Stderr = &errs
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "0"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			wait.Pause(wait.Reading)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "yes"}}, nil
		},
	})
	s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: wait.Patience}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	t.Cleanup(func() {
		s.Close()
		if t.Failed() {
			t.Logf("standard error of ui-mcp:\n%s", errs.String())
		}
	})
	for _, server := range discovery.Look(cmd.Env) {
		if server.Working == cmd.Dir {
			return &allAgent{s, t, server.PID, base}
		}
	}
	t.Fatal("the server cannot be found")
	return nil
}

// sandbox is an environment that keeps a process out of the real home, and of a session in which
// the test may run.
func sandbox(home string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "WSH_") })
	return append(env, "XDG_RUNTIME_DIR="+home, "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "SHELL=/bin/bash")
}

// ok calls a tool that must succeed, and returns the text of its result.
func (a *allAgent) ok(tool string, args map[string]any) string {
	a.t.Helper()
	texts, failed := testkit.Call(a.t, a.ClientSession, tool, args)
	if failed {
		a.t.Fatalf("%s %v: %s", tool, args, texts)
	}
	return texts[0]
}

// An agent works with all three toolsets in one conversation, and a person reaches its sessions
// with the commands of wsh.
func TestAllToolsets(t *testing.T) {
	t.Parallel()
	needPrograms(t, "bash")
	home := testkit.ShortDir(t)
	a := startAllToolsets(t, home, "shop")

	// A build in a terminal, its result in the app, and a question about what to do with it.
	a.ok("ui_start", nil)
	testkit.Write(t, a.ui, "apps/build/app.lua", buildLua)
	testkit.Write(t, a.ui, "apps/build/viewdefs/Build.DEFAULT.html", `<template><p ui-value="status"></p></template>`)
	a.ok("ui_display", map[string]any{"name": "build"})
	a.ok("wsh_create_session", map[string]any{"name": "work"})
	var ran struct {
		Output   string
		ExitCode int `json:"exit_code"`
	}
	if err := json.Unmarshal([]byte(a.ok("wsh_run_command", map[string]any{"session": "work", "input": "echo built $((40+2))"})), &ran); err != nil || ran.Output != "built 42\n" {
		t.Fatalf("wsh_run_command: %+v, %v", ran, err)
	}
	a.ok("ui_run", map[string]any{"code": fmt.Sprintf("build.status = %q", strings.TrimSpace(ran.Output))})
	if got := a.ok("ui_inspect", nil); !strings.Contains(got, "built 42") {
		t.Errorf("the person sees %s", got)
	}
	if got := a.ok("popup", map[string]any{"title": "Deploy?", "message": "It is built.", "options": []string{"yes", "no"}}); !strings.Contains(got, `"selectedValue":"yes"`) {
		t.Errorf("the person answered %s", got)
	}

	// A person looks at it with wsh.
	name := fmt.Sprintf("ui-mcp-%d", a.pid)
	wsh := func(args ...string) (string, error) {
		cmd := exec.Command("wsh", args...)
		cmd.Env = sandbox(home)
		cmd.Dir = home
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		return out.String() + errs.String(), err
	}
	must := func(want string, args ...string) {
		t.Helper()
		if got, err := wsh(args...); err != nil || !strings.Contains(got, want) {
			t.Errorf("wsh %q: %s, %v; want %q", args, got, err, want)
		}
	}
	must("in "+name+" (~/shop)", "list")
	must(`"server_name":"`+name+`"`, "list", "--json")
	must("built 42", "screen", "work")
	must("", "send", "work", "echo sen''t\n")
	must("", "wait", "work", "--text", "\nsent")
	if got := a.ok("wsh_await_quiesce", map[string]any{"session": "work", "wait_for": "^sent", "pattern": true}); !strings.Contains(got, "found") {
		t.Error(got)
	}
	attachTo(t, home, "work", func(types func(string), sees func(string)) {
		sees("built 42")
		types("echo by-h''and\r")
		sees("by-hand")
		a.ok("wsh_await_quiesce", map[string]any{"session": "work", "wait_for": "^by-hand", "pattern": true})
	})
	if got, err := wsh("-L", name, "stop", "--yes"); err == nil || !strings.Contains(got, "end that program instead") {
		t.Errorf("stop: %s, %v", got, err)
	}

	// Another agent has a session of the same name.
	other := startAllToolsets(t, home, "blog")
	other.ok("wsh_create_session", map[string]any{"name": "work"})
	other.ok("wsh_create_session", map[string]any{"name": "only"})
	must("~/blog", "list")
	got, err := wsh("screen", "work")
	for _, part := range []string{`2 servers have a session "work"`, name + " (~/shop)", "(~/blog)", "Choose one with -L"} {
		if err == nil || !strings.Contains(got, part) {
			t.Errorf("an ambiguous name: %s, %v; want %q", got, err, part)
		}
	}
	must("built 42", "-L", name, "screen", "work")
	must("", "screen", "only")
	if got, err := wsh("kill", "work", "only", "--yes"); err == nil || !strings.Contains(got, "2 servers") {
		t.Errorf("kill: %s, %v", got, err)
	}

	// What has ended is not listed.
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	must("built 42", "screen", "work")
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if got, err := wsh("list", "--json"); err != nil || got != "[]\n" {
		t.Errorf("after the end: %s, %v", got, err)
	}
	if left, err := filepath.Glob(filepath.Join(home, "wsh", "ui-mcp-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// attachTo attaches a terminal to a session while f runs.
func attachTo(t *testing.T, home, session string, f func(types func(string), sees func(string))) {
	t.Helper()
	attach(t, home, session, func(types func(string), has func(string) bool) {
		f(types, func(text string) {
			wait.Until(t, fmt.Sprintf("the person sees %q", text), func() bool { return has(text) })
		})
	})
}

// attach is attachTo for tests that look at what the person has seen so far.
func attach(t *testing.T, home, session string, f func(types func(string), has func(string) bool)) {
	t.Helper()
	path, err := exec.LookPath("wsh")
	if err != nil {
		t.Fatal(err)
	}
	p, err := pty.Start(pty.Options{Path: path, Args: []string{"attach", session}, Dir: home, Env: append(sandbox(home), "TERM=xterm-256color"), Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var out strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 32<<10)
		for {
			n, err := p.Read(buf)
			mu.Lock()
			out.Write(buf[:n])
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	f(func(text string) {
		if _, err := p.Write([]byte(text)); err != nil {
			t.Error(err)
		}
	}, func(text string) bool {
		mu.Lock()
		defer mu.Unlock()
		return strings.Contains(out.String(), text)
	})
	if err := p.Kill(time.Second); err != nil {
		t.Error(err)
	}
	<-read
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// collectResults returns a function that calls a tool, which must succeed, and one that returns the
// results of all calls so far.
func collectResults(t *testing.T, agent *mcp.ClientSession) (call func(tool string, args map[string]any) string, results func() string) {
	var all strings.Builder
	call = func(tool string, args map[string]any) string {
		t.Helper()
		texts, failed := testkit.Call(t, agent, tool, args)
		text := strings.Join(texts, "\n")
		all.WriteString(text)
		if failed {
			t.Fatalf("%s %v: %s", tool, args, text)
		}
		return text
	}
	return call, all.String
}
