//go:build linux || darwin

package term_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/tty"
)

// A line that is run right after C-c is run once, and its result is its own.
func TestRunRightAfterInterrupt(t *testing.T) {
	t.Parallel()
	for _, name := range shells {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shellSession(t, name, nil)
			background := term.RunOptions{MaxWait: 2 * time.Minute, Background: true}
			var want, got []string
			for i := range 5 {
				run(t, s, "sleep 1000", background)
				if err := s.Keys(t.Context(), "C-c"); err != nil {
					t.Fatal(err)
				}
				line := fmt.Sprintf("after %d", i)
				if i%2 == 0 {
					wantRun(t, line, run(t, s, "echo "+line, term.RunOptions{MaxWait: 2 * time.Minute}), 0, line+"\n")
				} else if state := run(t, s, "echo "+line, background).State; state == term.Silent {
					t.Errorf("%q in the background: state %q", line, state)
				}
				want = append(want, line)
			}
			if _, err := s.WaitPrompt(t.Context(), 2*time.Minute); err != nil {
				t.Fatal(err)
			}
			page, err := s.Scrollback(t.Context(), term.PageOptions{Lines: 1000})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range page.Lines {
				var n int
				if _, err := fmt.Sscanf(l.Text, "after %d", &n); err == nil {
					got = append(got, l.Text)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the output of what was run, -want +got:\n%s", diff)
			}
		})
	}
}

// A line for a shell whose command got C-c waits for the prompt, unless the command goes on to wait
// for a line. Without C-c, it is typed as soon as the command does.
func TestRunAfterInterruptWaits(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, tt := range []struct {
		name   string
		key    string
		mode   tty.Mode
		reads  tty.Reading
		prompt time.Duration // after the key; 0: the command does not end
		typed  time.Duration // after the key; -1: never
		state  term.RunState
	}{
		{"no signal", "x\r", tty.ModeLines, tty.Reads, 0, 0, term.Silent},
		{"the prompt is late", "\x03", tty.ModeLines, tty.ReadsNot, 900 * ms, 900 * ms, term.Done},
		{"the command asks again", "\x03", tty.ModeLines, tty.Reads, 0, 300 * ms, term.Silent},
		{"a program that takes keys", "\x03", tty.ModeKeys, tty.ReadingUnknown, 0, 2 * time.Second, term.Silent},
		{"the command goes on", "\x03", tty.ModeLines, tty.ReadsNot, 0, -1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				p.say(markA + "$ " + markB + "\r\n" + markC + "> ")
				p.become(tt.mode, tt.reads)
				var shell sync.WaitGroup
				var typed time.Time
				p.sent = func(in string) {
					shell.Go(func() { p.answer(in) })
					if !strings.HasSuffix(in, "cmd\r") {
						return
					}
					p.mu.Lock()
					typed = time.Now()
					p.mu.Unlock()
					if tt.prompt > 0 {
						shell.Go(func() { p.say("\r\n" + markC + "out\r\n" + markD("0") + markA + "$ " + markB) })
					}
				}
				start := time.Now()
				if err := s.Send(t.Context(), []byte(tt.key)); err != nil {
					t.Fatal(err)
				}
				if tt.prompt > 0 {
					shell.Go(func() {
						time.Sleep(tt.prompt)
						p.become(tty.ModeKeys, tty.ReadingUnknown)
						p.say("^C\r\n" + markD("130") + markA + "$ " + markB)
					})
				}
				got, err := s.RunCommand(t.Context(), "cmd", term.RunOptions{})
				shell.Wait()
				p.mu.Lock()
				after := typed.Sub(start)
				p.mu.Unlock()
				if tt.typed < 0 {
					if fault.DetailOf(err) != term.NotTyped || !typed.IsZero() {
						t.Errorf("typed after %v, %v", after, err)
					}
					return
				}
				if err != nil || got.State != tt.state || after < tt.typed || after > tt.typed+50*ms {
					t.Errorf("typed after %v, state %q, %v; want %v, %q", after, got.State, err, tt.typed, tt.state)
				}
			})
		})
	}
}

// A line that a command was to read is not reported to run if the shell prompts instead.
func TestRunInBackgroundAtThePrompt(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say(markA + "$ " + markB + "\r\n" + markC)
		p.become(tty.ModeLines, tty.Reads)
		var shell sync.WaitGroup
		p.sent = func(string) {
			shell.Go(func() { p.say("\r\n" + markD("0") + markA + "$ " + markB) })
		}
		got, err := s.RunCommand(t.Context(), "cmd", term.RunOptions{Background: true})
		if err != nil || got.State != term.Silent {
			t.Errorf("state %q, %v; want %q", got.State, err, term.Silent)
		}
		shell.Wait()
	})
}
