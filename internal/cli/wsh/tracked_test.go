//go:build linux || darwin

package wsh

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A running command is one that the test has begun in this process.
type running struct {
	t         *testing.T
	out, errs testkit.Log
	status    chan int
}

// begin begins a command.
func begin(t *testing.T, args ...string) *running {
	t.Helper()
	return beginWith(t, vars(t), "", args...)
}

// beginWith begins a command with variables and standard input.
func beginWith(t *testing.T, v environ.Variables, in string, args ...string) *running {
	t.Helper()
	r := &running{t: t, status: make(chan int, 1)}
	go func() {
		r.status <- Run(t.Context(), "dev", args, v, commandline.Streams{In: strings.NewReader(in), Out: &r.out, Err: &r.errs})
	}()
	return r
}

// prints waits until the command has written a text to a stream.
func (r *running) prints(stream *testkit.Log, text string) {
	r.t.Helper()
	wait.Until(r.t, "the command prints "+text, func() bool { return strings.Contains(stream.String(), text) })
}

// ends waits for the end of the command, and returns its status.
func (r *running) ends() int {
	r.t.Helper()
	return wait.For(r.t, "the end of the command", r.status)
}

// rename gives a session another name, and its old name to a session that says "wrong".
func (d *host) rename(from, to string) {
	d.t.Helper()
	if status, answer := d.ask("PATCH", "/sessions/"+from, `{"name":"`+to+`"}`); status != 200 {
		d.t.Fatalf("rename: %d %s", status, answer)
	}
	d.create(`{"name":"` + from + `","command":"echo wrong; cat"}`)
	d.shows(from, "wrong")
}

// Commands that go on reading stay with their session when it is renamed and another one gets its
// name.
func TestRenamedWhileReading(t *testing.T) {
	t.Parallel()
	const program = `echo ready; while read x && [ $x != end ]; do echo got $x; done; exit 3`
	for _, tt := range []struct {
		args   string
		create bool   // the command creates the session itself, as 0
		first  string // what it prints at the start
		second string // what it prints for "two"
		status int
	}{
		{"run --", true, "ready", "got two", 3},
		{"record 0 -", false, "ready", "got two", 0},
		{"typed 0 --follow", false, "zero", `"two`, 0},
		{"watch 0", false, "ready", "got two", 0},
		{"watch 0 --json", false, "ready", "got two", 0},
	} {
		t.Run(tt.args, func(t *testing.T) {
			d := newHost(t)
			args := strings.Fields(tt.args)
			if tt.create {
				args = append(args, program)
			} else {
				d.create(`{"name":"0","command":"` + program + `"}`)
				d.send("0", "zero\n")
			}
			r := begin(t, args...)
			r.prints(&r.out, tt.first)
			d.rename("0", "build")
			d.send("build", "one\n")
			r.prints(&r.out, "one")
			d.send("build", "two\n")
			r.prints(&r.out, tt.second)
			d.send("build", "end\n")
			if got := r.ends(); got != tt.status || strings.Contains(r.out.String(), "wrong") || r.errs.String() != "" {
				t.Errorf("status %d, want %d; it printed\n%s\n%s", got, tt.status, &r.out, &r.errs)
			}
			if list := must(t, "list"); !strings.Contains(list, "build") || !strings.Contains(list, "0 ") {
				t.Errorf("the sessions are\n%s", list)
			}
		})
	}
}

// A text for which there is no room, since the program does not read, is typed when there is some.
func TestSendWaitsForRoom(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	dir := t.TempDir()
	const length = 500_000
	d.create(`{"name":"a","cwd":` + strconv.Quote(dir) + `,"command":"stty raw -echo; echo ready; until [ -s go ]; do sleep 0.01; done; head -c $(cat go) | tr -d y | wc -c; exec sleep 1000"}`)
	wait.Until(t, "the program is there", func() bool { return strings.Contains(must(t, "screen", "a"), "ready") })
	waits := 0
	wait.Until(t, "the session takes no more", func() bool {
		code, _ := d.ask("POST", "/sessions/a/input", strings.Repeat("y", 1<<16))
		if code < 300 {
			waits += 1 << 16
		}
		return code == 429
	})
	r := beginWith(t, vars(t), strings.Repeat("x", length), "send", "a", "-")
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(strconv.Itoa(waits+length)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := r.ends(); got != 0 {
		t.Errorf("status %d: %s", got, &r.errs)
	}
	wait.Until(t, "the program has got all of it", func() bool { return strings.Contains(must(t, "screen", "a"), strconv.Itoa(length)) })
	if _, errs, status := wsh(t, "send", "a", strings.Repeat("x", maxTyped+1)); status != 2 {
		t.Errorf("a longer text: status %d, %s", status, errs)
	}
}

// Whenever a session is renamed, waiting for its end goes on, and is not for the session that has
// its name now.
func TestRenamedWhileWaiting(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"read x; exit 3"}`)
	err := caller.Env{Vars: vars(t), Where: caller.Where{ServerName: "default"}, Version: "dev", Streams: commandline.Streams{Err: io.Discard}}.WithServer(t.Context(), func(r *caller.Remote) error {
		before := caller.Track(t.Context(), r, "a")
		during := *before
		during.Poll = time.Millisecond // so that the wait is renewed all the time
		type result struct {
			exit wire.Exit
			err  error
		}
		waited := make(chan result, 1)
		go func() {
			exit, err := during.AwaitExit(t.Context())
			waited <- result{exit, err}
		}()
		d.rename("a", "b")
		d.send("b", "\n")
		if got := <-waited; got.err != nil || got.exit.Code != 3 {
			t.Errorf("a wait under way: %+v", got)
		}
		if exit, err := before.AwaitExit(t.Context()); err != nil || exit.Code != 3 {
			t.Errorf("a wait from then on: %+v, %v", exit, err)
		}
		for _, kind := range []string{"", "removed"} {
			if kind == "removed" {
				must(t, "kill", "b")
			}
			err := before.Await(t.Context(), 0, func(to terminals.Target, most terminals.Deadline) error {
				_, err := terminals.AwaitPrompt.Do(t.Context(), r, terminals.Everything, terminals.PromptQuery{Target: to, Formatted: terminals.Formatted{Format: "plain"}, Deadline: most})
				return err
			})
			if want := map[string]fault.Kind{"": fault.Gone, "removed": fault.NotFound}[kind]; fault.KindOf(err) != want {
				t.Errorf("waiting in a session that has ended %s: %v", kind, err)
			}
		}
		_, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "a"})
		return err // it is another session, which nobody has ended
	})
	if err != nil {
		t.Error(err)
	}
	if _, errs, status := wsh(t, "wait", "b", "--exit"); status != 127 || !strings.Contains(errs, `"b"`) {
		t.Errorf("waiting for a session that is not there: status %d, %s", status, errs)
	}
}

// A program knows its session by what stays true when the session is renamed.
func TestOwnID(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"echo $WSH_SESSION $WSH_SESSION_ID; sleep 1000"}`)
	var id string
	wait.Until(t, "the program says where it is", func() bool {
		_, id, _ = strings.Cut(must(t, "screen", "a"), "a @")
		id, _, _ = strings.Cut(id, "\n")
		return id != ""
	})
	d.rename("a", "b")
	if screen := must(t, "screen", "@"+strings.TrimSpace(id)); !strings.Contains(screen, id) {
		t.Errorf("the screen of @%s is\n%s", id, screen)
	}
}

// Commands that wait say so when the server is killed.
func TestServerIsKilled(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"echo ready; cat"}`)
	d.send("a", "hello\r")
	commands := map[string]*running{}
	for args, sees := range map[string]string{"typed a -f": "hello", "watch a": "ready", "watch a --json": "ready"} {
		commands[args] = begin(t, strings.Fields(args)...)
		commands[args].prints(&commands[args].out, sees)
	}
	if err := d.server.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	const want = "wsh: the server is gone, and the session \"a\" with it\n"
	for args, r := range commands {
		if status := r.ends(); status != commandline.ExitFailure || r.errs.String() != want {
			t.Errorf("%q: status %d, %q; want %q", args, status, &r.errs, want)
		}
	}
}

// Commands that meet a server that is stopped say so soon, and name its process; so does a terminal
// that would be attached. transport/client has servers that are stopped while a command waits.
func TestServerThatIsStopped(t *testing.T) {
	load.Long(t, "transport/client TestSilence has a server that does not answer, and what is said then")
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"exec sleep 1000"}`)
	if err := d.server.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("process %d, does not answer", d.server.cmd.Process.Pid)
	var all sync.WaitGroup
	for _, args := range []string{"list", "stop", "kill a --yes", "token", "status", "list --socket " + filepath.Join(d.dir, "default.sock")} {
		all.Go(func() {
			start := time.Now()
			if _, errs, status := wsh(t, strings.Fields(args)...); status != commandline.ExitFailure || !strings.Contains(errs, want) {
				t.Errorf("wsh %s, after %v: status %d, %s; want %q", args, time.Since(start), status, errs, want)
			}
		})
	}
	p := sit(t, 200, 8, recorded(`"$WSH" attach a`))
	all.Wait()
	p.sees(want)
	p.seesLine("status 1")
}

// "wsh wait --needs-me" waits for any of several sessions, and says which one it is.
func TestWaitAny(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"busy","tags":["ci"],"command":"exec sleep 1000"}`)
	d.create(`{"name":"other","command":"read x"}`)
	for _, tt := range []struct {
		args   string
		status int
		errs   string
	}{
		{"wait --tag none --needs-me", 127, "no such session runs"},
		{"wait --tag ci --needs-me -t 30ms", 124, "within 30ms"},
		{"wait a --tag b --needs-me", commandline.ExitUsage, "give either sessions"},
		{"wait --needs-me", commandline.ExitUsage, "which session?"},
	} {
		if _, errs, status := wsh(t, strings.Fields(tt.args)...); status != tt.status || !strings.Contains(errs, tt.errs) {
			t.Errorf("%s: status %d, %q", tt.args, status, errs)
		}
	}
	if out := must(t, "wait", "--all", "--needs-me"); out != "other  line\n" {
		t.Errorf("any of all: %q", out)
	}

	// A session counts even if it is created after the wait has begun, and one that ends does not.
	d.create(`{"name":"brief","tags":["ci"],"command":"exit 1"}`)
	r := begin(t, "wait", "--tag", "ci", "--needs-me", "--json")
	d.create(`{"name":"new","tags":["x","ci"],"command":"stty -echo; read x"}`)
	var answer struct{ Session, State string }
	if status := r.ends(); status != 0 || json.Unmarshal([]byte(r.out.String()), &answer) != nil || answer.Session != "new" || answer.State != "secret" && answer.State != "line" {
		t.Errorf("a new session: status %d, %s%s", status, &r.out, &r.errs)
	}
	must(t, "kill", "new", "other", "--yes")
	r = begin(t, "wait", "--all", "--needs-me")
	must(t, "kill", "busy", "--yes")
	if status := r.ends(); (status != 1 || !strings.Contains(r.errs.String(), "have ended")) && status != 127 { // it may begin after the end
		t.Errorf("all have ended: status %d, %s", status, &r.errs)
	}
}
