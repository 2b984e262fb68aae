//go:build linux || darwin

package wsh

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit/wait"
)

// A program may type only when the person has allowed it, who sees below the screen what it does.
func TestAgent(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	p := sit(t, 60, 14, recorded(`"$WSH" --name a --ask-to-type --show-agent -c 'stty size; cat'`))
	p.seesLine("13 60")
	p.sees("no program has typed")
	sent := make(chan int, 1)
	go func() {
		status, _ := d.ask("POST", "/sessions/a/input", "allowed\n")
		sent <- status
	}()
	p.sees("May ")
	if status := press(p, "2", sent); status != 204 {
		t.Errorf("status %d", status)
	}
	p.seesLine("allowed")
	p.sees("(HTTP) typed allowed")
	d.send("a", "again\n")
	p.seesLine("again")
	p.types("\x1ca")
	wait.Until(t, "the row of the agent is the program's", func() bool { return !strings.Contains(strings.Join(p.lines(), "\n"), "typed again") })
	d.same(p, "a")
	p.types("\x1ca")
	p.sees("typed again")
	p.types("\x1c\x1c")
	p.seesLine("status 0")
	p.seesLine("settings kept")
	p.wantPlain()

	d.create(`{"name":"b","command":"cat","ask_to_type":true}`)
	if status, answer := d.ask("POST", "/sessions/b/input", "x"); status != 409 {
		t.Errorf("with nobody attached: %d %s", status, answer)
	}
}

// A text and the keys after it are one question, which names the command as a person would.
func TestSendAsksOnce(t *testing.T) {
	t.Parallel()
	newHost(t)
	p := sit(t, 70, 16, recorded(`"$WSH" --name a --ask-to-type -c 'echo here; cat'`))
	p.seesLine("here")
	for text, command := range map[string][]string{
		"make first": {"send", "a", "make first", "-k", "Enter"}, "make second": {"send", "a", "-p", "make second", "--key", "Enter"},
	} {
		sent := make(chan string, 1)
		go func() {
			_, errs, status := wsh(t, command...)
			sent <- fmt.Sprintf("%d%s", status, errs)
		}()
		p.sees("May the command wsh type in the terminal")
		screen := strings.Join(p.lines(), "\n")
		if !strings.Contains(screen, text) || !strings.Contains(screen, "keys Enter") {
			t.Errorf("the question about %q does not have all that is sent:\n%s", command, screen)
		}
		if got := press(p, "1", sent); got != "0" {
			t.Errorf("%q: %s", command, got)
		}
		p.seesLine(text)
	}
}

// press answers the question on the person's terminal with a key, and returns what comes of it.
// Keys count only after a pause, and only when the question has been displayed for a moment. The
// program would get a key that comes after the answer, so a second one is long in coming.
func press[T any](p *person, key string, outcome <-chan T) T {
	p.t.Helper()
	return pressAll(p, outcome, key)
}

// pressAll is press with several keys. The second one gets its own time, since keys that arrive
// together answer nothing.
func pressAll[T any](p *person, outcome <-chan T, keys ...string) T {
	p.t.Helper()
	for pause := 700 * time.Millisecond; pause < wait.Patience; pause = 10*pause + 3*time.Second {
		select {
		case got := <-outcome:
			return got
		case <-time.After(pause):
			for i, key := range keys {
				if i > 0 {
					wait.Pause(200 * time.Millisecond)
				}
				p.types(key)
			}
		}
	}
	p.t.Fatal("the question was not answered")
	var none T
	return none
}
