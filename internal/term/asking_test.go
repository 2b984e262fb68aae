package term_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

var allow = asks(question.Question{Title: "Allow?", Message: "rm -rf /", Options: []question.Option{{Label: "Allow", Value: "0"}, {Label: "Refuse", Value: "1"}}})

// asks returns a question as a session asks it.
func asks(q question.Question) dialog.Question {
	return dialog.Question{Asked: question.Asked{Question: q}}
}

// An attendee is a person with a terminal that is attached to a session.
type attendee struct {
	*term.Viewer

	mu     sync.Mutex // guards the field below
	screen *vt.Terminal
}

// sit attaches a terminal of 40 columns and 20 rows, and keeps it up to date until the test ends.
func sit(t *testing.T, s *term.Session, o term.ViewerOptions) *attendee {
	t.Helper()
	v := attachWith(t, s, o)
	d := &attendee{Viewer: v, screen: window(t, 40, 20)}
	must(t, v.Fit(t.Context(), 40, 20))
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
	must(t, d.Type(t.Context(), []byte(keys)))
	synctest.Wait()
}

type outcome struct {
	reply question.Reply
	err   error
}

// chose reports whether the question was answered with the option of that number.
func (o outcome) chose(i int) bool {
	return o.err == nil && o.reply.Action == question.Submit && slices.Equal(o.reply.Values, []string{strconv.Itoa(i)})
}

// inquire asks in the background.
func inquire(ctx context.Context, s *term.Session, q dialog.Question) <-chan outcome {
	c := make(chan outcome, 1)
	go func() {
		r, err := s.Ask(ctx, q, nil)
		c <- outcome{r, err}
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

// Keys of the person say, now and then, that they are at the question.
func TestAskActive(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, _ *script, s *term.Session) {
		d := sit(t, s, term.ViewerOptions{})
		got := make(chan question.Reply, 10)
		go s.Ask(t.Context(), allow, func(r question.Reply) error { got <- r; return nil })
		synctest.Wait()
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if len(got) > 0 {
			t.Fatalf("without a key: %+v", <-got)
		}
		for range 3 { // at once
			d.press(t, "x")
		}
		time.Sleep(time.Second)
		d.press(t, "y")
		for range 2 {
			if r := <-got; r.Action != question.Active {
				t.Errorf("got %+v", r)
			}
		}
		d.press(t, "1")
		if r := <-got; r.Action != question.Submit {
			t.Errorf("got %+v", r)
		}
	})
}

// The first reply at any terminal counts, and the question disappears everywhere. The program gets
// no key of it.
func TestAsk(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		one, two, reader := sit(t, s, term.ViewerOptions{}), sit(t, s, term.ViewerOptions{}), sit(t, s, term.ViewerOptions{Client: clients.Options{ReadOnly: true}})
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
		if o := <-asked; !o.chose(1) {
			t.Errorf("reply %+v, %v", o.reply, o.err)
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
		if o := <-asked; !o.chose(0) {
			t.Errorf("reply %+v, %v", o.reply, o.err)
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
				if o := <-asked; o.reply.Action != question.Dismiss || o.err != nil {
					t.Errorf("reply %+v, %v", o.reply, o.err)
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
	password := asks(question.Question{Title: "Password?", Message: "For the archive", AllowText: true, Secret: true})
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
				time.Sleep(time.Second + 50*time.Millisecond) // the key is held back for a moment
				if !one.sees("rm -rf /") {
					t.Error("the next question does not follow")
				}
				one.press(t, "1")
				if o := <-next; !o.chose(0) {
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
		first.Question.Title, second.Question.Title, third.Question.Title = "First", "Second", "Third"
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
		if o := <-asked[0]; !o.chose(0) {
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
		if o := <-asked[2]; !o.chose(1) {
			t.Errorf("third: %+v", o)
		}
	})
}

// A question that no terminal can display, or not any more, is over. Without a broker, it waits for
// a person who has seen it and may come back.
func TestAskNobody(t *testing.T) {
	t.Parallel()
	brokered := allow
	brokered.ID = "popup-1"
	isNobody := func(err error) bool {
		return fault.KindOf(err) == fault.Precondition && fault.DetailOf(err) == term.NobodyAttached
	}
	isLost := func(err error) bool { return errors.Is(err, term.ErrQuestionLost) }
	isGone := func(err error) bool { return fault.KindOf(err) == fault.Gone && !isLost(err) }
	sits := func(t *testing.T, s *term.Session) *attendee { return sit(t, s, term.ViewerOptions{}) }
	blind := func(t *testing.T, s *term.Session) *attendee { return &attendee{Viewer: attach(t, s)} }
	leaves := func(_ *script, _ *term.Session, d *attendee) { d.Close() }
	ends := func(p *script, _ *term.Session, _ *attendee) { p.end(tty.Exit{}) }
	for name, tt := range map[string]struct {
		attach   func(*testing.T, *term.Session) *attendee // nil: nobody
		attended bool
		ask      dialog.Question
		after    time.Duration
		then     func(*script, *term.Session, *attendee)
		is       func(error) bool
	}{
		"nobody is attached": {nil, false, allow, 0, nil, isNobody},
		"only somebody who may not type": {func(t *testing.T, s *term.Session) *attendee {
			return sit(t, s, term.ViewerOptions{Client: clients.Options{ReadOnly: true}})
		}, false, allow, 0, nil, isNobody},
		"the client displays nothing": {blind, true, allow, 0, nil, isNobody},
		"the person leaves":           {sits, true, brokered, time.Second, leaves, isLost},
		"the person is detached": {sits, true, brokered, time.Second, func(_ *script, s *term.Session, d *attendee) {
			s.DetachAll()
			<-d.Detached()
			d.Close()
		}, isLost},
		"the program ends before anybody has seen it":   {blind, true, brokered, 0, ends, isGone},
		"the program ends when a person has seen it":    {sits, true, brokered, time.Second, ends, isLost},
		"the program ends, and nobody asks by a broker": {sits, true, allow, time.Second, ends, isGone},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				var d *attendee
				if tt.attach != nil {
					d = tt.attach(t, s)
				}
				synctest.Wait()
				if s.Attended() != tt.attended {
					t.Errorf("attended: %v", s.Attended())
				}
				asked := inquire(t.Context(), s, tt.ask)
				time.Sleep(tt.after)
				if tt.attended {
					open(t, asked)
				}
				want := ""
				switch {
				case tt.then != nil:
					tt.then(p, s, d)
				case tt.attended: // what is typed is the program's
					want = "x"
					d.press(t, "x")
				}
				if o := <-asked; !tt.is(o.err) {
					t.Errorf("reply %+v, %v", o.reply, o.err)
				}
				if got := p.input(); got != want {
					t.Errorf("the program got %q", got)
				}
				if d != nil && d.screen != nil && d.sees("rm") {
					t.Error("the terminal still displays the question")
				}
			})
		})
	}
	t.Run("the person comes back", func(t *testing.T) {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			d := sit(t, s, term.ViewerOptions{})
			asked := inquire(t.Context(), s, allow)
			time.Sleep(time.Second)
			open(t, asked)
			d.Close()
			d.Close() // twice
			synctest.Wait()
			if s.Attended() {
				t.Error("it is attended")
			}
			time.Sleep(time.Minute)
			open(t, asked)
			d = sit(t, s, term.ViewerOptions{})
			time.Sleep(time.Second)
			if !d.sees("rm") {
				t.Error("the question is not displayed again")
			}
			d.press(t, "2")
			if o := <-asked; !o.chose(1) {
				t.Errorf("reply %+v, %v", o.reply, o.err)
			}
		})
	})
}

// A terminal that is too small for a question says so, and answers it when it has become larger.
func TestAskSmall(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		d := sit(t, s, term.ViewerOptions{})
		must(t, d.Fit(t.Context(), 20, 3))
		asked := inquire(t.Context(), s, allow)
		time.Sleep(20 * time.Second)
		if !d.sees("A question: enlarge") {
			t.Error("the terminal does not say that there is a question")
		}
		d.press(t, "1")
		open(t, asked)
		must(t, d.Fit(t.Context(), 40, 20))
		time.Sleep(20 * time.Second)
		d.press(t, "1")
		if o := <-asked; !o.chose(0) || p.input() != "" {
			t.Errorf("reply %+v, %v; the program got %q", o.reply, o.err, p.input())
		}
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
		if o := <-asked; !o.chose(0) {
			t.Errorf("reply %+v, %v", o.reply, o.err)
		}
	})
}

// A question in a picture that nobody could see does not count as displayed, and takes no keys.
func TestAskUnseen(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		v := attachWith(t, s, term.ViewerOptions{})
		must(t, v.Fit(t.Context(), 40, 20))
		w := window(t, 40, 20)
		asked := inquire(t.Context(), s, allow)
		synctest.Wait()
		follow(t, v, w) // has the question
		v.Unseen()
		p.say("later")
		follow(t, v, w)
		v.Unseen()
		must(t, v.Type(t.Context(), []byte("y")))
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

// at returns where a text is on the attendee's terminal, in columns and rows from 1.
func (d *attendee) at(t *testing.T, text string) (col, row int) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	for y, l := range d.screen.Snapshot().Lines {
		if before, _, ok := strings.Cut(l.Plain(), text); ok {
			return utf8.RuneCountInString(before) + 1, y + 1
		}
	}
	t.Fatalf("the terminal does not display %q", text)
	return 0, 0
}

// The terminal reports the mouse while it displays a question, whether or not the program takes
// that. Clicks are for the question, moves do not count as typing, and the program gets nothing.
func TestAskClicks(t *testing.T) {
	t.Parallel()
	for name, modes := range map[string]string{"the program takes no mouse": "", "it takes all of it": "\x1b[?1003;1006h"} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				d := sit(t, s, term.ViewerOptions{})
				p.say("below" + modes)
				time.Sleep(100 * time.Millisecond) // two pictures may follow each other: the second is later
				synctest.Wait()
				mouse := func(code int, text, final string) {
					t.Helper()
					col, row := d.at(t, text)
					d.press(t, fmt.Sprintf("\x1b[<%d;%d;%d%s", code, col, row, final))
				}
				reports := func() bool {
					d.mu.Lock()
					defer d.mu.Unlock()
					return d.screen.Modes().Mouse()
				}
				if reports() != (modes != "") {
					t.Errorf("the mouse is reported before: %v", reports())
				}
				asked := inquire(t.Context(), s, allow)
				for range 3 { // the mouse moves all the time
					time.Sleep(100 * time.Millisecond)
					mouse(35, "below", "M")
				}
				if !d.sees("rm -rf /") || !reports() {
					t.Fatalf("it is displayed %v, and the mouse reported %v", d.sees("rm -rf /"), reports())
				}
				mouse(0, "Refuse", "M") // too soon
				mouse(0, "Refuse", "m")
				open(t, asked)
				for range 6 {
					time.Sleep(100 * time.Millisecond)
					mouse(35, "below", "M")
				}
				mouse(0, "Refuse", "m") // of a button that was pressed before
				open(t, asked)
				mouse(0, "Refuse", "M")
				mouse(0, "Refuse", "m")
				if o := <-asked; !o.chose(1) {
					t.Errorf("reply %+v, %v", o.reply, o.err)
				}
				time.Sleep(time.Second)
				if reports() != (modes != "") {
					t.Errorf("the mouse is reported afterwards: %v", reports())
				}
				if got := p.input(); strings.Contains(got, "\x1b[<0") {
					t.Errorf("the program got %q", got)
				}
			})
		})
	}
}

// nextQuestion returns the question that a viewer is to display, or nil if it is the last one.
func nextQuestion(t *testing.T, v *term.Viewer, last string) *question.Asked {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	q, err := v.NextQuestion(ctx, last)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	return q
}

// A page displays questions itself: they are not in its pictures, and the keys are the program's.
// One answer ends the question there and at terminals.
func TestAskPage(t *testing.T) {
	t.Parallel()
	o := term.ViewerOptions{Asks: true, Follows: true, Client: clients.Options{Kind: clients.KindPage}}
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		terminal, page := sit(t, s, term.ViewerOptions{}), sit(t, s, o)
		withID := allow
		withID.ID = "popup-1"
		for i, answer := range []func(id string) error{
			func(id string) error {
				return page.AnswerQuestion(t.Context(), id, question.Reply{Action: question.Submit, Values: []string{"1"}})
			},
			func(string) error { return terminal.Type(t.Context(), []byte("2")) },
		} {
			ask := []dialog.Question{allow, withID}[i]
			asked := inquire(t.Context(), s, ask)
			q := nextQuestion(t, page.Viewer, "")
			if q == nil || q.Question.Title != "Allow?" || (q.ID == "popup-1") != (i == 1) || q.ID == "" || q.Deadline.IsZero() && i == 0 {
				t.Fatalf("question %+v", q)
			}
			time.Sleep(time.Second)
			if !terminal.sees("rm -rf /") || page.sees("rm") || page.sees("Allow") {
				t.Errorf("at the terminal %v, in the picture of the page %v", terminal.sees("rm -rf /"), page.sees("rm"))
			}
			page.press(t, "1")
			open(t, asked)
			if err := page.AnswerQuestion(t.Context(), q.ID, question.Reply{Action: question.Submit, Values: []string{"2"}}); fault.KindOf(err) != fault.Invalid {
				t.Errorf("an option that does not exist: %v", err)
			}
			must(t, answer(q.ID))
			if o := <-asked; !o.chose(1) {
				t.Errorf("reply %+v, %v", o.reply, o.err)
			}
			if q := nextQuestion(t, page.Viewer, q.ID); q != nil {
				t.Errorf("the page still displays %+v", q)
			}
			// The next question looks the same, and follows at once.
			if err := page.AnswerQuestion(t.Context(), q.ID, question.Reply{Action: question.Dismiss}); fault.KindOf(err) != fault.Exists {
				t.Errorf("a second answer: %v", err)
			}
		}
		time.Sleep(time.Second)
		if terminal.sees("rm") {
			t.Error("the terminal still displays the question")
		}
		if got := p.input(); got != "11" {
			t.Errorf("the program got %q", got)
		}
	})
}

// A question that a page displays waits for its answer; one that it does not display for so long
// finds nobody. A page that may not type gets none.
func TestAskPageSees(t *testing.T) {
	t.Parallel()
	for name, sees := range map[string]bool{"the page displays it": true, "it does not": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				page := sit(t, s, term.ViewerOptions{Asks: true, Client: clients.Options{Kind: clients.KindPage}})
				reader := sit(t, s, term.ViewerOptions{Asks: true, Client: clients.Options{Kind: clients.KindPage, ReadOnly: true}})
				asked := inquire(t.Context(), s, allow)
				q := nextQuestion(t, page.Viewer, "")
				if nextQuestion(t, reader.Viewer, "") != nil {
					t.Error("a page that may not type gets the question")
				}
				if err := reader.AnswerQuestion(t.Context(), q.ID, question.Reply{Action: question.Dismiss}); fault.KindOf(err) != fault.Exists {
					t.Errorf("it answers: %v", err)
				}
				if sees {
					must(t, page.QuestionSeen(t.Context(), q.ID))
				}
				time.Sleep(time.Minute)
				if sees {
					open(t, asked)
				} else if o := <-asked; fault.DetailOf(o.err) != term.NobodyAttached {
					t.Errorf("reply %+v, %v", o.reply, o.err)
				}
			})
		})
	}
}

// Where questions of a broker reach pages in another way, viewers in pages have only those without
// one, whether they display questions themselves or not.
func TestPagesAsk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := scripted(t, func(c *registry.Config) { c.PagesAsk = true }, newScript())
		s := create(t, r, registry.CreateOptions{Cols: 40, Rows: 20})
		asks := sit(t, s, term.ViewerOptions{Asks: true, Client: clients.Options{Kind: clients.KindPage}})
		draws := sit(t, s, term.ViewerOptions{Client: clients.Options{Kind: clients.KindPage}})
		brokered := allow
		brokered.ID = "popup-1"
		reaches := func() bool { return len(r.Reaching(false)) > 0 }
		synctest.Wait()
		if o := <-inquire(t.Context(), s, brokered); fault.DetailOf(o.err) != term.NobodyAttached || reaches() || !s.Attended() {
			t.Errorf("with pages alone: %+v, reaches %v, attended %v", o, reaches(), s.Attended())
		}
		terminal := sit(t, s, term.ViewerOptions{})
		asked := inquire(t.Context(), s, brokered)
		time.Sleep(time.Second)
		if !terminal.sees("rm") || draws.sees("rm") || asks.sees("rm") || nextQuestion(t, asks.Viewer, "") != nil || !reaches() {
			t.Errorf("the terminal has it %v, a picture %v or %v", terminal.sees("rm"), draws.sees("rm"), asks.sees("rm"))
		}
		own := inquire(t.Context(), s, allow)
		if q := nextQuestion(t, asks.Viewer, ""); q == nil {
			t.Error("a page does not get the session's own question")
		}
		time.Sleep(time.Second)
		if !draws.sees("rm") {
			t.Error("the picture does not have it")
		}
		terminal.press(t, "1")
		if o := <-asked; !o.chose(0) {
			t.Errorf("the broker's: %+v", o)
		}
		draws.press(t, "2")
		if o := <-own; !o.chose(1) {
			t.Errorf("the session's own: %+v", o)
		}
	})
}

// A person whose answer does not reach the asker reads that where they have answered, and nowhere
// else. What they type until they have put it away is not for the program.
func TestAnswerRefused(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		one, other := sit(t, s, term.ViewerOptions{}), sit(t, s, term.ViewerOptions{})
		asked := make(chan error, 1)
		go func() {
			_, err := s.Ask(t.Context(), allow, func(question.Reply) error {
				time.Sleep(time.Second)
				return errors.New("the answer could not be kept: disk full")
			})
			asked <- err
		}()
		time.Sleep(time.Second)
		one.press(t, "1")
		must(t, <-asked)
		time.Sleep(time.Second)
		if !one.sees("Your answer did not arrive") || !one.sees("could not be kept") {
			t.Errorf("the person does not read that the answer was refused:\n%s", strings.Join(plain(one.screen.Snapshot()), "\n"))
		}
		if other.sees("arrive") {
			t.Error("another person reads it")
		}
		one.press(t, "x")
		one.press(t, "\x1b")
		time.Sleep(time.Second)
		if one.sees("arrive") {
			t.Error("Escape does not put it away")
		}
		one.press(t, "y")
		time.Sleep(time.Second)
		if got := p.input(); got != "y" {
			t.Errorf("the program got %q", got)
		}
	})
}
