package term_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/tty"
)

// A process that was stopped just before it typed a line gives the shell the whole time to read it:
// a key that takes the line out of the editor would destroy it before the shell has looked.
func TestRunAfterAPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newScript()
		r, key := marking(t, p)
		defer r.Close()
		s := create(t, r, term.CreateOptions{})
		mark := func(m string, n int) string { return fmt.Sprintf("\x1b]133;%s;wsh=%s.%d\a", m, key(), n) }
		p.become(tty.ModeKeys, tty.ReadingUnknown)
		p.say(mark("A", 1) + "$ " + mark("B", 1))
		time.Sleep(time.Second) // no timer is set any more
		const stopped, asleep = 3 * time.Second, time.Second
		var busy sync.WaitGroup
		p.sent = func(in string) {
			if !strings.HasPrefix(in, "cmd") {
				t.Errorf("typed %q", in)
				return
			}
			busy.Go(func() {
				time.Sleep(asleep)
				p.say("cmd\r\n" + mark("C", 1) + "out\r\n" + mark("D;0", 1) + mark("A", 2) + "$ " + mark("B", 2))
			})
		}
		p.looked = func() { time.Sleep(stopped) }
		got, err := s.RunCommand(t.Context(), "cmd", term.RunOptions{MaxWait: time.Minute})
		if err != nil || got.State != term.Done || got.NotRun || got.Output != "out\n" {
			t.Errorf("state %q, not run: %t, output %q, %v; want done, \"out\"", got.State, got.NotRun, got.Output, err)
		}
		busy.Wait()
	})
}
