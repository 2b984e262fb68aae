package termask

import (
	"context"
	"errors"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/workspace"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/registry"
)

// TerminalOptions configure [Terminals]. Sessions and Broker are required.
type TerminalOptions struct {
	Sessions *registry.Registry
	// Broker gets the person's replies, and learns when a person is attached.
	Broker interface {
		Answer(id string, r question.Reply, channel string) (question.Answer, error)
		Recheck()
	}
	// Project says that all sessions belong to the workspaces of the broker, wherever they were
	// created.
	Project bool
	// PageURL returns the address of the page with the questions, or "" while no page is served;
	// nil means that no page ever is.
	PageURL func() string
}

// Terminals are the terminals that are attached to sessions, as a channel for questions. A question
// appears on those whose session was created in its workspace, below it or above it. Use
// [NewTerminals].
type Terminals struct {
	TerminalOptions
	within string        // the directory of the sessions; "": the question's
	only   *term.Session // whose terminals these are; nil: all sessions
	others bool          // for what other programs ask
}

var _ popup.Channel = (*Terminals)(nil)

// NewTerminals returns the channel.
func NewTerminals(o TerminalOptions) *Terminals { return &Terminals{TerminalOptions: o} }

// Around returns the channel for questions about a session: the terminals of its workspace.
func (t *Terminals) Around(s *term.Session) popup.Channel {
	around := *t
	around.within = workspace.Clean(s.Info().Dir)
	return &around
}

// At returns the channel for questions about what is done in a session: the terminals that are
// attached to it.
func (t *Terminals) At(s *term.Session) popup.Channel {
	at := *t
	at.only = s
	return &at
}

// ForOthers returns the channel for what other programs ask, about which the directories here say
// nothing: all terminals whose persons may reply to that.
func (t *Terminals) ForOthers() popup.Channel {
	all := *t
	all.others = true
	return &all
}

// Run notifies the broker of persons who are attached, until ctx is done.
func (t *Terminals) Run(ctx context.Context) {
	for {
		came := t.Sessions.Attendance() // before the broker looks who is there
		t.Broker.Recheck()
		select {
		case <-came:
		case <-ctx.Done():
			return
		}
	}
}

// Name implements [popup.Channel].
func (t *Terminals) Name() string { return "terminal" }

// Kind implements [popup.Channel].
func (t *Terminals) Kind() core.Kind { return core.Terminal }

// Presence implements [popup.Channel].
func (t *Terminals) Presence() core.Presence {
	if len(t.attended(t.within, t.others)) > 0 {
		return core.Possible
	}
	return core.Absent
}

// attended returns the sessions of a workspace to which a person is attached. others: see
// [popup.Asked.IsOthers].
func (t *Terminals) attended(path string, others bool) (list []*term.Session) {
	for _, s := range t.Sessions.Reaching(others) {
		if t.only == s || t.only == nil && (t.Project || t.others || workspace.Related(path, workspace.Clean(s.Info().Dir))) {
			list = append(list, s)
		}
	}
	return list
}

// A reply is what came of a question in one session.
type reply struct {
	session *term.Session
	reply   question.Reply
	refused error // by the broker
	err     error
}

// Show implements [popup.Channel]. Terminals that are attached meanwhile show the question, too.
func (t *Terminals) Show(ctx context.Context, a popup.Asked) error {
	path := t.within
	if path == "" {
		path = a.Workspace
	}
	ctx, cancel := context.WithCancel(ctx)
	asking, failed := map[*term.Session]bool{}, map[*term.Session]bool{}
	replies := make(chan reply)
	defer func() {
		cancel()
		for range asking {
			<-replies
		}
	}()
	a.Question = a.Question.WithoutFiles(true)
	q := dialog.Question{Asked: a, Elsewhere: t.elsewhere()}
	lost := error(popup.ErrNotShown)
	for {
		came := t.Sessions.Attendance()
		for _, s := range t.attended(path, a.IsOthers()) {
			if !asking[s] && !failed[s] {
				asking[s] = true
				go func() {
					r := reply{session: s}
					r.reply, r.err = s.Ask(ctx, q, func(got question.Reply) error {
						if got.Action != question.Dismiss {
							_, r.refused = t.Broker.Answer(a.ID, got, t.Name())
						}
						return r.refused
					})
					replies <- r
				}()
			}
		}
		if len(asking) == 0 {
			return lost
		}
		select {
		case <-came:
			clear(failed) // another terminal may be larger
		case <-ctx.Done():
			return nil
		case r := <-replies:
			delete(asking, r.session)
			switch {
			case ctx.Err() != nil:
				return nil
			case r.err != nil:
				if errors.Is(r.err, term.ErrQuestionLost) {
					lost = popup.ErrLost
				}
				failed[r.session] = true
				continue
			case r.reply.Action == question.Dismiss:
				return popup.ErrPutAway
			case r.refused != nil && fault.KindOf(r.refused) != fault.Exists:
				return errors.Join(popup.ErrNotShown, r.refused)
			}
			<-ctx.Done() // the question is over
			return nil
		}
	}
}

// elsewhere says where questions are answered that keys cannot answer, if that is known.
func (t *Terminals) elsewhere() string {
	if t.PageURL == nil || t.PageURL() == "" {
		return ""
	}
	return "Answer it at " + t.PageURL()
}
