package popup

import (
	"context"
	"errors"
	"time"

	"ui-mcp/internal/popup/question"
)

// A Kind is the sort of a channel, by which it has its place in the order in which channels are tried.
type Kind uint8

// Kinds of channels.
const (
	Page        Kind = iota // pages that are open
	Elicitation             // the dialog of the client that asked
	Chat                    // a view within the conversation
	NewPage                 // a page that has to be opened first
	Terminal                // the person's own terminal
)

// A Presence says how likely a channel is to reach the person now.
type Presence uint8

// Presences.
const (
	Absent   Presence = iota // not at all
	Possible                 // it can show a question
	Attended                 // the person is looking at it
)

// ErrNotShown means that a channel could not put a question before a person, or cannot any more.
var ErrNotShown = errors.New("the question was not shown")

// ErrPutAway means that the person has closed a dialog without an answer, which may have been in the way. Another channel
// may try; when none is left, the question was dismissed.
var ErrPutAway = errors.New("the question was put away")

// Asked is a question that waits for its answer.
type Asked struct {
	ID        string
	Workspace string
	Question  question.Question
	At        time.Time
	Deadline  time.Time
}

// A Channel puts questions before a person. Its methods are called from several goroutines.
type Channel interface {
	// Name is what an answer says of where it came from.
	Name() string
	Kind() Kind
	// Presence must not block.
	Presence() Presence
	// Show shows a question and stays until ctx ends, which means that it needs no answer any more and is to be taken
	// away. Before that it returns only when it cannot show the question, or not any longer; the error says why. What the
	// person does with it goes to [Broker.Answer].
	Show(ctx context.Context, a Asked) error
}

// A step is one try to reach the person.
type step struct {
	kind Kind
	from Presence // what the channel must be at least
}

// The person is where they look. Then a dialog of the client disturbs least; a page that nobody looks at has to call for
// attention; opening one is the last that is tried on a screen.
var (
	simpleSteps = []step{{Page, Attended}, {Elicitation, Possible}, {Chat, Possible}, {Page, Possible}, {NewPage, Possible}, {Terminal, Possible}}
	// More than text and buttons is at home where it can be shown.
	richSteps = []step{{Chat, Possible}, {Page, Possible}, {NewPage, Possible}, {Elicitation, Possible}, {Terminal, Possible}}
	// A view in the conversation might be answered by the model itself.
	dangerSteps = []step{{Page, Attended}, {Elicitation, Possible}, {Page, Possible}, {NewPage, Possible}}
	// A secret goes to pages of ours alone.
	secretSteps = []step{{Page, Possible}, {NewPage, Possible}}
)

// wished is which kind a question means by the name of a channel.
var wished = map[string]Kind{"page": Page, "elicitation": Elicitation, "chat": Chat, "terminal": Terminal}

// steps is the order in which channels are tried for a question.
func steps(q question.Question) []step {
	var order []step
	switch {
	case q.Secret:
		order = secretSteps
	case q.Severity == question.Danger:
		order = dangerSteps
	case q.IsRich():
		order = richSteps
	default:
		order = simpleSteps
	}
	kind, ok := wished[q.Channel]
	if !ok || !allows(order, kind) {
		return order
	}
	return append([]step{{kind, Possible}}, order...)
}

func allows(order []step, kind Kind) bool {
	for _, s := range order {
		if s.kind == kind {
			return true
		}
	}
	return false
}
