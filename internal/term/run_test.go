package term_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/term/tty"
)

const (
	markA = "\x1b]133;A\a"
	markB = "\x1b]133;B\a"
	markC = "\x1b]133;C\a"
)

func markD(code string) string { return "\x1b]133;D;" + code + "\a" }

// marking returns a registry of a program that makes our marks, and what returns their key once
// there is a session.
func marking(t *testing.T, p *script) (r *term.Registry, key func() string) {
	t.Helper()
	scripts, err := shell.Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var k string
	r = scripted(t, func(c *term.Config) {
		c.Scripts, c.Shell = scripts, "/bin/fish"
		start := c.Start
		c.Start = func(o pty.Options) (term.Process, error) {
			for _, v := range o.Env {
				if file, ok := strings.CutPrefix(v, "WSH_KEY_FILE="); ok {
					data, err := os.ReadFile(file)
					if err != nil {
						t.Error(err)
					}
					k = strings.TrimSpace(string(data))
					p.key = k
				}
			}
			return start(o)
		}
	}, p)
	return r, func() string { return k }
}

// A shell with our marks that has read a line, and is slow to begin its command, asks for nothing:
// the line that it has not ended yet only looks like a question.
func TestRunSlowShell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newScript()
		r, key := marking(t, p)
		defer r.Close()
		s := create(t, r, term.CreateOptions{})
		mark := func(m string, n int) string { return fmt.Sprintf("\x1b]133;%s;wsh=%s.%d\a", m, key(), n) }
		p.become(tty.ModeKeys, tty.ReadingUnknown)
		p.say(mark("A", 1) + "$ " + mark("B", 1))
		const slow = 4 * time.Second
		var busy sync.WaitGroup
		p.sent = func(in string) {
			busy.Go(func() {
				p.become(tty.ModeLines, tty.ReadingUnknown)
				p.say(strings.TrimSuffix(in, "\r"))
				time.Sleep(slow)
				p.say("\r\n" + mark("C", 1) + "out\r\n" + mark("D;0", 1) + mark("A", 2) + "$ " + mark("B", 2))
			})
		}
		start := time.Now()
		got, err := s.RunCommand(t.Context(), "cmd", term.RunOptions{Timeout: 100 * time.Millisecond, MaxWait: time.Minute})
		if took := time.Since(start); err != nil || got.State != term.Done || got.Output != "out\n" || took != slow {
			t.Errorf("after %v: state %q, output %q, %v; want %v, done, \"out\"", took, got.State, got.Output, err, slow)
		}
		busy.Wait()
	})
}

// A command is over when the shell says so, however it behaves meanwhile.
func TestRunByMarks(t *testing.T) {
	t.Parallel()
	type step struct {
		after time.Duration
		say   string
	}
	const ms = time.Millisecond
	for _, tt := range []struct {
		name   string
		steps  []step
		took   time.Duration
		state  term.RunState
		code   int // -1: not known
		output string
		length time.Duration
	}{
		{"quick", []step{{10 * ms, markC + "out\r\n" + markD("0") + markA + "$ " + markB}}, 10 * ms, term.Done, 0, "out\n", 0},
		{"silent for long", []step{{10 * ms, markC}, {20 * time.Second, markD("7") + markA + markB}}, 20010 * ms, term.Done, 7, "", 20 * time.Second},
		{"output in pieces", []step{{0, markC + "a"}, {5 * time.Second, "b\r\n"}, {ms, markD("0")}, {ms, markA + markB}}, 5002 * ms, term.Waiting, -1, "", 0},
		{"lines in pieces", []step{{0, markC + "a\r\n"}, {5 * time.Second, "b\r\n"}, {ms, markD("0")}, {ms, markA + markB}}, 5002 * ms, term.Done, 0, "a\nb\n", 5001 * ms},
		{"a slow prompt", []step{{0, markC + markD("1")}, {150 * ms, markA + markB}}, 150 * ms, term.Done, 1, "", 0},
		{"a prompt whose end is not marked", []step{{0, markC + markD("1") + markA + "$ "}}, 200 * ms, term.Done, 1, "", 0},
		{"a prompt that is drawn again", []step{{0, markA + "$ " + markB}, {100 * ms, markC + "x\r\n"}, {time.Second, markD("0") + markA + markB}}, 1100 * ms, term.Done, 0, "x\n", time.Second},
		{"no command", []step{{0, markD("") + markA + "$ " + markB}}, 0, term.Unknown, -1, "", 0},
		{"wants more of the line", []step{{0, "> "}}, 5 * time.Second, term.Waiting, -1, "", 0},
		{"the screen is cleared", []step{{0, markC + "x\r\ny\r\n\x1b[H\x1b[2J" + markD("0") + markA + markB}}, 0, term.Done, 0, "", 0},
		{"an editor", []step{{0, markC + "\x1b[?1049h\x1b[H"}}, 2 * time.Second, term.Waiting, -1, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				p.say(markA + "$ " + markB)
				var busy sync.WaitGroup
				p.sent = func(in string) {
					busy.Go(func() {
						p.say(strings.ReplaceAll(in, "\r", "\r\n"))
						for _, st := range tt.steps {
							time.Sleep(st.after)
							p.say(st.say)
						}
					})
				}
				synctest.Wait()
				start := time.Now()
				got, err := s.RunCommand(t.Context(), "cmd", term.RunOptions{MaxWait: time.Minute})
				took := time.Since(start)
				code := -1
				if got.ExitCode != nil {
					code = *got.ExitCode
				}
				if tt.state == term.Waiting && tt.name == "output in pieces" {
					tt.took = 2 * time.Second // a line without an end looks like a question
				}
				if got.NotRun { // nothing here shows it
					t.Error("not run")
				}
				if err != nil || took != tt.took || got.State != tt.state || code != tt.code || got.Output != tt.output || got.Duration != tt.length {
					t.Errorf("after %v: state %q, code %d, output %q, duration %v, %v\nwant %v: %q, %d, %q, %v",
						took, got.State, code, got.Output, got.Duration, err, tt.took, tt.state, tt.code, tt.output, tt.length)
				}
				busy.Wait()
			})
		})
	}
}

// The output of a command is complete as long as the line in which it begins is kept, even as the
// oldest one, and there is none once the line in which it ends is gone.
func TestRunBeginsInTheOldestLine(t *testing.T) {
	t.Parallel()
	const kept = 6 // lines of the screen and the scrollback
	lines := func(from, to int) (text string) {
		for i := from; i <= to; i++ {
			text += fmt.Sprintf("%d\n", i)
		}
		return text
	}
	for _, tt := range []struct {
		name   string
		output int // lines, in the first of which it begins
		after  int // lines between its end and the end of the prompt
		want   string
		whole  bool
	}{
		{"begins in the oldest line", kept - 1, 0, lines(1, kept-1), true},
		{"begins before the oldest line", kept, 0, lines(2, kept), false},
		{"ends in the oldest line", 0, kept - 1, "", true},
		{"ends before the oldest line", 0, kept, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newScript()
				r := scripted(t, nil, p)
				defer r.Close()
				s := create(t, r, term.CreateOptions{Cols: 20, Rows: 4, Scrollback: new(kept - 4)})
				p.say(markA + "$ " + markB)
				var shell sync.WaitGroup
				p.sent = func(string) {
					shell.Go(func() {
						text := lines(1, tt.output) + markD("0") + strings.Repeat("\n", tt.after) + markA + "$ " + markB
						p.say("cmd\r\n" + markC + strings.ReplaceAll(text, "\n", "\r\n"))
					})
				}
				synctest.Wait()
				got, err := s.RunCommand(t.Context(), "cmd", term.RunOptions{MaxWait: time.Minute})
				if err != nil || got.State != term.Done || got.Output != tt.want || got.Complete != tt.whole {
					t.Errorf("state %q, output %q, complete %v, %v; want done, %q, %v", got.State, got.Output, got.Complete, err, tt.want, tt.whole)
				}
				shell.Wait()
			})
		})
	}
}

// A command that ends while the system is asked what it is doing does not count as waiting: what is
// found out then is true of the shell.
func TestRunEndsWhileLookedAt(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say(markA + "$ " + markB)
		p.become(tty.ModeLines, tty.ReadsNot)
		var shell sync.WaitGroup
		end := func() {
			p.mu.Lock()
			p.mode, p.reads, p.output = tty.ModeKeys, tty.ReadingUnknown, true
			p.mu.Unlock()
			shell.Go(func() {
				time.Sleep(5 * time.Millisecond) // for as long as the machine is busy
				p.say(markD("0") + markA + "$ " + markB)
				p.mu.Lock()
				p.output = false
				p.mu.Unlock()
			})
		}
		p.sent = func(string) {
			shell.Go(func() {
				p.say("cmd\r\n" + markC)
				time.Sleep(term.DefaultSilence - 1) // others look, too
				p.mu.Lock()
				p.looked = end
				p.mu.Unlock()
			})
		}
		got, err := s.RunCommand(t.Context(), "cmd", term.RunOptions{})
		if err != nil || got.State != term.Done {
			t.Errorf("state %q, %v; want %q", got.State, err, term.Done)
		}
		shell.Wait()
	})
}

// Without marks a command is over when it is quiet after its output: silence before it does not
// count.
func TestRunBySilence(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, tt := range []struct {
		name    string
		answers []time.Duration
		timeout time.Duration
		took    time.Duration
	}{
		{"answers at once", []time.Duration{0}, 500 * ms, 500 * ms},
		{"answers late", []time.Duration{250 * ms}, 50 * ms, 300 * ms},
		{"answers and goes on", []time.Duration{0, 300 * ms, 300 * ms}, 500 * ms, 1100 * ms},
		{"never answers", nil, 50 * ms, 300 * ms},
		{"never answers, long silence", nil, 2 * time.Second, 2 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				p.say("> ")
				time.Sleep(time.Hour) // quiet for longer than any timeout
				var busy sync.WaitGroup
				p.sent = func(string) {
					busy.Go(func() {
						for _, d := range tt.answers {
							time.Sleep(d)
							p.say("x")
						}
					})
				}
				start := time.Now()
				got, err := s.RunCommand(t.Context(), "cmd\n", term.RunOptions{Timeout: tt.timeout})
				if took := time.Since(start); err != nil || took != tt.took || got.State != term.Silent {
					t.Errorf("after %v, want %v: %q, %v", took, tt.took, got.State, err)
				}
				if want := "> " + strings.Repeat("x", len(tt.answers)); got.Screen.Lines[0].Plain() != strings.TrimSpace(want) {
					t.Errorf("screen %q", got.Screen.Lines[0].Plain())
				}
				if in := p.input(); in != "cmd\r" {
					t.Errorf("typed %q", in)
				}
				busy.Wait()
			})
		})
	}
}

// Commands of several callers do not mix: each has its own output.
func TestRunTakesTurns(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say(markA + markB)
		var shell sync.WaitGroup
		p.sent = func(in string) {
			shell.Go(func() {
				p.say("\r\n" + markC)
				time.Sleep(time.Second)
				p.say(strings.TrimSuffix(in, "\r") + "\r\n" + markD("0") + markA + markB)
			})
		}
		var callers sync.WaitGroup
		for _, word := range []string{"one", "two", "three"} {
			callers.Go(func() {
				got, err := s.RunCommand(t.Context(), word, term.RunOptions{})
				if err != nil || got.Output != word+"\n" {
					t.Errorf("%s: %q, %v", word, got.Output, err)
				}
			})
		}
		callers.Wait()
		shell.Wait()
		p.sent = nil
		go func() {
			_, _ = s.RunCommand(t.Context(), "for ever", term.RunOptions{MaxWait: time.Minute})
		}()
		synctest.Wait()
		if _, err := s.RunCommand(t.Context(), "x", term.RunOptions{MaxWait: time.Second}); fault.KindOf(err) != fault.Timeout {
			t.Errorf("waiting for its turn: %v", err)
		}
		time.Sleep(time.Minute)
	})
}

// A line that has to wait for another command is for the shell, even if that command waits for
// input by then. A line of a caller that finds it waiting is typed into it.
func TestQueuedRunWaitsForThePrompt(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say(markA + markB)
		var group sync.WaitGroup
		start := func(line string, want term.RunState) {
			group.Go(func() {
				if got, err := s.RunCommand(t.Context(), line, term.RunOptions{MaxWait: time.Minute}); err != nil || got.State != want {
					t.Errorf("%s: %q, %v", line, got.State, err)
				}
			})
			synctest.Wait()
		}
		start("ask", term.Waiting)
		p.say("\r\n" + markC)
		start("queued", term.Done)
		p.say("Sure? ")
		time.Sleep(10 * time.Second)
		if in := p.input(); in != "ask\r" {
			t.Errorf("while it asks, %q is typed", in)
		}
		start("yes", term.Done) // "queued" has the turn
		p.say("\r\n" + markD("0") + markA + markB)
		time.Sleep(time.Second)
		if in := p.input(); in != "ask\rqueued\r" {
			t.Errorf("at the prompt, %q is typed", in)
		}
		p.say("\r\n" + markC + markD("0") + markA + markB)
		time.Sleep(time.Second)
		if in := p.input(); in != "ask\rqueued\ryes\r" {
			t.Errorf("at the next prompt, %q is typed", in)
		}
		p.say("\r\n" + markC + markD("0") + markA + markB)
		group.Wait()

		start("ask", term.Waiting)
		p.say("\r\n" + markC + "Sure? ")
		time.Sleep(10 * time.Second)
		start("no", term.Silent)
		if in := p.input(); !strings.HasSuffix(in, "ask\rno\r") {
			t.Errorf("an answer: %q is typed", in)
		}
		group.Wait()
	})
}

// Output that a busy machine has not read yet is not silence: it may say that the command has
// ended.
func TestRunReadsAllBeforeItJudges(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say(markA + "$ " + markB)
		p.become(tty.ModeKeys, tty.Reads) // as a shell does that prompts again
		var late sync.WaitGroup
		p.sent = func(string) {
			late.Go(func() {
				p.say("\r\n" + markC)
				p.mu.Lock()
				p.output = true
				p.mu.Unlock()
				time.Sleep(10 * time.Second)
				p.say("out\r\n" + markD("0") + markA + "$ " + markB)
				p.mu.Lock()
				p.output = false
				p.mu.Unlock()
			})
		}
		got, err := s.RunCommand(t.Context(), "cmd", term.RunOptions{Timeout: time.Second})
		if err != nil || got.State != term.Done || got.Output != "out\n" {
			t.Errorf("state %q, output %q, %v", got.State, got.Output, err)
		}
		late.Wait()
	})
}
