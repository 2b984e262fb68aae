//go:build linux || darwin

package wsh

import (
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/wait"
)

// Without a command, wsh starts a server, which asks for the token of the environment, runs the
// person's shell where the person is with the person's other variables, and ends with the shell's
// status.
func TestNew(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := runtimeDir(t)
	setenv(t, "HOME", t.TempDir())
	p := sit(t, 60, 12, `cd /usr; export MINE=variable PS1='% ' WSH_TOKEN=0123456789abcdef; `+recorded(`"$WSH" --name n --tag x`))
	p.seesLine("%")
	p.types("pwd; echo $MINE $WSH_SESSION $WSH_SERVER_NAME $WSH_TOKEN.; WSH_TEST=run \"$WSH\"; echo status $?\r")
	p.seesLine("/usr")
	p.seesLine("variable n default .")
	p.sees(`in the session "n"`)
	p.seesLine("status 1")
	wait.Until(t, "the server is there", func() bool { return strings.Contains(left(t, dir), "default.sock") })
	p.types("exit 7\r")
	p.seesLine("status 7")
	p.seesLine("settings kept")
	p.wantPlain()
	if all := strings.Join(p.history(), "\n"); strings.Count(all, "\nvariable n default") != 1 || !strings.HasPrefix(all, "above\n%") {
		t.Errorf("what was shown is not above the prompt once:\n%s", all)
	}
	wait.Until(t, "the server has ended with its last session", func() bool { return !strings.Contains(left(t, dir), "default.sock") })
}

// The client ends with the status of the program.
func TestStatus(t *testing.T) {
	t.Parallel()
	newHost(t)
	for command, want := range map[string]int{"true": 0, "exit 3": 3, "kill -TERM $$": 128 + 15, "/no/such/program": 127} {
		p := sit(t, 40, 8, recorded(`"$WSH" -c `+"'"+command+"'"))
		p.seesLine("status " + strconv.Itoa(want))
		p.seesLine("settings kept")
	}
}

// Twice Ctrl+\ detaches; with a backslash, it goes to the program.
func TestDetach(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"trap 'echo quit' QUIT; echo ready; while :; do read x; echo got $x; done"}`)
	p := sit(t, 40, 8, recorded(`"$WSH" attach a`))
	p.seesLine("ready")
	p.types("x\r")
	p.seesLine("got x")
	p.types("\x1c")
	p.sees(`Ctrl+\ waits for a key`)
	p.types(`\`)
	p.sees("quit")
	p.types("\x1c\x1c")
	p.seesLine(`[detached from a: wsh attach a]`)
	p.seesLine("status 0")
	p.seesLine("settings kept")
	p.wantPlain()
	wait.Until(t, "the session runs without clients", func() bool { // the client leaves first
		_, answer := d.ask("GET", "/sessions/a", "")
		return strings.Contains(answer, `"running":true`) && strings.Contains(answer, `"clients":0`)
	})
	if all := strings.Join(p.lines(), "\n"); strings.Count(all, "quit") != 1 {
		t.Errorf("afterwards:\n%s", all)
	}
	p = sit(t, 40, 8, recorded(`"$WSH" attach --detach-key ctrl-] a`))
	p.seesLine("got x")
	p.types("\x1d\x1d")
	p.seesLine("status 0")
	p = sit(t, 40, 8, recorded(`"$WSH" attach nosuch`))
	p.sees("nosuch")
	p.seesLine("status 1")
	p = sit(t, 40, 8, recorded(`"$WSH" attach --create -c 'echo made; exit 5' made`))
	p.seesLine("made")
	p.seesLine("status 5")
	p = sit(t, 60, 8, recorded(`WSH_SESSION=z "$WSH" attach a`))
	p.sees(`in the session "z"`)
	p.seesLine("status 1")
}

// The newest lines of the history go into the terminal's scrollback, once.
func TestScrollback(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"seq 100; echo done; cat"}`)
	d.shows("a", "done")
	for flag, want := range map[string]int{"": 1, "--scrollback none": 0, "--scrollback 20": 75, "--scrollback all": 1} {
		p := sit(t, 40, 8, `echo above; "$WSH" attach `+flag+` a; cat`)
		p.seesLine("done")
		d.same(p, "a")
		var got []string
		for _, line := range p.history() {
			if line != "" {
				got = append(got, line)
			}
		}
		var wanted []string
		for n := 1; n <= 100; n++ {
			if onScreen := n >= 95; onScreen || want > 0 && n >= want {
				wanted = append(wanted, strconv.Itoa(n))
			}
		}
		wanted = append(append([]string{"above"}, wanted...), "done")
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", flag, diff)
		}
		p.types("\x1c\x1c")
		p.sees("detached")
	}
}

// A terminal is restored when the server is killed. TestChooseInterrupted and TestHangUp kill
// clients.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"printf '\\033[?1049h\\033[?1003h\\033[?2004h\\033[>1u\\033[31m\\033[?25lred'; cat"}`)
	p := sit(t, 70, 8, recorded(`"$WSH" attach a`))
	p.sees("red")
	if err := d.server.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.sees("the server is gone")
	p.seesLine("status 1")
	p.seesLine("settings kept")
	p.wantPlain()
}

// A client does not go on with a server of another protocol, or of none, and says what to do,
// whatever the server has answered.
func TestOtherProtocol(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":100,"command":"echo here; cat"}`)
	own := fmt.Appendf(nil, `"protocol":%d`, terminals.Protocol)
	var says atomic.Pointer[string]
	socket, _ := d.proxy(func(b []byte) []byte { return bytes.ReplaceAll(b, own, []byte(*says.Load())) })
	for answer, words := range map[string][]string{
		`"protocol":9`: {"the server \"default\" has version", "with protocol 9, and this is version", "update this wsh"},
		`"unknown" :1`: {"the server \"default\" has version", "with protocol 0, and this is version", `"wsh stop" ends`},
	} {
		says.Store(&answer)
		for _, name := range []string{"a", "missing", "a --create"} {
			p := sit(t, 100, 8, recorded(`"$WSH" --socket `+socket+` attach `+name+` 2>&1`))
			for _, word := range words {
				p.sees(word)
			}
			p.seesLine("status 1")
			p.seesLine("settings kept")
		}
	}
}

// A connection that breaks while the server lives comes back by itself, and nothing that was typed
// meanwhile is lost.
func TestReconnect(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"stty -echo; seq 50; while read x; do echo got $x; done"}`)
	proxy, links := d.proxy(func(b []byte) []byte { return b })
	p := sit(t, 40, 8, recorded(`"$WSH" --socket `+proxy+` attach a`))
	p.seesLine("50")
	cut := <-links
	for i := range 5 {
		cut()
		cut = <-links // so the client has noticed
		p.types(fmt.Sprintf("%d\r", i))
		p.seesLine(fmt.Sprintf("got %d", i))
		d.same(p, "a")
	}
	if all := strings.Join(p.history(), "\n"); strings.Count(all, "\n37\n") != 1 {
		t.Errorf("the history is not there once:\n%s", all)
	}
	// It comes back to the same session, even if that has another name and another one has its.
	if status, answer := d.ask("PATCH", "/sessions/a", `{"name":"renamed"}`); status != 200 {
		t.Fatalf("rename: %d %s", status, answer)
	}
	d.create(`{"name":"a","command":"echo wrong; cat"}`)
	cut()
	<-links
	p.types("after\r")
	p.seesLine("got after")
	p.types("\x1c\x1c")
	p.sees("[detached from renamed: wsh attach")
	p.seesLine("status 0")
	p.seesLine("settings kept")
	p.wantPlain()
}

// A client that is suspended returns the terminal, and displays the session again when it
// continues.
func TestSuspend(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"printf '\\033[?2004h\\033[31m'; while read x; do echo got $x; done"}`)
	p := sit(t, 40, 8, `exec `+bash+` --norc --noprofile`)
	p.types("PS1='> '; bind 'set enable-bracketed-paste off'; clear; before=$(stty -g)\r")
	p.types("\"$WSH\" attach a\r")
	wait.Until(t, "the client is attached", func() bool { return p.snapshot().Modes.Has(vt.ModeBracketedPaste) })
	p.types("one\r")
	p.seesLine("got one")
	p.kill(syscall.SIGTSTP)
	p.sees("Stopped")
	wait.Until(t, "the modes are restored", func() bool { return !p.snapshot().Modes.Has(vt.ModeBracketedPaste) })
	p.types("clear; echo between\r")
	p.seesLine("between")
	d.send("a", "two\n")
	p.types("fg\r")
	p.seesLine("got two")
	d.same(p, "a")
	// By the person's own key, of which the program gets nothing.
	p.types("\x1c\x1a")
	p.sees("Stopped")
	p.types("clear; sleep 0.8; fg\r") // so long that the program would have been killed
	wait.Until(t, "the terminal is cleared", func() bool { return !strings.Contains(strings.Join(p.lines(), "\n"), "Stopped") })
	p.seesLine("got two")
	p.types("three\r")
	p.seesLine("got three")
	d.same(p, "a")
	p.types("\x1c\x1c")
	p.seesLine(`[detached from a: wsh attach a]`)
	p.types("[ \"$(stty -g)\" = \"$before\" ] && echo settings kept\r")
	p.seesLine("settings kept")
}

// If the program ends while the connection is broken, or the session is removed then, the client
// says so, with the program's status.
func TestEndWhileDisconnected(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		end    func(*host)
		status int
		want   string
	}{
		"ended": {
			func(d *host) { d.send("a", "\n"); _, _, _ = wsh(d.t, "wait", "a", "--exit") }, 7,
			`wsh: the program has ended while this terminal was not connected to it: "wsh screen a" prints its last screen`,
		},
		"removed": {func(d *host) { must(d.t, "kill", "a") }, 1, "wsh: the session was removed while this terminal was not connected to it"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newHost(t)
			d.create(`{"name":"a","command":"echo ready; read x; exit 7"}`)
			proxy, links := d.proxy(func(b []byte) []byte { return b })
			p := sit(t, 120, 8, recorded(`"$WSH" --socket `+proxy+` attach a`))
			p.seesLine("ready")
			cut := <-links
			d.passing.Lock()
			pass := sync.OnceFunc(d.passing.Unlock)
			defer pass()
			cut()
			tt.end(d)
			pass()
			p.seesLine(tt.want)
			p.seesLine(fmt.Sprintf("status %d", tt.status))
			p.seesLine("settings kept")
			p.wantPlain()
		})
	}
}

// However the terminal's size changes while the program writes, it displays the session in the end,
// and the session has its size.
func TestResizeStorm(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	// The last size may arrive after the key: nothing orders a signal and input.
	d.create(`{"name":"a","command":"trap : WINCH; while :; do for i in 1 2 3 4 5 6 7 8; do echo line $i of a text that is longer than some sizes; done; read x && break; done; echo; trap 'stty size' WINCH; stty size; while :; do read x; done"}`)
	p := sit(t, 40, 8, `"$WSH" attach a; cat`)
	p.sees("line")
	for i := range 40 {
		p.resize(10+i*7%60, 3+i*5%20)
	}
	p.resize(50, 9)
	p.types("\r")
	p.seesLine("9 50")
	d.same(p, "a")
}

// Without a name, attach takes the session that was used last, those first that no terminal is
// attached to. What it cannot attach to, it says with what to do instead. Commands that it prints
// work for a session whose name looks like a flag, too.
func TestAttachWithoutName(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	p := sit(t, 120, 8, `"$WSH" attach`)
	p.seesLine(`wsh: no session runs: "wsh" starts one`)

	d.create(`{"name":"over","command":"true"}`)
	must(t, "wait", "over", "--exit")
	d.create(`{"name":"-b","command":"echo second; cat"}`)
	must(t, "wait", "--text", "second", "--", "-b")
	d.create(`{"name":"a","command":"cat"}`)
	d.send("a", "first\r")
	must(t, "wait", "a", "--text", "first")
	first := sit(t, 120, 8, `"$WSH" attach`)
	first.seesLine("first")
	second := sit(t, 120, 8, `"$WSH" attach`) // to -b, as nobody else is
	second.seesLine("second")
	second.types("\x1c\x1c")
	second.seesLine(`[detached from -b: wsh attach -- -b]`)

	for command, want := range map[string]string{
		"attach over": `wsh: the program of session "over" has ended; its last screen can still be read: "wsh screen over" prints it`,
		"--name a":    `wsh: there is a session "a" already: "wsh attach a" opens it`,
		"--name=-b":   `wsh: there is a session "-b" already: "wsh attach -- -b" opens it`,
		"attach z":    `wsh: there is no session "z": "wsh list" lists the sessions, and --create makes one`,
	} {
		sit(t, 120, 8, `"$WSH" `+command).seesLine(want)
	}
	sit(t, 160, 8, `WSH_SESSION=a "$WSH" attach -- -b`).seesLine(`wsh: this terminal is in the session "a" already; to open another one inside it, run "env -u WSH_SESSION wsh attach -- -b"`)
}
