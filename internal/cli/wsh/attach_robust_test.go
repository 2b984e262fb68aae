//go:build linux || darwin

package wsh

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A client that is stopped in a flood delays neither the program nor another client, and is right
// as soon as it goes on.
func TestStopped(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"stty -echo; read x; seq 300000; echo over; while read x; do echo got $x; done"}`)
	p := sit(t, 40, 8, recorded(`"$WSH" attach a`))
	other := sit(t, 40, 8, recorded(`"$WSH" attach a`))
	wait.Until(t, "both are attached", func() bool {
		_, answer := d.ask("GET", "/sessions/a", "")
		return strings.Contains(answer, `"clients":2`)
	})
	p.kill(syscall.SIGSTOP)
	other.types("\r")
	other.seesLine("over")
	other.types("x\r")
	other.seesLine("got x")
	d.same(other, "a")
	p.kill(syscall.SIGCONT)
	p.seesLine("got x")
	d.same(p, "a")
	p.types("y\r")
	other.seesLine("got y")
	for _, p := range []*person{p, other} {
		p.types("\x1c\x1c")
		p.seesLine("settings kept")
	}
}

// A block of a megabyte that is pasted arrives as one, with nothing missing.
func TestPaste(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	text := strings.Repeat("0123456789abcdef 日本語 \x1c\x1c\r", 1<<20/32)
	pasted := "\x1b[200~" + text + "\x1b[201~"
	d.create(fmt.Sprintf(`{"name":"a","rows":8,"cols":80,"command":"stty raw -echo; printf '\\033[?2004hready'; head -c %d | sha256sum; exec sleep 1000"}`, len(pasted)))
	p := sit(t, 80, 8, `"$WSH" attach a`)
	p.sees("ready")
	wait.Until(t, "the terminal brackets pasted text", func() bool { return p.snapshot().Modes.Has(vt.ModeBracketedPaste) })
	p.types(pasted)
	p.sees(fmt.Sprintf("%x", sha256.Sum256([]byte(pasted))))
}

// Two clients that create the same session at once both get it.
func TestCreateAtOnce(t *testing.T) {
	t.Parallel()
	newHost(t)
	for i := range 5 {
		name := fmt.Sprint("s", i)
		var people []*person
		for range 2 {
			people = append(people, sit(t, 60, 8, recorded(`"$WSH" attach --create -c 'echo made; cat' `+name)))
		}
		for _, p := range people {
			p.seesLine("made")
		}
		people[0].types("hello\r")
		people[1].seesLine("hello")
		for _, p := range people {
			p.types("\x1c\x1c")
			p.seesLine("settings kept")
		}
	}
}

// A client that attaches when the session ends says so, or ends with the program's status. The
// terminal is as before.
func TestAttachToTheEnd(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	for i := range 8 {
		name := fmt.Sprint("s", i)
		d.create(`{"name":"` + name + `","command":"read x; exit 3"}`)
		p := sit(t, 70, 8, recorded(fmt.Sprintf(`"$WSH" send %s --key enter & "$WSH" attach %[1]s`, name)))
		p.sees("status")
		p.seesLine("settings kept")
		p.wantPlain()
		lines := strings.Join(p.lines(), "\n")
		if !strings.Contains(lines, "status 3") && !strings.Contains(lines, "has ended") && !strings.Contains(lines, "no session") {
			t.Errorf("the client says\n%s", lines)
		}
	}
}

// A client ends when its terminal goes away.
func TestHangUp(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"seq 50; cat"}`)
	p := sit(t, 40, 8, `"$WSH" attach a; :`)
	p.sees("50")
	client := p.client()
	if err := p.process.Close(); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the client has ended", func() bool { return hasEnded(client) })
	if _, answer := d.ask("GET", "/sessions/a", ""); !strings.Contains(answer, `"running":true`) {
		t.Errorf("the session is %s", answer)
	}
}

// Terminals of a cell, or of no known kind, and streams that are no terminals.
func TestOddTerminals(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"seq 50; while read x; do echo got $x; done"}`)
	t.Run("1x1", func(t *testing.T) {
		p := sit(t, 1, 1, recorded(`"$WSH" attach a`))
		d.same(p, "a")
		p.types("x\r")
		d.same(p, "a")
		p.resize(40, 8)
		p.seesLine("got x")
		p.types("\x1c\x1c")
		p.seesLine("settings kept")
		p.wantPlain()
	})
	for name, script := range map[string]string{
		"no TERM":    `unset TERM; ` + recorded(`"$WSH" attach a`),
		"xterm-mono": `export TERM=xterm-mono; ` + recorded(`"$WSH" attach a`),
	} {
		t.Run(name, func(t *testing.T) {
			p := sit(t, 40, 8, script)
			p.seesLine("50")
			p.types("\x1c\x1c")
			p.seesLine("settings kept")
			p.wantPlain()
		})
	}
	for name, tt := range map[string]struct{ script, says string }{
		"dumb":         {`TERM=dumb "$WSH" attach a`, "cannot display"},
		"piped in":     {`echo x | "$WSH" attach a`, "standard input is not a terminal"},
		"piped out":    {`"$WSH" attach a | cat`, "standard output is not a terminal"},
		"closed in":    {`"$WSH" attach a <&-`, "standard input is not a terminal"},
		"closed out":   {`"$WSH" attach a >&-`, "standard output is not a terminal"},
		"from nowhere": {`"$WSH" attach a </dev/null`, "standard input is not a terminal"},
	} {
		t.Run(name, func(t *testing.T) {
			p := sit(t, 100, 8, recorded(tt.script))
			p.sees(tt.says)
			p.seesLine("settings kept")
			if name != "piped out" {
				p.seesLine("status 1")
			}
			p.wantPlain()
		})
	}
}

// On a terminal that reads slowly, the newest picture follows the one that is being read. What
// waited on the way to it would have been old.
func TestSlowTerminal(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","rows":24,"cols":80,"command":"stty -echo; read x; seq -f '%.0f is a line with some words in it that takes its time' ` + fmt.Sprint(load.Count(200_000, 800_000)) + `; echo over; cat"}`)
	p := sit(t, 80, 24, `"$WSH" attach a; cat`)
	wait.Until(t, "the client is attached", func() bool { return len(p.lines()) > 0 && p.bytes() > 100 })
	p.slow(8)
	p.types("\r")
	d.shows("a", "over")
	before := p.bytes()
	p.slow(0)
	p.sees("over")
	d.same(p, "a")
	if n := p.bytes() - before; n > 32<<10 { // the system holds some 20 KiB, and a picture waits for room
		t.Errorf("%d bytes waited on the way to the terminal", n)
	}
}

// A server that does not answer keeps nobody from leaving.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"echo here; cat"}`)
	p := sit(t, 60, 8, recorded(`"$WSH" attach a`))
	p.seesLine("here")
	if err := d.server.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.types("\x1c\x1c")
	p.seesLine(`[detached from a: wsh attach a]`)
	p.seesLine("settings kept")
	p.wantPlain()
	if err := d.server.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}

// A program that does not read a paste is interrupted by Ctrl-C all the same, whether the rest of
// the paste waits in the system, in the session, or on the way to it, and whether the key is typed
// at once or later.
func TestPasteUnread(t *testing.T) {
	load.Long(t, "TestPaste has a program that reads")
	t.Parallel()
	for _, tt := range []struct {
		size  int
		lines bool // the program reads lines
		later bool
	}{{6 << 10, false, false}, {16 << 10, true, false}, {16 << 10, false, true}, {2 << 20, false, false}, {2 << 20, true, true}} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			if tt.size > 1<<20 {
				load.Sequential(t) // the detector sees as much in the others
			}
			d := newHost(t)
			mode := "-icanon"
			if tt.lines {
				mode = "icanon"
			}
			d.create(`{"name":"a","rows":8,"cols":80,"command":"stty -echo ` + mode + `; echo ready; exec sleep 1000"}`)
			p := sit(t, 80, 8, recorded(`"$WSH" attach a`))
			p.seesLine("ready")
			p.types(strings.Repeat("0123456789abcde\r", tt.size/16))
			if tt.later {
				wait.Until(t, "the session takes no more", func() bool {
					status, _ := d.ask("POST", "/sessions/a/input", strings.Repeat("x", 1<<16))
					return status == 429
				})
			}
			p.types("\x03")
			p.seesLine("status 130")
			p.seesLine("settings kept")
		})
	}
}

// All lines that scroll off while a terminal is attached are in its own scrollback, in order,
// however few pictures it got on the way, and with a panel at the bottom, too.
func TestScrolledOffIsKept(t *testing.T) {
	t.Parallel()
	want := ""
	for i := range 200 {
		want += fmt.Sprintf("line %d\n", i+1)
	}
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"stty -echo; echo ready; while read n; do seq -f 'line %.0f' $n; echo over $n; done"}`)
	p := newPane(t, 40, 8, `"$WSH" attach a; read end`)
	p.sees("ready")
	p.types("200\r")
	p.sees("over 200")
	d.sameInTmux(p, "a") // a picture may arrive in pieces
	if text := p.history(); strings.Count(text, want) != 1 {
		t.Errorf("the scrollback has\n%s", text)
	}
	if status, answer := d.ask("POST", "/sessions/a/panel", `{"position":"bottom","spans":[{"text":"panel"}]}`); status != 201 {
		t.Fatalf("panel: %d %s", status, answer)
	}
	p.sees("panel")
	p.types("201\r")
	p.sees("over 201")
	d.sameInTmux(p, "a")
	if text := p.history(); strings.Count(text, want) != 2 || strings.Count(text, "panel") != 1 {
		t.Errorf("with a panel, the scrollback has\n%s", text)
	}
}
