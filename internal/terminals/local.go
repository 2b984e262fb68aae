package terminals

import (
	"context"

	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/terminals/wire"
)

// Terminals carries out operations. An interface that serves terminals holds one, and does not know
// whether it is [Local] or in another process. Its methods may be called from anywhere.
//
// Sessions that the caller's grant does not cover are reported as NotFound, even while an operation
// waits or a stream delivers. A missing right is an error of kind Precondition with the detail
// [NotAllowed].
type Terminals interface {
	Doer

	// Watch starts [Watch].
	Watch(ctx context.Context, by Grant, in WatchQuery) (Watcher, error)
	// Output starts [ReadOutput].
	Output(ctx context.Context, by Grant, in OutputQuery) (Output, error)
	// Join starts [Join].
	Join(ctx context.Context, by Grant, session string, o term.ClientOptions) (Client, error)
	// Follow starts [Follow].
	Follow(ctx context.Context, by Grant) (Lifecycle, error)
	// FollowQuestions starts [FollowQuestions].
	FollowQuestions(ctx context.Context, by Grant) (QuestionStream, error)
}

// A Doer carries out operations other than streams.
type Doer interface {
	// Do carries out an operation. in and out point to values of the types that [Operation.New]
	// returns. Most callers use [Op.Do].
	Do(ctx context.Context, by Grant, o *Operation, in, out any) error
}

// A Viewer is a person's terminal attached to a session: see [term.Viewer]. Only [Local] has them:
// terminals elsewhere are attached there, and what crosses are their pictures and what is typed.
type Viewer interface {
	Client
	PID() int
	// ClientName returns the viewer's own name.
	ClientName() string
	History(ctx context.Context, n int) ([]byte, error)
	Resize(ctx context.Context, cols, rows int) error
	Next(context.Context) ([]byte, error)
	Type(context.Context, []byte) error
	Interrupts([]byte) bool
	AfterInput(func()) bool
	LookBack(context.Context, []byte) error
	Prefix(ctx context.Context, key string) error
	ToggleAgent(context.Context) error
	SetBar(term.Bar)
	NextQuestion(ctx context.Context, id string) (*question.Asked, error)
	QuestionSeen(ctx context.Context, id string) error
	AnswerQuestion(ctx context.Context, id string, r question.Reply) error
	Lead(context.Context) error
	PictureSize() (cols, rows int)
	Unseen()
	Exit() *tty.Exit
}

// Attach is a stream, whose data does not pass through the table.
var Attach = stream[Target](Operation{
	Name: "session.attach", Right: Read, Doc: "Attaches a person's terminal: pictures as bytes one way, what is typed the other way. Without the right to type, it only looks.",
	Fails: []Failure{unknown, gone, exhausted, badClient, sameClient},
})

func stream[In any](o Operation) *Operation {
	o.Kind, o.shapes = Stream, shapesOf[In, None]()
	return &o
}

// Local carries out operations on the sessions of this process.
type Local struct {
	sessions *term.Registry
	host     Host
	features []string // names of all operations
	tokens   *Tokens
	drawing  chan struct{} // capacity 1; a token means that a picture is drawn
	queries  chan struct{} // a token for each query of a guest that is being answered
}

// maxGuestQueries is how many queries of guests are answered at a time: an answer that is being
// made counts nowhere else.
const maxGuestQueries = 16

// NewLocal returns the operations on a registry, which runs in the given process. The registry
// remains the caller's to close.
func NewLocal(r *term.Registry, h Host) *Local {
	l := &Local{sessions: r, host: h, tokens: newTokens(), drawing: make(chan struct{}, 1), queries: make(chan struct{}, maxGuestQueries)}
	for _, o := range All() {
		l.features = append(l.features, o.Name)
	}
	return l
}

// Tokens returns the tokens that [CreateToken] issues, for access control.
func (l *Local) Tokens() *Tokens { return l.tokens }

// Attach starts [Attach]. The viewer displays questions of other hosts only if the caller may
// answer those of this one. A guest does not count as a person, and may only look where lines are
// held back, since what is typed at an attached terminal is not judged.
func (l *Local) Attach(ctx context.Context, by Grant, session string, o term.ViewerOptions) (Viewer, error) {
	s, err := l.streamed(ctx, by, Attach, session)
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
	isTerminal := o.Client.Kind == "" || o.Client.Kind == term.ClientAttach
	o.Looks = isTerminal && (o.Client.ReadOnly && o.Greeting != "" || !o.Client.ReadOnly && by.Rights&Type == 0)
	o.Client.ReadOnly = o.Client.ReadOnly || by.Rights&Type == 0
	o.Answers = by.Check(FollowQuestions) == nil
	v, err := s.AttachViewer(o)
	if err != nil {
		return nil, err
	}
	return viewer{v, l, s, by}, nil
}

// A viewer is a Viewer of this process.
type viewer struct {
	*term.Viewer
	l       *Local
	session *term.Session
	by      Grant
}

// checked calls f if the caller may still use the session.
func (v viewer) checked(f func() error) error {
	if err := v.by.recheck(v.session); err != nil {
		return err
	}
	return f()
}

// Name implements [Viewer].
func (v viewer) Name() string { return v.l.nameOf(v.session, v.by) }

// AwaitLoss implements [Viewer].
func (v viewer) AwaitLoss(ctx context.Context) error {
	return v.l.awaitLoss(ctx, v.by, v.Name)
}

// History implements [Viewer].
func (v viewer) History(ctx context.Context, n int) ([]byte, error) {
	if err := v.by.recheck(v.session); err != nil {
		return nil, err
	}
	return v.Viewer.History(ctx, n)
}

// Resize implements [Viewer].
func (v viewer) Resize(ctx context.Context, cols, rows int) error {
	return v.checked(func() error { return v.Viewer.Resize(ctx, cols, rows) })
}

// Next implements [Viewer].
func (v viewer) Next(ctx context.Context) ([]byte, error) {
	b, err := v.Viewer.Next(ctx)
	if err == nil {
		err = v.by.recheck(v.session)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Type implements [Viewer].
func (v viewer) Type(ctx context.Context, b []byte) error {
	return v.checked(func() error { return v.Viewer.Type(ctx, b) })
}

// Lead implements [Viewer].
func (v viewer) Lead(ctx context.Context) error {
	return v.checked(func() error { return v.Viewer.Lead(ctx) })
}

// NextQuestion implements [Viewer].
func (v viewer) NextQuestion(ctx context.Context, id string) (*question.Asked, error) {
	q, err := v.Viewer.NextQuestion(ctx, id)
	if err == nil {
		err = v.by.recheck(v.session)
	}
	return q, err
}

// AnswerQuestion implements [Viewer].
func (v viewer) AnswerQuestion(ctx context.Context, id string, r question.Reply) error {
	return v.checked(func() error { return v.Viewer.AnswerQuestion(ctx, id, r) })
}

// LookBack implements [Viewer].
func (v viewer) LookBack(ctx context.Context, keys []byte) error {
	return v.checked(func() error { return v.Viewer.LookBack(ctx, keys) })
}

func (l *Local) streamed(ctx context.Context, by Grant, o *Operation, session string) (*term.Session, error) {
	if err := by.Check(o); err != nil {
		return nil, err
	}
	return l.session(ctx, by, session)
}

// session returns a session that the grant covers.
func (l *Local) session(ctx context.Context, by Grant, name string) (*term.Session, error) {
	s, err := l.sessions.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	if by.Sessions != nil || by.Tags != nil {
		if i := s.Info(); !by.covers(i.Name, i.Tags) {
			return nil, term.UnknownSession(name)
		}
	}
	return s, nil
}

func (l *Local) describe(s *term.Session) wire.Session { return wire.NewSession(s.Info(), l.host.Name) }

var _ Terminals = (*Local)(nil)
