package attachedterm

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/wire"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/socketwire"
)

// none is the ID of no question, not even of one that there is not.
const none = "none"

// ask sends which question the client is to display, until ctx ends or the client was detached.
func (c *client) ask(ctx context.Context, v *terminals.Viewer) {
	for id := none; ; {
		q, err := v.NextQuestion(ctx, id)
		if err == nil {
			err = v.Check()
		}
		if err != nil || WriteJSON(c, socketwire.Question, wire.One(q)) != nil {
			return // the last picture says why, or reading does
		}
		if id = ""; q != nil {
			id = q.ID
		}
	}
}

// aboutQuestion handles a message about a question.
func (c *client) aboutQuestion(ctx context.Context, v *terminals.Viewer, content []byte) error {
	switch m := wire.Decode(content); m.Type {
	case "shown":
		return v.QuestionSeen(ctx, m.ID)
	case "hidden": // it was seen
		return nil
	case "active":
		_ = v.AnswerQuestion(ctx, m.ID, question.Reply{Action: question.Active}) // it may be over
		return nil
	case "answer":
		err := v.AnswerQuestion(ctx, m.ID, m.Reply())
		_ = WriteJSON(c, socketwire.Question, wire.VerdictOn(m.ID, err)) // reading notices if it has failed
		return nil
	}
	return fault.New(fault.Invalid, "unknown message about questions")
}
