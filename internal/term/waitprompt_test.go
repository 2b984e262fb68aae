package term_test

import (
	"context"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/tty"
)

func TestWaitPrompt(t *testing.T) {
	const second = time.Second
	type step struct {
		after time.Duration
		does  func(p *script, s *term.Session) error
	}
	say := func(text string) func(*script, *term.Session) error {
		return func(p *script, _ *term.Session) error { p.say(text); return nil }
	}
	// The test's own context does not belong to the bubble in which a step runs.
	ctx := context.Background()
	send := func(text string) func(*script, *term.Session) error {
		return func(_ *script, s *term.Session) error { return s.Send(ctx, []byte(text)) }
	}
	paste := func(text string) func(*script, *term.Session) error {
		return func(_ *script, s *term.Session) error { return s.Paste(ctx, text) }
	}
	const (
		prompt = "\x1b]133;A\a$ \x1b]133;B\a"
		begin  = "\r\n\x1b]133;C\a"
		end    = "\x1b]133;D;3\a"
	)
	for _, tt := range []struct {
		name   string
		before []step
		during []step
		wait   time.Duration
		took   time.Duration
		kind   fault.Kind
		quiet  bool
		more   bool
		exit   int // -1: unknown
	}{
		{name: "it prompts", before: []step{{0, say(prompt)}}, exit: -1},
		{name: "it will prompt", during: []step{{second, say(prompt)}}, took: second, exit: -1},
		{name: "a command runs", before: []step{{0, say(prompt)}, {0, send("x\r")}, {0, say(begin)}}, during: []step{{second, say(end + prompt)}}, took: second, exit: 3},
		{name: "a line was just typed", before: []step{{0, say(prompt)}, {0, send("x\r")}}, during: []step{{second, say(begin)}, {second, say(end + prompt)}}, took: 2 * second, exit: 3},
		{
			name: "two lines were typed", before: []step{{0, say(prompt)}, {0, send("x\ny\n")}},
			during: []step{{second, say(begin + end + prompt)}, {second, say(begin)}, {second, say(end + prompt)}}, took: 3 * second, exit: 3,
		},
		{name: "a line was perhaps not run", before: []step{{0, say(prompt)}, {0, send("\r")}}, during: []step{{second, say("\x1b]133;D\a" + prompt)}}, took: second, exit: -1},
		{name: "a line was swallowed", before: []step{{0, say(prompt)}, {0, send("\r")}}, took: 2 * second, exit: -1},
		{name: "a program read a line", before: []step{{0, say(prompt + begin)}, {0, send("y\r")}, {0, say(end + prompt)}}, took: second / 5, exit: 3},
		{
			name: "the shell reads a line that was typed ahead", before: []step{{0, say(prompt + begin)}, {0, send("y\r")}, {0, say(end + prompt)}},
			during: []step{{second / 10, say(begin)}, {second, say(end + prompt)}}, took: second + second/10, exit: 3,
		},
		{
			name: "two lines are typed ahead", before: []step{{0, say(prompt + begin)}, {0, send("x\ry\r")}, {0, say(end + prompt)}},
			during: []step{{second / 10, say(begin)}, {second, say(end + prompt)}, {second / 10, say(begin)}, {second, say(end + prompt)}}, took: 2*second + second/5, exit: 3,
		},
		{
			name: "a line after one that a program may have read", before: []step{{0, say(prompt + begin)}, {0, send("y\r")}, {0, say(end + prompt)}, {0, send("x\r")}},
			during: []step{{second, say(begin)}, {second, say(end + prompt)}}, took: 4 * second, exit: 3,
		},
		{
			name: "a line typed before the first prompt", before: []step{{0, send("x\r")}, {0, say("\x1b]133;D\a" + prompt)}},
			during: []step{{second, say(begin)}, {second, say(end + prompt)}}, took: 2 * second, exit: 3,
		},
		{name: "half a line", before: []step{{0, say(prompt)}, {0, send("x")}}, exit: -1},
		{name: "a line that is only pasted", before: []step{{0, say("\x1b[?2004h" + prompt)}, {0, paste("x\ny\n")}}, exit: -1},
		{name: "the rest of a line", before: []step{{0, say(prompt)}, {0, send("(\r")}, {0, say("\r\n\x1b]133;A;k=s\a> ")}}, more: true, exit: -1},
		{name: "never", before: []step{{0, say(prompt + begin)}}, wait: second, took: second, kind: fault.Timeout},
		{name: "no marks", before: []step{{0, say("> ")}}, took: 2 * second, quiet: true, exit: -1},
		{name: "no marks, and no text", before: []step{{0, say(">\r\n")}}, wait: 9 * second, took: 9 * second, kind: fault.Timeout},
		{name: "marks of anything", before: []step{{0, say("\x1b]133;A;wsh=x.1\a> \x1b]133;B;wsh=x.1\a")}}, took: 2 * second, quiet: true, exit: -1},
		{name: "the end", before: []step{{0, say(prompt + begin)}}, during: []step{{second, func(p *script, _ *term.Session) error { p.end(tty.Exit{}); return nil }}}, took: second, kind: fault.Gone},
		{name: "negative", wait: -1, kind: fault.Invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				do := func(steps []step) {
					for _, step := range steps {
						time.Sleep(step.after)
						if err := step.does(p, s); err != nil {
							t.Error(err)
						}
					}
				}
				do(tt.before)
				go do(tt.during)
				start := time.Now()
				got, err := s.WaitPrompt(t.Context(), tt.wait)
				if took := time.Since(start); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				time.Sleep(10 * time.Second) // for the rest of the steps
				if tt.kind != fault.Internal {
					if err == nil || fault.KindOf(err) != tt.kind {
						t.Errorf("WaitPrompt = %v, want %v", err, tt.kind)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				exit := -1
				if got.ExitCode != nil {
					exit = *got.ExitCode
				}
				if got.More != tt.more || got.Quiet != tt.quiet || exit != tt.exit || got.Screen == nil {
					t.Errorf("%+v, exit code %d, want %d", got, exit, tt.exit)
				}
			})
		})
	}
}
