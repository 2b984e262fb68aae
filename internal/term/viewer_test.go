package term_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
)

func attach(t testing.TB, s *term.Session) *term.Viewer {
	t.Helper()
	return attachWith(t, s, term.ViewerOptions{})
}

func attachWith(t testing.TB, s *term.Session, o term.ViewerOptions) *term.Viewer {
	t.Helper()
	c, err := s.AttachViewer(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// window is a person's terminal.
func window(t testing.TB, cols, rows int) *vt.Terminal {
	t.Helper()
	w, err := vt.New(vt.Options{Cols: cols, Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// follow shows a client's next picture on a terminal.
func follow(t testing.TB, c *term.Viewer, w *vt.Terminal) {
	t.Helper()
	b, err := c.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
}

func wantWindow(t testing.TB, w *vt.Terminal, want string) {
	t.Helper()
	if d := cmp.Diff(want, strings.Join(plain(w.Snapshot()), "|")); d != "" {
		t.Errorf("the person's terminal (-want +got):\n%s", d)
	}
}

// looks returns all that can be seen of rows and cursor, equal when they look equal.
func looks(rows []cells.Row, cursor vt.Cursor) string {
	var b strings.Builder
	for _, r := range rows {
		end := b.Len()
		for w := r.Walk(); w.Next(); {
			fmt.Fprintf(&b, "%d:%q %s %s ", w.Col, w.Text, strings.TrimPrefix(string(w.Style.AppendSGR(nil)), "0"), w.Link)
			if w.Text != " " || w.Style != (vt.Style{}) || w.Link != "" {
				end = b.Len()
			}
		}
		s := b.String()[:end]
		b.Reset()
		b.WriteString(s + "\n")
	}
	if cursor.Visible {
		fmt.Fprintf(&b, "cursor %d, %d", cursor.Row, cursor.Col)
	}
	return b.String()
}

// rowsOf returns the rows that a terminal shows.
func rowsOf(w *vt.Terminal) []cells.Row {
	var rows []cells.Row
	for _, l := range w.Snapshot().Lines {
		rows = append(rows, cells.FromLine(l))
	}
	return rows
}

// sameAs says in what a person's terminal differs from a picture, or returns "".
func sameAs(f *render.Frame, w *vt.Terminal) string {
	return cmp.Diff(looks(f.Lines, f.Cursor), looks(rowsOf(w), w.Snapshot().Cursor))
}

// sameRows is sameAs without the cursor.
func sameRows(f *render.Frame, w *vt.Terminal) string {
	return cmp.Diff(looks(f.Lines, vt.Cursor{}), looks(rowsOf(w), vt.Cursor{}))
}

func TestClient(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("one\r\ntwo")
		synctest.Wait()
		c, w := attach(t, s), window(t, 20, 4)
		follow(t, c, w)
		wantWindow(t, w, "one|two||")
		apply(t, s, `[{"op":"create","type":"panel","position":"top","spans":[{"text":"title"}]}]`)
		follow(t, c, w)
		wantWindow(t, w, "title|one|two|")

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		apply(t, s, `[{"op":"update","type":"panel","id":"panel-1","z":7}]`) // cannot be seen
		if b, err := c.Next(ctx); err == nil || len(b) > 0 {
			t.Errorf("nothing can be seen to have changed: %q, %v", b, err)
		}

		// A terminal that was used for something else is drawn from scratch.
		if _, err := w.Write([]byte("\x1b[2Jsomething else")); err != nil {
			t.Fatal(err)
		}
		if err := c.Fit(t.Context(), 20, 4); err != nil {
			t.Fatal(err)
		}
		follow(t, c, w)
		wantWindow(t, w, "title|one|two|")

		// Pictures are some time apart, and none that was missed is made up for.
		start := time.Now()
		go func() {
			for i := range 1000 {
				p.say(fmt.Sprintf("\r%d  ", i))
				time.Sleep(time.Millisecond)
			}
		}()
		n := 0
		for !strings.Contains(strings.Join(plain(w.Snapshot()), ""), "999") {
			follow(t, c, w)
			n++
		}
		if n < 50 || n > 101 || time.Since(start) > 1020*time.Millisecond {
			t.Errorf("%d pictures in %v", n, time.Since(start))
		}
	})
}

// In the end, the person's terminal is in the state that programs expect.
func TestClientEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(t *testing.T, p *script, s *term.Session, c *term.Viewer)
		want string // on the terminal
		says string
	}{
		"the program": {func(t *testing.T, p *script, s *term.Session, _ *term.Viewer) {
			p.say("\r\nbye")
			p.end(pty.Exit{Code: 3})
		}, "hello|bye||", "status 3"},
		"the program, before": {func(t *testing.T, p *script, s *term.Session, _ *term.Viewer) {
			p.say("\r\nbye")
			p.end(pty.Exit{Code: 3})
			<-s.Ended()
		}, "hello|bye||", "status 3"},
		"sent away": {func(t *testing.T, p *script, s *term.Session, _ *term.Viewer) {
			s.Detach()
			p.say("\r\nunseen")
		}, "hello|||", "attach again"},
		"detached by the person": {func(t *testing.T, p *script, s *term.Session, c *term.Viewer) {
			if err := c.Type(t.Context(), []byte("\x1c\x1c")); err != nil {
				t.Error(err)
			}
		}, "hello|||", "attach again"},
		"closed": {func(t *testing.T, p *script, s *term.Session, c *term.Viewer) { c.Close() }, "hello|||", "attach again"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				p.say("hello\x1b[?1003;2004h\x1b[?25l")
				synctest.Wait()
				c, w := attach(t, s), window(t, 20, 4)
				follow(t, c, w)
				if !w.Modes().Has(vt.ModeMouseAny) {
					t.Error("the mouse is not reported")
				}
				tt.end(t, p, s, c)
				follow(t, c, w)
				for !w.Modes().Has(vt.ModeCursorVisible) { // there was one more picture before
					follow(t, c, w)
				}
				wantWindow(t, w, tt.want)
				if m := w.Modes(); m.Mouse() || m.Has(vt.ModeBracketedPaste) {
					t.Errorf("modes %b", m)
				}
				for range 2 {
					if b, err := c.Next(t.Context()); fault.KindOf(err) != fault.Gone || !strings.Contains(err.Error(), tt.says) || len(b) > 0 {
						t.Errorf("afterwards: %q, %v", b, err)
					}
				}
				if err := c.Type(t.Context(), []byte("x")); fault.KindOf(err) != fault.Gone {
					t.Errorf("Type = %v", err)
				}
				if n := len(s.Info().Clients); n != 0 {
					t.Errorf("%d clients", n)
				}
			})
		})
	}
	t.Run("removed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := newScript()
			r := scripted(t, nil, p)
			defer r.Close()
			s := create(t, r, term.CreateOptions{Name: "s"})
			c := attach(t, s)
			if err := r.Remove(s); err != nil {
				t.Fatal(err)
			}
			if b, err := c.Next(t.Context()); err != nil || !strings.Contains(string(b), "\x1b[0 q") {
				t.Errorf("Next = %q, %v", b, err)
			}
			if _, err := c.Next(t.Context()); fault.KindOf(err) != fault.Gone {
				t.Errorf("Next = %v", err)
			}
		})
	})
}

// A caller that waits for a picture learns at once that the program has ended.
func TestEndWakesClients(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		a, b := attach(t, s), attach(t, s)
		follow(t, a, window(t, 20, 4))
		follow(t, b, window(t, 20, 4))
		start := time.Now()
		time.AfterFunc(time.Second, func() { _ = a.Type(context.Background(), []byte("\x1c\x1c")) })
		time.AfterFunc(2*time.Second, s.Detach)
		for i, c := range []*term.Viewer{a, b} {
			follow(t, c, window(t, 20, 4))
			<-c.Detached()
			if took := time.Since(start); took != time.Duration(i+1)*time.Second {
				t.Errorf("client %d after %v", i, took)
			}
		}
	})
}

// A window of another size than the session shows as much as it has room for.
func TestClientOfAnotherSize(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("abcdefghijkl\r\nb\r\nc\r\nd\x1b[?1000;1006h")
		synctest.Wait()
		c, w := attach(t, s), window(t, 10, 2)
		if err := c.Fit(t.Context(), 10, 2); err != nil {
			t.Fatal(err)
		}
		follow(t, c, w)
		wantWindow(t, w, "c|d")
		if err := c.Type(t.Context(), []byte("\x1b[<0;1;1M")); err != nil { // on the c
			t.Fatal(err)
		}
		synctest.Wait()
		if got := p.input(); got != "\x1b[<0;1;3M" {
			t.Errorf("the program got %q", got)
		}
		p.say("\x1b[H")
		follow(t, c, w)
		wantWindow(t, w, "abcdefghij|b")

		// The person's terminal grows, and then the session with it.
		if err := w.Resize(30, 6); err != nil {
			t.Fatal(err)
		}
		if err := c.Fit(t.Context(), 30, 6); err != nil {
			t.Fatal(err)
		}
		follow(t, c, w)
		wantWindow(t, w, "abcdefghijkl|b|c|d|"+strings.Repeat("─", 20)+"┘"+strings.Repeat("·", 9)+"|"+strings.Repeat("·", 30))
		if err := s.Resize(t.Context(), 30, 6); err != nil {
			t.Fatal(err)
		}
		p.say("\x1b[6;30Hx")
		follow(t, c, w)
		wantWindow(t, w, "abcdefghijkl|b|c|d||"+strings.Repeat(" ", 29)+"x")
		for _, size := range [][2]int{{0, 1}, {1, 1001}} {
			if err := c.Fit(t.Context(), size[0], size[1]); fault.KindOf(err) != fault.Invalid {
				t.Errorf("Fit(%v) = %v", size, err)
			}
		}
	})
}

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
					if err := c.Type(t.Context(), []byte(piece)); err != nil {
						t.Fatal(err)
					}
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
			if err := s.EnterAltScreen(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := attach(t, s).Type(t.Context(), []byte("\x1b[<0;5;2Mk")); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := p.input(); got != "k" {
				t.Errorf("the program got %q", got)
			}
		})
	})
}

// inputs are a watcher of what persons type.
type inputs struct{ *term.Watcher }

func watchInput(t testing.TB, s *term.Session) inputs {
	t.Helper()
	w, err := s.Watch(t.Context(), term.WatchOptions{Topics: term.WatchInput})
	if err != nil {
		t.Fatal(err)
	}
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
		defer l.Close()
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
		time.Sleep(time.Second)
		do("in one piece", typing("e\x1cf"), "e [capture] f", "a\rbde", captured)
		do("released", s.ReleaseInput(t.Context()), "[passthrough]", "a\rbde", through)
		time.Sleep(time.Second)
		do("given", typing("\x1c"), "[capture]", "a\rbde", captured)
		select {
		case <-c.Detached():
			t.Error("sent away too soon")
		default:
		}
		do("detached", typing("\x1c"), "[passthrough]", "a\rbde", through)
		<-c.Detached()
		p.end(pty.Exit{Code: 3})
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
				defer l.Close()
				for piece := range strings.SplitSeq(tt.typed, "|") {
					if err := c.Type(t.Context(), []byte(piece)); err != nil {
						t.Fatal(err)
					}
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

// Two persons who end capture at the same time are not detached.
func TestTwoPersons(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		a, b := attach(t, s), attach(t, s)
		for _, c := range []*term.Viewer{a, b} {
			if err := c.Type(t.Context(), []byte("\x1c")); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(s.Info().Clients); n != 2 {
			t.Errorf("%d clients", n)
		}
		if err := b.Type(t.Context(), []byte("\x1c")); err != nil {
			t.Fatal(err)
		}
		<-b.Detached()
		if n := len(s.Info().Clients); n != 1 {
			t.Errorf("%d clients", n)
		}
	})
}

// Captured input does not count as activity.
func TestCapturedIsNoActivity(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		c := attach(t, s)
		if err := s.CaptureInput(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if err := c.Type(t.Context(), []byte("x")); err != nil {
			t.Fatal(err)
		}
		if quiet := s.Info().Quiet; quiet != time.Minute {
			t.Errorf("quiet for %v", quiet)
		}
		if err := s.ReleaseInput(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.Type(t.Context(), []byte("x")); err != nil {
			t.Fatal(err)
		}
		if quiet := s.Info().Quiet; quiet != 0 {
			t.Errorf("quiet for %v after something was typed", quiet)
		}
	})
}

// A watcher that does not take events loses the oldest ones, and holds up nobody.
func TestSlowWatcherOfInput(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		slow := watchInput(t, s)
		defer slow.Close()
		c := attach(t, s)
		if err := s.CaptureInput(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := heard(t, slow); got != "[capture]" {
			t.Errorf("heard %q", got)
		}
		for range 3000 {
			if err := c.Type(t.Context(), []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		events, missed, err := slow.next(t.Context())
		if err != nil || len(events)+missed != 3000 || missed < 1000 || len(events) < 1000 {
			t.Errorf("%d events, %d missed, %v", len(events), missed, err)
		}
		paste := "\x1b[200~" + strings.Repeat("x", term.MaxInput/2) + "\x1b[201~"
		for range 5 {
			if err := c.Type(t.Context(), []byte(paste)); err != nil {
				t.Fatal(err)
			}
		}
		events, missed, err = slow.next(t.Context())
		if err != nil || len(events) != 1 || missed != 4 {
			t.Errorf("%d events, %d missed, %v", len(events), missed, err)
		}
		if err := c.Type(t.Context(), make([]byte, term.MaxInput+1)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("too much: %v", err)
		}
	})
}

// A program that does not read its input does not keep the person from leaving.
func TestWayOutOfStuckProgram(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.stuck = make(chan struct{})
		c := attach(t, s)
		for {
			if err := c.Type(t.Context(), make([]byte, 100_000)); fault.KindOf(err) == fault.Exhausted {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Type(t.Context(), []byte("\x1c\x1c")); err != nil {
			t.Error(err)
		}
		<-c.Detached()
	})
}

// A terminal that lags behind keeps the newest lines that have scrolled off, and no line twice.
// While the person looks back, nothing scrolls off.
func TestScrolledOff(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		c, err := s.AttachViewer(term.ViewerOptions{Screens: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		w, err := vt.New(vt.Options{Cols: 20, Rows: 4, Scrollback: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		say := func(n int) {
			var b strings.Builder
			for range n {
				said++
				fmt.Fprintf(&b, "line %d\r\n", said)
			}
			p.say(b.String())
			synctest.Wait()
		}
		// kept wants lines, from the first to the last one said, to end the scrollback and the
		// screen.
		kept := func(first int, before string) {
			t.Helper()
			follow(t, c, w)
			oldest, _, end := w.Extent()
			_, lines := w.Lines(oldest, int(end-oldest))
			var got []string
			for _, l := range lines {
				if text := l.Plain(); text != "" {
					got = append(got, text)
				}
			}
			var want []string
			if before != "" {
				want = append(want, before)
			}
			for i := first; i <= said; i++ {
				want = append(want, fmt.Sprintf("line %d", i))
			}
			if diff := cmp.Diff(want, got[max(len(got)-len(want), 0):]); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		}
		say(2)
		kept(1, "")
		say(100)
		kept(1, "")
		say(1000)
		first := said - 258 // three are on the screen
		kept(first, "line 99")
		if err := c.LookBack(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		follow(t, c, w)
		say(50)
		if err := c.Type(t.Context(), []byte("q")); err != nil {
			t.Fatal(err)
		}
		kept(first, "line 99")
	})
}

// A terminal that is detached keeps the session's picture, without what only this viewer displayed:
// a question, the row for the agent, a look back, and marks outside of the session.
func TestDetachedKeepsThePicture(t *testing.T) {
	for name, tt := range map[string]struct {
		o    term.ViewerOptions
		does func(*testing.T, *term.Session, *reader)
		sees string
	}{
		"a question": {does: func(t *testing.T, s *term.Session, r *reader) {
			ctx, cancel := context.WithCancel(t.Context())
			asked := make(chan struct{})
			go func() {
				defer close(asked)
				_, _ = s.Ask(ctx, dialog.Question{Title: "Q?", Options: []string{"yes"}})
			}()
			t.Cleanup(func() { cancel(); <-asked })
		}, sees: "Q?"},
		"looking back": {does: func(_ *testing.T, _ *term.Session, r *reader) { r.looksBack("g") }, sees: "1|2|line"},
		"the agent":    {o: term.ViewerOptions{ShowAgent: true}, sees: "no program"},
		"marks": {does: func(t *testing.T, s *term.Session, _ *reader) {
			if err := s.Resize(t.Context(), 40, 10); err != nil {
				t.Error(err)
			}
		}, sees: "·"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				if err := s.Resize(t.Context(), 40, 14); err != nil {
					t.Fatal(err)
				}
				p.say("1\r\n2" + strings.Repeat("\r\nline", 14))
				r := newReader(t, s, tt.o)
				r.mu.Lock()
				if err := r.window.Resize(40, 14); err != nil {
					t.Fatal(err)
				}
				r.mu.Unlock()
				if err := r.viewer.Fit(t.Context(), 40, 14); err != nil {
					t.Fatal(err)
				}
				if tt.does != nil {
					tt.does(t, s, r)
				}
				displayed := func() string {
					time.Sleep(time.Second)
					synctest.Wait()
					r.mu.Lock()
					defer r.mu.Unlock()
					return strings.Join(plain(r.window.Snapshot()), "|")
				}
				if got := displayed(); !strings.Contains(got, tt.sees) {
					t.Errorf("before, the terminal displays %q, want %q", got, tt.sees)
				}
				s.Detach()
				got := displayed()
				if strings.Contains(got, tt.sees) || !strings.HasPrefix(got, "line|line") {
					t.Errorf("detached, the terminal displays %q", got)
				}
			})
		})
	}
}
