package term_test

import (
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
