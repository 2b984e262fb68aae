package term_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/vt"
)

var allow = dialog.Question{Title: "Allow?", Message: "rm -rf /", Options: []string{"Allow", "Refuse"}}

// An attendee is a person with a terminal that is attached to a session.
type attendee struct {
	*term.Viewer

	mu     sync.Mutex // guards the field below
	screen *vt.Terminal
}

// sit attaches a terminal of 40 columns and 20 rows, and keeps it up to date until the test ends.
func sit(t *testing.T, s *term.Session, o term.ViewerOptions) *attendee {
	t.Helper()
	v, err := s.AttachViewer(o)
	if err != nil {
		t.Fatal(err)
	}
	d := &attendee{Viewer: v, screen: window(t, 40, 20)}
	if err := v.Fit(t.Context(), 40, 20); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			b, err := v.Next(ctx)
			if err != nil {
				return
			}
			d.mu.Lock()
			_, err = d.screen.Write(b)
			d.mu.Unlock()
			if err != nil {
				t.Error(err)
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done; v.Close() })
	return d
}

// sees reports whether the terminal displays a text.
func (d *attendee) sees(text string) bool {
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Contains(strings.Join(plain(d.screen.Snapshot()), "\n"), text)
}

func (d *attendee) press(t *testing.T, keys string) {
	t.Helper()
	if err := d.Type(t.Context(), []byte(keys)); err != nil {
		t.Error(err)
	}
	synctest.Wait()
}

type outcome struct {
	text  string
	reply dialog.Reply
	err   error
}

// inquire asks in the background.
func inquire(ctx context.Context, s *term.Session, q dialog.Question) <-chan outcome {
	c := make(chan outcome, 1)
	go func() {
		r, err := s.Ask(ctx, q)
		c <- outcome{r.Text, r.Reply, err}
	}()
	return c
}

func open(t *testing.T, c <-chan outcome) {
	t.Helper()
	synctest.Wait()
	select {
	case o := <-c:
		t.Fatalf("the question is over: %+v", o)
	default:
	}
}

// The first reply at any terminal counts, and the question disappears everywhere. The program gets
// no key of it.
func TestAsk(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		one, two, reader := sit(t, s, term.ViewerOptions{}), sit(t, s, term.ViewerOptions{}), sit(t, s, term.ViewerOptions{Client: term.ClientOptions{ReadOnly: true}})
		p.say("below")
		asked := inquire(t.Context(), s, allow)
		time.Sleep(100 * time.Millisecond)
		open(t, asked)
		if !one.sees("rm -rf /") || !two.sees("rm -rf /") {
			t.Fatal("a terminal does not display the question")
		}
		if reader.sees("rm -rf /") {
			t.Error("a terminal displays it that cannot answer")
		}
		if f, err := s.Picture(t.Context()); err != nil || strings.Contains(strings.Join(f.Plain(), "\n"), "rm") {
			t.Errorf("it is in the picture that agents see: %v", err)
		}
		one.press(t, "1") // at once: too soon
		open(t, asked)
		time.Sleep(time.Second)
		reader.press(t, "1")
		open(t, asked)
		two.press(t, "2")
		if o := <-asked; o.reply != 1 || o.err != nil {
			t.Errorf("reply %d, %v", o.reply, o.err)
		}
		time.Sleep(time.Second)
		if one.sees("rm") || two.sees("rm") || !one.sees("below") {
			t.Error("the question is still displayed")
		}
		one.press(t, "x")
		if got := p.input(); got != "x" {
			t.Errorf("the program got %q", got)
		}
	})
}

// A person who is typing is not interrupted, and what they type answers nothing.
func TestAskWhileTyping(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		d := sit(t, s, term.ViewerOptions{})
		synctest.Wait()
		d.press(t, "a")
		asked := inquire(t.Context(), s, allow)
		for range 30 { // longer than a question waits to be displayed
			d.press(t, "1")
			open(t, asked)
			if d.sees("rm") {
				t.Fatal("it is displayed between two keys")
			}
			time.Sleep(400 * time.Millisecond)
		}
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		if !d.sees("rm") {
			t.Fatal("it is not displayed after a pause")
		}
		for range 10 { // they go on, without a look
			d.press(t, "1")
			open(t, asked)
			time.Sleep(400 * time.Millisecond)
		}
		time.Sleep(time.Second)
		d.press(t, "1\r") // pasted, or typed ahead
		open(t, asked)
		time.Sleep(time.Second)
		d.press(t, "\x1b[200~1\x1b[201~")
		open(t, asked)
		time.Sleep(time.Second)
		d.press(t, "\t")
		d.press(t, "\r") // at once: the person uses the dialog
		if o := <-asked; o.reply != 0 || o.err != nil {
			t.Errorf("reply %d, %v", o.reply, o.err)
		}
		if got, want := p.input(), "a"+strings.Repeat("1", 30); got != want {
			t.Errorf("the program got %q, want %q", got, want)
		}
	})
}

func TestAskPutAway(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{"Escape": "\x1b", `Ctrl+\`: "\x1c", "Ctrl-C": "\x03"} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				d := sit(t, s, term.ViewerOptions{})
				asked := inquire(t.Context(), s, allow)
				time.Sleep(time.Second)
				d.press(t, key)
				if o := <-asked; o.reply != dialog.PutAway || o.err != nil {
					t.Errorf("reply %d, %v", o.reply, o.err)
				}
				if mode, err := s.InputMode(t.Context()); err != nil || mode != "passthrough" || p.input() != "" {
					t.Errorf("the key has done more: %s, %v, %q", mode, err, p.input())
				}
			})
		})
	}
}

// Questions are displayed one at a time, in order; one whose asker gives up disappears. A question
// that ends while a person types the answer takes the rest of what they type, until they press
// Escape: half a password is not for the program below. Nobody else is disturbed.
func TestAskEndsWhileTyping(t *testing.T) {
	t.Parallel()
	password := dialog.Question{Title: "Password?", Message: "For the archive", Text: true, Secret: true}
	for name, end := range map[string]func(t *testing.T, withdraw func(), other *attendee){
		"withdrawn": func(_ *testing.T, withdraw func(), _ *attendee) { withdraw() },
		"answered at another terminal": func(t *testing.T, _ func(), other *attendee) {
			for _, key := range []string{"\t", "p", "w", "\r"} {
				other.press(t, key)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				one, other, watching := sit(t, s, term.ViewerOptions{}), sit(t, s, term.ViewerOptions{}), sit(t, s, term.ViewerOptions{})
				ctx, cancel := context.WithCancel(t.Context())
				asked := inquire(ctx, s, password)
				time.Sleep(time.Second)
				open(t, asked)
				for _, key := range []string{"\t", "h", "a", "l", "f"} {
					one.press(t, key)
				}
				end(t, cancel, other)
				<-asked
				time.Sleep(time.Second)
				if !one.sees("The question is over") || one.sees("•") {
					t.Error("the terminal does not say that the question is over")
				}
				if other.sees("question") || other.sees("Password") || watching.sees("question") || watching.sees("Password") {
					t.Error("another terminal still displays it")
				}
				for _, keys := range []string{"h", "a", "\r", "\x1b[200~lf\x1b[201~", "\r"} {
					one.press(t, keys)
				}
				if got := p.input(); got != "" {
					t.Errorf("the program got %q", got)
				}
				// The next question waits until the person knows.
				next := inquire(t.Context(), s, allow)
				time.Sleep(time.Second)
				if !one.sees("The question is over") || !watching.sees("rm -rf /") {
					t.Error("the next question took its place")
				}
				one.press(t, "\x1b")
				time.Sleep(time.Second)
				if !one.sees("rm -rf /") {
					t.Error("the next question does not follow")
				}
				one.press(t, "1")
				if o := <-next; o.reply != 0 || o.err != nil {
					t.Errorf("the next one: %+v", o)
				}
				time.Sleep(time.Second)
				one.press(t, "x")
				if got := p.input(); got != "x" {
					t.Errorf("the program got %q", got)
				}
			})
		})
	}
}

func TestAskSeveral(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		d := sit(t, s, term.ViewerOptions{})
		first, second, third := allow, allow, allow
		first.Title, second.Title, third.Title = "First", "Second", "Third"
		ctx, cancel := context.WithCancelCause(t.Context())
		asked := []<-chan outcome{inquire(t.Context(), s, first), nil, nil}
		synctest.Wait()
		asked[1] = inquire(ctx, s, second)
		synctest.Wait()
		asked[2] = inquire(t.Context(), s, third)
		time.Sleep(time.Minute) // waiting in the queue costs no patience
		open(t, asked[2])
		if !d.sees("First") {
			t.Fatal("the first one is not displayed")
		}
		why := errors.New("given up")
		d.press(t, "1")
		if o := <-asked[0]; o.reply != 0 || o.err != nil {
			t.Errorf("first: %+v", o)
		}
		time.Sleep(time.Second)
		if !d.sees("Second") {
			t.Error("the second one does not follow")
		}
		cancel(why)
		if o := <-asked[1]; o.err != why {
			t.Errorf("second: %+v", o)
		}
		time.Sleep(time.Second)
		if !d.sees("Third") {
			t.Error("the third one does not follow")
		}
		d.press(t, "2")
		if o := <-asked[2]; o.reply != 1 || o.err != nil {
			t.Errorf("third: %+v", o)
		}
	})
}

func TestAskNobody(t *testing.T) {
	t.Parallel()
	isNobody := func(t *testing.T, o outcome) {
		t.Helper()
		if fault.KindOf(o.err) != fault.Precondition || fault.DetailOf(o.err) != term.NobodyAttached {
			t.Errorf("reply %d, %v", o.reply, o.err)
		}
	}
	t.Run("nobody is attached", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			if s.Attended() {
				t.Error("it is attended")
			}
			isNobody(t, <-inquire(t.Context(), s, allow))
		})
	})
	t.Run("only somebody who may not type", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			sit(t, s, term.ViewerOptions{Client: term.ClientOptions{ReadOnly: true}})
			synctest.Wait()
			if s.Attended() {
				t.Error("it is attended")
			}
			isNobody(t, <-inquire(t.Context(), s, allow))
		})
	})
	t.Run("the terminal is too small", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			d := sit(t, s, term.ViewerOptions{})
			if err := d.Fit(t.Context(), 10, 3); err != nil {
				t.Fatal(err)
			}
			asked := inquire(t.Context(), s, allow)
			time.Sleep(time.Second)
			d.press(t, "x")
			isNobody(t, <-asked)
			if got := p.input(); got != "x" {
				t.Errorf("the program got %q", got)
			}
		})
	})
	t.Run("the client displays nothing", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			v := attach(t, s)
			if err := v.Fit(t.Context(), 40, 20); err != nil {
				t.Fatal(err)
			}
			if _, err := v.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
			asked := inquire(t.Context(), s, allow)
			synctest.Wait()
			if err := v.Type(t.Context(), []byte("x")); err != nil {
				t.Fatal(err)
			}
			isNobody(t, <-asked)
			if got := p.input(); got != "x" {
				t.Errorf("the program got %q", got)
			}
		})
	})
	t.Run("the person leaves", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			d := sit(t, s, term.ViewerOptions{})
			synctest.Wait()
			if !s.Attended() {
				t.Error("it is not attended")
			}
			asked := inquire(t.Context(), s, allow)
			time.Sleep(time.Second)
			open(t, asked)
			d.Close()
			if o := <-asked; fault.KindOf(o.err) != fault.Gone {
				t.Errorf("reply %d, %v", o.reply, o.err)
			}
			d.Close() // twice
			synctest.Wait()
			if s.Attended() {
				t.Error("it is attended")
			}
		})
	})
	t.Run("the person is detached", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			d := sit(t, s, term.ViewerOptions{})
			asked := inquire(t.Context(), s, allow)
			time.Sleep(time.Second)
			open(t, asked)
			s.Detach()
			<-d.Detached()
			d.Close()
			if o := <-asked; fault.KindOf(o.err) != fault.Gone {
				t.Errorf("reply %d, %v", o.reply, o.err)
			}
		})
	})
	t.Run("the program ends", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			d := sit(t, s, term.ViewerOptions{})
			asked := inquire(t.Context(), s, allow)
			open(t, asked)
			p.end(pty.Exit{})
			if o := <-asked; fault.KindOf(o.err) != fault.Gone {
				t.Errorf("reply %d, %v", o.reply, o.err)
			}
			synctest.Wait()
			if d.sees("rm") {
				t.Error("the last picture has the question")
			}
		})
	})
}

// A question is displayed on a terminal that is attached while another one has it.
func TestAskLater(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		one := sit(t, s, term.ViewerOptions{})
		asked := inquire(t.Context(), s, allow)
		time.Sleep(time.Second)
		open(t, asked)
		two := sit(t, s, term.ViewerOptions{})
		time.Sleep(time.Second)
		if !two.sees("rm") {
			t.Error("the new terminal does not display it")
		}
		one.Close()
		open(t, asked)
		two.press(t, "1")
		if o := <-asked; o.reply != 0 || o.err != nil {
			t.Errorf("reply %d, %v", o.reply, o.err)
		}
	})
}

// A question in a picture that nobody could see does not count as displayed, and takes no keys.
func TestAskUnseen(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		v, err := s.AttachViewer(term.ViewerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		if err := v.Fit(t.Context(), 40, 20); err != nil {
			t.Fatal(err)
		}
		w := window(t, 40, 20)
		asked := inquire(t.Context(), s, allow)
		synctest.Wait()
		follow(t, v, w) // has the question
		v.Unseen()
		p.say("later")
		follow(t, v, w)
		v.Unseen()
		if err := v.Type(t.Context(), []byte("y")); err != nil {
			t.Error(err)
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		select {
		case o := <-asked:
			if fault.DetailOf(o.err) != term.NobodyAttached {
				t.Errorf("the question ends with %+v", o)
			}
		default:
			t.Error("the question still waits")
		}
		if got := p.input(); got != "y" {
			t.Errorf("the program gets %q", got)
		}
	})
}
