package term_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

func attach(t testing.TB, s *term.Session) *term.Viewer {
	t.Helper()
	return attachWith(t, s, term.ViewerOptions{})
}

func attachWith(t testing.TB, s *term.Session, o term.ViewerOptions) *term.Viewer {
	t.Helper()
	c, err := s.AttachViewer(o)
	must(t, err)
	t.Cleanup(c.Close)
	return c
}

// Clients state what is theirs to decide, and nothing else.
func TestWhatClientsState(t *testing.T) {
	var o term.ViewerOptions
	err := json.Unmarshal([]byte(`{"untrusted":true,"answers":true,"ended":true,"looks":true,"prefix":"x","client":{"name":"x"}}`), &o)
	if err != nil || o != (term.ViewerOptions{}) {
		t.Errorf("%+v, %v", o, err)
	}
}

// window is a person's terminal.
func window(t testing.TB, cols, rows int) *vt.Terminal {
	t.Helper()
	w, err := vt.New(vt.Options{Cols: cols, Rows: rows})
	must(t, err)
	return w
}

// follow shows a client's next picture on a terminal.
func follow(t testing.TB, c *term.Viewer, w *vt.Terminal) {
	t.Helper()
	b, err := c.Next(t.Context())
	must(t, err)
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
			if w.Text != " " || w.Style != (sgr.Style{}) || w.Link != "" {
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
		must(t, c.Fit(t.Context(), 20, 4))
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
			p.end(tty.Exit{Code: 3})
		}, "hello|bye||", "status 3"},
		"the program, before": {func(t *testing.T, p *script, s *term.Session, _ *term.Viewer) {
			p.say("\r\nbye")
			p.end(tty.Exit{Code: 3})
			<-s.Ended()
		}, "hello|bye||", "status 3"},
		"sent away": {func(t *testing.T, p *script, s *term.Session, _ *term.Viewer) {
			s.DetachAll()
			p.say("\r\nunseen")
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
			r := scripted(t, nil, newScript())
			s := create(t, r, registry.CreateOptions{Name: "s"})
			c := attach(t, s)
			must(t, r.Remove(s))
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
		time.AfterFunc(time.Second, func() { _ = s.Detach(a.ClientName()) })
		time.AfterFunc(2*time.Second, s.DetachAll)
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
		must(t, c.Fit(t.Context(), 10, 2))
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
		must(t, w.Resize(30, 6))
		must(t, c.Fit(t.Context(), 30, 6))
		follow(t, c, w)
		wantWindow(t, w, "abcdefghijkl|b|c|d|"+strings.Repeat("─", 20)+"┘"+strings.Repeat("·", 9)+"|"+strings.Repeat("·", 30))
		must(t, s.Resize(t.Context(), 30, 6))
		p.say("\x1b[6;30Hx")
		follow(t, c, w)
		wantWindow(t, w, "abcdefghijkl|b|c|d||"+strings.Repeat(" ", 29)+"x")
		for _, size := range [][2]int{{0, 1}, {1, 1001}} {
			if err := c.Resize(t.Context(), size[0], size[1]); fault.KindOf(err) != fault.Invalid {
				t.Errorf("Resize(%v) = %v", size, err)
			}
		}
	})
}

// A terminal that lags behind keeps the newest lines that have scrolled off, and no line twice.
// While the person looks back, nothing scrolls off.
func TestScrolledOff(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		c := attachWith(t, s, term.ViewerOptions{Screens: true})
		w, err := vt.New(vt.Options{Cols: 20, Rows: 4, Scrollback: 10_000})
		must(t, err)
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
		must(t, c.LookBack(t.Context(), nil))
		follow(t, c, w)
		say(50)
		must(t, c.Type(t.Context(), []byte("q")))
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
				_, _ = s.Ask(ctx, asks(question.Question{Title: "Q?", Options: []question.Option{{Label: "yes", Value: "yes"}}}), nil)
			}()
			t.Cleanup(func() { cancel(); <-asked })
		}, sees: "Q?"},
		"looking back": {does: func(_ *testing.T, _ *term.Session, r *reader) { r.looksBack("g") }, sees: "1|2|line"},
		"the agent":    {o: term.ViewerOptions{ShowAgent: true}, sees: "no program"},
		"marks": {does: func(t *testing.T, s *term.Session, _ *reader) {
			must(t, s.Resize(t.Context(), 40, 10))
		}, sees: "·"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				must(t, s.Resize(t.Context(), 40, 14))
				p.say("1\r\n2" + strings.Repeat("\r\nline", 14))
				r := newReader(t, s, tt.o)
				r.mu.Lock()
				must(t, r.window.Resize(40, 14))
				r.mu.Unlock()
				must(t, r.viewer.Fit(t.Context(), 40, 14))
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
				s.DetachAll()
				got := displayed()
				if strings.Contains(got, tt.sees) || !strings.HasPrefix(got, "line|line") {
					t.Errorf("detached, the terminal displays %q", got)
				}
			})
		})
	}
}
