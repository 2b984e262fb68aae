package term_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

const password = "correct horse"

var agent = core.Sender{Kind: core.SenderMCP, Name: "agent"}

// driven runs a test with a session that an agent has created, whose program the test plays.
func driven(t *testing.T, f func(t *testing.T, p *script, s *term.Session)) {
	t.Helper()
	bubbleWith(t, registry.CreateOptions{Name: "s", Command: "./deploy", Dir: "/project", Cols: 40, Rows: 6, Creator: agent}, f)
}

// prompts makes the program ask.
func (p *script) prompts(mode tty.Mode, text string) {
	p.become(mode, tty.Reads)
	p.say(text)
}

type requested struct {
	request term.Request
	err     error
}

// awaitRequest waits for a request in the background.
func awaitRequest(ctx context.Context, s *term.Session) <-chan requested {
	c := make(chan requested, 1)
	go func() {
		r, err := s.AwaitRequest(ctx)
		c <- requested{r, err}
	}()
	return c
}

func arrives(t *testing.T, c <-chan requested) term.Request {
	t.Helper()
	select {
	case r := <-c:
		if r.err != nil {
			t.Fatalf("no request: %v", r.err)
		}
		return r.request
	case <-time.After(time.Minute):
		t.Fatal("no request")
		return term.Request{}
	}
}

// A request says what a person needs to know, and its answer reaches the program and nobody else.
func TestRequest(t *testing.T) {
	driven(t, func(t *testing.T, p *script, s *term.Session) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		watch, err := s.Watch(ctx, term.WatchOptions{Topics: term.WatchInput, MayCapture: true})
		must(t, err)
		defer watch.Close()
		c := awaitRequest(ctx, s)
		p.say("one\r\ntwo\x1b[31m\r\n")
		start := time.Now()
		p.prompts(tty.ModeSecret, "Pass\u202eword: ")
		r := arrives(t, c)
		if took := time.Since(start); took < time.Second || took > 3*time.Second {
			t.Errorf("it took %v", took)
		}
		if got := fmt.Sprintf("%v|%s|%s|%s|%q", r.Secret, r.Prompt, r.Command, r.Dir, r.Screen); got != `true|Pass\u202eword:|job|/dir|["one" "two" "Pass\\u202eword:"]` {
			t.Errorf("request %s", got)
		}
		over := make(chan error, 1)
		go func() { over <- r.AwaitEnd(ctx) }()
		time.Sleep(time.Minute)
		select {
		case err := <-over:
			t.Fatalf("the request is over: %v", err)
		default:
		}
		must(t, r.Answer(ctx, term.RequestAnswer{Text: password}))
		must(t, <-over)
		synctest.Wait()
		if got := p.input(); got != password+"\r" {
			t.Errorf("the program got %q", got)
		}
		typed, err := s.Typed(ctx, 0, 10)
		if err != nil || len(typed) != 1 || typed[0].From.Kind != core.SenderQuestion || !typed[0].Secret || typed[0].Count != 1 || typed[0].Text != "" {
			t.Errorf("the ledger has %+v, %v", typed, err)
		}
		// A second answer finds no prompt.
		if err := r.Answer(ctx, term.RequestAnswer{Text: password}); fault.DetailOf(err) != core.RequestOver {
			t.Errorf("a second answer: %v", err)
		}
		limited, stop := context.WithTimeout(ctx, time.Second)
		defer stop()
		for {
			u, err := watch.Next(limited)
			if err != nil {
				break
			}
			for _, e := range u.Events {
				t.Errorf("a watcher of input got %+v", e)
			}
		}
	})
}

// Invalid answers are refused and change nothing.
func TestInvalidAnswer(t *testing.T) {
	driven(t, func(t *testing.T, p *script, s *term.Session) {
		c := awaitRequest(t.Context(), s)
		p.prompts(tty.ModeSecret, "Password: ")
		r := arrives(t, c)
		for _, text := range []string{"a\nb", "a\rb", "\x03", "a\tb", "\xff", strings.Repeat("x", 1001)} {
			if err := r.Answer(t.Context(), term.RequestAnswer{Text: text}); fault.KindOf(err) != fault.Invalid {
				t.Errorf("%.10q: %v", text, err)
			}
		}
		if got := p.input(); got != "" {
			t.Errorf("the program got %q", got)
		}
		must(t, r.Answer(t.Context(), term.RequestAnswer{Interrupt: true}))
		synctest.Wait()
		if got := p.input(); got != "\x03" {
			t.Errorf("the program got %q", got)
		}
	})
}

// Callers learn that somebody is attached, and where.
func TestAttendance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scripted(t, nil, newScript(), newScript())
		one := create(t, r, registry.CreateOptions{Dir: "/a"})
		create(t, r, registry.CreateOptions{Dir: "/b"})
		came := r.Attendance()
		attachWith(t, one, term.ViewerOptions{Client: clients.Options{ReadOnly: true}})
		synctest.Wait()
		select {
		case <-came:
			t.Error("a terminal that only looks counts")
		default:
		}
		sit(t, one, term.ViewerOptions{})
		<-came
		if list := r.Reaching(false); len(list) != 1 || list[0] != one || one.Info().Dir != "/a" {
			t.Errorf("attended: %v", list)
		}
	})
}
