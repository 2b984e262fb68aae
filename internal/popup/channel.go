package popup

import (
	"context"
	"errors"

	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

// ErrNotShown means that a channel could not put a question before a person.
var ErrNotShown = errors.New("the question was not shown")

// ErrLost means that a channel has shown a question to the person, and cannot any more, as when the
// page has closed. That says nothing about the person: another channel may try, and the question
// waits for one until its deadline.
var ErrLost = errors.New("the question is not displayed any more")

// ErrPutAway means that the person has closed a dialog without an answer, perhaps because it was in
// the way. Another channel may try; if none displays it, the question was dismissed.
var ErrPutAway = errors.New("the question was put away")

// Asked is a question as it was asked.
type Asked = question.Asked

// A Channel puts questions before a person. Its methods are called from several goroutines.
type Channel interface {
	// Name is the name of the channel in answers.
	Name() string
	Kind() core.Kind
	// Presence must not block, nor call [Broker.Recheck].
	Presence() core.Presence
	// Show shows a question until ctx ends, which means that it needs no answer any more and is to
	// be taken away. It returns earlier only if it cannot show the question, or not any longer; the
	// error says why. The person's reply goes to [Broker.Answer].
	Show(ctx context.Context, a Asked) error
}

// how returns what the error of a channel or of another server means.
func how(err error) core.How {
	switch {
	case errors.Is(err, ErrPutAway):
		return core.PutAway
	case errors.Is(err, ErrLost):
		return core.Lost
	}
	return core.NotShown
}
