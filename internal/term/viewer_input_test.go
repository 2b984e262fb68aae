package term_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/typeahead"
)

// The mouse, on the whole screen of 20 columns and 4 rows, with a panel of one row at the top and
// at the bottom.
func TestMouseUnderPanels(t *testing.T) {
	for _, tt := range []struct{ name, modes, typed, want string }{
		{"on the program's screen", "\x1b[?1000;1006h", "\x1b[<0;5;2M\x1b[<0;5;2m", "\x1b[<0;5;1M\x1b[<0;5;1m"},
		{"its last row", "\x1b[?1000;1006h", "\x1b[<0;5;3M", "\x1b[<0;5;2M"},
		{"on the panel at the top", "\x1b[?1000;1006h", "a\x1b[<0;5;1M\x1b[<0;5;1mb", "ab"},
		{"on the panel at the bottom", "\x1b[?1000;1006h", "\x1b[<64;5;4M", ""},
		{"beside the screen", "\x1b[?1000;1006h", "\x1b[<0;21;2M", ""},
		{"dragged onto a panel", "\x1b[?1002;1006h", "\x1b[<0;5;2M\x1b[<32;5;1M\x1b[<0;5;1m\x1b[<0;5;1m", "\x1b[<0;5;1M\x1b[<32;5;1M\x1b[<0;5;1m"},
		{"dragged off the screen", "\x1b[?1002;1006h", "\x1b[<0;5;3M\x1b[<32;30;9M\x1b[<0;30;9m", "\x1b[<0;5;2M\x1b[<32;20;2M\x1b[<0;20;2m"},
		{"pressed on a panel and dragged there", "\x1b[?1002;1006h", "\x1b[<0;5;1M\x1b[<32;6;1M", ""},
		{"moved onto a panel with a button down", "\x1b[?1003;1006h", "\x1b[<0;5;2M\x1b[<35;5;1M", "\x1b[<0;5;1M"},
		{"in the program's form", "\x1b[?1000h", "\x1b[<0;5;2M", "\x1b[M %!"},
		{"not asked for any more", "\x1b[?1000;1006h\x1b[?1000l", "\x1b[<0;5;2M", ""},
		{"in pieces", "\x1b[?1000;1006h", "x\x1b[<0;|5;2|M|y", "x\x1b[<0;5;1My"},
		{"cut after ESC", "\x1b[?1000;1006h", "x\x1b|[<0;5;2My", "x\x1b[<0;5;1My"},
		{"cut after ESC [", "\x1b[?1000;1006h", "x\x1b[|<0;5;2My", "x\x1b[<0;5;1My"},
		{"cut everywhere", "\x1b[?1000;1006h", "\x1b|[|<|0|;|5|;|2|M", "\x1b[<0;5;1M"},
		{"cut after ESC, on a panel", "\x1b[?1000;1006h", "a\x1b|[<0;5;1M|\x1b[|<0;5;1mb", "ab"},
		{"ESC before another", "\x1b[?1000;1006h", "\x1b|\x1b|[<0;5;2M", "\x1b\x1b[<0;5;1M"},
		{"ESC before a key", "\x1b[?1000;1006h", "\x1b|\r|\x1b|[|\x7f", "\x1b\r\x1b[\x7f"},
		{"a piece that is not gone on with", "\x1b[?1000;1006h", "\x1b[<0;5|\x1b[A|\x1b[<0|\r", "\x1b[<0;5\x1b[A\x1b[<0\r"},
		{"other keys at once", "\x1b[?1000;1006h", "\x1b|\x1b[|\x1b[A", "\x1b\x1b[\x1b[A"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				apply(t, s, `[{"op":"create","type":"panel","position":"top"},{"op":"create","type":"panel"}]`)
				p.say(tt.modes)
				synctest.Wait()
				c := attach(t, s)
				for _, piece := range strings.Split(tt.typed, "|") {
					must(t, c.Type(t.Context(), []byte(piece)))
				}
				synctest.Wait()
				if got := p.input(); got != tt.want {
					t.Errorf("the program got %q, want %q", got, tt.want)
				}
			})
		})
	}
	t.Run("on an agent's screen", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			p.say("\x1b[?1000;1006h")
			synctest.Wait()
			must(t, s.EnterAltScreen(t.Context()))
			must(t, attach(t, s).Type(t.Context(), []byte("\x1b[<0;5;2Mk")))
			synctest.Wait()
			if got := p.input(); got != "k" {
				t.Errorf("the program got %q", got)
			}
		})
	})
}

// Escape and Alt+[ look like the start of a report of the mouse: they reach a program that takes
// the mouse after a moment, and another one at once.
func TestEscapeWhileMouseIsReported(t *testing.T) {
	for _, typed := range []string{"\x1b", "\x1b[", "a\x1b", "\xe6\x97|\xa5\x1b"} {
		for _, mode := range []string{"", "\x1b[?1000;1006h", "\x1b[?1003;1006h"} {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				c := attach(t, s)
				p.say(mode)
				start := time.Now()
				for piece := range strings.SplitSeq(typed, "|") {
					must(t, c.Type(t.Context(), []byte(piece)))
				}
				want := strings.ReplaceAll(typed, "|", "")
				for synctest.Wait(); p.input() != want && time.Since(start) < time.Second; synctest.Wait() {
					time.Sleep(time.Millisecond)
				}
				took := time.Since(start)
				if got := p.input(); got != want || mode == "" && took > 0 || took > 50*time.Millisecond {
					t.Errorf("mode %q: the program got %q after %v, want %q", mode, got, took, want)
				}
			})
		}
	}
}

// What looks like Escape while a person looks back, or answers a question, may be the start of a
// key: its rest is not typed into the program.
func TestCutKeysBesideTheProgram(t *testing.T) {
	t.Run("looking back", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			p.say("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7")
			r := newReader(t, s, term.ViewerOptions{})
			r.looksBack("")
			for _, piece := range []string{"\x1b", "[5~", "\x1b[", "A"} {
				r.types(piece)
			}
			r.sees("3|4|5| 4/7")
			r.types("\x1b")
			r.sees("4|5|6|7")
			if got := p.input(); got != "" {
				t.Errorf("the program got %q", got)
			}
		})
	})
	t.Run("by the wheel", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			p.say("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7")
			r := newReader(t, s, term.ViewerOptions{Wheel: true})
			for _, piece := range []string{"\x1b", "[<64;1;1M"} {
				r.types(piece)
			}
			r.sees("2|3|4| ")
			if got := p.input(); got != "" {
				t.Errorf("the program got %q", got)
			}
		})
	})
	t.Run("a question", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			d := sit(t, s, term.ViewerOptions{})
			asked := inquire(t.Context(), s, allow)
			time.Sleep(2 * time.Second)
			for _, piece := range []string{"\x1b", "[B", "\x1b[", "B", "\r"} {
				d.press(t, piece)
			}
			if got := <-asked; !got.chose(1) {
				t.Errorf("%+v", got)
			}
			if got := p.input(); got != "" {
				t.Errorf("the program got %q", got)
			}
		})
	})
	t.Run("captured", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			c := attach(t, s)
			l := watchInput(t, s)
			must(t, s.CaptureInput(t.Context()))
			for _, piece := range []string{"\x1b", "[A"} {
				must(t, c.Type(t.Context(), []byte(piece)))
			}
			if got := heard(t, l); got != "[capture] ArrowUp" {
				t.Errorf("heard %q", got)
			}
		})
	})
}

// inputs are a watcher of what persons type.
type inputs struct{ *term.Watcher }

func watchInput(t testing.TB, s *term.Session) inputs {
	t.Helper()
	w := watcher(t, s, term.WatchOptions{Topics: term.WatchInput})
	return inputs{w}
}

// next waits for input, and returns it with the number of events missed before it.
func (w inputs) next(ctx context.Context) (events []*term.InputEvent, missed int, err error) {
	for len(events) == 0 && err == nil {
		var u term.Update
		u, err = w.Next(ctx)
		missed += u.Missed
		for _, e := range u.Events {
			events = append(events, e.Input)
		}
	}
	return events, missed, err
}

// heard returns what persons have typed since, as text.
func heard(t testing.TB, l inputs) string {
	t.Helper()
	synctest.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	events, missed, err := l.next(ctx)
	if err != nil && ctx.Err() == nil {
		return err.Error()
	}
	var out []string
	if missed > 0 {
		out = append(out, fmt.Sprintf("missed %d", missed))
	}
	for _, e := range events {
		switch {
		case e.Typed == nil:
			out = append(out, "["+string(e.Mode)+"]")
		case e.Typed.Mode != e.Mode:
			out = append(out, "two modes")
		case e.Typed.Parsed != nil:
			out = append(out, strings.Join(append(e.Typed.Parsed.Modifiers, e.Typed.Parsed.Key), "+"))
		default:
			out = append(out, fmt.Sprintf("%q", e.Typed.Raw))
		}
		if e.Typed != nil && e.Typed.Target != "" {
			out[len(out)-1] += "@" + e.Typed.Target
		}
	}
	return strings.Join(out, " ")
}

func TestCapture(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		c := attach(t, s)
		l := watchInput(t, s)
		do := func(what string, err error, events, program string, mode overlay.InputMode) {
			t.Helper()
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if got := heard(t, l); got != events {
				t.Errorf("%s: heard %q, want %q", what, got, events)
			}
			if got := p.input(); got != program {
				t.Errorf("%s: the program got %q, want %q", what, got, program)
			}
			if got, err := s.InputMode(t.Context()); got != mode || err != nil {
				t.Errorf("%s: mode %q, %v, want %q", what, got, err, mode)
			}
		}
		typing := func(s string) error { return c.Type(t.Context(), []byte(s)) }
		const through, captured = overlay.Passthrough, overlay.Captured
		do("typed", typing("a\r"), "a Enter", "a\r", through)
		do("an agent's", s.Send(t.Context(), []byte("b")), "", "a\rb", through)
		do("captured", s.CaptureInput(t.Context()), "[capture]", "a\rb", captured)
		do("captured again", s.CaptureInput(t.Context()), "", "a\rb", captured)
		apply(t, s, `[{"op":"create","type":"overlay","focusable":true}]`)
		do("focused", s.Focus(t.Context(), "overlay-1"), "", "a\rb", captured)
		do("typed captured", typing("c\x1b[A"), "c@overlay-1 ArrowUp@overlay-1", "a\rb", captured)
		do("an agent's while captured", s.Keys(t.Context(), "d"), "", "a\rbd", captured)
		do("pasted captured", typing("\x1b[200~x y\x1b[201~"), `"\x1b[200~x y\x1b[201~"@overlay-1`, "a\rbd", captured)
		do("taken back", typing("\x1c"), "[passthrough]", "a\rbd", through)
		if id, err := s.Focused(t.Context()); id != "" || err != nil {
			t.Errorf("Focused = %q, %v", id, err)
		}
		do("captured later", s.CaptureInput(t.Context()), "[capture]", "a\rbd", captured)
		do("in one piece", typing("e\x1cf"), "e [passthrough] f", "a\rbdf", through)
		if err := c.Type(t.Context(), make([]byte, typeahead.Max+1)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("too much: %v", err)
		}
		p.end(tty.Exit{Code: 3})
		<-s.Ended()
		if got := heard(t, l); !strings.Contains(got, "status 3") {
			t.Errorf("after the end: %q", got)
		}
	})
}

// A character that the network cuts is one key, as in one piece.
func TestTypedInPieces(t *testing.T) {
	for _, tt := range []struct{ typed, events, program string }{
		{"\xe6|\x97\xa5", "日", "日"},
		{"a\xe6\x97|\xa5b", "a 日 b", "a日b"},
		{"\xf0|\x9f|\x91|\xa9", "👩", "👩"},
		{"\x1b\xe6|\x97\xa5", "alt+日", "\x1b日"},
		{"\xe6|a", `"\xe6" a`, "\xe6a"},
		{"\xe6|\x1b[A", `"\xe6" ArrowUp`, "\xe6\x1b[A"},
		{"\xff|a", `"\xff" a`, "\xffa"},
	} {
		t.Run(fmt.Sprintf("%q", tt.typed), func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				c := attach(t, s)
				l := watchInput(t, s)
				for piece := range strings.SplitSeq(tt.typed, "|") {
					must(t, c.Type(t.Context(), []byte(piece)))
				}
				if got := heard(t, l); got != tt.events {
					t.Errorf("heard %s, want %s", got, tt.events)
				}
				if got := p.input(); got != tt.program {
					t.Errorf("the program got %q, want %q", got, tt.program)
				}
			})
		})
	}
}

// Captured input does not count as activity.
func TestCapturedIsNoActivity(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		c := attach(t, s)
		must(t, s.CaptureInput(t.Context()))
		time.Sleep(time.Minute)
		must(t, c.Type(t.Context(), []byte("x")))
		if quiet := s.Info().Quiet; quiet != time.Minute {
			t.Errorf("quiet for %v", quiet)
		}
		must(t, s.ReleaseInput(t.Context()))
		must(t, c.Type(t.Context(), []byte("x")))
		if quiet := s.Info().Quiet; quiet != 0 {
			t.Errorf("quiet for %v after something was typed", quiet)
		}
	})
}

// pasted returns n bytes of a paste: they are taken much faster than keys.
func pasted(n int) []byte {
	return slices.Concat([]byte(keys.PasteStart), bytes.Repeat([]byte("."), n-len(keys.PasteStart+keys.PasteEnd)), []byte(keys.PasteEnd))
}

// Of input that the program had no room for, nothing is typed before it is typed again.
func TestCutKeysWithoutRoom(t *testing.T) {
	for typed, rest := range map[string]string{"a\x1b": "", "\x1a\xc3": "\xa9"} {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			p.say("\x1b[?1003;1006h")
			stuck := make(chan struct{})
			p.stuck = stuck
			c := attach(t, s)
			fill := func(b []byte) {
				var err error
				for err == nil {
					err = c.Type(t.Context(), b)
				}
				if fault.KindOf(err) != fault.Exhausted {
					t.Fatal(err)
				}
			}
			fill(pasted(100_000))
			fill(pasted(1000))
			fill([]byte("."))
			if err := c.Type(t.Context(), []byte(typed)); fault.KindOf(err) != fault.Exhausted {
				t.Fatal(err)
			}
			p.mu.Lock()
			p.stuck = nil
			p.mu.Unlock()
			close(stuck)
			synctest.Wait()
			p.forget()
			must(t, c.Type(t.Context(), []byte(typed)))
			must(t, c.Type(t.Context(), []byte(rest)))
			time.Sleep(time.Second)
			synctest.Wait()
			if got := p.input(); got != typed+rest {
				t.Errorf("the program got %q", got)
			}
		})
	}
}

// A key of the client's own that waits is in the last row, for as long as it takes, and ends
// capture. The program gets nothing.
func TestPrefix(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("1\r\n2\r\n3\r\n4")
		r := newReader(t, s, term.ViewerOptions{})
		must(t, s.CaptureInput(t.Context()))
		prefix := func(key string) {
			t.Helper()
			must(t, r.viewer.Prefix(t.Context(), key))
		}
		prefix(`Ctrl+\`)
		time.Sleep(time.Hour)
		r.sees(`1|2|3| Ctrl+\ waits for a`)
		if mode, err := s.InputMode(t.Context()); err != nil || mode != overlay.Passthrough {
			t.Errorf("the input mode is %q, %v", mode, err)
		}
		prefix("")
		r.sees("1|2|3|4")
		if got := p.input(); got != "" {
			t.Errorf("the program got %q", got)
		}
		r.types("\x1c") // which a client sends if the person wants that
		time.Sleep(time.Second)
		if got := p.input(); got != "\x1c" {
			t.Errorf("the program got %q", got)
		}
	})
}
