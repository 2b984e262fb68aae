package term

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/core"
)

const (
	// answerPatience is how long an answer waits for output that is being parsed.
	answerPatience, answerPause = 2 * time.Second, 50 * time.Millisecond
	// requestRows is how many rows of the screen a request has.
	requestRows = 12
	// maxAnswer is how long an answer may be, in bytes: some systems hand over 1 KiB at most.
	maxAnswer = 1000
)

// A Request is what a program asks for. All texts are for persons: characters that cannot be seen,
// or that change the look of others, are named.
type Request struct {
	session *Session
	key     core.RequestKey

	Secret  bool   // what is typed is not echoed
	Prompt  string // the text before the cursor, may be ""
	Command string // the line that was entered in the shell, or the name of the program, or ""
	Dir     string // the working directory of the program, or ""
	// Screen has the last rows of the screen, the prompt included.
	Screen []string
}

// AwaitRequest waits until the program asks for something that a person should be asked about: it
// has asked for the same for a second, an agent drives the session, and nobody who may type is
// attached, since they see the prompt.
//
// Editors and shells that take keys one by one do not ask in this sense, nor does a prompt of the
// session's shell, nor a line without a prompt.
func (s *Session) AwaitRequest(ctx context.Context) (Request, error) {
	r, err := awaitAnswer(ctx, s, func(id uint64) core.Input { return core.AwaitRequest{ID: id} }, s.describeRequest)
	if err != nil {
		return Request{}, err
	}
	return s.locate(r), nil
}

// describeRequest returns a request as persons see it.
func (s *Session) describeRequest(st *state, q core.Request) Request {
	screen := st.term.Snapshot()
	r := Request{
		session: s, key: q.Key, Secret: q.Key.State == core.StateSecret, Prompt: safetext.Visible(q.Key.Text), Command: safetext.Visible(q.Line), Dir: s.o.Dir,
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
	r.Command = cmp.Or(r.Command, safetext.Visible(f.Name))
	if f.Dir != "" {
		r.Dir = f.Dir
	}
	r.Dir = safetext.Visible(r.Dir)
	return r
}

// AwaitEnd waits until the request is over: a person or program has typed, the program asks for
// something else, does something else or has ended, or a person is attached who can see it.
func (r Request) AwaitEnd(ctx context.Context) error {
	_, err := awaitAnswer(ctx, r.session, func(id uint64) core.Input {
		return core.AwaitSettled{ID: id, Key: r.key}
	}, func(*state, core.Settled) struct{} { return struct{}{} })
	return err
}

// A RequestAnswer is what a person does with a request.
type RequestAnswer struct {
	// Text is typed, and Enter is pressed after it. It is kept nowhere: the ledger has the sender,
	// and says that it was a secret.
	Text string
	// Interrupt presses Ctrl-C instead.
	Interrupt bool
}

// Answer answers the request. If the program asks for something else meanwhile, or does not
// hide any more what is typed, nothing is typed, and the error is of kind Gone with the detail
// [core.RequestOver].
func (r Request) Answer(ctx context.Context, a RequestAnswer) error {
	s := r.session
	if err := a.check(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, answerPatience, core.Over(s.Name()))
	defer cancel()
	for {
		err := s.doRunning(ctx, func(st *state) error {
			return s.apply(st, core.Reply{Key: r.key, Text: a.Text, Interrupt: a.Interrupt})
		})
		if !errors.Is(err, core.ErrUnsettled) {
			return err
		}
		if err := s.pause(ctx, nil, answerPause); err != nil {
			return err
		}
	}
}

func (a RequestAnswer) check() error {
	switch {
	case len(a.Text) > maxAnswer:
		return fault.New(fault.Invalid, "an answer has at most %d bytes", maxAnswer)
	case !utf8.ValidString(a.Text):
		return fault.New(fault.Invalid, "the answer is not valid UTF-8")
	case safetext.HasControl(a.Text):
		return fault.New(fault.Invalid, "the answer has characters that cannot be typed into a line, such as a line end or a tab")
	}
	return nil
}

// Leave records that a person leaves the request to others: AwaitRequest returns it no more.
func (r Request) Leave(ctx context.Context) error {
	return r.session.do(ctx, func(st *state) error { return r.session.apply(st, core.Settle{Key: r.key}) })
}

// AskPerson records whether a person is being asked about a request: see [Info.PersonAsked].
func (s *Session) AskPerson(asked bool) { s.post(core.Asking{Person: asked}) }
