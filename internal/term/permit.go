package term

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/dialog"
)

// permitTime is how long a person may take to answer: clients of MCP give up after about a minute.
const permitTime = 50 * time.Second

// The answers to the question who may type.
const permitOnce, permitAlways, permitNever = "once", "always", "never"

var permitOptions = []question.Option{
	{Label: "Only this", Value: permitOnce}, {Label: "In this session, always", Value: permitAlways}, {Label: "No", Value: permitNever},
}

// permit decides whether a sender may type what make returns, which is nil for a signal. Code that
// types for a program calls it first, and [Session.stillPermitted] when the input is typed. It asks
// persons: those at the attached terminals, if the session was created so (see
// [Options.AskToType]), and about lines that need it (see [Confirmation]). It returns nil if the
// sender may type, and else an error of kind Precondition with the detail [core.NotPermitted], or
// the one of [Confirmation.Ask]. Nobody is asked about input that cannot be made.
//
// It keeps in what, for stillPermitted, what it has found out.
func (s *Session) permit(ctx context.Context, what *typing, make func(*state) ([]byte, error)) error {
	if err := s.keyboardTaken(); err != nil {
		return err
	}
	// The lines first: a client may have to ask the person itself, and then call again.
	if err := s.confirm(ctx, what, make); err != nil || !s.o.AskToType {
		return err
	}
	return s.permitSender(ctx, what, make)
}

// permitSender asks the persons at the attached terminals whether a sender may type, unless they
// have allowed that sender to type always. It sets blind in what.
func (s *Session) permitSender(ctx context.Context, what *typing, make func(*state) ([]byte, error)) error {
	who := value[core.Sender](ctx)
	who.Peer = "" // it changes
	// Persons are asked about one sender at a time.
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	case <-s.ended:
		return s.goneError(*s.Info().Exit)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if slices.Contains(s.allowed, who) {
		return nil
	}
	refuse := func(format string, args ...any) error {
		return fault.With(core.NotPermitted, fault.New(fault.Precondition, format+": nothing was typed", args...))
	}
	late := refuse("the person at session %q did not answer within %v whether you may type", s.Name(), permitTime)
	ctx, cancel := context.WithTimeoutCause(ctx, permitTime, late)
	defer cancel()
	var entries []core.Typed
	if err := s.doRunning(ctx, func(st *state) (err error) { // in its turn: others may have been asked about for long
		if make != nil {
			_, err = make(st)
		}
		entries = what.entries(s.secretLine(st))
		return err
	}); err != nil {
		return err
	}
	what.blind = entries[0].Secret && !what.Secret
	quote := describeAll(entries)
	if err := canBeRead(quote); err != nil {
		return err
	}
	got, err := s.Ask(ctx, dialog.Question{Asked: question.Asked{Question: question.Question{
		Title:   fmt.Sprintf("May %s type in the terminal “%s”?", who.Describe(), s.Name()),
		Quote:   quote,
		Plain:   true,
		Options: permitOptions,
	}}}, nil)
	switch {
	case fault.DetailOf(err) == NobodyAttached && s.status.Load().Persons > 0:
		return refuse("a person must allow typing in session %q first, and no attached terminal displays the question: they do not respond", s.Name())
	case fault.DetailOf(err) == NobodyAttached:
		return refuse("a person must allow typing in session %q first, and nobody is attached to it (\"wsh attach %[1]s\")", s.Name())
	case errors.Is(err, late):
		return late
	case err != nil:
		return err
	case slices.Equal(got.Values, []string{permitAlways}):
		s.allowed = append(s.allowed, who)
	case !slices.Equal(got.Values, []string{permitOnce}):
		return refuse("the person at session %q does not want you to type", s.Name())
	}
	return nil
}

// stillPermitted returns an error, with the detail [core.NotPermitted], if input that was permitted
// must not be typed any more: a person has taken the keyboard, or has permitted it without seeing
// it, since a program was asking for a secret, and none does any more, so that it would be a
// command, or be displayed and kept; or see [Session.stillConfirmed].
func (s *Session) stillPermitted(st *state, what *typing, b []byte, settled bool) error {
	if err := s.keyboardTaken(); err != nil {
		return err
	}
	if what.blind && !s.secretLine(st) {
		return fault.With(core.NotPermitted, fault.New(fault.Precondition, "the program in session %q does not ask any more for the secret that a person has permitted: nothing was typed; look at the screen", s.Name()))
	}
	return s.stillConfirmed(st, what, b, settled)
}

// describeAll says what is typed, for persons.
func describeAll(entries []core.Typed) string {
	var texts []string
	for i, e := range entries {
		if i+1 < len(entries) && e.Secret && entries[i+1].Secret {
			entries[i+1].Count += e.Count // with the key that enters it
			continue
		}
		texts = append(texts, e.Describe())
	}
	return strings.Join(texts, ", then ")
}
