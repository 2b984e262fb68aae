package term_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
)

// While a person has the keyboard, programs are refused and the person types.
func TestKeyboard(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		v := attachWith(t, s, term.ViewerOptions{})
		must(t, s.TakeKeyboard(t.Context(), "Ada"))
		if k := s.Info().Keyboard; k == nil || k.By != "Ada" {
			t.Errorf("the keyboard is %+v", k)
		}
		for name, try := range map[string]func() error{
			"text":   func() error { return s.Send(t.Context(), []byte("x")) },
			"keys":   func() error { return s.Keys(t.Context(), "C-c") },
			"paste":  func() error { return s.Paste(t.Context(), "x") },
			"secret": func() error { return s.Type(t.Context(), term.Input{Text: []byte("x"), Secret: true}) },
			"line":   func() error { _, err := s.RunCommand(t.Context(), "ls", term.RunOptions{}); return err },
			"signal": func() error { return s.Signal(t.Context(), "INT") },
		} {
			if err := try(); fault.DetailOf(err) != core.NotPermitted || !strings.Contains(err.Error(), "Ada has the keyboard") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := v.Type(t.Context(), []byte("y")); err != nil {
			t.Errorf("the person types: %v", err)
		}
		if err := s.TakeKeyboard(t.Context(), strings.Repeat("x", 65)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("a long name: %v", err)
		}
		must(t, s.TakeKeyboard(t.Context(), ""))
		if err := s.GiveKeyboard(t.Context()); err != nil || s.Info().Keyboard != nil {
			t.Errorf("given back: %v, %+v", err, s.Info().Keyboard)
		}
	})
}

// What a program wanted to type before a person took the keyboard is not typed afterwards either:
// neither while it waits for the prompt, nor while it waits for permission.
func TestKeyboardTakenMeanwhile(t *testing.T) {
	type call func(context.Context, *term.Session) error
	run := func(ctx context.Context, s *term.Session) error {
		_, err := s.RunCommand(ctx, "rm x", term.RunOptions{AtPrompt: true})
		return err
	}
	for name, tt := range map[string]struct {
		try call
		ask bool
	}{
		"a line that waits for the prompt": {run, false},
		"a line":                           {run, true},
		"text":                             {func(ctx context.Context, s *term.Session) error { return s.Send(ctx, []byte("x")) }, true},
		"a key":                            {func(ctx context.Context, s *term.Session) error { return s.Keys(ctx, "C-c") }, true},
		"a signal":                         {func(ctx context.Context, s *term.Session) error { return s.Signal(ctx, "INT") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			bubbleWith(t, registry.CreateOptions{Name: "s", Cols: 40, Rows: 20, AskToType: tt.ask}, func(t *testing.T, p *script, s *term.Session) {
				person := sit(t, s, term.ViewerOptions{})
				p.say(markA + "$ " + markB + "make\r\n" + markC)
				result := make(chan error, 1)
				go func() { result <- tt.try(t.Context(), s) }()
				time.Sleep(2 * time.Second)
				must(t, s.TakeKeyboard(t.Context(), "Ada"))
				if tt.ask {
					person.press(t, "1")
				}
				time.Sleep(2 * time.Second)
				p.say(markD("0") + markA + "$ " + markB)
				if err := <-result; fault.DetailOf(err) != core.NotPermitted || !strings.Contains(err.Error(), "Ada has the keyboard") {
					t.Errorf("the error is %v", err)
				}
				if got, signals := p.input(), p.signalled(); got != "" || len(signals) > 0 {
					t.Errorf("the program got %q and signals %q", got, signals)
				}
			})
		})
	}
}
