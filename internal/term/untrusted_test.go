package term_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
)

// A viewer at whose other end a program may be is no person: it gets no question, and types only
// while programs may.
func TestUntrustedViewer(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		v := sit(t, s, term.ViewerOptions{Untrusted: true})
		must(t, v.Type(t.Context(), []byte("a")))
		synctest.Wait()
		if got := p.input(); got != "a" {
			t.Errorf("the program got %q", got)
		}
		if s.Attended() {
			t.Error("it counts as a person")
		}
		person := sit(t, s, term.ViewerOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		asked := inquire(ctx, s, allow)
		time.Sleep(time.Second) // terminals get pictures at a pace
		open(t, asked)
		if !person.sees("rm -rf /") || v.sees("rm -rf /") {
			t.Error("a question is not displayed to persons only")
		}
		cancel()
		<-asked
		must(t, s.TakeKeyboard(t.Context(), "Ada"))
		if err := v.Type(t.Context(), []byte("b")); fault.DetailOf(err) != core.NotPermitted {
			t.Errorf("typing while a person has the keyboard: %v", err)
		}
	})
}

// Where persons decide which programs may type, it may not.
func TestUntrustedViewerWherePersonsAreAsked(t *testing.T) {
	bubbleWith(t, registry.CreateOptions{Name: "s", Cols: 40, Rows: 20, AskToType: true}, func(t *testing.T, p *script, s *term.Session) {
		v := sit(t, s, term.ViewerOptions{Untrusted: true})
		if err := v.Type(t.Context(), []byte("a")); fault.DetailOf(err) != core.NotPermitted {
			t.Errorf("typing: %v", err)
		}
		synctest.Wait()
		if got := p.input(); got != "" {
			t.Errorf("the program got %q", got)
		}
	})
}
