package term

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A program in a session that an agent drives may ask for something that only a person can give,
// such as a password. Callers that can reach the person wait for such requests
// ([Session.AwaitRequest]), learn when one is over ([Session.AwaitRequestEnd]), and answer it
// ([Session.AnswerRequest]).
//
// A request is one prompt. Input, other text before the cursor, another job, or a command that has
// ended make it another one, so that an answer never reaches a prompt that the person has not seen.

const (
	// requestPause is how long a program must ask for the same before it counts: answers that are
	// on their way would make shorter requests pointless.
	requestPause = time.Second
	// requestLooks are the pauses between two looks at what nothing announces.
	requestLooks, requestLooksMost = awaitedTime, 5 * time.Second
	// requestGrace is how long a program may seem to do something else than to wait for its answer.
	requestGrace = 2 * awaitedTime
	// answerPatience is how long an answer waits for output that is being parsed.
	answerPatience = 2 * time.Second
	// requestRows is how many rows of the screen a request has.
	requestRows = 12
	// maxAnswer is how long an answer may be, in bytes: terminals hand over lines of at most 1 KiB
	// on some systems.
	maxAnswer = 1000
)

// RequestOver is the detail of errors of [Session.AnswerRequest] if the program does not ask for
// that any more.
const RequestOver fault.Detail = "request_over"

// A requestKey tells requests apart.
type requestKey struct {
	state    State
	inputs   uint64 // how often something was typed before
	commands uint64 // the number of the shell's prompt
	job      int    // its process ID
	layout   uint64
	line     uint64 // number of the line of the cursor
	text     string // before the cursor
}

// A Request is what a program asks for. All texts are for persons: characters that cannot be seen,
// or that change the look of others, are named.
type Request struct {
	key requestKey

	Secret  bool   // what is typed is not echoed
	Prompt  string // the text before the cursor, may be ""
	Command string // the line that was entered in the shell, or the name of the program, or ""
	Dir     string // the working directory of the program, or ""
	// Screen has the last rows of the screen, the prompt included.
	Screen []string
	// Again says that the same job has asked the same before, and was answered by AnswerRequest.
	Again bool
}

// requests is what a session knows of requests. The executor owns it.
type requests struct {
	driver   Sender     // who has entered the line that the shell runs
	line     string     // that line, if it was entered by an agent with RunCommand
	partial  bool       // a line was begun and not entered
	settled  requestKey // needs nobody any more
	answered requestKey // by AnswerRequest; the zero value: none
	asked    bool       // a person is being asked
}

// typed records input that was sent in a mode of the terminal, and in a phase of the shell.
func (r *requests) typed(from Sender, what InputKind, line string, b []byte, mode tty.Mode, phase shellPhase) {
	if len(b) == 0 {
		return
	}
	r.partial = mode != tty.ModeKeys && strings.IndexByte(lineKeys, b[len(b)-1]) < 0
	if phase == phaseRunning || !strings.ContainsAny(string(b), "\r\n") {
		return
	}
	r.driver, r.line = from, ""
	if what == InputLine && from.Kind.isAgent() {
		r.line = line
	}
}

// isAgent reports whether an agent types through this, or an app that does so while nobody looks.
// Programs that use other interfaces may be run by persons, who look at what they print.
func (k SenderKind) isAgent() bool { return k == SenderMCP || k == SenderApp }

// isDriven reports whether an agent has created the session, or entered the line that it runs.
func (s *Session) isDriven(st *state) bool {
	return s.creator.Kind.isAgent() || st.requests.driver.Kind.isAgent()
}

// lookRequest returns what the program asks for. It reports false in known while output that may
// change that is being parsed.
func (s *Session) lookRequest(st *state) (k requestKey, asks, known bool) {
	if st.status.exit != nil {
		return k, false, true
	}
	if s.isBehind() {
		return k, false, false
	}
	mode, reads := s.process.Mode(), s.process.Reads()
	screen := st.term.Snapshot()
	k = requestKey{
		inputs: st.inputs, commands: st.shell.n, layout: screen.Layout, line: screen.FirstLine + uint64(screen.Cursor.Row), text: prompt(screen),
	}
	switch {
	case reads == tty.ReadsNot, st.requests.partial:
		return k, false, true
	case mode == tty.ModeSecret && (reads == tty.Reads || k.text != ""):
		k.state = StateSecret
	case mode == tty.ModeLines && k.text != "" && !screen.AltScreen() && !s.shellPrompts(st):
		k.state = StateLine
	default:
		return k, false, true
	}
	k.job = s.process.Foreground().PID
	return k, true, true
}

// shellPrompts reports whether the session's own shell may be prompting for a command.
func (s *Session) shellPrompts(st *state) bool {
	switch st.shell.phase {
	case phaseRunning:
		return false
	case phaseUnmarked:
		return s.interactive && s.process.Foreground().PID == s.pid
	}
	return true
}

// prompt returns the text before the cursor.
func prompt(screen *vt.Snapshot) string {
	c := screen.Cursor
	if c.Row >= len(screen.Lines) || c.Col == 0 {
		return ""
	}
	return strings.TrimSpace(screen.Lines[c.Row].Plain())
}

// isRequestState reports whether programs ask in a state.
func isRequestState(s State) bool { return s == StateLine || s == StateSecret }

// AwaitRequest waits until the program asks for something that a person should be asked about: it
// has asked for the same for a second, an agent drives the session, and nobody who may type is
// attached, since they see the prompt. It reports false as soon as the session is neither in
// StateLine nor in StateSecret; when it is again, call it again. With secrets, other requests do
// not count.
//
// Editors and shells that take keys one by one do not ask in this sense, nor does a prompt of the
// session's shell, nor a line without a prompt.
func (s *Session) AwaitRequest(ctx context.Context, secrets bool) (Request, bool, error) {
	var seen requestKey
	var since time.Time
	var r Request
	ready := false
	next := requestLooks
	err := s.awaitRunning(ctx, func(st *state) (verdict, error) {
		now := time.Now()
		if !isRequestState(st.follower.reported) {
			return verdict{over: true}, nil
		}
		later := next
		next = min(2*next, requestLooksMost)
		k, asks, known := s.lookRequest(st)
		switch {
		case !s.isDriven(st) || s.Attended():
			since = time.Time{}
			return verdict{}, nil // until something changes
		case !known:
			return verdict{again: recheck}, nil
		case !asks || secrets && k.state != StateSecret || k == st.requests.settled:
			since = time.Time{}
			return verdict{again: later}, nil
		case since.IsZero() || k != seen:
			seen, since = k, now
			return verdict{again: requestPause}, nil
		case now.Sub(since) < requestPause:
			return verdict{again: requestPause - now.Sub(since)}, nil
		}
		ready, r = true, s.describeRequest(st, k)
		return verdict{over: true}, nil
	})
	if err != nil || !ready {
		return Request{}, false, err
	}
	return s.locate(r), true, nil
}

// describeRequest returns a request as persons see it.
func (s *Session) describeRequest(st *state, k requestKey) Request {
	screen := st.term.Snapshot()
	a := st.requests.answered
	r := Request{
		key: k, Secret: k.state == StateSecret, Prompt: safetext.Visible(k.text), Command: safetext.Visible(st.requests.line), Dir: s.dir,
		Again: a.job == k.job && a.commands == k.commands && a.text == k.text && a.state == k.state,
	}
	for _, line := range screen.Lines[:min(screen.Cursor.Row+1, len(screen.Lines))] {
		r.Screen = append(r.Screen, safetext.Visible(strings.TrimRight(line.Plain(), " ")))
	}
	for len(r.Screen) > 0 && (len(r.Screen) > requestRows || r.Screen[0] == "") {
		r.Screen = r.Screen[1:]
	}
	return r
}

// locate adds to a request what the system tells about the program, which may take a moment.
func (s *Session) locate(r Request) Request {
	f := s.process.Foreground()
	if r.Command == "" {
		r.Command = safetext.Visible(f.Name)
	}
	if f.Dir != "" {
		r.Dir = f.Dir
	}
	r.Dir = safetext.Visible(r.Dir)
	return r
}

// AwaitRequestEnd waits until a request is over: somebody has typed, the program asks for something
// else, does something else or has ended, or a person is attached who can see it.
func (s *Session) AwaitRequestEnd(ctx context.Context, r Request) error {
	var doubt time.Time // since when the program seems not to ask; zero: it asks
	return s.await(ctx, func(st *state) (verdict, error) {
		now := time.Now()
		k, asks, known := s.lookRequest(st)
		switch {
		case st.status.exit != nil, s.Attended(), st.inputs != r.key.inputs, known && asks && k != r.key:
			return verdict{over: true}, nil
		case !known:
			return verdict{again: recheck}, nil
		case asks:
			doubt = time.Time{}
		case doubt.IsZero():
			doubt = now
		case now.Sub(doubt) >= requestGrace:
			return verdict{over: true}, nil
		}
		return verdict{again: requestLooks}, nil
	})
}

// A RequestAnswer is what a person does with a request.
type RequestAnswer struct {
	// Text is typed, and Enter is pressed after it. It is kept nowhere: the ledger has the sender,
	// and says that it was a secret.
	Text string
	// Interrupt presses Ctrl-C instead.
	Interrupt bool
}

// AnswerRequest answers a request. If the program asks for something else meanwhile, or does not
// hide any more what is typed, nothing is typed, and the error is of kind Gone with the detail
// [RequestOver].
func (s *Session) AnswerRequest(ctx context.Context, r Request, a RequestAnswer) error {
	if err := a.check(); err != nil {
		return err
	}
	over := fault.With(RequestOver, fault.New(fault.Gone, "the program in session %q does not ask for this any more: nothing was typed", s.Name()))
	ctx, cancel := context.WithTimeoutCause(ctx, answerPatience, over)
	defer cancel()
	return s.awaitRunning(ctx, func(st *state) (verdict, error) {
		k, asks, known := s.lookRequest(st)
		switch {
		case !known:
			return verdict{again: recheck}, nil
		case !asks || k != r.key || s.input.isBusy():
			return verdict{}, over
		}
		return verdict{over: true}, s.typeAnswer(st, r, a)
	})
}

func (a RequestAnswer) check() error {
	switch {
	case len(a.Text) > maxAnswer:
		return fault.New(fault.Invalid, "an answer has at most %d bytes", maxAnswer)
	case !utf8.ValidString(a.Text):
		return fault.New(fault.Invalid, "the answer is not valid UTF-8")
	case strings.ContainsFunc(a.Text, unicode.IsControl):
		return fault.New(fault.Invalid, "the answer has characters that cannot be typed into a line, such as a line end or a tab")
	}
	return nil
}

// typeAnswer types an answer, on the session's executor.
func (s *Session) typeAnswer(st *state, r Request, a RequestAnswer) error {
	what, b := Typed{From: Sender{Kind: SenderQuestion}, Kind: InputText, Count: 1, Secret: r.Secret}, []byte(a.Text+"\r")
	if a.Interrupt {
		what.Kind, what.Text, what.Secret, b = InputKeys, "C-c", false, []byte("\x03")
	}
	if err := s.send(st, b); err != nil {
		return err
	}
	st.requests.partial = false
	if r.Secret {
		st.entered, st.enteredAt = time.Now(), st.cursor()
	}
	st.ledger.add(time.Now(), what)
	if !a.Interrupt {
		st.requests.answered = r.key
	}
	st.notify()
	return nil
}

// LeaveRequest records that a person leaves a request to others, so that AwaitRequest does not
// return it again.
func (s *Session) LeaveRequest(ctx context.Context, r Request) error {
	return s.do(ctx, func(st *state) error {
		st.requests.settled = r.key
		st.notify()
		return nil
	})
}

// AskPerson records whether a person is being asked about a request: see [Info.PersonAsked].
func (s *Session) AskPerson(asked bool) {
	s.exec.Post(func() {
		st := s.st
		if st.requests.asked == asked {
			return
		}
		st.requests.asked, st.status.asked = asked, asked
		s.publishStatus(st)
		st.notify()
		if s.onState != nil {
			s.onState()
		}
	})
}

// Attendance returns a channel that is closed when a person who may type is next attached to any
// session.
func (r *Registry) Attendance() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.attendance
}

// attended reports that a person is attached.
func (r *Registry) attended() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.attendance)
	r.attendance = make(chan struct{})
}

// Reaching returns the sessions that reach a person (see [Session.Reaches]), in no order.
func (r *Registry) Reaching() []*Session {
	return slices.DeleteFunc(r.all(), func(s *Session) bool { return !s.Reaches() })
}

// Dir returns the directory in which the session was created.
func (s *Session) Dir() string { return s.dir }
