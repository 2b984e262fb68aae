package term_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A reader is a person whose terminal displays what a viewer sends.
type reader struct {
	t      *testing.T
	viewer *term.Viewer

	mu     sync.Mutex // guards the fields below
	window *vt.Terminal
	copied []string
	asked  []string // what programs want of the terminal
}

func newReader(t *testing.T, s *term.Session, o term.ViewerOptions) *reader {
	t.Helper()
	r := &reader{t: t}
	var err error
	if r.viewer, err = s.AttachViewer(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.viewer.Close)
	r.window, err = vt.New(vt.Options{Cols: 20, Rows: 4, Effect: r.asks})
	must(t, err)
	go func() {
		for {
			b, err := r.viewer.Next(t.Context())
			if err != nil {
				return
			}
			r.mu.Lock()
			_, _ = r.window.Write(b)
			r.mu.Unlock()
		}
	}()
	return r
}

func (r *reader) types(text string) {
	r.t.Helper()
	if err := r.viewer.Type(r.t.Context(), []byte(text)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *reader) looksBack(keys string) {
	r.t.Helper()
	if err := r.viewer.LookBack(r.t.Context(), []byte(keys)); err != nil {
		r.t.Fatal(err)
	}
}

// sees waits for the picture and checks its rows.
func (r *reader) sees(want string) {
	r.t.Helper()
	time.Sleep(time.Second)
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if got := strings.Join(plain(r.window.Snapshot()), "|"); !strings.HasPrefix(got, want) {
		r.t.Errorf("the terminal displays %q, want %q", got, want)
	}
}

// With the wheel, a person looks back while the program takes no mouse. What else the mouse does is
// for nobody then.
func TestLookBackByWheel(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7")
		o := term.ViewerOptions{Wheel: true}
		a := newReader(t, s, o)
		o.Wheel = false
		b := newReader(t, s, o)
		w := watcher(t, s, term.WatchOptions{Topics: term.WatchInput})
		if _, err := w.Next(t.Context()); err != nil { // the screen
			t.Fatal(err)
		}
		reports := func(r *reader) bool {
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.window.Modes().Has(vt.ModeMouseNormal) && r.window.Modes().Has(vt.ModeMouseSGR)
		}
		a.sees("4|5|6|7")
		if !reports(a) || reports(b) {
			t.Errorf("the mouse is reported: %t, without the wheel: %t", reports(a), reports(b))
		}
		const up, down, click = "\x1b[<64;1;1M", "\x1b[<65;1;1M", "\x1b[<0;1;1M\x1b[<0;1;1m"
		a.types(down + click)
		a.types(up)
		a.sees("2|3|4| ")
		b.sees("4|5|6|7")
		a.types(down)
		a.sees("5|6|7| ")
		a.types(down) // at the end
		a.sees("4|5|6|7")
		a.types("x" + click + "y" + up + up + "q" + "z")
		a.sees("4|5|6|7")
		a.types("\x1b[200~" + up + "\x1b[201~")
		synctest.Wait()
		if got := p.input(); got != "xyz\x1b[200~"+up+"\x1b[201~" {
			t.Errorf("the program gets %q", got)
		}
		for range 3 { // x, y and z, and the paste
			u, err := w.Next(t.Context())
			must(t, err)
			for _, e := range u.Events {
				if strings.HasPrefix(string(e.Input.Typed.Raw), "\x1b[<") {
					t.Errorf("a watcher gets %q", e.Input.Typed.Raw)
				}
			}
			if len(u.Events) > 0 && len(u.Events[len(u.Events)-1].Input.Typed.Raw) > 1 {
				break
			}
		}
		p.say("\x1b[?1000;1006h") // the program takes the mouse
		a.sees("4|5|6|7")
		a.types(up)
		synctest.Wait()
		if got := p.input(); !strings.HasSuffix(got, "\x1b[201~"+up) {
			t.Errorf("the program gets %q", got)
		}
		p.say("\x1b[?1000;1006l\x1b[?1049h") // the wheel presses arrow keys there
		a.sees("")
		if reports(a) {
			t.Error("the mouse is reported on the alternate screen")
		}
	})
}

// Somebody looks back; the program, its other viewer and watchers notice nothing.
func TestLookBack(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7")
		o := term.ViewerOptions{}
		a, b := newReader(t, s, o), newReader(t, s, o)
		w := watcher(t, s, term.WatchOptions{Topics: term.WatchInput})
		if _, err := w.Next(t.Context()); err != nil { // the screen
			t.Fatal(err)
		}
		a.sees("4|5|6|7")
		before := s.Info().Quiet

		a.looksBack("2k")
		a.sees("3|4|5| ")
		b.sees("4|5|6|7")
		a.types("g/7\r")
		a.sees("5|6|7| ")
		a.types("gVjy")
		a.sees("1|2|3| 2/7  copied 2 lines")
		if len(a.copied) != 1 || a.copied[0] != "1\n2" || len(b.copied) > 0 {
			t.Errorf("copied %q, %q", a.copied, b.copied)
		}
		if quiet := s.Info().Quiet; quiet <= before {
			t.Errorf("looking back counts as activity: %v, before %v", quiet, before)
		}

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if u, err := w.Next(ctx); err == nil {
			t.Errorf("a watcher of input gets %+v", u)
		}
		p.say("\r\n8\r\n9") // meanwhile
		a.sees("1|2|3| ")
		b.sees("6|7|8|9")
		a.types("qtyped")
		synctest.Wait()
		a.sees("6|7|8|9")
		if got := p.input(); got != "typed" {
			t.Errorf("the program gets %q", got)
		}
		a.looksBack("gV\r")
		a.sees("6|7|8| copied 1 character")
		time.Sleep(2 * time.Second)
		a.sees("6|7|8|9")
		if len(a.copied) != 2 {
			t.Errorf("copied %q", a.copied)
		}
	})
}

// Keys while a person looks back are not the program's.
func TestLookBackKeys(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7")
		a := newReader(t, s, term.ViewerOptions{})
		a.types("a")
		a.looksBack("")
		a.types("k\x1b[<64;3;3M\x1b[<64;3")
		a.types(";3M\x1b[200~pasted\x1b[201~")
		a.sees("1|2|3| ")
		a.types("q")
		if got := p.input(); got != "a" {
			t.Errorf("the program gets %q", got)
		}

		a.types("\x1b[5;2~")
		a.sees("3|4|5| ") // a page repeats a line
		a.types("\x1b[6;2~\x1b[6;2~")
		a.sees("4|5|6|7")
		p.say("\x1b[?1049hfull")
		a.types("\x1b[5;2~")
		synctest.Wait()
		if got := p.input(); got != "a\x1b[5;2~" {
			t.Errorf("a full-screen program gets %q", got)
		}
		a.looksBack("")
		a.sees("|| full")
	})
}

// Looking back survives changes of size, and ends with the program.
func TestLookBackEnds(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7")
		a := newReader(t, s, term.ViewerOptions{})
		a.looksBack("g")
		a.sees("1|2|3| ")
		must(t, a.window.Resize(12, 3))
		must(t, a.viewer.Fit(t.Context(), 12, 3))
		a.sees("1|2| 1/7")
		a.types("?nothing\r/[")
		p.end(tty.Exit{Code: 3})
		synctest.Wait()
		a.sees("5|6|7") // the end of the last picture
		if err := a.viewer.LookBack(t.Context(), nil); fault.KindOf(err) != fault.Gone {
			t.Errorf("LookBack = %v", err)
		}
	})
}

// Keys that arrive together with the one that ends looking back reach the program in order, also if
// the last one is cut.
func TestTypedBehindLookBack(t *testing.T) {
	for _, cut := range []string{"q12\xc3|\xa4!", "q12\x1b[1;|5A!", "q\xc3|\xa4!", "x\xc3|\xa4q!"} {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			p.say("1\r\n2\r\n3\r\n4\r\n5\r\n6")
			r := newReader(t, s, term.ViewerOptions{})
			r.looksBack("")
			for part := range strings.SplitSeq(cut, "|") {
				r.types(part)
			}
			synctest.Wait()
			_, want, _ := strings.Cut(strings.ReplaceAll(cut, "|", ""), "q")
			if got := p.input(); got != want {
				t.Errorf("%q: the program got %q, want %q", cut, got, want)
			}
		})
	}
}
