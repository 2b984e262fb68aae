package term_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
)

// Input on a read-only viewer reaches nobody.
func TestReadOnly(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		v := attachWith(t, s, term.ViewerOptions{Client: clients.Options{ReadOnly: true}})
		w := attach(t, s)
		must(t, v.Type(t.Context(), []byte("no\x1c\x1c")))
		must(t, w.Type(t.Context(), []byte("yes")))
		if mode, err := s.InputMode(t.Context()); err != nil || mode != "passthrough" {
			t.Errorf("the mode is %s, %v", mode, err)
		}
		synctest.Wait()
		if got := p.input(); got != "yes" {
			t.Errorf("the program gets %q", got)
		}
	})
}

// A viewer that follows sees the session at its size, and changes that only when the person types
// or takes the lead, and has a size to give.
func TestFollows(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		follower := attachWith(t, s, term.ViewerOptions{Follows: true, SizeRule: core.SizeManual})
		picture := func(want string) {
			t.Helper()
			if _, err := follower.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
			cols, rows := follower.PictureSize()
			if got := fmt.Sprintf("%dx%d", cols, rows); got != want {
				t.Errorf("the picture has %s, want %s", got, want)
			}
		}
		session := func(want string) {
			t.Helper()
			i := s.Info()
			if got := fmt.Sprintf("%dx%d", i.Cols, i.Rows); got != want {
				t.Errorf("the session has %s, want %s", got, want)
			}
		}
		if err := follower.Lead(t.Context()); fault.KindOf(err) != fault.Precondition {
			t.Errorf("leading without a size: %v", err)
		}
		must(t, follower.Type(t.Context(), []byte("x")))
		picture("20x4")
		must(t, follower.Resize(t.Context(), 50, 12))
		session("20x4") // also as the first viewer with a size
		picture("20x4") // from scratch
		other := attachWith(t, s, term.ViewerOptions{})
		must(t, other.Resize(t.Context(), 30, 10))
		session("30x10")
		picture("30x10")
		must(t, follower.Type(t.Context(), []byte("\x1b[I"))) // the window got the focus
		session("30x10")
		must(t, follower.Type(t.Context(), []byte("\x1b[<0;5;5M\x1b[<32;6;5M\x1b[<0;6;5m"))) // a click moves nothing under the mouse
		session("30x10")
		must(t, follower.Type(t.Context(), []byte("x")))
		session("50x12")
		picture("50x12")
		must(t, follower.Resize(t.Context(), 40, 9)) // as the leader
		session("40x9")
		must(t, other.Lead(t.Context()))
		session("30x10")
		must(t, follower.Resize(t.Context(), 41, 9))
		session("30x10")
		must(t, s.Lead(t.Context(), follower.ClientName()))
		session("41x9")
		looks := attachWith(t, s, term.ViewerOptions{Follows: true, Client: clients.Options{ReadOnly: true}})
		must(t, looks.Resize(t.Context(), 10, 10))
		for _, err := range []error{looks.Lead(t.Context()), s.Lead(t.Context(), looks.ClientName())} {
			if fault.KindOf(err) != fault.Precondition {
				t.Errorf("one that only looks leads: %v", err)
			}
		}
		session("41x9")
	})
}

// The row for the agent is below pictures of the session's size.
func TestFollowsWithAgentRow(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		v := attachWith(t, s, term.ViewerOptions{Follows: true, ShowAgent: true})
		for _, want := range []string{"20x5", "30x10"} {
			if _, err := v.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
			cols, rows := v.PictureSize()
			if got := fmt.Sprintf("%dx%d", cols, rows); got != want {
				t.Errorf("the picture has %s, want %s", got, want)
			}
			must(t, v.Resize(t.Context(), 30, 10))
			must(t, v.Lead(t.Context()))
		}
		if i := s.Info(); i.Cols != 30 || i.Rows != 9 {
			t.Errorf("the session has %dx%d", i.Cols, i.Rows)
		}
	})
}

// A viewer that is asked to leave decides nothing any more, even if its connection takes long to
// end. Those that have left are forgotten.
func TestLeftViewersDecideNothing(t *testing.T) {
	bubble(t, func(t *testing.T, _ *script, s *term.Session) {
		view := func(cols, rows int) *term.Viewer {
			v := attachWith(t, s, term.ViewerOptions{})
			must(t, v.Resize(t.Context(), cols, rows))
			return v
		}
		leader := view(30, 10)
		other := view(15, 5)
		must(t, s.Detach(leader.ClientName()))
		synctest.Wait()
		must(t, leader.Resize(t.Context(), 40, 12))
		if i := s.Info(); i.Cols != 30 || i.Rows != 10 {
			t.Errorf("after the leader was asked to leave, the session has %dx%d", i.Cols, i.Rows)
		}
		must(t, other.Type(t.Context(), []byte("x")))
		if i := s.Info(); i.Cols != 15 || i.Rows != 5 {
			t.Errorf("typing gives the session %dx%d", i.Cols, i.Rows)
		}
		for range 9 {
			view(20, 9).Close()
		}
		synctest.Wait()
		if n := s.SizingViewers(); n != 1 {
			t.Errorf("%d viewers decide the size, want 1", n)
		}
	})
}
