package term_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/term"
)

const (
	markA = "\x1b]133;A\a"
	markB = "\x1b]133;B\a"
	markC = "\x1b]133;C\a"
)

func markD(code string) string { return "\x1b]133;D;" + code + "\a" }

// The result of a command has its output, its status and the time between its marks.
func TestRunByMarks(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say(markA + "$ " + markB)
		var shell sync.WaitGroup
		p.sent = func(in string) {
			shell.Go(func() {
				p.say(strings.ReplaceAll(in, "\r", "\r\n") + markC + "a\r\n")
				time.Sleep(5 * time.Second)
				p.say("b\r\n")
				time.Sleep(time.Second)
				p.say(markD("7") + markA + "$ " + markB)
			})
		}
		synctest.Wait()
		start := time.Now()
		got, err := s.RunCommand(t.Context(), "cmd", term.RunOptions{MaxWait: time.Minute})
		if took := time.Since(start); err != nil || took != 6*time.Second || got.Duration != took || got.State != term.Done || got.ExitCode == nil || *got.ExitCode != 7 || got.Output != "a\nb\n" {
			t.Errorf("after %v: %+v, %v", took, got, err)
		}
		shell.Wait()
	})
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
