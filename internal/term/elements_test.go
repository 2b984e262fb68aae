package term_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/tty"
)

// apply carries out operations, given as JSON.
func apply(t testing.TB, s *term.Session, ops string) []string {
	t.Helper()
	var parsed []overlay.Op
	must(t, json.Unmarshal([]byte(ops), &parsed))
	ids, err := s.ApplyElements(t.Context(), parsed...)
	must(t, err)
	return ids
}

// seen returns the picture, with | between its rows.
func seen(t testing.TB, s *term.Session) string {
	t.Helper()
	f, err := s.Picture(t.Context())
	must(t, err)
	return strings.Join(f.Plain(), "|")
}

func wantSeen(t testing.TB, s *term.Session, want string) {
	t.Helper()
	synctest.Wait()
	if d := cmp.Diff(want, seen(t, s)); d != "" {
		t.Errorf("picture (-want +got):\n%s", d)
	}
}

// wantSize checks that the program's terminal has a size, and that the program knows.
func wantSize(t testing.TB, p *script, s *term.Session, cols, rows int) {
	t.Helper()
	synctest.Wait()
	screen := screenOf(t, s)
	p.mu.Lock()
	reported := p.size
	p.mu.Unlock()
	if got, want := [2]int{screen.Cols, screen.Rows}, [2]int{cols, rows}; got != want || reported != want {
		t.Errorf("the screen has %v, the program has %v, want %v", got, reported, want)
	}
}

// A session of 20 columns and 4 rows, with elements on it.
func TestElements(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("one\r\ntwo")
		wantSeen(t, s, "one|two||")

		ids := apply(t, s, `[{"op":"create","type":"panel","position":"top","spans":[{"text":"title"}]},
			{"op":"create","type":"overlay","x":1,"y":1,"background":"red","spans":[{"text":"XX"}]}]`)
		if d := cmp.Diff([]string{"panel-1", "overlay-1"}, ids); d != "" {
			t.Errorf("ids (-want +got):\n%s", d)
		}
		wantSeen(t, s, "title|oXX|two|")
		wantSize(t, p, s, 20, 3)

		apply(t, s, `[{"op":"remove","type":"overlay","id":"overlay-1"}]`)
		wantSeen(t, s, "title|one|two|")
		if _, err := s.Element(t.Context(), overlay.Overlay, "overlay-1"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("a removed overlay: %v", err)
		}

		// The program's screen and its mouse know nothing of panels.
		p.say("\x1b[Htop\x1b[?1000;1006h")
		wantSeen(t, s, "title|top|two|")
		screen, err := s.Screen(t.Context())
		if err != nil || screen.Lines[0].Plain() != "top" {
			t.Errorf("Screen = %q, %v", screen.Lines[0].Plain(), err)
		}
		if err := s.Mouse(t.Context(), clickAt(0, 3)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("a click below the program's screen: %v", err)
		}

		// A size that leaves no room hides the panel, until there is room.
		must(t, s.Resize(t.Context(), 20, 1))
		wantSize(t, p, s, 20, 1)
		panels, err := s.Elements(t.Context(), overlay.Panel)
		if err != nil || len(panels) != 1 || panels[0].Visible {
			t.Errorf("Elements = %+v, %v", panels, err)
		}
		must(t, s.Resize(t.Context(), 30, 5))
		wantSize(t, p, s, 30, 4)
		if i := s.Info(); i.Cols != 30 || i.Rows != 5 {
			t.Errorf("Info says %dx%d", i.Cols, i.Rows)
		}

		// All or nothing.
		var ops []overlay.Op
		must(t, json.Unmarshal([]byte(`[{"op":"clear","type":"panel"},{"op":"remove","type":"panel","id":"panel-9"}]`), &ops))
		if _, err := s.ApplyElements(t.Context(), ops...); fault.KindOf(err) != fault.NotFound {
			t.Errorf("ApplyElements = %v", err)
		}
		wantSize(t, p, s, 30, 4)
		apply(t, s, `[{"op":"clear","type":"panel"}]`)
		wantSize(t, p, s, 30, 5)
	})
}

// Changes that leave the size as it is do not reach the program, and none of them is a sign of its
// activity.
func TestElementsAreQuiet(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("x")
		time.Sleep(time.Minute)
		synctest.Wait()
		p.mu.Lock()
		p.size = [2]int{}
		p.mu.Unlock()
		apply(t, s, `[{"op":"create","type":"overlay","focusable":true,"spans":[{"text":"a"}]}]`)
		apply(t, s, `[{"op":"create","type":"panel","height":4}]`) // no room
		must(t, s.Focus(t.Context(), "overlay-1"))
		must(t, s.CaptureInput(t.Context()))
		if p.size != [2]int{} {
			t.Errorf("the program got %v", p.size)
		}
		apply(t, s, `[{"op":"create","type":"panel","position":"top"}]`)
		wantSize(t, p, s, 20, 3)
		start := time.Now()
		q, err := s.Quiesce(t.Context(), term.QuiesceOptions{Timeout: time.Minute})
		if err != nil || q.Generation != 1 || time.Since(start) != 0 {
			t.Errorf("Quiesce = %+v, %v after %v", q, err, time.Since(start))
		}
		if quiet := s.Info().Quiet; quiet != time.Minute {
			t.Errorf("quiet for %v", quiet)
		}
	})
}

// The program's screens, and the one that an agent enters, have elements of their own.
func TestScreenModes(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		mode := func(want overlay.ScreenMode) {
			t.Helper()
			synctest.Wait()
			if got, err := s.ScreenMode(t.Context()); got != want || err != nil {
				t.Errorf("ScreenMode = %q, %v; want %q", got, err, want)
			}
		}
		p.say("shell")
		apply(t, s, `[{"op":"create","type":"panel","spans":[{"text":"status"}]}]`)
		wantSeen(t, s, "shell|||status")
		p.say("\x1b[?1049h\x1b[Hvim")
		mode(overlay.Alternate) // a caller need not wait
		wantSize(t, p, s, 20, 4)
		wantSeen(t, s, "vim|||")
		apply(t, s, `[{"op":"create","type":"panel","height":2,"position":"top","spans":[{"text":"help"}]}]`)
		wantSize(t, p, s, 20, 2)
		wantSeen(t, s, "help||vim|")
		p.say("\x1b[?1049l\x1b[?1049h") // this counts as never
		if e, err := s.Element(t.Context(), overlay.Panel, "panel-2"); err != nil || !e.Visible {
			t.Errorf("the panel is %+v, %v", e, err)
		}
		if err := s.ExitAltScreen(t.Context()); fault.KindOf(err) != fault.Precondition {
			t.Errorf("leaving the program's screen: %v", err)
		}
		p.say("\x1b[?1049l")
		time.Sleep(time.Second)
		wantSize(t, p, s, 20, 3)
		wantSeen(t, s, "shell|||status")

		must(t, s.EnterAltScreen(t.Context()))
		mode(overlay.Alternate)
		apply(t, s, `[{"op":"create","type":"overlay","x":2,"y":1,"spans":[{"text":"dialog"}]}]`)
		p.say("\r\nmeanwhile")
		wantSeen(t, s, "|  dialog||")
		wantSize(t, p, s, 20, 4)
		must(t, s.ExitAltScreen(t.Context()))
		wantSeen(t, s, "shell|meanwhile||status")
		wantSize(t, p, s, 20, 3)
		if _, err := s.Element(t.Context(), overlay.Overlay, "overlay-1"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("an element of a screen that has closed: %v", err)
		}
	})
}

// An element that is made as soon as the program shows its other screen belongs there.
func TestElementOfNewScreen(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		apply(t, s, `[{"op":"create","type":"panel","spans":[{"text":"status"}]}]`)
		p.say("\x1b[?1049h\x1b[Hvim")
		synctest.Wait()
		apply(t, s, `[{"op":"create","type":"panel","position":"top","spans":[{"text":"help"}]}]`)
		wantSeen(t, s, "help|vim||")
		wantSize(t, p, s, 20, 3)
	})
}

// A program that changes between its screens is left to set up the other one.
func TestSwitchedScreens(t *testing.T) {
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		panel   bool
		output  []string // 20 ms apart
		settles time.Duration
	}{
		"at once where nothing moves":  {false, []string{"\x1b[?1049hvim"}, 0},
		"when it is quiet":             {true, []string{"\x1b[?1049h", "\x1b[1;3r", "vim"}, 90 * ms},
		"when it has had its time":     {true, append([]string{"\x1b[?1049h"}, strings.Split(strings.Repeat("x", 100), "")...), 500 * ms},
		"not when it has changed back": {true, []string{"\x1b[?1049hvim", "\x1b[?1049l"}, -1},
		"when it was long after another": {true, slices.Concat([]string{"\x1b[?1049h", "\x1b[?1049l"}, make([]string, 48), []string{"\x1b[?1049h"},
			strings.Split(strings.Repeat("x", 100), "")), 1500 * ms},
		"when it has changed for good": {true, []string{"\x1b[?1049hvim", "\x1b[?1049l", "\x1b[?1049hvim"}, 90 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				if tt.panel {
					apply(t, s, `[{"op":"create","type":"panel"}]`)
				}
				f, err := s.NextPicture(t.Context(), nil)
				must(t, err)
				start := time.Now()
				go func() {
					for _, o := range tt.output {
						p.say(o)
						time.Sleep(20 * ms)
					}
				}()
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				defer cancel()
				took := time.Duration(-1)
				for took < 0 {
					if f, err = s.NextPicture(ctx, f); err != nil {
						break
					}
					if f.Mode == overlay.Alternate {
						took = time.Since(start).Truncate(10 * ms)
					} else if tt.panel && f.Bottom != 1 {
						t.Errorf("a panel of %d rows", f.Bottom)
					}
				}
				if took != tt.settles {
					t.Errorf("after %v, want %v", took, tt.settles)
				}
				if took > 0 {
					wantSize(t, p, s, 20, 4)
				}
				time.Sleep(3 * time.Second) // for the rest of the output
			})
		})
	}
}

// A program that is quiet because it is slow is left to set up its screen, too, but not forever.
func TestSwitchOfSlowProgram(t *testing.T) {
	for name, reads := range map[string]bool{"until it reads": true, "that never reads": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				apply(t, s, `[{"op":"create","type":"panel"}]`)
				p.become(tty.ModeKeys, tty.ReadsNot)
				p.say("\x1b[?1049h")
				time.Sleep(time.Second)
				p.say("\x1b[1;3rvim")
				time.Sleep(800 * time.Millisecond)
				wantSize(t, p, s, 20, 3)
				if reads {
					p.become(tty.ModeKeys, tty.Reads)
					time.Sleep(100 * time.Millisecond)
				} else {
					time.Sleep(300 * time.Millisecond)
				}
				wantSize(t, p, s, 20, 4)
			})
		})
	}
}

// While the program holds back its picture, elements belong to the picture that shows.
func TestScreenModeOfHeldPicture(t *testing.T) {
	for name, tt := range map[string]struct {
		output string
		then   func(p *script, s *term.Session) // what ends the holding back
	}{
		"until the program shows it": {"\x1b[?2026h\x1b[?1049h\x1b[Hvim", func(p *script, _ *term.Session) { p.say("\x1b[?2026l") }},
		"for too long":               {"\x1b[?2026h\x1b[?1049h\x1b[Hvim", func(*script, *term.Session) { time.Sleep(2 * time.Second) }},
		"until its size changes":     {"\x1b[?2026h\x1b[?1049h\x1b[Hvim", func(_ *script, s *term.Session) { _ = s.Resize(context.Background(), 20, 5) }},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				p.say("shell")
				apply(t, s, `[{"op":"create","type":"panel","spans":[{"text":"status"}]}]`)
				p.say(tt.output)
				time.Sleep(500 * time.Millisecond)
				wantSeen(t, s, "shell|||status")
				wantSize(t, p, s, 20, 3)
				tt.then(p, s)
				time.Sleep(time.Second)
				if got := seen(t, s); !strings.HasPrefix(got, "vim|||") || strings.Contains(got, "status") {
					t.Errorf("picture %q", got)
				}
				wantSize(t, p, s, 20, s.Info().Rows)
			})
		})
	}
	t.Run("entered before", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			apply(t, s, `[{"op":"create","type":"panel","spans":[{"text":"status"}]}]`)
			p.say("\x1b[?1049h\x1b[Hvim\x1b[?2026h more")
			time.Sleep(time.Second)
			if got := seen(t, s); strings.Contains(got, "status") || !strings.HasPrefix(got, "vim") {
				t.Errorf("picture %q", got)
			}
			wantSize(t, p, s, 20, 4)
		})
	})
}

// What there was when the program ended can be read, and stays.
func TestElementsAfterTheEnd(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("bye")
		apply(t, s, `[{"op":"create","type":"panel","spans":[{"text":"status"}]},{"op":"create","type":"overlay","x":9,"focusable":true,"spans":[{"text":"note"}]}]`)
		must(t, s.Focus(t.Context(), "overlay-1"))
		must(t, s.CaptureInput(t.Context()))
		p.end(tty.Exit{})
		<-s.Ended()
		wantSeen(t, s, "bye      note|||status")
		list, err := s.Elements(t.Context(), overlay.Panel)
		if err != nil || len(list) != 1 {
			t.Errorf("Elements = %+v, %v", list, err)
		}
		if e, err := s.Element(t.Context(), overlay.Overlay, "overlay-1"); err != nil || e.X != 9 {
			t.Errorf("Element = %+v, %v", e, err)
		}
		if id, err := s.Focused(t.Context()); id != "overlay-1" || err != nil {
			t.Errorf("Focused = %q, %v", id, err)
		}
		if m, err := s.InputMode(t.Context()); m != overlay.Captured || err != nil {
			t.Errorf("InputMode = %q, %v", m, err)
		}
		for name, change := range map[string]func() error{
			"apply":   func() error { _, err := s.ApplyElements(t.Context()); return err },
			"enter":   func() error { return s.EnterAltScreen(t.Context()) },
			"exit":    func() error { return s.ExitAltScreen(t.Context()) },
			"capture": func() error { return s.CaptureInput(t.Context()) },
			"release": func() error { return s.ReleaseInput(t.Context()) },
			"focus":   func() error { return s.Focus(t.Context(), "overlay-1") },
			"unfocus": func() error { return s.Unfocus(t.Context()) },
			"resize":  func() error { return s.Resize(t.Context(), 10, 10) },
			"watch":   func() error { _, err := s.Watch(t.Context(), term.WatchOptions{}); return err },
		} {
			if err := change(); fault.KindOf(err) != fault.Gone {
				t.Errorf("%s = %v", name, err)
			}
		}
		wantSeen(t, s, "bye      note|||status")
	})
}

// A program that ends while it holds back the picture of its alternate screen.
func TestEndOfHeldPicture(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		apply(t, s, `[{"op":"create","type":"panel","spans":[{"text":"status"}]}]`)
		p.say("\x1b[?2026h\x1b[?1049h\x1b[Hvim")
		p.end(tty.Exit{})
		<-s.Ended()
		wantSeen(t, s, "vim|||")
	})
}

// A recording is of the program's own screen, whose size panels change.
func TestRecordUnderPanels(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		apply(t, s, `[{"op":"create","type":"panel","position":"top","spans":[{"text":"title"}]}]`)
		p.say("hello")
		synctest.Wait()
		var file strings.Builder
		r, err := s.Record(t.Context(), &file)
		must(t, err)
		time.Sleep(time.Second)
		apply(t, s, `[{"op":"clear","type":"panel"}]`)
		p.end(tty.Exit{})
		<-s.Ended()
		must(t, r.Close())
		d, err := record.NewReader(strings.NewReader(file.String()))
		must(t, err)
		if d.Header.Rows != 3 || strings.Contains(file.String(), "title") {
			t.Errorf("%d rows, recorded %q", d.Header.Rows, file.String())
		}
		lines := strings.Split(strings.TrimSpace(file.String()), "\n")
		var last []any
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last[1] != "r" || last[2] != "20x4" {
			t.Errorf("the last event is %v, %v", last, err)
		}
	})
}

func clickAt(col, row int) keys.MouseEvent {
	return keys.MouseEvent{Button: keys.Left, Action: keys.Press, Col: col, Row: row}
}
