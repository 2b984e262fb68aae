// Package terminals defines every operation on terminals, once: its name, input and answer, what
// it needs and how it can fail. Interfaces such as HTTP translate requests into these operations
// and check nothing themselves.
//
// It is a table, not a framework. An operation is a Go variable with a typed function; interfaces
// name the operations that they offer, one by one, and floods of output go through the streams of
// [Terminals] instead.
//
// An [Operation] is a row, a [Grant] what a caller may do, and [Terminals] whatever carries
// operations out: [Local] for the sessions of this process, the router of package fleet, and the
// client of our HTTP API.
//
//	interface ── Decoder (JSON) ── Operation.Do(Terminals, Grant, input)
//	          ── Local.Do: is the grant enough? ── the operation's function ── term.Session
//
// The grant is checked in [Local] alone: the right before the operation's function runs, and which
// sessions it covers where the function finds them. For its holder, other sessions do not exist.
package terminals

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
)

// A Kind says what an operation does.
type Kind string

const (
	Query     Kind = "query"  // reads, at once
	Change    Kind = "change" // changes something, at once
	Wait      Kind = "wait"   // waits for something, and can be cancelled
	Streaming Kind = "stream" // delivers more than one answer: see [Stream]
)

// A Failure is a way in which an operation can fail.
type Failure struct {
	Kind   fault.Kind
	Detail fault.Detail // or ""
	When   string
}

// An Operation describes an operation. Operations are package variables and never change.
type Operation struct {
	Name    string // such as "session.create"
	Aliases []Alias
	Kind    Kind
	Right   Right  // needed to carry it out
	Doc     string // sentences for readers of the reference
	Fails   []Failure

	shapes shapes
	run    func(ctx context.Context, l *Local, by Grant, in, out any) error // nil for streams
	open   func(ctx context.Context, l *Local, by Grant, in any) (Stream, error)
}

// An Op is an operation with the types of its input and answer. Their JSON form is what crosses
// process boundaries.
type Op[In, Out any] struct{ Operation }

// None is the answer of operations that return nothing.
type None struct{}

// Do carries out the operation for a caller with the given rights. Where the operation says so, the
// answer is set even if there is an error.
func (o *Op[In, Out]) Do(ctx context.Context, t Doer, by Grant, in In) (Out, error) {
	var out Out
	err := t.Do(ctx, by, &o.Operation, &in, &out)
	return out, err
}

// Do implements [Terminals]: it checks the caller's right, and says in ctx who types and what needs
// a person's permission. All operations pass here.
func (l *Local) Do(ctx context.Context, by Grant, o *Operation, in, out any) error {
	if err := admits(by, o, in); err != nil {
		return err
	}
	from := by.From
	from.Token = by.Token
	ctx = term.WithSender(ctx, from)
	if (by.Confirm != nil || by.OwnConfirm != nil) && from.Kind != core.SenderAttach {
		ctx = term.WithConfirmation(ctx, term.Confirmation{Lines: by.Confirm, Own: by.OwnConfirm, Caller: by.Caller(), Ask: l.host.Permission})
	}
	if by.Guest && o.Kind == Query {
		places, _ := l.queries.LoadOrStore(by.Caller(), make(chan struct{}, maxGuestQueries))
		select {
		case places.(chan struct{}) <- struct{}{}:
			defer func() { <-places.(chan struct{}) }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return o.run(ctx, l, by, in, out)
}

// admits returns why a caller may not carry out an operation, or not with this input, or nil.
func admits(by Grant, o *Operation, in any) error {
	if err := by.Check(o); err != nil {
		return err
	}
	if in, ok := in.(interface{ checkFormat() error }); ok {
		return in.checkFormat()
	}
	return nil
}

// onServer defines an operation of the whole server.
func onServer[In, Out any](o Operation, f func(context.Context, *Local, Grant, In) (Out, error)) *Op[In, Out] {
	o.shapes = shapesOf[In, Out]()
	o.run = func(ctx context.Context, l *Local, by Grant, in, out any) (err error) {
		*out.(*Out), err = f(ctx, l, by, *in.(*In))
		return err
	}
	return &Op[In, Out]{o}
}

// onSession defines an operation of one session, which its input names. The session may get another
// name and other tags while an operation waits: the grant must cover it at the end, too.
func onSession[In interface{ target() string }, Out any](o Operation, f func(context.Context, *term.Session, In) (Out, error)) *Op[In, Out] {
	return onSessionOf(o, func(ctx context.Context, _ *Local, _ Grant, s *term.Session, in In) (Out, error) {
		return f(ctx, s, in)
	})
}

// onSessionOf is onSession for an operation that needs the server or the caller's rights, too.
func onSessionOf[In interface{ target() string }, Out any](o Operation, f func(context.Context, *Local, Grant, *term.Session, In) (Out, error)) *Op[In, Out] {
	o.Fails = append([]Failure{unknown}, o.Fails...)
	return onServer(o, func(ctx context.Context, l *Local, by Grant, in In) (out Out, err error) {
		s, err := l.session(ctx, by, in.target())
		if err != nil {
			return out, err
		}
		out, err = f(ctx, l, by, s, in)
		if o.Kind == Wait && by.nameOf(s) == "" {
			return *new(Out), registry.UnknownSession(in.target())
		}
		return out, err
	})
}

// A Target names the session of an operation.
type Target struct {
	Session string `json:"session" jsonschema:"name or id of the session"`
}

func (t Target) target() string { return t.Session }

func none(err error) (None, error) { return None{}, err }

// The failures that many operations share.
var (
	gone       = Failure{Kind: fault.Gone, When: "the program has ended"}
	invalid    = Failure{Kind: fault.Invalid, When: "a value is out of range or malformed"}
	exhausted  = Failure{Kind: fault.Exhausted, When: "a limit is reached"}
	late       = Failure{Kind: fault.Timeout, When: "the time to wait is over"}
	unasked    = Failure{fault.Precondition, core.NotPermitted, "a person must allow it, since the session asks who may type or the line is held back, and refuses, does not answer, or cannot be asked; or a person has the keyboard"}
	pending    = Failure{Kind: fault.Timeout, When: "a person has not answered yet whether a line that is held back may be entered: the same call waits on"}
	badClient  = Failure{fault.Invalid, clients.InvalidName, "the name of the client is too long, or has characters that are not allowed"}
	sameClient = Failure{fault.Exists, clients.NameTaken, "another client of the session has that name"}
	notQuiet   = Failure{fault.Timeout, term.NotQuiet, "it was not quiet in time"}
)

// NotAllowed is the detail of errors about missing rights.
const NotAllowed = registry.NotAllowed

// Every operation can fail like this.
var always = []Failure{{fault.Precondition, NotAllowed, "the caller lacks a right"}}

// Failures returns all ways in which the operation can fail.
func (o *Operation) Failures() []Failure { return append(always[:len(always):len(always)], o.Fails...) }
