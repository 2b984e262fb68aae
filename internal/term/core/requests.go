package core

import (
	"bytes"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/tty"
)

// A program in a session that an agent drives may ask for something that only a person can give,
// such as a password. Callers that can reach the person wait for such requests ([AwaitRequest]),
// learn when one is over ([AwaitSettled]), and answer it ([Reply]).
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
)

// A RequestKey tells requests apart.
type RequestKey struct {
	State    State
	Inputs   uint64 // how often something was typed before
	Commands uint64 // the number of the shell's prompt
	Job      int    // its process ID
	Layout   uint64
	Line     uint64 // number of the line of the cursor
	Text     string // before the cursor
}

// requests is what a session knows of requests.
type requests struct {
	Driver  Sender     // who has entered the line that the shell runs
	Line    string     // that line, if it was entered by an agent with a [Run]
	Settled RequestKey // needs no person any more
}

// drives records who has entered what the shell runs, given input that was sent in a phase of it.
func (s *Session) drives(from Sender, what InputKind, line string, b []byte, phase Phase) {
	r := &s.Requests
	if phase == PhaseRunning || !bytes.ContainsAny(b, "\r\n") {
		return
	}
	r.Driver, r.Line = from, ""
	if what == InputLine && from.Kind.isAgent() {
		r.Line = line
	}
}

// isAgent reports whether an agent types through this, or an app that does so while nobody looks.
// Programs that use other interfaces may be run by persons, who look at what they print.
func (k SenderKind) isAgent() bool { return k == SenderMCP || k == SenderApp }

// isDriven reports whether an agent has created the session, or entered the line that it runs.
func (s *Session) isDriven() bool {
	return s.Creator.Kind.isAgent() || s.Requests.Driver.Kind.isAgent()
}

// lookRequest returns what the program asks for. It reports false in known while output that may
// change that is being parsed.
func (s *Session) lookRequest() (k RequestKey, asks, known bool) {
	mode, reads := s.sys.Mode(), s.sys.Reads()
	if s.sys.Behind() {
		return
	}
	screen := s.sys.Screen()
	k = RequestKey{Inputs: s.Inputs, Commands: s.Shell.N, Layout: screen.Layout, Line: screen.Cursor.Line, Text: s.sys.Prompt()}
	switch {
	case reads == tty.ReadsNot, !s.Shell.Editor.DraftAt.IsZero():
		return k, false, true
	case mode == tty.ModeSecret && (reads == tty.Reads || k.Text != ""):
		k.State = StateSecret
	case mode == tty.ModeLines && k.Text != "" && !screen.Alternate && !s.shellPrompts():
		k.State = StateLine
	default:
		return k, false, true
	}
	k.Job = s.sys.Foreground().PID
	return k, true, true
}

// shellPrompts reports whether the session's own shell may be prompting for a command.
func (s *Session) shellPrompts() bool {
	switch s.Shell.Phase {
	case PhaseRunning:
		return false
	case PhaseUnmarked:
		return s.Interactive && s.sys.Foreground().PID == s.PID
	}
	return true
}

func isRequestState(s State) bool { return s == StateLine || s == StateSecret }

// AwaitRequest waits until the program asks for something that a person should be asked about: it
// has asked for the same for a while, an agent drives the session, and no person is attached, who
// would see the prompt. The answer is a [Request].
type AwaitRequest struct{ ID uint64 }

// Request is the answer to [AwaitRequest].
type Request struct {
	Key  RequestKey
	Line string // that was entered in the shell, or ""
}

type requestWait struct {
	Seen  RequestKey
	Since time.Time     // when it was first seen; zero: there is none
	Pause time.Duration // before the last look at what nothing announces
}

func (in AwaitRequest) apply(s *Session) error {
	return s.wait(&wait{ID: in.ID, Request: &requestWait{}})
}

func (w *requestWait) look(s *Session) (again time.Duration, _ Result, _ error) {
	if !isRequestState(s.Reported) || !s.isDriven() || s.Persons > 0 {
		*w = requestWait{}
		return 0, nil, nil // until something changes
	}
	w.Pause = min(max(2*w.Pause, requestLooks), requestLooksMost)
	k, asks, known := s.lookRequest()
	switch {
	case !known:
		return recheck, nil, nil
	case !asks || k == s.Requests.Settled:
		w.Since = time.Time{}
		return w.Pause, nil, nil
	case w.Since.IsZero() || k != w.Seen:
		w.Seen, w.Since = k, s.now
		return requestPause, nil, nil
	case s.now.Sub(w.Since) < requestPause:
		return requestPause - s.now.Sub(w.Since), nil, nil
	}
	return 0, Request{k, s.Requests.Line}, nil
}

// AwaitSettled waits until a request is over: a person or program has typed, the program asks or
// does something else or has ended, or a person is attached who can see it. The answer is
// [Settled].
type AwaitSettled struct {
	ID  uint64
	Key RequestKey
}

// Settled is the answer to [AwaitSettled].
type Settled struct{}

type endWait struct {
	AwaitSettled
	Doubt time.Time // since when the program seems not to ask; zero: it asks
}

func (in AwaitSettled) apply(s *Session) error {
	return s.wait(&wait{ID: in.ID, Settled: &endWait{AwaitSettled: in}})
}

func (w *endWait) look(s *Session) (again time.Duration, _ Result, _ error) {
	if s.Exit != nil || s.Persons > 0 || s.Inputs != w.Key.Inputs {
		return 0, Settled{}, nil
	}
	switch k, asks, known := s.lookRequest(); {
	case asks && k != w.Key:
		return 0, Settled{}, nil
	case !known:
		return recheck, nil, nil
	case asks:
		w.Doubt = time.Time{}
	case w.Doubt.IsZero():
		w.Doubt = s.now
	case s.now.Sub(w.Doubt) >= requestGrace:
		return 0, Settled{}, nil
	}
	return requestLooks, nil, nil
}

type (
	// Reply answers a request: Text is typed, and Enter after it, or Ctrl-C if it is an Interrupt.
	// Nothing keeps the text: the ledger has the sender, and says that it was a secret. If the
	// program asks for something else meanwhile, or does not hide any more what is typed, nothing
	// is typed, and the error is of kind Gone with the detail [RequestOver]. The error is
	// [ErrUnsettled] while that is not known.
	Reply struct {
		Key       RequestKey
		Text      string
		Interrupt bool
	}
	// Settle says that a person leaves a request to others.
	Settle struct{ Key RequestKey }
	// Asking says whether a person is being asked about a request.
	Asking struct{ Person bool }
)

// ErrUnsettled is the error of a [Reply] while output is parsed that may change what is asked for.
var ErrUnsettled = fault.New(fault.Precondition, "the program has just written something: try again in a moment")

// Over returns the error about a request of a session that is over.
func Over(session string) error {
	return fault.With(RequestOver, fault.New(fault.Gone, "the program in session %q does not ask for this any more: nothing was typed", session))
}

func (in Reply) apply(s *Session) error {
	k, asks, known := s.lookRequest()
	switch {
	case !known:
		return ErrUnsettled
	case !asks || k != in.Key || s.sys.Busy():
		return Over(s.sys.Name())
	}
	secret := k.State == StateSecret
	what, b := Typed{From: Sender{Kind: SenderQuestion}, Kind: InputText, Count: 1, Secret: secret}, []byte(in.Text+"\r")
	if in.Interrupt {
		what.Kind, what.Text, what.Secret, b = InputKeys, "C-c", false, []byte("\x03")
	}
	return Type{From: what.From, Kind: what.Kind, Bytes: b, Entries: []Typed{what}, Signals: in.Interrupt, Passive: true}.apply(s)
}

func (in Settle) apply(s *Session) error {
	s.Requests.Settled = in.Key
	s.notify()
	return nil
}

func (in Asking) apply(s *Session) error {
	if s.PersonAsked != in.Person {
		s.PersonAsked = in.Person
		s.notify()
		s.emit(Listed{})
	}
	return nil
}
