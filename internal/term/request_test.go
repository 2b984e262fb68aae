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
	"ui-mcp/internal/term/tty"
)

const password = "correct horse"

var agent = term.Sender{Kind: term.SenderMCP, Name: "agent"}

// driven runs a test with a session that an agent has created, whose program the test plays.
func driven(t *testing.T, f func(t *testing.T, p *script, s *term.Session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := newScript()
		r := scripted(t, nil, p)
		defer r.Close()
		f(t, p, create(t, r, term.CreateOptions{Name: "s", Command: "./deploy", Dir: "/project", Cols: 40, Rows: 6, Creator: agent}))
	})
}

// prompts makes the program ask.
func (p *script) prompts(mode tty.Mode, text string) {
	p.become(mode, tty.Reads)
	p.say(text)
}

type requested struct {
	request term.Request
	ok      bool
	err     error
}

// await waits for a request in the background, as often as the state of the session allows it.
func awaitRequest(ctx context.Context, s *term.Session, secrets bool) <-chan requested {
	c := make(chan requested, 1)
	go func() {
		for {
			if _, err := s.WaitState(ctx, term.StateOptions{States: []term.State{term.StateLine, term.StateSecret}, MaxWait: term.MaxWait}); err != nil && fault.KindOf(err) != fault.Timeout {
				c <- requested{err: err}
				return
			}
			if r, ok, err := s.AwaitRequest(ctx, secrets); ok || err != nil {
				c <- requested{r, ok, err}
				return
			}
		}
	}()
	return c
}

// pending fails the test if there is a request within a time.
func pending(t *testing.T, c <-chan requested, d time.Duration, what string) {
	t.Helper()
	select {
	case r := <-c:
		t.Fatalf("%s: %+v", what, r)
	case <-time.After(d):
	}
}

func arrives(t *testing.T, c <-chan requested) term.Request {
	t.Helper()
	select {
	case r := <-c:
		if !r.ok || r.err != nil {
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
		if err != nil {
			t.Fatal(err)
		}
		defer watch.Close()
		c := awaitRequest(ctx, s, true)
		p.say("one\r\ntwo\x1b[31m\r\n")
		start := time.Now()
		p.prompts(tty.ModeSecret, "Pass\u202eword: ")
		r := arrives(t, c)
		if took := time.Since(start); took < time.Second || took > 3*time.Second {
			t.Errorf("it took %v", took)
		}
		if got := fmt.Sprintf("%v|%s|%s|%s|%v|%q", r.Secret, r.Prompt, r.Command, r.Dir, r.Again, r.Screen); got != `true|Pass\u202eword:|job|/dir|false|["one" "two" "Pass\\u202eword:"]` {
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
		if err := r.Answer(ctx, term.RequestAnswer{Text: password}); err != nil {
			t.Fatal(err)
		}
		if err := <-over; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if got := p.input(); got != password+"\r" {
			t.Errorf("the program got %q", got)
		}
		typed, err := s.Typed(ctx, 0, 10)
		if err != nil || len(typed) != 1 || typed[0].From.Kind != term.SenderQuestion || !typed[0].Secret || typed[0].Count != 1 || typed[0].Text != "" {
			t.Errorf("the ledger has %+v, %v", typed, err)
		}
		// A second answer finds no prompt.
		if err := r.Answer(ctx, term.RequestAnswer{Text: password}); fault.DetailOf(err) != term.RequestOver {
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

// Prompts that nobody should be asked about.
func TestNoRequest(t *testing.T) {
	for name, f := range map[string]func(t *testing.T, p *script, s *term.Session){
		"a line, if only secrets count": func(t *testing.T, p *script, s *term.Session) { p.prompts(tty.ModeLines, "Really? ") },
		"a line without a prompt":       func(t *testing.T, p *script, s *term.Session) { p.prompts(tty.ModeLines, "waits\r\n") },
		"an editor":                     func(t *testing.T, p *script, s *term.Session) { p.prompts(tty.ModeKeys, ">>> ") },
		"a program that works": func(t *testing.T, p *script, s *term.Session) {
			p.become(tty.ModeSecret, tty.ReadsNot)
			p.say("Checking... ")
		},
		"a program that says nothing, where the system does not tell": func(t *testing.T, p *script, s *term.Session) {
			p.say("Checking\r\n")
			p.become(tty.ModeSecret, tty.ReadingUnknown)
		},
		"a person is attached": func(t *testing.T, p *script, s *term.Session) {
			sit(t, s, term.ViewerOptions{})
			p.prompts(tty.ModeSecret, "Password: ")
		},
		"a line was begun": func(t *testing.T, p *script, s *term.Session) {
			p.prompts(tty.ModeSecret, "Password: ")
			if err := s.Send(t.Context(), []byte("hal")); err != nil {
				t.Error(err)
			}
		},
		"it was left to others": func(t *testing.T, p *script, s *term.Session) {
			c := awaitRequest(t.Context(), s, true)
			p.prompts(tty.ModeSecret, "Password: ")
			if err := arrives(t, c).Leave(t.Context()); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			driven(t, func(t *testing.T, p *script, s *term.Session) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				f(t, p, s)
				secrets := !strings.Contains(name, "without a prompt") && name != "an editor"
				pending(t, awaitRequest(ctx, s, secrets), 5*time.Minute, name)
			})
		})
	}
}

// A prompt that changes within a second, and one that is answered at once, are no requests.
func TestRequestNeedsPause(t *testing.T) {
	driven(t, func(t *testing.T, p *script, s *term.Session) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := awaitRequest(ctx, s, true)
		p.become(tty.ModeSecret, tty.Reads)
		for i := range 10 {
			p.say(fmt.Sprintf("\rPassword (%d s): ", 10-i))
			pending(t, c, 900*time.Millisecond, "a countdown")
		}
		if err := s.Send(ctx, []byte("x\r")); err != nil {
			t.Fatal(err)
		}
		pending(t, c, 900*time.Millisecond, "it was just answered")
		arrives(t, c)
	})
}

// A session in which a person works is left alone, also one that an agent used before; one that
// runs what an agent has entered is not.
func TestRequestOfAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newScript()
		r := scripted(t, nil, p)
		defer r.Close()
		s := create(t, r, term.CreateOptions{Name: "s"})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := awaitRequest(ctx, s, true)
		p.prompts(tty.ModeSecret, "Password: ")
		pending(t, c, time.Minute, "nobody has used the session")
		if err := s.Send(term.WithSender(ctx, agent), []byte("x\r")); err != nil {
			t.Fatal(err)
		}
		arrives(t, c)
		c = awaitRequest(ctx, s, true)
		d := sit(t, s, term.ViewerOptions{})
		d.press(t, "y\r")
		d.Close()
		pending(t, c, time.Minute, "a person has entered the last line")
	})
}

// An answer never reaches a prompt that the person has not seen.
func TestAnswerToAnother(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, p *script, s *term.Session){
		"another text":       func(t *testing.T, p *script, s *term.Session) { p.say("\r\nNew password: ") },
		"the same once more": func(t *testing.T, p *script, s *term.Session) { p.say("\r\nPassword: ") },
		"the echo is on":     func(t *testing.T, p *script, s *term.Session) { p.become(tty.ModeLines, tty.Reads) },
		"keys":               func(t *testing.T, p *script, s *term.Session) { p.become(tty.ModeKeys, tty.Reads) },
		"it works":           func(t *testing.T, p *script, s *term.Session) { p.become(tty.ModeSecret, tty.ReadsNot) },
		"answered by another": func(t *testing.T, p *script, s *term.Session) {
			if err := s.Send(t.Context(), []byte("x\r")); err != nil {
				t.Error(err)
			}
		},
		"a line was begun": func(t *testing.T, p *script, s *term.Session) {
			if err := s.Send(t.Context(), []byte("x")); err != nil {
				t.Error(err)
			}
		},
		"output waits": func(t *testing.T, p *script, s *term.Session) {
			p.mu.Lock()
			p.output = true
			p.mu.Unlock()
		},
		"ended": func(t *testing.T, p *script, s *term.Session) {
			p.end(tty.Exit{})
			<-s.Ended()
		},
	} {
		t.Run(name, func(t *testing.T) {
			driven(t, func(t *testing.T, p *script, s *term.Session) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c := awaitRequest(ctx, s, true)
				p.prompts(tty.ModeSecret, "Password: ")
				r := arrives(t, c)
				change(t, p, s)
				synctest.Wait()
				before := p.input()
				err := r.Answer(ctx, term.RequestAnswer{Text: password})
				if fault.KindOf(err) != fault.Gone || strings.Contains(fmt.Sprint(err), password) {
					t.Errorf("Answer = %v", err)
				}
				synctest.Wait()
				if got := p.input(); got != before {
					t.Errorf("the program got %q", got)
				}
				if name == "output waits" {
					return
				}
				if err := r.AwaitEnd(ctx); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A wrong answer leads to another request, which says so.
func TestRequestAgain(t *testing.T) {
	driven(t, func(t *testing.T, p *script, s *term.Session) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for i := range 3 {
			c := awaitRequest(ctx, s, true)
			p.prompts(tty.ModeSecret, "Password: ")
			r := arrives(t, c)
			if r.Again != (i > 0) {
				t.Errorf("request %d: again %v", i, r.Again)
			}
			if err := r.Answer(ctx, term.RequestAnswer{Text: "wrong"}); err != nil {
				t.Fatal(err)
			}
			p.say("\r\nSorry, try again.\r\n")
		}
	})
}

// A person who looks at the session ends a request, and their departure brings it back.
func TestRequestAndAttending(t *testing.T) {
	driven(t, func(t *testing.T, p *script, s *term.Session) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := awaitRequest(ctx, s, true)
		p.prompts(tty.ModeSecret, "Password: ")
		r := arrives(t, c)
		v, err := s.AttachViewer(term.ViewerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.AwaitEnd(ctx); err != nil {
			t.Error(err)
		}
		c = awaitRequest(ctx, s, true)
		pending(t, c, time.Minute, "a person is attached")
		v.Close()
		arrives(t, c)
	})
}

// Invalid answers are refused and change nothing.
func TestInvalidAnswer(t *testing.T) {
	driven(t, func(t *testing.T, p *script, s *term.Session) {
		c := awaitRequest(t.Context(), s, true)
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
		if err := r.Answer(t.Context(), term.RequestAnswer{Interrupt: true}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if got := p.input(); got != "\x03" {
			t.Errorf("the program got %q", got)
		}
	})
}

// While a person is asked, a session does not need the agent, and its command is reported so.
func TestPersonAsked(t *testing.T) {
	driven(t, func(t *testing.T, p *script, s *term.Session) {
		ctx, cancel := context.WithCancel(term.WithSender(t.Context(), agent))
		defer cancel()
		c := awaitRequest(ctx, s, true)
		p.prompts(tty.ModeSecret, "Password: ")
		r := arrives(t, c)
		s.AskPerson(true)
		synctest.Wait()
		if !s.Info().PersonAsked {
			t.Error("the session does not say that a person is asked")
		}
		if _, err := s.WaitState(ctx, term.StateOptions{MaxWait: time.Minute}); fault.KindOf(err) != fault.Timeout {
			t.Errorf("WaitState = %v", err)
		}
		if a, err := s.WaitState(ctx, term.StateOptions{States: []term.State{term.StateSecret}}); err != nil || a.State != term.StateSecret {
			t.Errorf("WaitState for a secret = %v, %v", a.State, err)
		}
		if _, err := s.RunCommand(ctx, "x", term.RunOptions{Refuse: true}); fault.DetailOf(err) != term.NotTyped {
			t.Errorf("RunCommand = %v", err)
		}
		needed := make(chan error, 1)
		go func() {
			_, err := s.WaitState(ctx, term.StateOptions{MaxWait: time.Minute})
			needed <- err
		}()
		synctest.Wait()
		if err := r.Leave(ctx); err != nil {
			t.Error(err)
		}
		s.AskPerson(false)
		if err := <-needed; err != nil {
			t.Errorf("after the person has left it: %v", err)
		}
	})
}

// Callers learn that somebody is attached, and where.
func TestAttendance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scripted(t, nil, newScript(), newScript())
		defer r.Close()
		one := create(t, r, term.CreateOptions{Dir: "/a"})
		create(t, r, term.CreateOptions{Dir: "/b"})
		came := r.Attendance()
		v, err := one.AttachViewer(term.ViewerOptions{Client: term.ClientOptions{ReadOnly: true}})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
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
