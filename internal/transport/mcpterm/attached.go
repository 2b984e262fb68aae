package mcpterm

import (
	"context"
	"errors"
	"fmt"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/dialog"
)

// An attached is the channel of a question about lines: the terminals that are attached to the
// session.
type attached struct {
	face    *Face
	session string
}

func (a *attached) Name() string     { return "terminal" }
func (a *attached) Kind() popup.Kind { return popup.Terminal }

func (a *attached) Presence() popup.Presence {
	if a.face.terminals.Reaches(a.session) {
		return popup.Possible
	}
	return popup.Absent
}

// Show implements [popup.Channel].
func (a *attached) Show(ctx context.Context, asked popup.Asked) error {
	var refused error
	got, err := a.face.terminals.Ask(ctx, a.session, dialog.Question{Asked: asked}, func(r question.Reply) error {
		if r.Action != question.Dismiss {
			refused = a.face.permission.Answer(asked.ID, r, a.Name())
		}
		return refused
	})
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.Is(err, term.ErrQuestionLost):
		return fmt.Errorf("%w: %w", popup.ErrLost, err)
	case err != nil:
		return fmt.Errorf("%w: %w", popup.ErrNotShown, err)
	case got.Action == question.Dismiss:
		return popup.ErrPutAway
	case refused != nil && fault.KindOf(refused) != fault.Exists:
		return refused
	}
	<-ctx.Done() // the question is over
	return nil
}
