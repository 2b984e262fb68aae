package term_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/tty"
)

// The newest command of a session has the line that was typed, as the screen displays it.
func TestLastCommand(t *testing.T) {
	const a, b, c, more = "\x1b]133;A\x07$ ", "\x1b]133;B\x07", "\x1b]133;C\x07", "\x1b]133;A;k=s\x07> "
	for _, tt := range []struct {
		name, output string
		want         *core.Command
	}{
		{"no marks", "$ make\r\nbuilt\r\n$ ", nil},
		{"no command yet", a + b, nil},
		{"running", a + b + "make\r\n" + c, &core.Command{N: 1, Line: "make"}},
		{"done", a + b + "make\r\n" + c + "\x1b]133;D;2\x07", &core.Command{N: 1, Line: "make", Ended: true, ExitCode: new(2)}},
		{"the next one", a + b + "make\r\n" + c + "\x1b]133;D;2\x07" + a + b + "ls -l\r\n" + c, &core.Command{N: 2, Line: "ls -l"}},
		{"without its end", a + b + "make\r\n" + c + a + b, &core.Command{N: 1, Line: "make", Ended: true}},
		{"longer than a row", a + b + strings.Repeat("word ", 6) + "\r\n" + c, &core.Command{N: 1, Line: strings.TrimSpace(strings.Repeat("word ", 6))}},
		{"of several lines", a + b + "for i in 1 2\r\n" + more + b + "do echo $i\r\n" + more + b + "done\r\n" + c, &core.Command{N: 1, Line: "for i in 1 2\ndo echo $i\ndone"}},
		{"prompt drawn again", a + b + "mak\r\x1b[K" + a + b + "make\r\n" + c, &core.Command{N: 1, Line: "make"}},
		{"nothing visible", a + b + "make\x1b[2J\x1b[H" + c, &core.Command{N: 1}},
		{"on the alternate screen", "\x1b[?1049h" + a + b + "make\r\n" + c, &core.Command{N: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				p.say(tt.output)
				synctest.Wait()
				if diff := cmp.Diff(tt.want, s.Info().LastCommand); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
	t.Run("until the program ends", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			p.say(a + b + "exit\r\n" + c)
			synctest.Wait()
			p.end(tty.Exit{})
			synctest.Wait()
			if diff := cmp.Diff(&core.Command{N: 1, Line: "exit", Ended: true}, s.Info().LastCommand); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	})
	t.Run("how long it took", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			p.say(a + b + strings.Repeat("x", 2000) + "\r\n" + c)
			time.Sleep(3 * time.Second)
			p.say("\x1b]133;D;0\x07")
			synctest.Wait()
			got := s.Info().LastCommand
			if got == nil || got.Duration != 3*time.Second || len(got.Line) > 1<<10 {
				t.Errorf("got %+v", got)
			}
		})
	})
}
