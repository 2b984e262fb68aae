package terminals

import (
	"context"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
)

// AttachQuery is the input of [Attach]: what a client's first frame asks for.
type AttachQuery struct {
	Target         // "" for a new session without a name
	Create  bool   `json:"-"` // create the session
	Request []byte `json:"-"` // the rest, in JSON
	// Prefix precedes the names and IDs of sessions in requests and answers.
	Prefix string `json:"-"`
	// Untrusted: see [term.ViewerOptions].
	Untrusted bool `json:"-"`
	// Followed says that the client gets from this host what the other one asks, if this one
	// follows that.
	Followed bool `json:"-"`
	// Host is what another host is called here that serves the terminal.
	Host string `json:"-"`
}

// Attach is a stream of frames each way. Package attachedterm serves those of this process with
// [Local.Attach]; Open is for terminals elsewhere.
var Attach = stream[AttachQuery, None](Operation{
	Name: "session.attach", Right: Read, Doc: "Attaches a person's terminal: pictures as bytes one way, what is typed the other way. Without the right to type, it only looks.",
	Fails: []Failure{unknown, gone, exhausted, badClient, sameClient},
}, nil)

// Attach starts [Attach]. The viewer displays questions of other hosts only if the caller may
// answer those of this one. A guest does not count as a person, and may only look where lines are
// held back, since what is typed at an attached terminal is not judged.
func (l *Local) Attach(ctx context.Context, by Grant, session string, o term.ViewerOptions) (*Viewer, error) {
	if err := by.Check(&Attach.Operation); err != nil {
		return nil, err
	}
	s, err := l.session(ctx, by, session)
	if err != nil {
		return nil, err
	}
	if by.Guest {
		o.Untrusted = true // nobody there answers what is asked about its own lines
		if by.Confirm != nil {
			by.Rights &^= Type
		}
	}
	o.Client.Name = by.clientName(o.Client.Name, o.Client.Kind)
	isTerminal := o.Client.Kind == "" || o.Client.Kind == clients.KindAttach
	o.Looks = isTerminal && (o.Client.ReadOnly && o.Greeting != "" || !o.Client.ReadOnly && by.Rights&Type == 0)
	o.Client.ReadOnly = o.Client.ReadOnly || by.Rights&Type == 0
	o.Answers = by.Check(&FollowQuestions.Operation) == nil
	v, err := s.AttachViewer(o)
	if err != nil {
		return nil, err
	}
	return &Viewer{v, l, s, by}, nil
}

// A Viewer is a person's terminal attached to a session of this process: see [term.Viewer].
// Terminals elsewhere are attached there, and what crosses are frames.
type Viewer struct {
	*term.Viewer
	l       *Local
	session *term.Session
	by      Grant
}

// Check returns an error unless the caller may still use the session. It precedes each request but
// [Viewer.Next] and [Viewer.Type], which look themselves.
func (v *Viewer) Check() error {
	if v.by.nameOf(v.session) == "" {
		return ErrUncovered
	}
	return nil
}

// Name is as in [Stream].
func (v *Viewer) Name() string { return v.l.nameOf(v.session, v.by) }

// AwaitLoss waits until nothing arrives about the session any more although its program may run,
// and returns why: an error of kind NotFound if the session was removed or the caller's grant does
// not cover it any more. It returns nil if ctx ends before that, and at once if none of it can
// happen.
func (v *Viewer) AwaitLoss(ctx context.Context) error {
	return v.l.awaitLoss(ctx, v.by, v.Name)
}

// Next is as in [term.Viewer].
func (v *Viewer) Next(ctx context.Context) ([]byte, error) {
	b, err := v.Viewer.Next(ctx)
	if err == nil {
		err = v.Check()
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Type is as in [term.Viewer].
func (v *Viewer) Type(ctx context.Context, b []byte) error {
	if err := v.Check(); err != nil {
		return err
	}
	return v.Viewer.Type(ctx, b)
}
