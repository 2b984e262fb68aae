//go:build linux || darwin

package wsh

import (
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit/wait"
)

// A program may type only when the person has allowed it, who sees below the screen what it does.
func TestAgent(t *testing.T) {
	d := newHost(t)
	p := sit(t, 60, 14, recorded(`"$WSH" --name a --ask-to-type --show-agent -c 'stty size; cat'`))
	p.seesLine("13 60")
	p.sees("no program has typed")
	sent := make(chan int, 1)
	go func() {
		status, _ := d.http.ask("POST", "/sessions/a/input", "allowed\n")
		sent <- status
	}()
	p.sees("May ")
	// Keys count only after a pause, and only when the question has been displayed for a moment.
	wait.Until(t, "the input is allowed", func() bool {
		if strings.Contains(strings.Join(p.lines(), "\n"), "May ") { // else it may be allowed already
			p.types("2")
		}
		select {
		case status := <-sent:
			if status != 204 {
				t.Errorf("status %d", status)
			}
			return true
		case <-time.After(700 * time.Millisecond):
			return false
		}
	})
	p.seesLine("allowed")
	p.sees("(HTTP) typed allowed")
	d.send("a", "again\n")
	p.seesLine("again")
	p.types("\x1c\x1c")
	p.seesLine("status 0")
	p.seesLine("settings kept")
	p.wantPlain()

	d.create(`{"name":"b","command":"cat","ask_to_type":true}`)
	if status, answer := d.http.ask("POST", "/sessions/b/input", "x"); status != 409 {
		t.Errorf("with nobody attached: %d %s", status, answer)
	}
}
