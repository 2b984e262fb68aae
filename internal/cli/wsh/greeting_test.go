//go:build linux || darwin

package wsh

import (
	"strings"
	"testing"

	"ui-mcp/internal/testkit/wait"
)

// A person who attaches reads which session it is, how to leave and where help is, until the first
// key. The row of the cursor stays visible, and nothing of it stays on the terminal.
func TestGreeting(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"żółć-日本","rows":8,"cols":60,"command":"stty -echo; printf 'ready\\n'; read x; seq 30; printf 'end> '; read x; echo bye; read x"}`)
	const greeting = ` żółć-日本  Ctrl+\ twice leaves  wsh help keys`
	p := sit(t, 60, 8, recorded(`"$WSH" attach --status hint żółć-日本`))
	p.sees("ready")
	p.seesLine(greeting)
	if lines := p.lines(); strings.TrimRight(lines[7], " ") != greeting || lines[0] != "ready" {
		t.Errorf("the terminal has\n%s", strings.Join(lines, "\n"))
	}
	p.resize(20, 5)
	p.sees(` żółć-日本  Ctrl+\`)
	p.resize(60, 8)
	p.types("\x1b[I") // the window gets the focus
	p.seesLine(greeting)
	p.types("x")
	d.same(p, "żółć-日本")
	p.types("\r")
	p.sees("end>")
	p.types("\x1c\x1c")
	p.sees("[detached from")

	// The cursor is in the last row.
	other := sit(t, 60, 8, recorded(`"$WSH" attach --status hint --detach-key ctrl-] żółć-日本`))
	other.sees("Ctrl+] twice leaves")
	if lines := other.lines(); !strings.Contains(lines[0], "Ctrl+]") || !strings.HasPrefix(lines[7], "end>") {
		t.Errorf("the terminal has\n%s", strings.Join(lines, "\n"))
	}
	other.types("\x1d\x1d")
	other.sees("[detached from")
	if strings.Contains(strings.Join(other.history(), "\n"), "twice leaves") {
		t.Errorf("the greeting stays:\n%s", strings.Join(other.history(), "\n"))
	}
}

// Who has opened a port without asking for it reads which.
func TestGreetingSaysThatAPortIsOpen(t *testing.T) {
	t.Parallel()
	dir := runtimeDir(t)
	p := sit(t, 100, 8, `"$WSH" --status hint; echo over; read y`)
	p.sees("wsh help keys  page at 127.0.0.1:")
	p.types("exit\r")
	p.sees("over")
	wait.Until(t, "the server has ended with its last session", func() bool { return !strings.Contains(left(t, dir), "default.sock") })
}
