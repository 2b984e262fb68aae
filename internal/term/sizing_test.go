package term_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
)

// The size of a session follows its rule, and viewers that only look change nothing.
func TestSizeRules(t *testing.T) {
	for _, rule := range []struct {
		rule term.SizeRule
		want string // after each step below
	}{
		{term.SizeLeader, "30x10 30x10 20x8 20x8 25x9 70x7 25x9 25x9 30x10"},
		{term.SizeLatest, "30x10 20x8 20x8 30x10 25x9 70x7 25x9 25x9 30x10"},
		{term.SizeSmallest, "30x10 20x8 20x8 20x8 25x9 70x7 25x9 30x10 30x10"},
		{term.SizeLargest, "30x10 30x10 30x10 30x10 30x10 70x7 30x10 30x10 30x10"},
		{term.SizeManual, "20x4 20x4 20x4 20x4 20x4 70x7 70x7 70x7 70x7"},
	} {
		t.Run(string(rule.rule), func(t *testing.T) {
			bubble(t, func(t *testing.T, _ *script, s *term.Session) {
				view := func(o term.ViewerOptions) *term.Viewer {
					v, err := s.AttachViewer(o)
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(v.Close)
					return v
				}
				a, b, looks := view(term.ViewerOptions{SizeRule: rule.rule}), view(term.ViewerOptions{}), view(term.ViewerOptions{Client: term.ClientOptions{ReadOnly: true}, SizeRule: term.SizeLatest})
				got := ""
				for _, step := range []func() error{
					func() error { return a.Resize(t.Context(), 30, 10) },
					func() error { return b.Resize(t.Context(), 20, 8) },
					func() error { return b.Type(t.Context(), []byte("x")) },
					func() error { // by viewers that do not lead
						if err := looks.Resize(t.Context(), 5, 5); err != nil {
							return err
						}
						if err := looks.Type(t.Context(), []byte("x")); err != nil {
							return err
						}
						if rule.rule == term.SizeLatest {
							return a.Resize(t.Context(), 30, 10)
						}
						return nil
					},
					func() error { return b.Resize(t.Context(), 25, 9) },
					func() error { return s.Resize(t.Context(), 70, 7) },
					func() error { return b.Type(t.Context(), []byte("x")) },
					func() error { b.Close(); return a.Fit(t.Context(), 30, 10) },
					func() error { return a.Type(t.Context(), []byte("x")) },
				} {
					if err := step(); err != nil {
						t.Error(err)
					}
					i := s.Info()
					got += fmt.Sprintf("%dx%d ", i.Cols, i.Rows)
				}
				if got != rule.want+" " {
					t.Errorf("sizes %s\nwant  %s", got, rule.want)
				}
			})
		})
	}
	if _, err := term.ParseSizeRule("biggest"); fault.KindOf(err) != fault.Invalid {
		t.Errorf("an unknown rule: %v", err)
	}
}

// Input on a read-only viewer reaches nobody.
func TestReadOnly(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		v, err := s.AttachViewer(term.ViewerOptions{Client: term.ClientOptions{ReadOnly: true}})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		w := attach(t, s)
		if err := v.Type(t.Context(), []byte("no\x1c\x1c")); err != nil {
			t.Error(err)
		}
		if err := w.Type(t.Context(), []byte("yes")); err != nil {
			t.Error(err)
		}
		if mode, err := s.InputMode(t.Context()); err != nil || mode != "passthrough" {
			t.Errorf("the mode is %s, %v", mode, err)
		}
		synctest.Wait()
		if got := p.input(); got != "yes" {
			t.Errorf("the program gets %q", got)
		}
	})
}
