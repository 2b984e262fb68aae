//go:build linux || darwin

package wsh

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit/wait"
)

// isThere reports whether the server has a session.
func (d *host) isThere(session string) bool {
	d.t.Helper()
	status, _ := d.ask("GET", "/sessions/"+session, "")
	return status == 200
}

// runs waits until the job of a session is a program: a shell needs a moment to become it.
func (d *host) runs(session, program string) {
	d.t.Helper()
	wait.Until(d.t, session+" runs "+program, func() bool {
		_, answer := d.ask("GET", "/sessions/"+session+"/job", "")
		return strings.Contains(answer, `"`+program+`"`)
	})
}

// interruptible is recorded for a command that is interrupted: the script itself goes on.
func interruptible(command string) string { return "trap : INT QUIT; " + recorded(command) }

// On a terminal, kill asks while programs run, and only yes is yes. Elsewhere it does not ask.
func TestKillAsks(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"exec sleep 1000","tags":["x"]}`)
	d.create(`{"name":"b","command":"exec sleep 1000","tags":["x","y"]}`)
	d.runs("a", "sleep")
	d.runs("b", "sleep")
	const question = "Kill 2 sessions? Something runs in a, b. [y/N]"
	for name, answer := range map[string]string{"no": "n\r", "Enter": "\r", "another word": "yesterday\r", "Ctrl-C": "\x03", "Ctrl-D": "\x04", "q": "q\r"} {
		p := sit(t, 80, 8, interruptible(`"$WSH" kill --tag x`))
		p.seesLine(question)
		p.types(answer)
		p.sees("nothing was done")
		p.seesLine("status 1")
		p.seesLine("settings kept")
		if !strings.HasPrefix(strings.Join(p.lines(), "\n"), "above\n"+question) || strings.Contains(strings.Join(p.lines(), "\n"), "[y/N] wsh:") {
			t.Errorf("after %s, the terminal has\n%s", name, strings.Join(p.lines(), "\n"))
		}
		if !d.isThere("a") || !d.isThere("b") {
			t.Fatalf("%s killed them", name)
		}
	}
	p := sit(t, 80, 8, recorded(`"$WSH" kill --tag y`))
	p.seesLine("Kill 1 session? Something runs in b. [y/N]")
	p.types("Y\r")
	p.seesLine("status 0")
	if d.isThere("b") || !d.isThere("a") {
		t.Error("yes did not kill the one with that tag")
	}

	// Nothing to lose: a program that has ended, or a shell at its prompt.
	d.create(`{"name":"over","command":"true"}`)
	must(t, "wait", "over", "--exit")
	p = sit(t, 80, 8, recorded(`"$WSH" kill over`))
	p.seesLine("status 0")

	p = sit(t, 80, 8, recorded(`"$WSH" kill --all --yes`))
	p.seesLine("status 0")
	if d.isThere("a") {
		t.Error("--yes asks")
	}
	d.create(`{"name":"c","command":"exec sleep 1000"}`)
	must(t, "kill", "--all")
	if d.isThere("c") {
		t.Error("it asks without a terminal")
	}
	config := filepath.Join(t.TempDir(), "config.toml")
	for content, asks := range map[string]bool{"[client]\nconfirm = false\n": false, "[client]\nconfirm = true\n": true, "confirm = false\n": true} {
		if err := os.WriteFile(config, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		d.create(`{"name":"d","command":"exec sleep 1000"}`)
		d.runs("d", "sleep")
		p = sit(t, 80, 8, recorded(`WSH_CONFIG=`+config+` "$WSH" kill d`))
		if asks {
			p.seesLine("Kill 1 session? Something runs in d. [y/N]")
			p.types("y\r")
		}
		p.seesLine("status 0")
		if d.isThere("d") || strings.Contains(strings.Join(p.lines(), "\n"), "Kill") != asks {
			t.Errorf("with %q, the terminal has\n%s", content, strings.Join(p.lines(), "\n"))
		}
	}
	p = sit(t, 80, 8, recorded(`"$WSH" kill --all`)) // of none
	p.seesLine("status 0")
}

// Where standard error is no terminal, kill and stop ask on the terminal that they read.
func TestKillAsksOnTheTerminal(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"exec sleep 1000"}`)
	d.runs("a", "sleep")
	for command, question := range map[string]string{"kill a": "Kill 1 session? Something runs in a. [y/N]", "stop": "Stop the server? Something runs in a. [y/N]"} {
		p := sit(t, 80, 8, recorded(`"$WSH" `+command+` 2>/dev/null`))
		p.seesLine(question)
		p.types("n\r")
		p.seesLine("status 1")
		p.seesLine("settings kept")
		if !d.isThere("a") {
			t.Fatalf("no does not stop wsh %s", command)
		}
	}
	p := sit(t, 80, 8, recorded(`"$WSH" kill a </dev/null 2>/dev/null`))
	p.seesLine("status 0")
	if d.isThere("a") {
		t.Error("it asks without a terminal to read")
	}
}

// In a session, kill does not ask about its own session, and removes its own session
// last: with that, it ends.
func TestKillOwnSession(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"b","command":"exec sleep 1000"}`)
	d.runs("b", "sleep")
	d.create(fmt.Sprintf(`{"name":"a","cols":200,"command":"read go; %s kill --all; cat"}`, os.Args[0]))
	d.send("a", "\r") // by now the server lists it
	if _, errs, status := wsh(t, "wait", "a", "--text", "Kill 2 sessions? Something runs in b. [y/N]", "--timeout", wait.Patience.String()); status != 0 {
		t.Fatalf("%s; its screen is:\n%s", errs, must(t, "screen", "a"))
	}
	d.send("a", "y\r")
	wait.Until(t, "both are gone", func() bool { return !d.isThere("a") && !d.isThere("b") })
}

// Ctrl-C on a terminal where a command runs reaches the command. Typed again, it ends only what the
// person sees.
func TestInterruptRun(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	p := sit(t, 60, 8, interruptible(`"$WSH" run -- "echo ready; exec sleep 1000"`))
	p.seesLine("ready")
	p.types("\x03")
	p.sees("status 130")
	p.seesLine("settings kept")
	if text := strings.Join(p.lines(), "\n"); strings.Count(text, "^C") != 1 {
		t.Errorf("^C is not displayed once:\n%s", text)
	}

	// It may end as it likes.
	p = sit(t, 60, 8, interruptible(`"$WSH" run -- "trap 'echo caught; exit 7' INT; echo ready; while :; do sleep 0.05; done"`))
	p.seesLine("ready")
	p.types("\x03")
	p.sees("caught")
	p.seesLine("status 7")

	// Ctrl+\ reaches it, too, also after that.
	p = sit(t, 60, 8, interruptible(`"$WSH" run -- "trap 'echo not now' INT; trap 'exit 7' QUIT; echo ready; while :; do sleep 0.05; done"`))
	p.seesLine("ready")
	p.types("\x03")
	p.sees("not now")
	p.types("\x1c")
	p.sees("status 7") // after ^\, which the terminal echoes

	p = sit(t, 60, 8, interruptible(`"$WSH" run --name deaf -- "trap 'echo not now' INT; echo ready; while :; do sleep 0.05; done"`))
	p.seesLine("ready")
	p.types("\x03")
	p.sees("not now")
	var pressed time.Time
	wait.Until(t, "Ctrl-C, pressed again, ends what the person sees", func() bool {
		if time.Since(pressed) > time.Second { // two at the same moment are one
			p.types("\x03")
			pressed = time.Now()
		}
		return strings.Contains(strings.Join(p.lines(), "\n"), "status 130")
	})
	p.seesLine("settings kept")
	wait.Until(t, "the command goes on", func() bool {
		_, answer := d.ask("GET", "/sessions/deaf", "")
		return strings.Contains(answer, `"running":true`)
	})
}
