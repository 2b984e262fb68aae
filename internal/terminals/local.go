package terminals

import (
	"context"
	"sync"

	"ui-mcp/internal/secret"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
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

	// Open starts an operation that delivers more than one answer. in points to a value of the type
	// that [Operation.New] returns. Most callers use [StreamOp.Open].
	Open(ctx context.Context, by Grant, o *Operation, in any) (Stream, error)
}

// A Doer carries out operations other than streams.
type Doer interface {
	// Do carries out an operation. in and out point to values of the types that [Operation.New]
	// returns. Most callers use [Op.Do].
	Do(ctx context.Context, by Grant, o *Operation, in, out any) error
}

// Local carries out operations on the sessions of this process.
type Local struct {
	sessions *registry.Registry
	host     Host
	features []string // see [ServerInfo]
	tokens   Tokens
	drawing  chan struct{} // capacity 1; a token means that a picture is drawn
	queries  sync.Map      // by guest: a channel with a token for each query that is being answered
}

// maxGuestQueries is how many queries of a guest are answered at a time: an answer that is being
// made counts nowhere else.
const maxGuestQueries = 8

// NewLocal returns the operations on a registry, which runs in the given process. The registry
// remains the caller's to close.
func NewLocal(r *registry.Registry, h Host) *Local {
	l := &Local{sessions: r, host: h, drawing: make(chan struct{}, 1)}
	l.tokens.issued = secret.NewStore[named](secret.Rules{Prefix: TokenPrefix, Most: MaxTokens})
	for _, o := range All() {
		l.features = append(l.features, o.Name)
	}
	l.features = append(l.features, Claims)
	return l
}

// Tokens returns the tokens that [CreateToken] issues, for access control.
func (l *Local) Tokens() *Tokens { return &l.tokens }

// session returns a session that the grant covers.
func (l *Local) session(ctx context.Context, by Grant, name string) (*term.Session, error) {
	s, err := l.sessions.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	if by.Sessions != nil || by.Tags != nil {
		if i := s.Info(); !by.covers(i.Name, i.Tags) {
			return nil, registry.UnknownSession(name)
		}
	}
	return s, nil
}

func (l *Local) describe(s *term.Session) wire.Session { return wire.NewSession(s.Info(), l.host.Name) }

var _ Terminals = (*Local)(nil)
