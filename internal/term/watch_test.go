package term_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

func watcher(t testing.TB, s *term.Session, o term.WatchOptions) *term.Watcher {
	t.Helper()
	w, err := s.Watch(t.Context(), o)
	must(t, err)
	t.Cleanup(w.Close)
	return w
}

// watching returns a watcher whose first update, with the whole screen, has been taken.
func watching(t *testing.T, s *term.Session, o term.WatchOptions) *term.Watcher {
	t.Helper()
	w := watcher(t, s, o)
	if u := next(t, w); u.Screen == nil || u.Before != nil {
		t.Fatalf("the first update is %+v, not the whole screen", u)
	}
	return w
}

func next(t *testing.T, w *term.Watcher) term.Update {
	t.Helper()
	u, err := w.Next(t.Context())
	must(t, err)
	return u
}

// over expects the end of the program, or of the given time, with nothing left to report.
func over(t *testing.T, w *term.Watcher, k fault.Kind) {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, fault.New(fault.Timeout, "an hour is over"))
	defer cancel()
	if u, err := w.Next(ctx); fault.KindOf(err) != k {
		t.Errorf("Next = %+v, %v, want an error of kind %v", u, err, k)
	}
}

func effects(events []term.Event) []vt.Effect {
	var list []vt.Effect
	for _, e := range events {
		list = append(list, e.Effect)
	}
	return list
}

// Each watcher receives what the program does beyond its screen, in order, and nothing else.
func TestWatchEffects(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("\x1b]9;too early\x07")
		var watchers []*term.Watcher
		for range 2 {
			watchers = append(watchers, watching(t, s, term.WatchOptions{Topics: term.WatchEffects}))
		}
		p.say("\x07text\x07\x1b]2;title\x07\x1b]52;c;aGk=\x07\x1b]52;c;?\x07\x1b]52;p;\x07")
		p.say("\x1b]9;4;1;10\x07\x1b]9;4;1;50\x07\x1b]777;notify;done;in 5 s\x07\x1b]9;4;0\x07\x1b]9;body\x07\x07\x1b[c")
		want := []vt.Effect{
			vt.Bell{},
			vt.Clipboard{Selection: "c", Data: []byte("hi")}, vt.Clipboard{Selection: "p", Data: []byte{}},
			vt.Progress{State: vt.ProgressNormal, Percent: 50}, vt.Notification{Title: "done", Body: "in 5 s"}, vt.Progress{},
			vt.Notification{Body: "body"}, vt.Bell{},
		}
		for _, w := range watchers {
			u := next(t, w)
			if d := cmp.Diff(want, effects(u.Events)); d != "" || u.Missed != 0 || u.Screen != nil {
				t.Errorf("%d missed, screen %v (-want +got)\n%s", u.Missed, u.Screen, d)
			}
		}
		watchers[0].Close()
		p.say("\x07")
		if u := next(t, watchers[1]); len(u.Events) != 1 {
			t.Errorf("got %+v", u)
		}
		over(t, watchers[0], fault.Gone)
		p.end(tty.Exit{})
		over(t, watchers[1], fault.Gone)
		if _, err := s.Watch(t.Context(), term.WatchOptions{}); fault.KindOf(err) != fault.Gone {
			t.Errorf("watching after the end: %v", err)
		}
		watchers[1].Close()
		if n := s.Subscriptions(); n != 0 {
			t.Errorf("%d subscriptions are left", n)
		}
	})
}

// A watcher that fetches nothing loses the oldest events, holds a bounded number and size of them,
// and starts again from the whole screen.
func TestWatchIsBounded(t *testing.T) {
	for name, tt := range map[string]struct {
		effect     func(i int) string
		sent, kept int
	}{
		"many":  {func(i int) string { return fmt.Sprintf("\x1b]9;message %d\x07", i) }, 1100, 1024},
		"large": {func(i int) string { return "\x1b]52;c;" + clip(i) + "\x07" }, 50, 10},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				w := watching(t, s, term.WatchOptions{Topics: term.WatchEffects | term.WatchScreen})
				for i := range tt.sent {
					p.say(tt.effect(i))
				}
				u := next(t, w)
				if len(u.Events) != tt.kept || u.Missed != tt.sent-tt.kept {
					t.Errorf("%d events, %d missed; want the last %d", len(u.Events), u.Missed, tt.kept)
				}
				if u.Screen == nil || u.Before != nil {
					t.Errorf("the screen is %p since %p, want the whole", u.Screen, u.Before)
				}
			})
		})
	}
}

// clip is base64 of about 100 KiB.
func clip(i int) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat(fmt.Sprint(i%10), 100<<10)))
}

// The first change is reported at once, further ones once in each interval.
func TestWatchScreen(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		w := watching(t, s, term.WatchOptions{Topics: term.WatchScreen})
		time.Sleep(time.Second)
		begun := time.Now()
		p.say("a")
		first := next(t, w)
		if d := time.Since(begun); d != 0 {
			t.Errorf("the first change was reported after %v", d)
		}
		changed := first.Screen.Since(first.Before.Moment())
		if len(changed.Rows) != 1 || changed.Rows[0].Line.Plain() != "a" {
			t.Errorf("the change is %+v", changed)
		}
		for i := range 50 {
			p.say(fmt.Sprintf("\r%d", i))
		}
		second := next(t, w)
		if d := time.Since(begun); d != term.DefaultInterval {
			t.Errorf("the second change was reported after %v", d)
		}
		if second.Before != first.Screen || second.Screen.Lines[0].Plain() != "49" {
			t.Errorf("the second update is %q", plain(second.Screen))
		}
		over(t, w, fault.Timeout)
	})
}

// What happens between Watch and Next is a change.
func TestWatchFromItsBeginning(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		w := watcher(t, s, term.WatchOptions{Topics: term.WatchScreen})
		p.say("\x1b]2;new title\ax")
		synctest.Wait()
		first := next(t, w)
		if first.Screen == nil || first.Screen.Title != "" || first.Screen.Lines[0].Plain() != "" {
			t.Errorf("the first update is %+v, not the screen at the beginning", first.Screen)
		}
		second := next(t, w)
		if second.Before != first.Screen || second.Screen.Title != "new title" || second.Screen.Lines[0].Plain() != "x" {
			t.Errorf("the second update is %+v", second.Screen)
		}
	})
}

// The effect of input is reported at once, even just after another update.
func TestWatchEcho(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		w := watching(t, s, term.WatchOptions{Topics: term.WatchScreen})
		begun := time.Now()
		for _, key := range "abc" {
			go func() {
				if err := s.Send(t.Context(), []byte("x")); err != nil {
					t.Error(err)
				}
				p.say(string(key))
			}()
			u := next(t, w)
			if line := u.Screen.Lines[0].Plain(); !strings.HasSuffix(line, string(key)) {
				t.Errorf("the line is %q, want %q at its end", line, key)
			}
		}
		if d := time.Since(begun); d != 0 {
			t.Errorf("the echoes took %v", d)
		}
	})
}

// A watcher that ignores the screen does not look at each piece of output.
func TestWatchFlood(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		w := watching(t, s, term.WatchOptions{Topics: term.WatchElements | term.WatchInput, Idle: time.Minute})
		got := make(chan term.Update, 1)
		go func() {
			u, err := w.Next(t.Context())
			if err != nil {
				t.Error(err)
			}
			got <- u
		}()
		looks := 0
		for range 1000 {
			time.Sleep(time.Millisecond)
			p.say("x")
			synctest.Wait()
			if w.Changes() == 0 {
				looks++
			}
		}
		if looks > 25 {
			t.Errorf("looked %d times in a second", looks)
		}
		if u := <-got; len(u.Activity) != 1 || !u.Activity[0].Idle {
			t.Errorf("got %+v", u)
		}
	})
}

// Activity is reported when it changes, including short activity between two updates.
func TestWatchActivity(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		time.Sleep(time.Minute)
		w := watcher(t, s, term.WatchOptions{Idle: 2 * time.Second})
		expect := func(want ...bool) {
			t.Helper()
			var got []bool
			for _, a := range next(t, w).Activity {
				got = append(got, a.Idle)
				if a.Idle != (a.Screen != nil) {
					t.Errorf("%+v has the wrong screen", a)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("idle (-want +got)\n%s", d)
			}
		}
		expect(true)
		p.say("a")
		expect(false)
		begun := time.Now()
		expect(true)
		if d := time.Since(begun); d != 2*time.Second {
			t.Errorf("idle after %v", d)
		}
		p.say("b")
		time.Sleep(time.Minute)
		expect(false, true)
		over(t, w, fault.Timeout)
	})
}

// The beginning and the end of a command come after the screen that they are about, at once.
func TestWatchCommands(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		w := watching(t, s, term.WatchOptions{Topics: term.WatchScreen | term.WatchCommands})
		p.say("\x1b]133;D;9\x07\x1b]133;A\x07$ \x1b]133;B\x07")
		next(t, w)
		p.say("make\r\n\x1b]133;C\x07")
		u := next(t, w)
		if len(u.Events) != 1 || u.Events[0].Command == nil || u.Events[0].Command.Ended || u.Screen == nil {
			t.Fatalf("got %+v", u)
		}
		time.Sleep(3 * time.Second)
		p.say("out")
		next(t, w)
		p.say("put\r\n\x1b]133;D;2\x07\x1b]133;A\x07$ ")
		begun := time.Now()
		u = next(t, w)
		want := core.Command{N: 1, Line: "make", Ended: true, ExitCode: new(2), Duration: 3 * time.Second}
		if len(u.Events) != 1 || !cmp.Equal(want, *u.Events[0].Command) || time.Since(begun) != 0 {
			t.Errorf("got %+v after %v", u.Events, time.Since(begun))
		}
		if !hasLine(u.Screen, "output") {
			t.Errorf("the screen is %q", plain(u.Screen))
		}
	})
}

// What persons type and changes of elements are reported.
func TestWatchInputAndElements(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		w := watcher(t, s, term.WatchOptions{Topics: term.WatchInput | term.WatchElements})
		if u := next(t, w); u.Elements == nil || len(u.Elements.Overlays) != 0 {
			t.Errorf("the first elements are %+v", u.Elements)
		}
		v := attachWith(t, s, term.ViewerOptions{})
		must(t, v.Type(t.Context(), []byte("k")))
		if u := next(t, w); len(u.Events) != 1 || string(u.Events[0].Input.Typed.Raw) != "k" {
			t.Errorf("got %+v", u)
		}
		must(t, s.CaptureInput(t.Context()))
		if u := next(t, w); len(u.Events) != 1 || u.Events[0].Input.Mode != overlay.Captured {
			t.Errorf("got %+v", u)
		}
		if _, err := s.ApplyElements(t.Context(), overlay.Op{Verb: overlay.Create, Kind: overlay.Overlay, Form: overlay.Form{Spans: overlay.Spans{{Text: "o"}}}}); err != nil {
			t.Fatal(err)
		}
		for {
			if u := next(t, w); u.Elements != nil && len(u.Elements.Overlays) == 1 {
				return
			}
		}
	})
}

// The stream of output is what the program writes; a slow reader gets the state instead of what it
// has missed.
func TestOutput(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say("\x1b[1mbold\x1b[?2004h\x1b[3")
		o := output(t, s, term.OutputOptions{})
		defer o.Close()
		screen := window(t, 20, 4)
		read := func() string {
			t.Helper()
			b, err := o.Next(t.Context())
			must(t, err)
			if _, err := screen.Write(b); err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		same := func() {
			t.Helper()
			program := screenOf(t, s)
			mine := screen.Snapshot()
			if d := cmp.Diff(plain(program), plain(mine)); d != "" || program.Cursor != mine.Cursor || program.Modes != mine.Modes {
				t.Errorf("cursor %+v, want %+v; modes %v, want %v (-want +got)\n%s", mine.Cursor, program.Cursor, mine.Modes, program.Modes, d)
			}
		}
		read()
		same()
		p.say("1mred")
		if got := read(); got != "1mred" {
			t.Errorf("the output is %q", got)
		}
		same()
		for i := range 100 {
			p.say(strings.Repeat("line "+fmt.Sprint(i)+"\r\n", 1000))
		}
		p.say("\x1b[?1049h\x1b[?1000h\x1b[4;7Hend")
		if got := read(); !strings.HasPrefix(got, "\x1bc") || len(got) > 10_000 {
			t.Errorf("%d bytes that begin with %q", len(got), got[:min(len(got), 20)])
		} else if !strings.Contains(got, "\x1b[?1049h") || !strings.Contains(got, "\x1b[?1000h") {
			t.Errorf("the modes are not as the program has set them: %q", got)
		}
		same()
		p.say("more")
		read()
		same()
		p.end(tty.Exit{})
		if b, err := o.Next(t.Context()); fault.KindOf(err) != fault.Gone {
			t.Errorf("after the end: %q, %v", b, err)
		}
		late := output(t, s, term.OutputOptions{})
		defer late.Close()
		if b, err := late.Next(t.Context()); err != nil || !strings.Contains(string(b), "endmore") {
			t.Errorf("the state after the end: %q, %v", b, err)
		}
		if _, err := late.Next(t.Context()); fault.KindOf(err) != fault.Gone {
			t.Errorf("after the last state: %v", err)
		}
	})
}
