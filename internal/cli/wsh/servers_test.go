//go:build unix

package wsh

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/socketwire"
)

// run runs a command on a host, in a folder.
func (m machines) run(host, dir string, args ...string) (out, errs string, status int) {
	m.t.Helper()
	cmd := wshCommand(m.t, args...)
	cmd.Env, cmd.Dir = append(cmd.Env, m.env(host)...), dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// The commands work with sessions of another server by HOST/NAME, and with the servers themselves.
func TestOtherServers(t *testing.T) {
	load.Long(t, "testkit/opcases has what is asked of other servers")
	t.Parallel()
	m := newMachines(t)
	m.start("build1")
	m.start("laptop")
	dir := t.TempDir()
	for _, step := range []struct {
		args   string // separated by bars
		status int
		out    string // a regular expression for all of it
		errs   string // a part
	}{
		{"servers", 0, ``, `no other server is known: "wsh servers add ssh://HOST" adds one`},
		{"servers|--json", 0, `\[\]\n`, ""},
		{"servers|add|ssh://nowhere", 1, ``, "ssh://nowhere cannot be used: "},
		{"servers", 0, `NAME +ADDRESS .*\n- +ssh://nowhere +away +- +-\n    .*nowhere.*\n`, ""},
		{"doctor", 0, `(?s).*\nnote +other servers +the terminals "default" know 1 on other machines, .*\n +"wsh servers" says whether they answer\.\n.*`, ""},
		{"servers|remove|ssh://nowhere", 0, ``, ""},
		{"servers|remove|ssh://nowhere", 1, ``, "there is no server"},
		{"servers|add|build1", 2, ``, "has no scheme that is known"},
		{"servers|add|ssh://build1", 0, `build1\n`, ""},
		{"servers|add|ssh://build1", 1, ``, "is known already"},
		{"servers", 0, `NAME +ADDRESS .*\nbuild1 +ssh://build1 +healthy +[0-9.]+ ms +0 sessions\n`, ""},

		{"run|--name|build1/|--|echo \"$HOME\"", 0, regexp.QuoteMeta(filepath.Join(m.dir, "build1")) + `\n`, ""},
		{"run|-b|--name|build1/work|--|printf ready; cat", 0, `build1/work\n`, ""},
		{"run|-b|--name|here|--|cat", 0, `here\n`, ""},
		{"list", 0, `here +.*\nbuild1/work +.*printf ready; cat.*\n`, ""},
		{"list|-s|build1", 0, `build1/work .*\n`, ""},
		{"list|--json", 0, `\[{"name":"here".*"server":"laptop".*{"name":"build1/work","id":"build1/@.*"server":"build1".*\n`, ""},
		{"send|build1/work|hello|-k|Enter", 0, ``, ""},
		{"wait|build1/work|--text|hello", 0, `(?s).*`, ""},
		{"screen|build1/work", 0, `(?s)readyhello\n.*`, ""},
		{"record|build1/work|--start", 0, ``, ""},
		{"record|build1/work|--save", 0, `(?s).*`, ""},
		{"rename|build1/work|new", 0, ``, ""},
		{"tag|build1/new|--add|ci", 0, `ci\n`, ""},
		{"tag|-s|build1|new", 0, `ci\n`, ""},
		{"screen|build1/nwe", 1, ``, `did you mean "build1/new"?`},
		{"screen|build2/new", 1, ``, `there is no server "build2"`},
		{"status", 0, `(?s).*sessions +1 \(1 running\)\n.*`, ""},
		{"kill|--all|--yes", 0, ``, ""},
		{"run|--all|no|--|true", 1, ``, "no machine that can be reached has the label no"},
		{"run|--all|os=" + runtime.GOOS + "|--|echo \"in $HOME\"; case $HOME in */build1) exit 3; esac", 1, `laptop +exit 0 +\S+ +in \S*\nbuild1 +exit 3 +\S+ +in \S*build1\n`, ""},
		{"run|--all|os=" + runtime.GOOS + "|--json|--|true", 0, `\[{"server":"laptop","outcome":"exit 0","exit":{"code":0}.*{"server":"build1","outcome":"exit 0","exit":{"code":0}.*\]\n`, ""},
		{"run|-b|--name|many|--all|os=" + runtime.GOOS + "|--|cat", 0, `laptop +started +- +many\nbuild1 +started +- +build1/many\n`, ""},
		{"run|-b|--name|many|--all|os=" + runtime.GOOS + "|--|cat", 1, `laptop +not run +- +.*already.*\nbuild1 +not run +- +.*already.*\n`, ""},
		{"kill|many|build1/many|--yes", 0, ``, ""},
		{"run|--on|os=" + runtime.GOOS + "|--|echo it ran", 0, `it ran\n`, "it runs on "},
		{"run|--on|os=" + runtime.GOOS + ",no|--|true", 1, ``, "has the labels os=" + runtime.GOOS + " and no"},
		{"complete|fish|--|run|--on|os", 0, `words\nos=` + runtime.GOOS + `\t\n`, ""},
		{"status|--json", 0, `.*"labels":\["os=` + runtime.GOOS + `".*\n`, ""},
		{"screen|build1/nosuch", 1, ``, "wsh: build1: there is no session"},
		{"list|--tag|build1/none", 0, ``, ""},
		{"run|--on|no|--|true", 1, ``, "no machine that can be reached has the label no"},
		{"run|--on|x|--all|y|--|true", 2, ``, "can't be used together"},
		{"run|--name|build1/x|--on|y|--|true", 2, ``, "give either a server or labels"},
		{"list", 0, `build1/new .*\[ci\]\n`, ""},
		{"list|--tag|build1/ci", 0, `build1/new .*\[ci\]\n`, ""},
		{"list|--tag|laptop/ci", 0, ``, ""},
		{"kill|-s|build1|new|--yes", 0, ``, ""},
		{"list|--json", 0, `\[\]\n`, ""},
		{"servers|remove|build1", 0, ``, ""},
		{"screen|build1/new", 1, ``, `there is no server "build1"`},
	} {
		out, errs, status := m.run("laptop", dir, strings.Split(step.args, "|")...)
		if status != step.status || !regexp.MustCompile(`\A(?:`+step.out+`)\z`).MatchString(out) || !strings.Contains(errs, step.errs) {
			t.Errorf("wsh %s: status %d, %q, %q; want %d, %s, %q", step.args, status, out, errs, step.status, step.out, step.errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "build1-work.cast")); err != nil {
		t.Error(err)
	}
}

// A list has the sessions of other servers also if no server runs here, unless that was stopped on
// purpose, and says what is missing in it.
func TestListOfOtherServers(t *testing.T) {
	load.Long(t, "takes servers in processes of their own")
	t.Parallel()
	m, dir := newMachines(t), t.TempDir()
	m.start("build1")
	laptop := m.start("laptop")
	a := apiOf(t, laptop)
	add(t, a, "ssh://build1", terminals.Healthy)
	add(t, a, "ssh://nowhere", terminals.Unavailable)
	do(t, a, terminals.CreateSession, terminals.NewSession{Name: "build1/s", Command: "exec cat"})
	if err := laptop.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-laptop.ended
	t.Cleanup(func() { m.run("laptop", dir, "stop", "--yes") })
	var out, errs string
	var status int
	wait.Until(t, "the list waits long enough for build1", func() bool {
		out, errs, status = m.run("laptop", dir, "list")
		return !strings.Contains(errs, "being connected to")
	})
	if status != 0 || !strings.HasPrefix(out, "build1/s ") || !strings.Contains(errs, "no sessions of ssh://nowhere are listed: ") || strings.Contains(errs, "build1") {
		t.Errorf("no server runs: %d, %q, %q", status, out, errs)
	}
	if _, errs, status := m.run("laptop", dir, "rename", "build1/s", "build2/s"); status != 2 || !strings.Contains(errs, "sessions do not move between servers") {
		t.Errorf("rename: %d, %q", status, errs)
	}
	if _, errs, status := m.run("laptop", dir, "rename", "build1/s", "build1/t"); status != 0 {
		t.Errorf("rename: %d, %q", status, errs)
	}
	if _, errs, status := m.run("laptop", dir, "kill", "build1/t", "--yes"); status != 0 {
		t.Errorf("kill: %d, %q", status, errs)
	}
	m.run("laptop", dir, "stop", "--yes")
	if _, errs, status := m.run("laptop", dir, "list"); status != 0 || !strings.Contains(errs, "the sessions of other servers are not listed") {
		t.Errorf("the server was stopped: %d, %q", status, errs)
	}
	config := filepath.Join(dir, "other.toml")
	if err := os.WriteFile(config, []byte("[[servers]]\naddress = \"ssh://build1\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	setenv(t, "WSH_CONFIG", config)
	if _, errs, status := m.run("build1", dir, "run", "-b", "--name", "u", "--", "cat"); status != 0 {
		t.Fatal(errs)
	}
	t.Cleanup(func() { m.run("tower", dir, "stop", "--yes") })
	wait.Until(t, "a list has the servers of another configuration file", func() bool {
		out, _, status := m.run("tower", dir, "list") // which waits 2 s for them
		return status == 0 && strings.HasPrefix(out, "build1/u ")
	})
}

// A server that is added with its address of HTTP can do what others can: streams, and terminals
// that are attached to its sessions, or create them.
func TestServersOverHTTP(t *testing.T) {
	t.Parallel()
	m, dir, token := newMachines(t), t.TempDir(), strings.Repeat("secret", 5)
	far := m.start("build1", "--token", token)
	m.start("laptop")
	if err := os.WriteFile(filepath.Join(dir, "token"), []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		args   string // separated by bars
		status int
		out    string // a regular expression for all of it
	}{
		{"servers|add|" + far.address + "|--token-file|token", 0, `build1\n`},
		{"run|--name|build1/|--|echo \"$HOME\"; exit 3", 3, regexp.QuoteMeta(filepath.Join(m.dir, "build1")) + `\n`},
		{"run|--name|build1/work|--|printf '\\033]2;new\\a'; seq 100000 >&2; echo done", 0, `1\n2\n(?s).*\n100000\ndone\n`},
		{"run|-b|--name|build1/ends|--|read line; exit 4", 0, `build1/ends\n`},
		{"send|build1/ends|-k|Enter", 0, ``},
		{"watch|build1/ends|--json", 0, `(?s).*"event":"exit","code":4.*`},
		{"record|build1/work|--save", 1, ``},
	} {
		out, errs, status := m.run("laptop", dir, strings.Split(step.args, "|")...)
		if status != step.status || !regexp.MustCompile(`\A(?:`+step.out+`)\z`).MatchString(out) {
			t.Errorf("wsh %s: status %d, %q, %q; want %d, %s", step.args, status, out, errs, step.status, step.out)
		}
	}
	socket := m.socket("laptop")
	made := attachFrames(t, socket, "", socketwire.CreateSession, `{"name":"build1/made","command":"echo ready; cat","rows":24,"cols":80,"client":{"bar":true}}`)
	made.await(t, socketwire.CreateSessionResponse, `"name":"build1/made"`)
	made.await(t, socketwire.PtyOutput, "ready")
	_ = made.Write(t.Context(), socketwire.Frame{Kind: socketwire.StdinInput, Content: []byte("typed")}) // else no echo comes
	made.await(t, socketwire.PtyOutput, "typed")
	other := attachFrames(t, socket, "build1/made", socketwire.AttachSession, `{"rows":24,"cols":80,"client":{}}`)
	other.await(t, socketwire.PtyOutput, "typed")
	if out, errs, status := m.run("laptop", dir, "kill", "build1/made", "--yes"); status != 0 {
		t.Errorf("kill: %s%s", out, errs)
	}
	other.await(t, socketwire.Detach, `"reason":"`)
	made.await(t, socketwire.Detach, `"reason":"`)
}
