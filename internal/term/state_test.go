package term_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/tty"
)

// The state follows from the terminal, the system and the marks.
func TestState(t *testing.T) {
	const ms = time.Millisecond
	var (
		prompt = markA + "$ " + markB
		unseen = "\x1b[?1049h"
	)
	type fact struct {
		say   string
		mode  tty.Mode
		reads tty.Reading
	}
	for _, tt := range []struct {
		name  string
		fact  fact
		state term.State // when that is over
		takes time.Duration
	}{
		{"a program runs", fact{"x", tty.ModeLines, tty.ReadsNot}, term.StateRunning, 0},
		{"a program reads a line", fact{"x", tty.ModeLines, tty.Reads}, term.StateLine, 20 * ms},
		{"a program may read a line", fact{"Name? ", tty.ModeLines, tty.ReadingUnknown}, term.StateLine, 2 * time.Second},
		{"a program may read, and has ended its line", fact{"x\r\n", tty.ModeLines, tty.ReadingUnknown}, term.StateRunning, 0},
		{"a program asks for a secret", fact{"x", tty.ModeSecret, tty.ReadsNot}, term.StateSecret, 0},
		{"a program asks for a secret on its own screen", fact{unseen, tty.ModeSecret, tty.Reads}, term.StateSecret, 0},
		{"a program takes keys", fact{"x", tty.ModeKeys, tty.ReadingUnknown}, term.StateLine, 500 * ms},
		{"a program reads keys", fact{"x", tty.ModeKeys, tty.Reads}, term.StateLine, 500 * ms},
		{"a program takes keys, and works", fact{"x", tty.ModeKeys, tty.ReadsNot}, term.StateRunning, 0},
		{"a program has a screen of its own", fact{unseen, tty.ModeKeys, tty.Reads}, term.StateFullScreen, 0},
		{"a shell prompts", fact{prompt, tty.ModeKeys, tty.ReadingUnknown}, term.StatePrompt, 0},
		{"a shell wants more of a line", fact{prompt + "\x1b]133;A;k=s\a> ", tty.ModeKeys, tty.ReadingUnknown}, term.StatePrompt, 0},
		{"a shell prepares its prompt", fact{prompt + markC + markD("0"), tty.ModeLines, tty.ReadsNot}, term.StateRunning, 0},
		{"a shell does not mark the end of its prompt", fact{markA + "$ ", tty.ModeKeys, tty.ReadingUnknown}, term.StatePrompt, 20 * ms},
		{"a shell runs a command", fact{prompt + markC, tty.ModeLines, tty.ReadsNot}, term.StateRunning, 0},
		{"a command reads", fact{prompt + markC, tty.ModeLines, tty.Reads}, term.StateLine, 20 * ms},
		{"nothing is known", fact{"x\r\n", tty.ModeUnknown, tty.ReadingUnknown}, term.StateRunning, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				time.Sleep(time.Minute) // it has not been looked at for long
				start := time.Now()
				p.become(tt.fact.mode, tt.fact.reads)
				p.say(tt.fact.say)
				if tt.takes > 0 {
					time.Sleep(tt.takes - 1)
					if got := s.Info().State; got != term.StateRunning {
						t.Errorf("after %v: %q", time.Since(start), got)
					}
				}
				time.Sleep(20*ms + tt.takes/4) // no more than the time that has passed
				synctest.Wait()
				if got := s.Info().State; got != tt.state {
					t.Errorf("after %v: %q, want %q", time.Since(start), got, tt.state)
				}
				time.Sleep(time.Hour)
				if got := s.Info().State; got != tt.state {
					t.Errorf("later: %q, want %q", got, tt.state)
				}
				p.end(tty.Exit{})
				<-s.Ended()
				if got := s.Info().State; got != term.StateEnded {
					t.Errorf("at the end: %q", got)
				}
			})
		})
	}
}

// A line that was typed at the prompt counts as running, before the shell says so.
func TestStateOfTypedLine(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		p.say(markA + "$ " + markB)
		expect := func(when string, want term.State) {
			t.Helper()
			if got := s.Info().State; got != want {
				t.Errorf("%s: %q, want %q", when, got, want)
			}
		}
		expect("at the prompt", term.StatePrompt)
		if err := s.Send(t.Context(), []byte("ls")); err != nil {
			t.Fatal(err)
		}
		expect("half a line", term.StatePrompt)
		if err := s.Keys(t.Context(), "Enter"); err != nil {
			t.Fatal(err)
		}
		expect("a line", term.StateRunning)
		p.say("\r\n" + markC)
		expect("the command", term.StateRunning)
		p.say(markD("0") + markA + "$ " + markB)
		expect("the next prompt", term.StatePrompt)
	})
}

// Output that comes while the system is asked what the program does says more than the answer.
func TestStateWhileLookedAt(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		w, err := s.Watch(t.Context(), term.WatchOptions{Topics: term.WatchState})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		p.say(markA + "$ " + markB)
		p.become(tty.ModeLines, tty.ReadsNot)
		p.mu.Lock() // the session may be looking at the program
		p.looked = func() {
			p.mu.Lock()
			p.reads, p.output = tty.Reads, true // a shell that is about to prompt
			p.mu.Unlock()
		}
		p.mu.Unlock()
		p.say(markC)
		time.Sleep(25 * time.Millisecond)
		p.say(markD("0") + markA + "$ " + markB)
		p.mu.Lock()
		p.output = false
		p.mu.Unlock()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		var got []term.State
		for {
			u, err := w.Next(ctx)
			if err != nil {
				break
			}
			for _, e := range u.Events {
				got = append(got, e.State)
			}
		}
		if len(got) == 0 || slices.Contains(got, term.StateLine) {
			t.Errorf("states %q", got)
		}
	})
}

// Each change is reported once, unless it is undone at once, and looking for changes ends.
func TestStateEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newScript()
		r := scripted(t, nil, p)
		defer r.Close()
		changes := r.Watch()
		defer changes.Close()
		s := create(t, r, term.CreateOptions{Name: "s"})
		w, err := s.Watch(t.Context(), term.WatchOptions{Topics: term.WatchState})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		prompt := markA + "$ " + markB
		p.become(tty.ModeLines, tty.ReadsNot)
		p.say(prompt)
		time.Sleep(time.Second)
		for range 100 { // commands too fast to be seen
			p.say(markC + markD("0") + prompt)
		}
		time.Sleep(time.Second)
		p.say(markC)
		time.Sleep(time.Second)
		p.become(tty.ModeSecret, tty.Reads) // without a word
		time.Sleep(10 * time.Second)
		p.become(tty.ModeLines, tty.ReadsNot)
		time.Sleep(time.Minute)
		p.say(markD("0") + prompt)
		time.Sleep(time.Second)
		p.end(tty.Exit{})
		synctest.Wait()
		want := []term.State{term.StatePrompt, term.StateRunning, term.StateSecret, term.StateRunning, term.StatePrompt, term.StateEnded}
		var got []term.State
		for {
			u, err := w.Next(t.Context())
			if err != nil {
				break
			}
			for _, e := range u.Events {
				got = append(got, e.State)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("events of the session (-want +got):\n%s", d)
		}
		events, _, err := changes.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got = nil
		for _, e := range events {
			if e.Change == term.Switched || e.Change == term.Ended {
				got = append(got, e.Info.State)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("events of the registry (-want +got):\n%s", d)
		}
	})
}

// Sessions that are idle look at their programs at the same moments, so that a server with many of
// them rarely wakes up.
func TestLooksTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		programs := make([]*script, 10)
		for i := range programs {
			programs[i] = newScript()
			programs[i].become(tty.ModeLines, tty.Reads)
		}
		r := scripted(t, nil, programs...)
		defer r.Close()
		for range programs {
			create(t, r, term.CreateOptions{})
			time.Sleep(137 * time.Millisecond)
		}
		time.Sleep(5 * time.Minute)
		from, moments := time.Now(), map[time.Time]int{}
		time.Sleep(10 * time.Minute)
		for _, p := range programs {
			p.mu.Lock()
			for _, at := range p.looks {
				if at.After(from) {
					moments[at]++
				}
			}
			p.mu.Unlock()
		}
		if len(moments) != 20 {
			t.Errorf("the server woke up %d times in 10 minutes, want 20", len(moments))
		}
		for at, n := range moments {
			if n != len(programs) {
				t.Errorf("%d of %d looked %v later", n, len(programs), at.Sub(from))
			}
		}
	})
}

func TestWaitState(t *testing.T) {
	const second = time.Second
	prompt := markA + "$ " + markB
	say := func(text string) func(*script) { return func(p *script) { p.say(text) } }
	ask := func(m tty.Mode, r tty.Reading) func(*script) { return func(p *script) { p.become(m, r) } }
	for _, tt := range []struct {
		name   string
		before string
		states []term.State
		after  func(*script) // done after a second
		state  term.State
		least  time.Duration
		most   time.Duration
		exit   int // -1: not known
		kind   fault.Kind
	}{
		{name: "prompts already", before: prompt, states: []term.State{term.StatePrompt}, state: term.StatePrompt, exit: -1},
		{name: "a first prompt needs nobody", before: prompt, after: say(markC + markD("3") + prompt), state: term.StatePrompt, least: second, most: second + second/10, exit: 3},
		{name: "a prompt after a command does", before: prompt + markC + markD("4") + prompt, state: term.StatePrompt, exit: 4},
		{name: "a line is wanted", before: prompt + markC, after: ask(tty.ModeLines, tty.Reads), state: term.StateLine, least: second, most: second * 5 / 4, exit: -1},
		{name: "a secret is wanted", before: prompt + markC, after: ask(tty.ModeSecret, tty.ReadsNot), state: term.StateSecret, least: second, most: second * 5 / 4, exit: -1},
		{name: "the end", states: []term.State{term.StateEnded}, after: func(p *script) { p.end(tty.Exit{Code: 3}) }, state: term.StateEnded, least: second, most: second, exit: -1},
		{name: "the end, not waited for", after: func(p *script) { p.end(tty.Exit{Code: 3}) }, least: second, most: second, kind: fault.Gone},
		{name: "too late", before: prompt + markC, least: 3 * second, most: 3 * second, kind: fault.Timeout},
		{name: "no such state", states: []term.State{"asleep"}, kind: fault.Invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				p.become(tty.ModeLines, tty.ReadsNot)
				p.say(tt.before)
				time.Sleep(time.Hour)
				if tt.after != nil {
					time.AfterFunc(second, func() { tt.after(p) })
				}
				start := time.Now()
				got, err := s.WaitState(t.Context(), term.StateOptions{States: tt.states, MaxWait: 3 * second})
				if took := time.Since(start); took < tt.least || took > tt.most {
					t.Errorf("took %v, want %v to %v", took, tt.least, tt.most)
				}
				time.Sleep(2 * second)
				if tt.kind != fault.Internal {
					if fault.KindOf(err) != tt.kind {
						t.Errorf("WaitState = %v, want %v", err, tt.kind)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				exit := -1
				if got.ExitCode != nil {
					exit = *got.ExitCode
				}
				if got.State != tt.state || exit != tt.exit || got.Screen == nil {
					t.Errorf("%q, exit code %d; want %q, %d", got.State, exit, tt.state, tt.exit)
				}
				if tt.state == term.StateEnded {
					return
				}
				// Asking again, with what is known, waits for something new.
				again := term.StateOptions{States: tt.states, LastGeneration: &got.Generation, MaxWait: second}
				if _, err := s.WaitState(t.Context(), again); fault.KindOf(err) != fault.Timeout {
					t.Errorf("again: %v", err)
				}
			})
		})
	}
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(second, cancel)
		if _, err := s.WaitState(ctx, term.StateOptions{}); err != context.Canceled {
			t.Errorf("cancelled: %v", err)
		}
		synctest.Wait()
		if n := s.Subscriptions(); n != 0 {
			t.Errorf("%d subscriptions are left", n)
		}
	})
}

// While the program asks for a secret, watchers learn only that something was typed, also if it was
// cut into pieces. What a person types into an element then is for those that may capture input.
func TestSecretsInEvents(t *testing.T) {
	type piece struct {
		mode tty.Mode
		text string // "capture" and "release" switch the mode
	}
	lines, secret := tty.ModeLines, tty.ModeSecret
	for _, tt := range []struct {
		name      string
		pieces    []piece
		all       string // what every watcher gets, with "*" for a secret
		capturing string // what watchers get that may capture
		program   string
	}{
		{
			"to the program", []piece{{lines, "open"}, {secret, "hunter2\r"}, {secret, "half \xc3"}, {lines, "\xa9"}, {lines, "after"}},
			"open**************after", "open**************after", "openhunter2\rhalf éafter",
		},
		{
			"to an element", []piece{{secret, "capture"}, {secret, "yes\r"}, {secret, "release"}, {secret, "pw\r"}},
			"*******", "yes\r***", "pw\r",
		},
		{
			"to an element that comes before the end of a secret", []piece{{secret, "hun"}, {secret, "capture"}, {secret, "ter2\r"}, {secret, "y"}},
			"*********", "********y", "hun",
		},
		{
			"to an element, after a secret that was dropped", []piece{{secret, "hun\x15"}, {secret, "capture"}, {secret, "y"}},
			"*****", "****y", "hun\x15",
		},
		{
			"to an element, after a program that has the echo on again", []piece{{secret, "hun"}, {lines, "x"}, {lines, "capture"}, {lines, "y"}, {secret, "n"}},
			"***xy*", "***xyn", "hunx",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				watch := func(may bool) *term.Watcher {
					return watching(t, s, term.WatchOptions{Topics: term.WatchInput, MayCapture: may})
				}
				all, capturing := watch(false), watch(true)
				defer all.Close()
				defer capturing.Close()
				v := attach(t, s)
				for _, piece := range tt.pieces {
					p.become(piece.mode, tty.Reads)
					var err error
					switch piece.text {
					case "capture":
						err = s.CaptureInput(t.Context())
					case "release":
						err = s.ReleaseInput(t.Context())
					default:
						err = v.Type(t.Context(), []byte(piece.text))
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				synctest.Wait()
				for _, w := range []struct {
					*term.Watcher
					want string
				}{{all, tt.all}, {capturing, tt.capturing}} {
					u, err := w.Next(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					got := ""
					for _, e := range u.Events {
						switch typed := e.Input.Typed; {
						case typed == nil:
						case typed.Secret:
							got += "*"
							if len(typed.Raw) > 0 || typed.Parsed != nil {
								t.Errorf("a secret: %q, %+v", typed.Raw, typed.Parsed)
							}
						default:
							got += string(typed.Raw)
						}
					}
					if got != w.want {
						t.Errorf("events with %q, want %q", got, w.want)
					}
				}
				if got := p.input(); got != tt.program {
					t.Errorf("the program got %q, want %q", got, tt.program)
				}
			})
		})
	}
}
