package term_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
)

// Nobody has the keyboard of a program that has ended.
func TestKeyboardAtTheEnd(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		if err := s.TakeKeyboard(t.Context(), "Ada"); err != nil {
			t.Fatal(err)
		}
		p.end(pty.Exit{})
		<-s.Ended()
		if k := s.Info().Keyboard; k != nil {
			t.Errorf("the keyboard is %+v", k)
		}
		if err := s.Send(t.Context(), []byte("x")); fault.KindOf(err) != fault.Gone {
			t.Errorf("typing: %v", err)
		}
	})
}

// While a person has the keyboard, programs are refused and the person types.
func TestKeyboard(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		v, err := s.AttachViewer(term.ViewerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.TakeKeyboard(t.Context(), "Ada"); err != nil {
			t.Fatal(err)
		}
		if k := s.Info().Keyboard; k == nil || k.By != "Ada" {
			t.Errorf("the keyboard is %+v", k)
		}
		for name, try := range map[string]func() error{
			"text":   func() error { return s.Send(t.Context(), []byte("x")) },
			"keys":   func() error { return s.Keys(t.Context(), "C-c") },
			"paste":  func() error { return s.Paste(t.Context(), "x") },
			"secret": func() error { return s.Secretly().Send(t.Context(), []byte("x")) },
			"line":   func() error { _, err := s.RunCommand(t.Context(), "ls", term.RunOptions{}); return err },
			"signal": func() error { return s.Signal(t.Context(), "INT") },
		} {
			if err := try(); fault.DetailOf(err) != term.NotPermitted || !strings.Contains(err.Error(), "Ada has the keyboard") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := v.Type(t.Context(), []byte("y")); err != nil {
			t.Errorf("the person types: %v", err)
		}
		// The person's page is loaded again, and then closed.
		v.Close()
		time.Sleep(5 * time.Second)
		if v, err = s.AttachViewer(term.ViewerOptions{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if s.Info().Keyboard == nil {
			t.Error("a person who came back has lost the keyboard")
		}
		v.Close()
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if k := s.Info().Keyboard; k != nil {
			t.Errorf("nobody is there, and has the keyboard: %+v", k)
		}
		if err := s.Send(t.Context(), []byte("x")); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		if err := s.TakeKeyboard(t.Context(), strings.Repeat("x", 65)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("a long name: %v", err)
		}
		if err := s.TakeKeyboard(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		if err := s.GiveKeyboard(t.Context()); err != nil || s.Info().Keyboard != nil {
			t.Errorf("given back: %v, %+v", err, s.Info().Keyboard)
		}
	})
}
