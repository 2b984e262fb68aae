//go:build unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"ui-mcp/internal/testkit/leak"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
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
	if err := os.Mkdir(dir, 0o755); err != nil {
		a.t.Fatal(err)
	}
	for name, content := range files {
		testkit.Write(a.t, dir, name, content)
	}
	return dir, a.call("wsh_create_session", args{"name": "work", "cwd": dir}).Session
}

func TestAgentEditsInVim(t *testing.T) {
	t.Parallel()
	needPrograms(t, "vim")
	a := startShellAgent(t)
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
}

// script makes a program of a shell script.
func script(t testing.TB, dir, name, text string) {
	t.Helper()
	testkit.Write(t, dir, name, "#!/bin/bash\n"+text)
	if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
		t.Fatal(err)
	}
}

// prompts waits for the prompt, and returns the exit status of the command.
func (a *shellAgent) prompts(session string) int {
	a.t.Helper()
	r := a.call("wsh_await_quiesce", args{"session": session, "prompt": true})
	if r.ExitCode == nil {
		a.t.Fatalf("the prompt without an exit code: %s", r.text)
	}
	return *r.ExitCode
}

// What an agent itself answers a prompt for a password with is nowhere but in that program.
func TestAgentAnswersPasswordPrompt(t *testing.T) {
	t.Parallel()
	const password = "hunter2-Xyzzy"
	search := leak.For(t, password)
	a := startShellAgent(t)
	_, name := a.project(nil)
	events, ended := watchIn(t, a.home, name)
	wait.Until(t, "the session is watched", func() bool {
		a.call("wsh_run_command", args{"session": name, "input": "echo watched"})
		return strings.Contains(events.String(), "watched")
	})
	a.call("wsh_manage_session", args{"session": name, "action": "start_recording"})
	r := a.call("wsh_run_command", args{"session": name, "input": `read -rsp "Password: " p; echo; echo "got ${#p}"`, "timeout_ms": 300, "format": "plain"})
	if r.State != "waiting" || r.last() != "Password:" {
		t.Fatalf("no prompt for a password: %s", r.text)
	}
	a.call("wsh_send_input", args{"session": name, "input": password, "keys": []string{"Enter"}})
	if status := a.prompts(name); status != 0 {
		t.Fatalf("status %d", status)
	}
	if s := a.call("wsh_get_screen", args{"session": name, "format": "plain"}); !slices.Contains(s.Lines, fmt.Sprintf("got %d", len(password))) {
		t.Errorf("the screen: %s", s.text)
	}
	a.call("wsh_get_scrollback", args{"session": name, "format": "plain"})
	a.call("wsh_list_sessions", args{"session": name})
	a.call("wsh_manage_session", args{"session": name, "action": "stop_recording"})
	wshIn(t, a.home, "record", name, filepath.Join(a.home, "work.cast"), "--save")

	// The shell writes its history when it ends.
	a.call("wsh_send_input", args{"session": name, "input": "exit", "keys": []string{"Enter"}})
	a.call("wsh_await_quiesce", args{"session": name, "exit": true})
	ended()
	a.call("wsh_manage_session", args{"session": name, "action": "kill"})
	search.Text("an answer", regexp.MustCompile(`(?m)^> .*$`).ReplaceAllString(a.transcript.String(), ""))
	search.Text("events", events.String())
	search.Text("the log of the server", a.errs.String())
	for _, file := range []string{".bash_history", "work.cast"} {
		if !strings.Contains(testkit.Read(t, a.home, file), "Password: ") {
			t.Errorf("%s does not have the command", file)
		}
	}
	search.Tree(a.home)
}

func TestAgentStopsRunaway(t *testing.T) {
	t.Parallel()
	a := startShellAgent(t)
	_, name := a.project(nil)
	a.call("wsh_run_command", args{"session": name, "input": "true"}) // so the shell prompts
	for _, line := range []string{"yes runaway", "while :; do :; done", "sleep 1000"} {
		r, isError := a.try("wsh_run_command", args{"session": name, "input": line, "max_wait_ms": 500, "timeout_ms": 60_000, "format": "plain"})
		if !isError || r.State != "running" {
			t.Fatalf("%s: %s", line, r.text)
		}
		a.call("wsh_send_input", args{"session": name, "keys": []string{"C-c"}})
		if status := a.prompts(name); status != 130 {
			t.Errorf("%s: status %d", line, status)
		}
	}
	if r := a.call("wsh_run_command", args{"session": name, "input": "echo fine"}); r.Output != "fine\n" {
		t.Errorf("afterwards: %s", r.text)
	}
}

func TestAgentWatchesBuild(t *testing.T) {
	t.Parallel()
	a := startShellAgent(t)
	dir, build := a.project(nil)
	script(t, dir, "build.sh", `
		for part in left right; do
			echo "compiling $part"
			until [ -s $part.src ]; do sleep 0.02; done
			if grep -q oops $part.src; then
				echo "error: $part.src: oops"
				while grep -q oops $part.src; do sleep 0.02; done
			fi
			echo "built $part"
		done
		echo finished`)
	left := a.call("wsh_create_session", args{"name": "left", "cwd": dir}).Session
	right := a.call("wsh_create_session", args{"name": "right", "cwd": dir}).Session
	if r := a.call("wsh_run_command", args{"session": build, "input": "./build.sh", "background": true}); r.State != "running" {
		t.Fatalf("in the background: %s", r.text)
	}
	var finished atomic.Bool // the build can come to its end
	var watching sync.WaitGroup
	watching.Go(func() {
		r, isError := a.try("wsh_await_quiesce", args{"session": build, "prompt": true, "max_wait_ms": 300_000})
		if isError || r.ExitCode == nil || *r.ExitCode != 0 || !finished.Load() {
			t.Errorf("the end of the build: %s", r.text)
		}
	})
	defer watching.Wait()
	work := func(session, line, news string) {
		t.Helper()
		if r := a.call("wsh_run_command", args{"session": session, "input": line}); r.ExitCode == nil || *r.ExitCode != 0 {
			t.Errorf("%s: %s", line, r.text)
		}
		a.call("wsh_await_quiesce", args{"session": build, "wait_for": news, "pattern": true})
	}
	work(left, "echo good > left.src", "^built left$")
	work(right, "echo oops > right.src", "^error: right")
	work(left, "grep -n oops *.src", "^compiling right")
	finished.Store(true)
	work(right, "echo good > right.src", "^finished$")
	watching.Wait()
	r := a.call("wsh_get_scrollback", args{"session": build, "search": "error|finished"})
	if len(r.Matches) != 2 || r.Matches[0].Text != "error" {
		t.Errorf("matches: %s", r.text)
	}
	for _, name := range []string{build, left, right} {
		a.call("wsh_manage_session", args{"session": name, "action": "kill"})
	}
	if r := a.call("wsh_list_sessions", args{}); r.text != "[]" {
		t.Errorf("sessions: %s", r.text)
	}
}
