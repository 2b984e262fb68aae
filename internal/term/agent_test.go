package term_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
)

// The last row of a terminal that wants it says what the agent does; the session has the rest.
func TestShowAgent(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		d := sit(t, s, term.ViewerOptions{ShowAgent: true})
		if err := d.Resize(t.Context(), 40, 20); err != nil {
			t.Fatal(err)
		}
		row := func(want string) {
			t.Helper()
			time.Sleep(time.Second)
			synctest.Wait()
			d.mu.Lock()
			defer d.mu.Unlock()
			rows := plain(d.screen.Snapshot())
			if got := rows[len(rows)-1]; len(rows) != 20 || !strings.Contains(got, want) {
				t.Errorf("the last of %d rows is %q, want %q in it", len(rows), got, want)
			}
		}
		row("no program has typed")
		if i := s.Info(); i.Rows != 19 || i.Cols != 40 {
			t.Errorf("the session has %d rows", i.Rows)
		}
		p.say(strings.Repeat("text\r\n", 30))
		row("no program has typed")
		agent := term.WithSender(t.Context(), term.Sender{Kind: term.SenderMCP, Name: "agent"})
		if err := s.Send(agent, []byte("make\r")); err != nil {
			t.Fatal(err)
		}
		row(`agent (MCP) typed make\r`)
		d.press(t, "mine")
		row(`agent (MCP) typed make\r`)
		p.become(pty.ModeSecret, pty.Reads)
		p.say("Password:")
		row("asks for a secret")
		if err := s.Send(agent, []byte("hunter2")); err != nil {
			t.Fatal(err)
		}
		row("typed a  asks")
		p.become(pty.ModeLines, pty.ReadsNot)
		if err := s.CaptureInput(t.Context()); err != nil {
			t.Fatal(err)
		}
		row(`keys captured: Ctrl+\ takes them back`)
		d.press(t, "\x1c")
		row("running")
		if mode, err := s.InputMode(t.Context()); err != nil || mode != "passthrough" {
			t.Errorf("input mode %s, %v", mode, err)
		}
		for _, visible := range []bool{false, true} {
			if err := d.ToggleAgent(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			want := 20
			if visible {
				want = 19
			}
			if i := s.Info(); d.sees("no program has typed") || d.sees("(MCP) typed") != visible || i.Rows != want {
				t.Errorf("the session has %d rows, want %d; the agent's is there: %t", i.Rows, want, d.sees("(MCP) typed"))
			}
		}
		if err := d.Fit(t.Context(), 40, 3); err != nil { // too few rows
			t.Fatal(err)
		}
		d.mu.Lock()
		err := d.screen.Resize(40, 3)
		d.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		if d.sees("agent") {
			t.Error("a terminal of 3 rows has one for the agent")
		}
	})
}
