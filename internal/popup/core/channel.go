package core

import (
	"slices"

	"ui-mcp/internal/popup/question"
)

// A Kind is a sort of channel. It decides when the channel is tried.
type Kind uint8

// Kinds of channels.
const (
	Page        Kind = iota // pages that are open
	Elicitation             // the dialog of the client that asked
	Chat                    // a view within the conversation
	NewPage                 // a page that has to be opened first
	Terminal                // the person's own terminal
	Elsewhere               // the person's other programs, here and on other hosts, which show the question where they can
)

// isBeside reports whether channels of the kind show a question while another one does, since the
// person may be at either.
func (k Kind) isBeside() bool { return k == Terminal || k == Elsewhere }

// A Presence says how likely a channel is to reach the person now.
type Presence uint8

// Presences.
const (
	Absent   Presence = iota // not at all
	Possible                 // it can show a question
	Attended                 // the person is looking at it

	// Presences of Elsewhere, which may be added.
	OnMachine Presence = 1 // other programs of this host show questions
	OnHosts   Presence = 2 // and those of other hosts
)

// A Channel puts questions before a person.
type Channel struct {
	ID   uint64 // not 0
	Kind Kind
	Name string // in answers
}

// A step is one attempt to reach the person.
type step struct {
	kind Kind
	from Presence // the least that the channel needs
}

// The person is where they look. Otherwise the client's own dialog disturbs least; a page that
// nobody looks at has to call for attention; opening a page is the last resort on a screen.
var (
	simpleSteps = []step{{Page, Attended}, {Elicitation, Possible}, {Chat, Possible}, {Page, Possible}, {NewPage, Possible}, {Terminal, Possible}, {Elsewhere, Possible}}
	// Rich questions start with the channels that can show them.
	richSteps = []step{{Chat, Possible}, {Page, Possible}, {NewPage, Possible}, {Elicitation, Possible}, {Terminal, Possible}, {Elsewhere, Possible}}
	// No view in the conversation: the model itself might answer there.
	dangerSteps  = []step{{Page, Attended}, {Elicitation, Possible}, {Page, Possible}, {NewPage, Possible}, {Terminal, Possible}, {Elsewhere, Possible}}
	presentSteps = []step{{Page, Possible}, {Terminal, Possible}, {Elsewhere, Possible}}
	abroadSteps  = []step{{Elsewhere, Possible}}
	// Secrets go to what this program itself draws.
	secretSteps = []step{{Page, Possible}, {NewPage, Possible}, {Terminal, Possible}, {Elsewhere, Possible}}
)

// requestable maps the channels that a question may name to kinds.
var requestable = map[string]Kind{"page": Page, "elicitation": Elicitation, "chat": Chat, "terminal": Terminal}

// steps returns the order in which channels are tried for a question.
func steps(e *Entry) []step {
	q := e.Question
	var order []step
	switch {
	case e.Abroad:
		return abroadSteps
	case q.IfPresent:
		return presentSteps
	case q.Secret:
		order = secretSteps
	case q.Severity == question.Danger:
		order = dangerSteps
	case q.IsRich():
		order = richSteps
	default:
		order = simpleSteps
	}
	kind, ok := requestable[q.Channel]
	if !ok || !slices.ContainsFunc(order, func(s step) bool { return s.kind == kind }) {
		return order
	}
	return append([]step{{kind, Possible}}, order...)
}
