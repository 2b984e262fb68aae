package termask_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/termask"
	"ui-mcp/internal/testkit/wait"
)

// A seat is a person at a terminal that is attached to a session.
type seat struct {
	*testing.T
	viewer *term.Viewer

	mu     sync.Mutex // guards the fields below
	screen *vt.Terminal
	bytes  strings.Builder
}

// sit attaches a terminal to a session.
func sit(t *testing.T, s *term.Session) *seat {
	t.Helper()
	v, err := s.AttachViewer(term.ViewerOptions{})
	must(t, err)
	screen, err := vt.New(vt.Options{Cols: 80, Rows: 30})
	must(t, err)
	p := &seat{T: t, viewer: v, screen: screen}
	must(t, v.Resize(t.Context(), 80, 30))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			b, err := v.Next(ctx)
			if err != nil {
				return
			}
			p.mu.Lock()
			_, _ = screen.Write(b) // it never fails
			p.bytes.Write(b)
			p.mu.Unlock()
		}
	}()
	t.Cleanup(func() { cancel(); <-done; v.Close() })
	return p
}

func (p *seat) displays(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.screen.Snapshot().Lines {
		if strings.Contains(line.Plain(), text) {
			return true
		}
	}
	return false
}

func (p *seat) sees(text string) {
	p.Helper()
	wait.Until(p.T, "the person sees "+text, func() bool { return p.displays(text) })
}

// types presses a key once the person has had time to read, and waits for its effect.
func (p *seat) types(key, effect string) {
	p.Helper()
	wait.Pause(wait.Reading)
	p.press(key)
	p.sees(effect)
}

func (p *seat) press(keys string) {
	p.Helper()
	if err := p.viewer.Type(p.Context(), []byte(keys)); err != nil {
		p.Fatal(err)
	}
}

// session starts a program that keeps quiet, in a directory.
func (h *harness) session(dir string) *term.Session {
	h.Helper()
	s, err := h.sessions.Create(h.Context(), registry.CreateOptions{Command: "exec cat", Dir: dir, Cols: 80, Rows: 30})
	if err != nil {
		h.Fatal(err)
	}
	return s
}

// deploy asks a question, and returns its ID.
func (h *harness) deploy(o popup.AskOptions) string {
	h.Helper()
	q, err := question.Request{Title: "Deploy?", Message: "Now", Options: []question.Option{{Label: "Yes", Value: "yes"}}}.Question()
	must(h, err)
	id, err := h.broker.Ask(q, o)
	must(h, err)
	return id
}

// A person who sits at another terminal of the project types a password there: masked, and without
// a trace in the session that they are attached to.
func TestSecretAtTerminal(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	beside := h.session("")
	p := sit(t, beside)
	s := h.run(sudo)
	p.sees("asks for a secret")
	p.sees("[sudo] password for ann:")
	p.types("\t", "▏")
	p.press("corr")
	p.press("\x1b[200~ect horse\x1b[201~") // pasted
	p.sees(strings.Repeat("•", len(password)))
	p.press("\r")
	h.sees(s, "granted")
	p.mu.Lock()
	if strings.Contains(p.bytes.String(), "corr") || strings.Contains(p.bytes.String(), "horse") {
		t.Error("the terminal has displayed the password")
	}
	p.mu.Unlock()
	if list, err := beside.Typed(t.Context(), 0, 10); err != nil || len(list) > 0 {
		t.Errorf("typed into the session: %+v, %v", list, err)
	}
}

// A person who was attached when the channel began to look is asked, too.
func TestAttachedBefore(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	broker := persons.Broker(t, popup.Options{})
	terminals := termask.NewTerminals(termask.TerminalOptions{Sessions: h.sessions, Broker: broker, Project: true})
	broker.AddChannel(h.page)
	broker.AddChannel(terminals)
	persons.Ask(t, broker, question.Question{Title: "Deploy?", Message: "Now", AllowText: true, Timeout: time.Hour, Severity: question.Info}, popup.AskOptions{})
	h.asked()
	p := sit(t, h.session(""))
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	running.Go(func() { terminals.Run(ctx) })
	p.sees("Deploy?")
}

// Questions of agents and programs appear on attached terminals, too, also on one that is attached
// later; the first answer counts, and long ones say where they are answered.
func TestQuestionsAtTerminals(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	ask := func(change func(*question.Spec)) string {
		t.Helper()
		spec := question.Spec{Request: question.Request{Title: "Deploy?", Message: "Now", Options: []question.Option{{Label: "Yes", Value: "yes"}, {Label: "No", Value: "no"}}}}
		if change != nil {
			change(&spec)
		}
		q, err := spec.Question()
		must(t, err)
		id, err := h.broker.Ask(q, popup.AskOptions{})
		must(t, err)
		return id
	}
	id := ask(nil)
	h.asked()
	p := sit(t, h.session(""))
	p.sees("Deploy?")
	answered := make(chan question.Answer, 1)
	go func() {
		a, err := h.broker.Collect(t.Context(), id, popup.WaitOptions{})
		if err != nil {
			t.Error(err)
		}
		answered <- a
	}()
	var a question.Answer
	wait.Until(t, "a digit answers", func() bool {
		select {
		case a = <-answered:
			return true
		case <-time.After(wait.Reading):
			p.press("2")
			return false
		}
	})
	if a.Value != "no" || a.Channel != "terminal" {
		t.Errorf("answer %+v", a)
	}

	ask(func(s *question.Spec) { s.Title, s.Multiple = "Which?", true })
	p.sees("Which?")
	p.sees("Answer it at http://localhost:1/popup")
	must(t, h.answer(h.broker.Pending()[0], persons.Chosen("yes")))
	wait.Until(t, "the question is gone", func() bool { return !p.displays("Which?") })

	danger := ask(func(s *question.Spec) { s.Title, s.Severity = "Really?", question.Danger })
	p.sees("Really?")
	p.sees("Tab and Enter")
	for range 3 {
		wait.Pause(wait.Reading)
		p.press("1")
	}
	if pending := h.broker.Pending(); len(pending) != 1 || pending[0].ID != danger {
		t.Errorf("a single key has answered: %+v", h.broker.History(1))
	}
}

// A terminal that is detached while it displays a question has dismissed nothing. The question is
// on the next terminal that is attached, and there the person can put it away.
func TestDetached(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets, []popup.Channel{}...) // without a page
	s := h.session("")
	p := sit(t, s)
	id := h.deploy(popup.AskOptions{})
	p.sees("Deploy?")
	for range 2 {
		must(t, p.viewer.QuestionSeen(t.Context(), id)) // else it is as if nobody had seen it
		p.viewer.Close()
		wait.Until(t, "nothing displays the question", func() bool {
			pending := h.broker.Pending()
			return len(pending) == 1 && pending[0].Idle
		})
		p = sit(t, s)
		p.sees("Deploy?")
	}
	wait.Until(t, "Escape puts it away", func() bool {
		wait.Pause(wait.Reading)
		p.press("\x1b")
		return len(h.broker.Pending()) == 0
	})
	if a, err := h.broker.Collect(t.Context(), id, popup.WaitOptions{}); err != nil || a.Outcome != question.Dismissed || a.Channel != "terminal" {
		t.Errorf("answer %+v, %v", a, err)
	}
}

// A question that nobody has seen, because the program ends first, is not lost: it was not shown.
func TestUnseen(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets, []popup.Channel{}...)
	s := h.session("")
	v, err := s.AttachViewer(term.ViewerOptions{}) // it displays nothing
	must(t, err)
	defer v.Close()
	id := h.deploy(popup.AskOptions{})
	wait.Pause(wait.Reading)
	if err := v.Type(t.Context(), []byte("\x04")); err != nil { // the end of the program's input
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
	defer cancel()
	if a, err := h.broker.Collect(ctx, id, popup.WaitOptions{}); err != nil || a.Outcome != question.NoHuman {
		t.Errorf("answer %+v, %v", a, err)
	}
}

// A recheck is what [termask.Terminals] ask of a broker.
type recheck func()

func (f recheck) Recheck() { f() }

func (recheck) Answer(string, question.Reply, string) (question.Answer, error) {
	return question.Answer{}, nil
}

// Of two persons who are attached at once, none is missed.
func TestAttachedAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	s := h.session("")
	ctx, cancel := context.WithCancel(t.Context())
	attach := func() {
		v, err := s.AttachViewer(term.ViewerOptions{})
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(v.Close)
	}
	looked := make(chan int, 10)
	var n int
	terminals := termask.NewTerminals(termask.TerminalOptions{Sessions: h.sessions, Broker: recheck(func() {
		if n++; n == 1 {
			came := h.sessions.Attendance()
			attach()
			<-came
		}
		looked <- n
	})})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		terminals.Run(ctx)
	}()
	wait.Pause(wait.Reading) // it waits
	attach()
	for range 2 {
		wait.For(t, "the broker looks who is there", looked)
	}
	cancel()
	<-ended
}

// A question appears at the terminals of its project and at no others.
func TestWorkspaces(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	root := t.TempDir()
	dir := func(name string) string {
		path := filepath.Join(root, name)
		return path
	}
	must(t, mkdirs(dir("a/sub"), dir("b")))
	above, other := sit(t, h.session(dir("a"))), sit(t, h.session(dir("b")))
	if _, err := h.sessions.Create(t.Context(), registry.CreateOptions{Command: "exec bash -c " + quoted(sudo), Dir: dir("a/sub"), Creator: agent}); err != nil {
		t.Fatal(err)
	}
	above.sees("asks for a secret")
	if other.displays("asks for a secret") {
		t.Error("a terminal of another project displays the question")
	}
}

// A page learns what came of its answer when the asker has it, and not before.
func TestPageLearnsWhatCameOfIt(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets, []popup.Channel{}...)
	s := h.session("")
	page, err := s.AttachViewer(term.ViewerOptions{Asks: true, Client: clients.Options{Kind: clients.KindPage}})
	must(t, err)
	defer page.Close()
	refusal := fault.New(fault.Exists, "the program does not ask for this any more")
	for _, want := range []error{refusal, nil} {
		id := h.deploy(popup.AskOptions{Deliver: func(question.Reply) error {
			pending := make(chan *question.Asked, 1)
			go func() {
				next, _ := page.NextQuestion(t.Context(), "another")
				pending <- next
			}()
			if next := <-pending; next == nil {
				t.Error("the page no longer displays the question, although nobody has its answer")
			}
			return want
		}})
		if next, err := page.NextQuestion(t.Context(), ""); err != nil || next == nil || next.ID != id {
			t.Fatalf("the page displays %+v, %v", next, err)
		}
		err := page.AnswerQuestion(t.Context(), id, persons.Chosen("yes"))
		if (err == nil) != (want == nil) || err != nil && fault.KindOf(err) != fault.Exists {
			t.Errorf("the page was told %v, want %v", err, want)
		}
		if next, err := page.NextQuestion(t.Context(), id); err != nil || next != nil {
			t.Errorf("the page still displays %+v, %v", next, err)
		}
	}
}

// What another host asks appears in every directory, and only at terminals whose persons may reply
// to that.
func TestForOthers(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets, []popup.Channel{}...)
	others := h.terminals.ForOthers()
	attach := func(s *term.Session, o term.ViewerOptions) *term.Viewer {
		v, err := s.AttachViewer(o)
		must(t, err)
		t.Cleanup(v.Close)
		return v
	}
	far := h.session(t.TempDir())
	guests := []*term.Viewer{attach(h.session(""), term.ViewerOptions{Asks: true}), attach(far, term.ViewerOptions{Asks: true})}
	wait.Until(t, "a guest is attached", func() bool { return h.terminals.Around(h.session("")).Presence() == core.Possible })
	if others.Presence() != core.Absent {
		t.Error("guests can be asked what others ask")
	}
	person := attach(far, term.ViewerOptions{Asks: true, Answers: true})
	wait.Until(t, "the person is attached", func() bool { return others.Presence() == core.Possible })
	q := question.Question{Title: "Deploy?", Message: "Now", AllowText: true, Timeout: time.Hour, Severity: question.Info}
	for _, o := range []popup.AskOptions{{Asked: popup.Asked{Host: "b"}}, {Asked: popup.Asked{Relayed: true}}} {
		o.Channels = []popup.Channel{others}
		id, err := h.broker.Ask(q, o)
		must(t, err)
		next, err := person.NextQuestion(t.Context(), "")
		if err != nil || next == nil || next.ID != id {
			t.Fatalf("of %q, relayed %v: the person is asked %+v, %v", o.Host, o.Relayed, next, err)
		}
		for _, guest := range guests {
			if err := guest.AnswerQuestion(t.Context(), id, typed("yes")); fault.KindOf(err) != fault.Exists {
				t.Fatalf("of %q, relayed %v: a guest in %s answers: %v", o.Host, o.Relayed, guest.Name(), err)
			}
		}
		must(t, person.AnswerQuestion(t.Context(), id, typed("yes")))
		wait.Until(t, "it is over", func() bool {
			next, err := person.NextQuestion(t.Context(), id)
			return err == nil && next == nil
		})
	}
}
