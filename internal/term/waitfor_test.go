package term_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

// Text is found however much follows it, and however short the history is.
func TestWaitForTextThatScrollsAway(t *testing.T) {
	for _, scrollback := range []int{0, 10_000} {
		for _, tt := range []struct{ name, before, text, after string }{
			{"a wrapped line", "\r\n\r\n\r\n", "with a needle that is wrapped", strings.Repeat("\r\nmore", 500)},
			{"a long line", "", "needle", strings.Repeat("long ", 2000)},
			{"the end of the program", strings.Repeat("more\r\n", 500), "needle", ""},
		} {
			t.Run(fmt.Sprint(tt.name, " with ", scrollback), func(t *testing.T) {
				bubbleWith(t, registry.CreateOptions{Name: "s", Cols: 20, Rows: 4, Scrollback: &scrollback}, func(t *testing.T, p *script, s *term.Session) {
					go func() {
						time.Sleep(time.Second)
						p.say(tt.before + tt.text + tt.after)
						p.end(tty.Exit{})
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

// A burst of output is searched once, soon after its beginning, and before lines get other numbers.
func TestWaitForTextInBurst(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(p *script, s *term.Session) error
	}{
		{"and nothing more", func(*script, *term.Session) error { return nil }},
		{"then another size", func(_ *script, s *term.Session) error { return s.Resize(context.Background(), 30, 3) }},
		{"then the other screen", func(p *script, _ *term.Session) error { p.say("\x1b[?1049hfull screen"); return nil }},
		{"then another caller", func(_ *script, s *term.Session) error {
			_, err := s.WaitForText(context.Background(), "a line", 0)
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				found := make(chan error, 1)
				go func() {
					m, err := s.WaitForText(t.Context(), "needle", time.Minute)
					if err == nil && m.Line != "a needle in a haystack" {
						err = errors.New(m.Line)
					}
					found <- err
				}()
				synctest.Wait()
				p.say("the beginning\r\n")
				p.say("a needle in a haystack\r\n" + strings.Repeat("a line\r\n", 30))
				must(t, tt.end(p, s))
				start := time.Now()
				must(t, <-found)
				if took := time.Since(start); took > 10*time.Millisecond {
					t.Errorf("found after %v", took)
				}
			})
		})
	}
}

// Text that has scrolled off before the call is not found, even if others have not seen it yet.
func TestWaitForLaterText(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		go func() { _, _ = s.WaitForText(t.Context(), "something else", time.Hour) }()
		synctest.Wait()
		p.say("first\r\n")
		p.say("needle\r\n\r\n\r\n\r\n\r\n")
		if _, err := s.WaitForText(t.Context(), "needle", time.Second); fault.KindOf(err) != fault.Timeout {
			t.Errorf("WaitForText = %v", err)
		}
	})
}

// As many callers may wait for text as the limit says, and others when one of them has left.
func TestWaitForLimit(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		ctx, cancel := context.WithCancel(t.Context())
		for range term.MaxSearches - 1 {
			go func() { _, _ = s.WaitForText(t.Context(), "never", time.Hour) }()
		}
		go func() { _, _ = s.WaitForText(ctx, "never", time.Hour) }()
		synctest.Wait()
		if _, err := s.WaitForText(t.Context(), "late", time.Second); fault.KindOf(err) != fault.Exhausted {
			t.Errorf("one too many: %v", err)
		}
		if _, err := s.WaitFor(t.Context(), "^$|.", time.Second); fault.KindOf(err) != fault.Invalid {
			t.Errorf("a wrong expression: %v", err)
		}
		p.say("here")
		if _, err := s.WaitForText(t.Context(), "here", time.Second); err != nil {
			t.Errorf("a text that is there: %v", err)
		}
		cancel()
		synctest.Wait()
		if _, err := s.WaitForText(t.Context(), "late", time.Second); fault.KindOf(err) != fault.Timeout {
			t.Errorf("after another has left: %v", err)
		}
		p.end(tty.Exit{})
	})
}
