package term_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

// What an agent in the foreground does is known from its screen, and brings who waits for a session
// that needs them.
func TestAgentInForeground(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.args = []string{"claude"}
		p.become(tty.ModeKeys, tty.ReadingUnknown)
		says := func(text string, want agents.Agent) {
			t.Helper()
			p.say(text)
			time.Sleep(time.Second)
			synctest.Wait()
			if got := s.Info().Agent; got != want {
				t.Errorf("after %q: %v, want %v", text, got, want)
			}
		}
		says("esc to interrupt", agents.Agent{}) // it takes no pastes, as agents do
		says("\x1b[?2004h\x1b]0;⠂ Claude\x07", agents.Agent{Name: "claude", State: "working"})
		if a, err := s.WaitState(t.Context(), term.StateOptions{MaxWait: time.Second}); err == nil {
			t.Errorf("it needs somebody while it works: %+v", a)
		}
		says("\x1b[2J\x1b[HEsc to cancel", agents.Agent{Name: "claude", State: "asks"})
		if a, err := s.WaitState(t.Context(), term.StateOptions{MaxWait: time.Second}); err != nil || a.Agent.State != "asks" {
			t.Errorf("it asks: %+v, %v", a, err)
		}
	})
}

// What an agent's hooks say counts at once, even before the screen is quiet, and until that shows
// something newer. It is about that process: not about another one, and not about what comes after
// it.
func TestAgentsHooks(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.args = []string{"claude"}
		p.become(tty.ModeKeys, tty.ReadingUnknown)
		is := func(when string, want agents.Agent) {
			t.Helper()
			time.Sleep(time.Second)
			synctest.Wait()
			if got := s.Info().Agent; got != want {
				t.Errorf("%s: %v, want %v", when, got, want)
			}
		}
		report := func(pid int, state agents.State, want fault.Kind) {
			t.Helper()
			if err := s.ReportAgent(t.Context(), pid, state); fault.KindOf(err) != want {
				t.Errorf("%s of %d: %v, want %v", state, pid, err, want)
			}
		}
		const job = 4243
		report(job, "asks", fault.Precondition) // it takes no pastes yet
		p.say("\x1b[?2004h\x1b]0;⠂ Claude\x07")
		is("at work", agents.Agent{Name: "claude", State: "working"})
		report(job, "asks", 0)
		is("a dialog without known signs", agents.Agent{Name: "claude", State: "asks"})
		report(1, "idle", fault.Precondition)
		report(job, "asleep", fault.Invalid)
		is("nothing was said", agents.Agent{Name: "claude", State: "asks"})
		p.say("\x1b]0;✳ Claude\x07")
		is("the spinner stops", agents.Agent{Name: "claude", State: "asks"})
		p.say("\x1b]0;⠂ Claude\x07")
		is("it goes on", agents.Agent{Name: "claude", State: "working"})
		p.say("\x1b[?1049h\x1b]0;✳ Claude\x07")
		is("it is done", agents.Agent{Name: "claude", State: "idle"})
		report(job, "working", 0)
		is("a prompt", agents.Agent{Name: "claude", State: "working"})
		time.Sleep(time.Minute)
		is("which was taken back at once", agents.Agent{Name: "claude", State: "idle"})
		p.say("\x1b[?1049l\x1b]0;⠂ Claude\x07")
		is("the next one", agents.Agent{Name: "claude", State: "working"})
		report(job, "asks", 0)
		p.mu.Lock()
		p.args = []string{"codex"}
		p.mu.Unlock()
		p.say("x")
		is("another agent", agents.Agent{Name: "codex", State: "working"})
		p.mu.Lock()
		p.args = []string{"sh"}
		p.mu.Unlock()
		p.say("x")
		is("no agent", agents.Agent{})
		report(job, "asks", fault.Precondition)
	})
}

// The last row of a terminal that wants it says what the agent does; the session has the rest.
func TestShowAgent(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		d := sit(t, s, term.ViewerOptions{ShowAgent: true})
		must(t, d.Resize(t.Context(), 40, 20))
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
		agent := term.WithSender(t.Context(), core.Sender{Kind: core.SenderMCP, Name: "agent"})
		must(t, s.Send(agent, []byte("make\r")))
		row(`agent (MCP) typed make\r`)
		d.press(t, "mine")
		row(`agent (MCP) typed make\r`)
		p.become(tty.ModeSecret, tty.Reads)
		p.say("Password:")
		row("asks for a secret")
		must(t, s.Send(agent, []byte("hunter2")))
		row("typed a  asks")
		p.become(tty.ModeLines, tty.ReadsNot)
		must(t, s.CaptureInput(t.Context()))
		row(`keys captured: Ctrl+\ takes them back`)
		d.press(t, "\x1c")
		row("running")
		if mode, err := s.InputMode(t.Context()); err != nil || mode != "passthrough" {
			t.Errorf("input mode %s, %v", mode, err)
		}
		for _, visible := range []bool{false, true} {
			must(t, d.ToggleAgent(t.Context()))
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
		must(t, err)
		if d.sees("agent") {
			t.Error("a terminal of 3 rows has one for the agent")
		}
	})
}

// The bar stays legible in every width, has no colours where none are wanted, and displays the
// greeting until the first key. The session never has its row.
func TestBar(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		calls := []string{"api asks", "日本 waits", "c failed", "d failed"}
		for _, plain := range []bool{false, true} {
			d := sit(t, s, term.ViewerOptions{Bar: true, Plain: plain, Greeting: "help"})
			d.SetBar(term.Bar{Calls: calls, Clock: "09:05"})
			for cols, want := range map[int]string{
				78: " s  help              api asks, 日本 waits, c failed and 1 more  09:05",
				22: " s  help 4!  09:05",
				16: " s  help 4!",
				7:  " s 4!",
			} {
				d.mu.Lock()
				err := d.screen.Resize(cols, 20)
				d.mu.Unlock()
				must(t, err)
				must(t, d.Resize(t.Context(), cols, 20))
				time.Sleep(time.Second)
				synctest.Wait()
				d.mu.Lock()
				row := d.screen.Snapshot().Lines[19]
				d.mu.Unlock()
				if got := strings.Join(strings.Fields(row.Plain()), " "); got != strings.Join(strings.Fields(want), " ") {
					t.Errorf("%d columns: the bar is %q, want %q", cols, got, want)
				}
				colored := false
				for _, span := range row.Spans {
					colored = colored || span.Style.FG != 0 || span.Style.BG != 0
				}
				if colored == plain {
					t.Errorf("%d columns: the bar has colours: %t, want %t", cols, colored, !plain)
				}
				if i := s.Info(); i.Rows != 19 || i.Cols != cols {
					t.Errorf("the session has %dx%d cells, want %dx19", i.Cols, i.Rows, cols)
				}
			}
			d.press(t, "x")
			if d.sees("help") || !d.sees(" s ") {
				t.Error("the greeting stays after the first key")
			}
			d.Close()
		}
	})
}

// A bar has the new name of its session at once.
func TestBarOfRenamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scripted(t, nil, newScript())
		s := create(t, r, registry.CreateOptions{Name: "s", Cols: 20, Rows: 4})
		d := sit(t, s, term.ViewerOptions{Bar: true})
		d.SetBar(term.Bar{Clock: "09:05"})
		for _, name := range []string{"t", "another"} {
			must(t, r.Relabel(s, registry.Relabel{Name: &name}))
			time.Sleep(time.Second)
			synctest.Wait()
			if !d.sees(" " + name + " ") {
				t.Errorf("the bar does not display %q", name)
			}
		}
	})
}
