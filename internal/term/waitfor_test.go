package term_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
)

// Text is found however much follows it, and however short the history is.
func TestWaitForTextThatScrollsAway(t *testing.T) {
	for _, scrollback := range []int{0, 1, 10_000} {
		for _, tt := range []struct{ name, before, text, after string }{
			{"lines", "\r\n\r\n\r\n", "needle", strings.Repeat("\r\nmore", 500)},
			{"a wrapped line", "\r\n\r\n\r\n", "with a needle that is wrapped", strings.Repeat("\r\nmore", 500)},
			{"a long line", "", "needle", strings.Repeat("long ", 2000)},
			{"colours", "", "nee\x1b[1;31md\x1b[mle", strings.Repeat("\r\n\x1b[32mmore\x1b[m", 500)},
			{"index", "\x1b[4H", "needle", strings.Repeat("\x1bD", 500)},
			{"the end of the program", strings.Repeat("more\r\n", 500), "needle", ""},
		} {
			t.Run(fmt.Sprint(tt.name, " with ", scrollback), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := newScript()
					r := scripted(t, nil, p)
					defer r.Close()
					s := create(t, r, term.CreateOptions{Name: "s", Cols: 20, Rows: 4, Scrollback: &scrollback})
					go func() {
						time.Sleep(time.Second)
						p.say(tt.before + tt.text + tt.after)
						p.end(pty.Exit{})
					}()
					if _, err := s.WaitForText(t.Context(), "needle", 0); err != nil {
						t.Error(err)
					}
					synctest.Wait()
					if n := s.Subscriptions(); n != 0 {
						t.Errorf("%d subscriptions are left", n)
					}
				})
			})
		}
	}
}
