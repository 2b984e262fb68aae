package term_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

func output(t *testing.T, s *term.Session, o term.OutputOptions) *term.Output {
	t.Helper()
	out, err := s.Output(o)
	must(t, err)
	return out
}

// quarter is a quarter of what a reader may leave unread before the program waits for it.
var quarter = strings.Repeat("x", 64<<10)

// writer lets a program write n parts, and counts those that the session has taken.
func writer(p *script, n int) *atomic.Int64 {
	taken := new(atomic.Int64)
	go func() {
		for range n {
			p.say(quarter)
			taken.Add(1)
		}
	}()
	return taken
}

// A program waits for a reader of all its output, be it slow, about to come, or away for a while,
// and for the slowest of several. It waits no more when that stays away, or the session is removed.
func TestProgramWaits(t *testing.T) {
	t.Parallel()
	const room = 4 // parts that are taken until the program waits, and one more has been read
	open := func(t *testing.T, s *term.Session, from uint64) *term.Output {
		return output(t, s, term.OutputOptions{From: &from, Whole: true})
	}
	read := func(t *testing.T, o *term.Output, parts int) {
		t.Helper()
		for n := 0; n < parts*len(quarter); {
			b, err := o.Next(t.Context())
			must(t, err)
			n += len(b)
		}
	}
	for name, story := range map[string]func(t *testing.T, r *registry.Registry, s *term.Session, counts func(int64)){
		"about to come": func(t *testing.T, _ *registry.Registry, s *term.Session, counts func(int64)) {
			counts(room)
			time.Sleep(19 * time.Second)
			o := open(t, s, 0)
			defer o.Close()
			counts(room)
			read(t, o, 2)
			counts(room + 2)
		},
		"never comes": func(_ *testing.T, _ *registry.Registry, _ *term.Session, counts func(int64)) {
			counts(room)
			time.Sleep(21 * time.Second)
			counts(100)
		},
		"away for a while": func(t *testing.T, _ *registry.Registry, s *term.Session, counts func(int64)) {
			o := open(t, s, 0)
			read(t, o, 3)
			counts(room + 3)
			o.Close()
			time.Sleep(19 * time.Second)
			counts(room + 3)
			o = open(t, s, uint64(2*len(quarter))) // the rest was lost on its way
			defer o.Close()
			read(t, o, 4)
			counts(room + 6)
		},
		"stays away": func(t *testing.T, _ *registry.Registry, s *term.Session, counts func(int64)) {
			o := open(t, s, 0)
			read(t, o, 1)
			o.Close()
			time.Sleep(21 * time.Second)
			counts(100)
			late := open(t, s, uint64(len(quarter)))
			defer late.Close()
			if b, err := late.Next(t.Context()); fault.DetailOf(err) != term.OutputLost || !strings.Contains(err.Error(), "6488064 bytes") {
				t.Errorf("after 20 s: %d bytes, %v", len(b), err)
			}
		},
		"two": func(t *testing.T, _ *registry.Registry, s *term.Session, counts func(int64)) {
			a, b := open(t, s, 0), open(t, s, 0)
			defer a.Close()
			read(t, a, 3)
			counts(room)
			read(t, b, 2)
			counts(room + 2)
			read(t, b, 4)
			counts(room + 3)
			b.Close()
		},
		"removed": func(t *testing.T, r *registry.Registry, s *term.Session, counts func(int64)) {
			o := open(t, s, 0)
			defer o.Close()
			counts(room)
			must(t, r.Remove(s))
			read(t, o, room)
			_, err := o.Next(t.Context())
			if err == nil {
				_, err = o.Next(t.Context())
			}
			if fault.KindOf(err) != fault.Gone {
				t.Errorf("after the end: %v", err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newScript()
				r := scripted(t, nil, p)
				s := create(t, r, registry.CreateOptions{Follow: true})
				taken := writer(p, 100)
				story(t, r, s, func(want int64) {
					t.Helper()
					synctest.Wait()
					if got := taken.Load(); got != want {
						t.Errorf("%d parts were taken, want %d", got, want)
					}
				})
				p.end(tty.Exit{})
			})
		})
	}
}

// A reader with an offset gets each byte from there on, also after the end, and learns how many are
// lost. It holds up nobody, unless it wants to.
func TestOutputFrom(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		from := func(n uint64) *term.Output { return output(t, s, term.OutputOptions{From: &n}) }
		for _, o := range []term.OutputOptions{{Whole: true}, {From: new(uint64(1))}} {
			if _, err := s.Output(o); fault.KindOf(err) != fault.Invalid {
				t.Errorf("%+v: %v", o, err)
			}
		}
		wants := func(o *term.Output, want string) {
			t.Helper()
			b, err := o.Next(t.Context())
			if err != nil || string(b) != want {
				t.Errorf("%q, %v, want %q", b, err, want)
			}
		}
		first := from(0)
		p.say("abc")
		wants(first, "abc")
		first.Close()
		p.say("def")
		again := from(2)
		wants(again, "cdef")
		again.Close()
		time.Sleep(21 * time.Second)
		slow := from(6)
		defer slow.Close()
		if o := from(5); true {
			if b, err := o.Next(t.Context()); fault.DetailOf(err) != term.OutputLost || !strings.Contains(err.Error(), "1 bytes") {
				t.Errorf("%q, %v", b, err)
			}
			o.Close()
		}
		p.say("ghi")
		wants(slow, "ghi")
		for range 40 {
			p.say(quarter)
		}
		if b, err := slow.Next(t.Context()); fault.DetailOf(err) != term.OutputLost {
			t.Errorf("%d bytes, %v", len(b), err)
		}
		p.say("end")
		last := from(uint64(9 + 40*len(quarter)))
		p.end(tty.Exit{})
		<-s.Ended()
		wants(last, "end")
		if _, err := last.Next(t.Context()); fault.KindOf(err) != fault.Gone {
			t.Error(err)
		}
		last.Close()
		late := from(uint64(8 + 40*len(quarter)))
		defer late.Close()
		wants(late, "xend")
	})
}
