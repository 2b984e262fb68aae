package term_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

// In a session that asks who may type, a program's input waits for the person, who can allow it
// once or always, or refuse. What the person types is not asked about.
func TestAskToType(t *testing.T) {
	bubbleWith(t, registry.CreateOptions{Name: "s", Cols: 40, Rows: 20, AskToType: true}, func(t *testing.T, p *script, s *term.Session) {
		one := term.WithSender(t.Context(), core.Sender{Kind: core.SenderMCP, Name: "one", Peer: "1"})
		again := term.WithSender(t.Context(), core.Sender{Kind: core.SenderMCP, Name: "one", Peer: "2"})
		two := term.WithSender(t.Context(), core.Sender{Kind: core.SenderHTTP, Name: "two"})
		refused := func(err error, text string) {
			t.Helper()
			if fault.DetailOf(err) != core.NotPermitted || fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), text) {
				t.Errorf("the error is %v, want %q in it", err, text)
			}
		}
		refused(s.Send(one, []byte("x")), "nobody is attached")
		deaf := attachWith(t, s, term.ViewerOptions{}) // which reads nothing
		must(t, deaf.Fit(t.Context(), 40, 20))
		refused(s.Send(one, []byte("x")), "do not respond")
		deaf.Close()
		synctest.Wait()
		d := sit(t, s, term.ViewerOptions{})
		synctest.Wait()
		// Nobody is asked about what cannot be typed anyway: the test would wait for the person.
		for name, err := range map[string]error{
			"keys":  s.Keys(one, "NoSuchKey"),
			"mouse": s.Mouse(one, keys.MouseEvent{Action: keys.Press, Button: keys.Left, Col: 500}),
		} {
			if err == nil || fault.DetailOf(err) == core.NotPermitted {
				t.Errorf("%s: the error is %v", name, err)
			}
		}
		// types lets a program type, and the person answer.
		types := func(ctx context.Context, text, answer string) error {
			t.Helper()
			result := make(chan error, 1)
			go func() { result <- s.Send(ctx, []byte(text)) }()
			time.Sleep(2 * time.Second)
			if answer != "" {
				if !d.sees(text) {
					t.Errorf("the person does not see %q", text)
				}
				d.press(t, answer)
			}
			return <-result
		}
		refused(types(one, "first", "3"), "does not want")
		refused(types(one, "escaped", "\x1b"), "does not want")
		must(t, types(one, "second", "1"))
		must(t, types(one, "third", "2"))
		if err := types(again, "fourth", ""); err != nil { // allowed always
			t.Error(err)
		}
		time.Sleep(time.Second)
		d.press(t, "mine")
		time.Sleep(time.Second)
		refused(types(two, "fifth", "3"), "does not want")

		// A person permits what they can read, all of it, and nothing else.
		long := make(chan error, 1)
		go func() { long <- s.Send(two, []byte(strings.Repeat("x", 6000)+"; rm -r .")) }()
		time.Sleep(2 * time.Second)
		for range 300 {
			d.press(t, "\x1b[6~")
			time.Sleep(10 * time.Millisecond)
		}
		if !d.sees("rm -r .") {
			t.Errorf("the person does not see the end of what is typed:\n%s", strings.Join(plain(d.screen.Snapshot()), "\n"))
		}
		d.press(t, "3")
		refused(<-long, "does not want")
		refused(s.Send(two, bytes.Repeat([]byte("x"), 70_000)), "too long")

		late := make(chan error, 1)
		go func() { late <- s.Keys(two, "C-c") }()
		time.Sleep(time.Second)
		synctest.Wait()
		if !d.sees("two (HTTP)") || !d.sees("keys C-c") {
			t.Error("the person does not see who wants to press which key")
		}
		refused(<-late, "did not answer")

		// One who leaves has not decided, and is asked again when they are back.
		for _, back := range []bool{true, false} {
			left := make(chan error, 1)
			go func() { left <- s.Send(two, []byte("sixth")) }()
			time.Sleep(time.Second)
			d.Close()
			time.Sleep(10 * time.Second)
			if back {
				d = sit(t, s, term.ViewerOptions{})
				time.Sleep(time.Second)
				d.press(t, "1")
				must(t, <-left)
				continue
			}
			refused(<-left, "did not answer")
		}

		ctx, cancel := context.WithTimeoutCause(two, time.Second, context.Canceled)
		defer cancel()
		if _, err := s.RunCommand(ctx, "line", term.RunOptions{}); err == nil {
			t.Error("a command was run")
		}
		if got, want := p.input(), "secondthirdfourthminesixth"; got != want {
			t.Errorf("the program gets %q, want %q", got, want)
		}
	})
}

// asked runs a test in which a person is asked about what a program types.
func asked(t *testing.T, f func(t *testing.T, p *script, s *term.Session, d *attendee)) {
	t.Helper()
	bubbleWith(t, registry.CreateOptions{Name: "s", Cols: 40, Rows: 20, AskToType: true}, func(t *testing.T, p *script, s *term.Session) {
		f(t, p, s, sit(t, s, term.ViewerOptions{}))
	})
}

// begin types something in the background, until the person is asked about it.
func begin(t *testing.T, s *term.Session, do func(context.Context, *term.Session) error) <-chan error {
	result := make(chan error, 1)
	go func() { result <- do(t.Context(), s) }()
	time.Sleep(2 * time.Second)
	return result
}

// While a program asks for a secret, the person sees signals. What the person has permitted as a
// secret, without seeing it, is typed as such or not at all: the program that asked for it may have
// ended meanwhile.
func TestAskToTypeAtSecret(t *testing.T) {
	const secret = "a secret of"
	for name, tt := range map[string]struct {
		do     func(context.Context, *term.Session) error
		late   bool // the program does not ask any more when the person answers
		answer string
		sees   []string
		gets   string // or "refused"
	}{
		"a signal":               {func(ctx context.Context, s *term.Session) error { return s.Signal(ctx, "KILL") }, false, "3", []string{"signal KILL"}, "refused"},
		"text, too late":         {text("hunter2\r"), true, "1", []string{secret}, "refused"},
		"text, always, too late": {text("hunter2\r"), true, "2", []string{secret}, "refused"},
		"a command, too late":    {runs("hunter2"), true, "1", []string{secret}, "refused"},
	} {
		asked(t, func(t *testing.T, p *script, s *term.Session, d *attendee) {
			p.become(tty.ModeSecret, tty.Reads)
			result := begin(t, s, tt.do)
			for _, text := range tt.sees {
				if !d.sees(text) {
					t.Errorf("%s: the person does not see %q", name, text)
				}
			}
			if d.sees("hunter2") || d.sees(secret) != (tt.sees[0] != "signal KILL") {
				t.Errorf("%s: the person sees the secret, or that there is one", name)
			}
			if tt.late {
				p.become(tty.ModeLines, tty.Reads)
			}
			d.press(t, tt.answer)
			err := <-result
			got := p.input()
			if err != nil {
				got += "refused"
			}
			if got != tt.gets || err != nil && fault.DetailOf(err) != core.NotPermitted {
				t.Errorf("%s: the program got %q, %v", name, got, err)
			}
		})
	}
}

// A person who is asked about a secret while another question is displayed sees what is typed as it
// is when the question is displayed.
func TestAskToTypeInTurn(t *testing.T) {
	asked(t, func(t *testing.T, p *script, s *term.Session, d *attendee) {
		first := begin(t, s, text("first\r"))
		p.become(tty.ModeSecret, tty.Reads)
		second := begin(t, s, text("rm x\r"))
		p.become(tty.ModeLines, tty.Reads)
		d.press(t, "3")
		<-first
		time.Sleep(2 * time.Second)
		if d.sees("a secret of") || !d.sees("rm x") {
			t.Error("the person does not see what would be typed")
		}
		d.press(t, "3")
		<-second
	})
}
