//go:build unix

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"

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

func TestAgentAnswersPasswordPrompt(t *testing.T) {
	t.Parallel()
	const password = "hunter2-Xyzzy"
	a := startShellAgent(t)
	dir, name := a.project(nil)
	script(t, a.home, "login.sh", `
		read -rsp 'Password: ' p; echo
		[ "$(printf %s "$p" | cksum)" = "$(cat "$HOME/sum")" ] || { echo Denied.; exit 1; }
		echo Welcome.`)
	sum := exec.Command("cksum")
	sum.Stdin = strings.NewReader(password)
	out, err := sum.Output()
	if err != nil {
		t.Fatal(err)
	}
	testkit.Write(t, a.home, "sum", string(out))
	events := a.watchEverything(name)
	a.call("wsh_manage_session", args{"session": name, "action": "start_recording"})

	r := a.call("wsh_run_command", args{"session": name, "input": "~/login.sh", "timeout_ms": 300, "format": "plain"})
	if r.State != "waiting" || r.last() != "Password:" {
		t.Fatalf("no prompt for a password: %s", r.text)
	}
	a.call("wsh_send_input", args{"session": name, "input": password, "keys": []string{"Enter"}})
	if status := a.prompts(name); status != 0 {
		t.Fatalf("status %d", status)
	}
	s := a.call("wsh_get_screen", args{"session": name, "format": "plain"})
	if !slices.Contains(s.Lines, "Welcome.") {
		t.Errorf("not welcome: %s", s.text)
	}
	a.call("wsh_get_scrollback", args{"session": name, "format": "plain"})
	a.call("wsh_list_sessions", args{"session": name})
	a.call("wsh_manage_session", args{"session": name, "action": "stop_recording"})
	recording := a.recording(name)

	// The shell writes its history when it ends.
	a.call("wsh_send_input", args{"session": name, "input": "exit", "keys": []string{"Enter"}})
	a.call("wsh_await_quiesce", args{"session": name, "exit": true})
	a.call("wsh_manage_session", args{"session": name, "action": "kill"})

	answers := regexp.MustCompile(`(?m)^> .*$`).ReplaceAllString(a.transcript.String(), "")
	for place, text := range map[string]string{
		"an answer": answers, "an event": events(), "the recording": recording, "the log of the server": a.errs.String(),
	} {
		if !strings.Contains(text, "login.sh") && place != "the log of the server" {
			t.Errorf("%s does not have the command: %q", place, text)
		}
		if strings.Contains(text, password) {
			t.Errorf("%s has the password: %s", place, text)
		}
	}
	files := readAll(t, a.home, a.recs, dir)
	for _, want := range []string{".bash_history", ".cast"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(file string) bool { return strings.HasSuffix(file, want) }) {
			t.Errorf("there is no %s", want)
		}
	}
	for file, content := range files {
		if strings.Contains(content, password) {
			t.Errorf("%s has the password", file)
		}
	}
}

// watchEverything subscribes to all events of all sessions. The function that it returns waits
// until the session has been removed, and returns them all.
func (a *shellAgent) watchEverything(session string) (events func() string) {
	a.t.Helper()
	c, _, err := websocket.Dial(a.t.Context(), "ws://localhost/ws/json", &websocket.DialOptions{HTTPClient: a.overSocket()})
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = c.CloseNow() })
	c.SetReadLimit(-1)
	subscribe := fmt.Sprintf(`{"id":"all","method":"subscribe","session":%q,"params":{"idle_timeout_ms":100,"interval_ms":10,"events":[
		"lines","chars","cursor","mode","diffs","activity","input","overlay","command","title","bell","notification","progress","clipboard"]}}`, session)
	if err := c.Write(a.t.Context(), websocket.MessageText, []byte(subscribe)); err != nil {
		a.t.Fatal(err)
	}
	var all bytes.Buffer
	until := func(text string) {
		a.t.Helper()
		ctx, cancel := context.WithTimeout(a.t.Context(), wait.Patience)
		defer cancel()
		for {
			_, message, err := c.Read(ctx)
			if err != nil {
				a.t.Fatalf("no %s: %v after %s", text, err, all.String())
			}
			fmt.Fprintf(&all, "%s\n", message)
			if bytes.Contains(message, []byte(text)) {
				return
			}
		}
	}
	until(`"id":"all"`)
	return func() string {
		a.t.Helper()
		until("session_removed")
		return all.String()
	}
}

// recording returns what a session has recorded.
func (a *shellAgent) recording(session string) string {
	a.t.Helper()
	res, err := a.overSocket().Get("http://localhost/sessions/" + session + "/recording")
	if err != nil {
		a.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		a.t.Fatalf("recording: %s %s, %v", res.Status, b, err)
	}
	return string(b)
}

// readAll returns the contents of all regular files in folders, by their paths, but of those that
// are removed meanwhile: what a shell that has ended leaves.
func readAll(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			files[path] = string(content)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
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
