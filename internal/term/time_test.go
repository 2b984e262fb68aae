package term_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/typeahead"
)

// bubble runs f with a session of a program in memory, where time passes only when everybody waits.
func bubble(t *testing.T, f func(t *testing.T, p *script, s *term.Session)) {
	t.Helper()
	bubbleWith(t, registry.CreateOptions{Name: "s", Cols: 20, Rows: 4}, f)
}

func bubbleWith(t *testing.T, o registry.CreateOptions, f func(t *testing.T, p *script, s *term.Session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := newScript()
		r := scripted(t, nil, p)
		f(t, p, create(t, r, o))
	})
}

// The error distinguishes a session in which nothing happens from one that is never quiet.
func TestQuiesce(t *testing.T) {
	t.Parallel()
	const second = time.Second
	all := []time.Duration{second, second, second, second}
	for name, tt := range map[string]struct {
		outputs []time.Duration // after which the program writes
		before  time.Duration   // after which the call comes
		o       term.QuiesceOptions
		took    time.Duration
		gen     uint64 // of the screen that is quiet
		fails   string
	}{
		"default silence":          {nil, 0, term.QuiesceOptions{}, 2 * second, 0, ""},
		"output restarts it":       {all[:2], 0, term.QuiesceOptions{Timeout: 3 * second}, 5 * second, 2, ""},
		"never quiet":              {all, 0, term.QuiesceOptions{MaxWait: 3 * second}, 3 * second, 0, "was not quiet for 2s"},
		"something new":            {all, 0, term.QuiesceOptions{MaxWait: 3 * second, LastGeneration: new(uint64(0))}, 3 * second, 0, "was not quiet for 2s"},
		"something new, later":     {all, 0, term.QuiesceOptions{MaxWait: 3 * second, LastGeneration: new(uint64(1))}, 3 * second, 0, "was not quiet for 2s"},
		"nothing new":              {nil, 9 * second, term.QuiesceOptions{Timeout: second, LastGeneration: new(uint64(0)), MaxWait: 4 * second}, 4 * second, 0, "nothing has happened in session"},
		"fresh":                    {nil, 9 * second, term.QuiesceOptions{Timeout: 3 * second, Fresh: true, LastGeneration: new(uint64(0))}, 3 * second, 0, ""},
		"fresh, not long enough":   {nil, 0, term.QuiesceOptions{Timeout: 5 * second, Fresh: true, LastGeneration: new(uint64(0)), MaxWait: 3 * second}, 3 * second, 0, "was not quiet for 5s"},
		"no longer than 5 minutes": {nil, 0, term.QuiesceOptions{Timeout: second, MaxWait: time.Hour, LastGeneration: new(uint64(0))}, term.MaxWait, 0, "for 5m0s"},
		"negative":                 {nil, 0, term.QuiesceOptions{Timeout: -1}, 0, 0, "negative"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				go func() {
					for _, d := range tt.outputs {
						time.Sleep(d)
						p.say("x")
					}
				}()
				time.Sleep(tt.before)
				synctest.Wait()
				start := time.Now()
				got, err := s.Quiesce(t.Context(), tt.o)
				if took := time.Since(start); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				switch {
				case tt.fails != "":
					if err == nil || !strings.Contains(err.Error(), tt.fails) || (fault.DetailOf(err) == term.NotQuiet) != (tt.took > 0) {
						t.Errorf("Quiesce = %v, want %q", err, tt.fails)
					}
				case err != nil || got.Generation != tt.gen || got.Screen.Lines[0].Plain() != strings.Repeat("x", int(tt.gen)):
					t.Errorf("Quiesce = %+v, %v, want generation %d", got, err, tt.gen)
				}
				time.Sleep(10 * second) // for the rest of the output
			})
		})
	}
}

func TestLinger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, again := newScript(), newScript()
		r := scripted(t, nil, p, again)
		s := create(t, r, registry.CreateOptions{Name: "s"})
		p.say("the last words")
		p.end(tty.Exit{Code: 5})
		time.Sleep(10*time.Minute - time.Second)
		if list := r.List(); len(list) != 1 || list[0].Exit == nil || list[0].Exit.Code != 5 {
			t.Errorf("list %+v", list)
		}
		screen, err := s.Screen(t.Context())
		if err != nil || screen.Lines[0].Plain() != "the last words" {
			t.Errorf("Screen = %v", err)
		}
		if err := s.Send(t.Context(), []byte("x")); fault.KindOf(err) != fault.Gone {
			t.Errorf("Send = %v", err)
		}
		time.Sleep(2 * time.Second)
		if _, err := r.Session("s"); fault.KindOf(err) != fault.NotFound {
			t.Errorf("Session = %v", err)
		}
		if _, err := s.Screen(t.Context()); fault.KindOf(err) != fault.Gone {
			t.Errorf("Screen = %v", err)
		}
		s = create(t, r, registry.CreateOptions{Name: "s"})
		again.end(tty.Exit{})
		synctest.Wait()
		if err := r.Remove(s); err != nil { // does not wait for the end of its lingering
			t.Errorf("Remove = %v", err)
		}
		if list := r.List(); len(list) != 0 {
			t.Errorf("list %+v", list)
		}
	})
}

// A program that does not read its input holds up nobody.
func TestInputThatWaits(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.stuck = make(chan struct{})
		sent := 0
		for {
			err := s.Send(t.Context(), make([]byte, 100_000))
			if fault.KindOf(err) == fault.Exhausted {
				break
			}
			must(t, err)
			sent += 100_000
		}
		if sent < typeahead.Max-200_000 || sent > typeahead.Max {
			t.Errorf("%d bytes wait", sent)
		}
		p.say("still here")
		p.say(strings.Repeat("\x1b[6n", 1000)) // and its questions are dropped
		if _, err := s.WaitForText(t.Context(), "still here", 0); err != nil {
			t.Error(err)
		}
		if err := s.Send(t.Context(), make([]byte, typeahead.Max+1)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("too much at once: %v", err)
		}
	})
}

func TestAnswersAndKeys(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("ab\x1b[6n\x1b[?1h\x1b[?2004h\x1b[?1000h\x1b[?1006h")
		synctest.Wait()
		check := func(err error) {
			t.Helper()
			if err != nil {
				t.Error(err)
			}
		}
		check(s.Keys(t.Context(), "Up", "C-c"))
		check(s.Paste(t.Context(), "x\ny"))
		check(s.Mouse(t.Context(), clickAt(3, 1)))
		check(s.Send(t.Context(), []byte("\x00\xff")))
		if err := s.Keys(t.Context(), "a", "Nonsense"); fault.KindOf(err) != fault.Invalid {
			t.Errorf("an unknown key: %v", err)
		}
		if err := s.Mouse(t.Context(), clickAt(30, 1)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("a click beside the screen: %v", err)
		}
		synctest.Wait()
		want := "\x1b[1;3R" + "\x1bOA\x03" + "\x1b[200~x\ry\x1b[201~" + "\x1b[<0;4;2M" + "\x00\xff"
		if got := p.input(); got != want {
			t.Errorf("input %q, want %q", got, want)
		}
	})
}

// A viewer that does not look for a while misses pictures, and nobody waits for it.
func TestSlowViewer(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		screen, err := s.Next(t.Context(), 1<<63)
		must(t, err)
		first := screen.Epoch
		start := time.Now()
		for range 1000 {
			p.say("\rpicture")
		}
		p.say("\rthe last")
		synctest.Wait()
		if took := time.Since(start); took != 0 {
			t.Errorf("the program waited for %v", took)
		}
		screen, err = s.Next(t.Context(), first)
		if err != nil || screen.Lines[0].Plain() != "the last" {
			t.Fatalf("Next = %q, %v", screen.Lines[0].Plain(), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Next(ctx, screen.Epoch); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("nothing new: %v", err)
		}
	})
}

func TestWaitFor(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("$ make\r\n")
		if _, err := s.WaitFor(t.Context(), `^make`, time.Second); fault.KindOf(err) != fault.Timeout {
			t.Errorf("what is not there: %v", err)
		}
		for _, bad := range []string{`(`, ``, `x*`} {
			if _, err := s.WaitFor(t.Context(), bad, 0); fault.KindOf(err) != fault.Invalid {
				t.Errorf("WaitFor(%q) = %v", bad, err)
			}
		}
		p.say("\r日 $ ")
		if _, err := s.WaitFor(t.Context(), `^日 \$ $`, time.Second); err != nil {
			t.Errorf("a prompt: %v", err)
		}
		p.say("\x1b[?1049h\x1b[HInsert mode")
		if _, err := s.WaitForText(t.Context(), "Insert mode", 0); err != nil {
			t.Errorf("on the alternate screen: %v", err)
		}
	})
}

// A signal counts as activity, so silence before it does not.
func TestSignal(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		time.Sleep(time.Minute)
		must(t, s.Signal(t.Context(), "TERM"))
		start := time.Now()
		if _, err := s.Quiesce(t.Context(), term.QuiesceOptions{Timeout: time.Second}); err != nil || time.Since(start) != time.Second {
			t.Errorf("quiet after %v, %v", time.Since(start), err)
		}
		p.end(tty.Exit{})
		<-s.Ended()
		if err := s.Signal(t.Context(), "KILL"); fault.KindOf(err) != fault.Gone {
			t.Errorf("after the end: %v", err)
		}
		if d := cmp.Diff([]string{"TERM"}, p.signalled()); d != "" {
			t.Errorf("signals (-want +got):\n%s", d)
		}
	})
}

// The time for which a program may hold back its picture covers one update: a program that
// always has one in progress never shows half of one.
func TestEachUpdateHasItsTime(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("\x1b[?2026h\x1b[Hwhole")
		for range 20 {
			time.Sleep(300 * time.Millisecond)
			p.say("\x1b[?2026l\x1b[?2026h\x1b[Hha")
			synctest.Wait()
			p.say("\x1b[Hwhole\x1b[?2026l\x1b[?2026h\x1b[Hhalf ")
			for range 29 {
				time.Sleep(10 * time.Millisecond)
				synctest.Wait()
				screen := screenOf(t, s)
				if got := plain(screen)[0]; got != "whole" {
					t.Fatalf("the screen shows %q", got)
				}
			}
			p.say("\x1b[Hwhole")
		}
	})
}

// Ctrl-C reaches a program that has left so much input unread that nothing more gets through.
func TestInterruptStuckProgram(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		if err := s.Keys(t.Context(), "C-c"); err != nil { // it is read
			t.Fatal(err)
		}
		synctest.Wait()
		if got := p.input(); got != "\x03" || len(p.signalled()) > 0 {
			t.Errorf("the program got %q and signals %q", got, p.signalled())
		}
		p.stuck = make(chan struct{})
		must(t, s.Send(t.Context(), []byte("unread")))
		time.Sleep(time.Second)
		for _, key := range []string{"a", "C-b", "C-c"} {
			must(t, s.Keys(t.Context(), key))
		}
		if diff := cmp.Diff([]string{"key INT"}, p.signalled()); diff != "" {
			t.Errorf("signals (-want +got):\n%s", diff)
		}
	})
}

// C-c acts soon if it is typed right after input that turns out to be unread. What was typed after
// it still waits then.
func TestSignalKeyRightBehindUnreadInput(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.stuck = make(chan struct{})
		for _, in := range []string{"being written", "unread", "x\x03", "after"} {
			must(t, s.Send(t.Context(), []byte(in)))
			synctest.Wait()
		}
		start := time.Now()
		for len(p.signalled()) == 0 && time.Since(start) < time.Second {
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(start); took > 100*time.Millisecond {
			t.Errorf("C-c took %v", took)
		}
		p.unstick()
		time.Sleep(time.Second)
		if got, want := p.input(), "being writtenafter"; got != want {
			t.Errorf("the program got %q, want %q", got, want)
		}
		if diff := cmp.Diff([]string{"key INT"}, p.signalled()); diff != "" {
			t.Errorf("signals (-want +got):\n%s", diff)
		}
	})
}

// C-c acts soon, too, if the system holds it back, unless something was typed since.
func TestSignalKeyThatIsKept(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.keeps = true
		for _, in := range []string{"x\x03", "y\x03", "z"} {
			must(t, s.Send(t.Context(), []byte(in)))
		}
		time.Sleep(100 * time.Millisecond)
		if len(p.signalled()) > 0 {
			t.Errorf("signals %q for keys that other input follows", p.signalled())
		}
		must(t, s.Keys(t.Context(), "C-c"))
		time.Sleep(100 * time.Millisecond)
		if diff := cmp.Diff([]string{"key INT"}, p.signalled()); diff != "" {
			t.Errorf("signals (-want +got):\n%s", diff)
		}
	})
}

// Keys have the form that the program asked for while it holds back its picture, too.
func TestKeysDuringUpdate(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("\x1b[?2026h\x1b[>1u")
		synctest.Wait()
		must(t, s.Keys(t.Context(), "Escape"))
		synctest.Wait()
		if got, want := p.input(), "\x1b[27u"; got != want {
			t.Errorf("the program got %q, want %q", got, want)
		}
	})
}
