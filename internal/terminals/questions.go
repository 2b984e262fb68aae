package terminals

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

// Questions are what programs on this host ask its person, for those who may reply as that person:
// servers on the person's other hosts. Its methods may be called from anywhere. The operations
// below check the caller's right before they call them.
type Questions interface {
	// List returns the open questions. If the caller has them already, it waits until the list is
	// different, or the time in the query is over.
	List(ctx context.Context, in QuestionQuery) (QuestionList, error)
	// Answer gives the person's reply to a question.
	Answer(ctx context.Context, by Grant, in QuestionReply) (Delivery, error)
	// Ask asks a question and returns its outcome. When ctx ends, the question is withdrawn.
	Ask(ctx context.Context, in NewQuestion) (question.Answer, error)
}

// MaxQuestions is how many open questions [ListQuestions] returns.
const MaxQuestions = 20

// QuestionQuery is the input of [ListQuestions].
type QuestionQuery struct {
	After    string `json:"after,omitempty" jsonschema:"revision of an earlier answer: wait until the list is different"`
	Follower string `json:"follower,omitempty" jsonschema:"unguessable text by which the caller's queries are known as its own"`
	Caller   string `json:"-"` // see [Grant.Caller]
	Shows    bool   `json:"shows,omitempty" jsonschema:"whether the caller can put questions before the person now: then they wait for that" default:"false"`
	Deadline
}

// QuestionList is the answer of [ListQuestions].
type QuestionList struct {
	Server    string         `json:"server_id" jsonschema:"as server.info has it"`
	Revision  string         `json:"revision" jsonschema:"for after"`
	Questions []OpenQuestion `json:"questions" jsonschema:"the oldest first, at most 20"`
	LeftOut   int            `json:"left_out,omitempty" jsonschema:"open questions that are not in the list, since there are too many or they are too long"`
	Followed  bool           `json:"followed,omitempty" jsonschema:"whether a server on another host shows questions to the person"`
}

// An OpenQuestion is a question that waits for a reply.
type OpenQuestion struct {
	ID       string         `json:"id" jsonschema:"id of the question"`
	Asked    string         `json:"asked" jsonschema:"stands for this time that it is asked: if it is asked again under the same id, that is another one"`
	Asker    question.Asker `json:"asker" jsonschema:"what asks: agent, app or program"`
	Question question.Posed `json:"question"`
	LeftMS   int64          `json:"left_ms" jsonschema:"milliseconds until it ends without a reply"`
}

// QuestionReply is the input of [AnswerQuestion].
type QuestionReply struct {
	ID       string         `json:"id" jsonschema:"id of the question"`
	Digest   string         `json:"digest" jsonschema:"what the person was shown: a reply to a question that differs from it is refused"`
	Delivery string         `json:"delivery" jsonschema:"unguessable text that stands for this reply: a reply that is repeated, since the answer to it was lost, is answered as the first time"`
	Reply    question.Reply `json:"reply"`
	Follower string         `json:"follower,omitempty" jsonschema:"as in question.list: its person has put the question away with dismiss, and it stays for those whom others show it; left out: dismiss ends it"`
}

// A Delivery is the answer of [AnswerQuestion].
type Delivery struct {
	Result  DeliveryResult   `json:"result" jsonschema:"accepted: the asker gets it; over: the question had ended already; refused: the question does not accept it, or the caller puts away what it does not show; unknown: there is no such question, or it ended long ago"`
	Outcome question.Outcome `json:"outcome,omitempty" jsonschema:"how the question has ended"`
	Channel string           `json:"channel,omitempty" jsonschema:"where it was answered"`
	Reason  string           `json:"reason,omitempty" jsonschema:"why the reply did not arrive"`
}

// A DeliveryResult says what came of a reply.
type DeliveryResult string

// Results.
const (
	Accepted DeliveryResult = "accepted"
	Over     DeliveryResult = "over"
	Refused  DeliveryResult = "refused"
	Unknown  DeliveryResult = "unknown"
)

// NewQuestion is the input of [AskQuestion].
type NewQuestion struct {
	ID       string         `json:"id,omitempty" jsonschema:"what the caller calls the question, at least 26 letters A to Z and digits 2 to 7: asked again under the same id, it is the same question; left out: one that is new"`
	Asker    question.Asker `json:"asker,omitempty" jsonschema:"what asks: agent, app or program" default:"\"program\""`
	Question question.Posed `json:"question"`
}

var noQuestions = Failure{Kind: fault.Precondition, When: "the sessions belong to a program with other tasks"}

// Operations on questions to the person. No tool of MCP and no command answers questions: that
// would let agents answer their own.
var (
	ListQuestions = onServer(Operation{
		Name: "question.list", Kind: Wait, Right: Answer,
		Doc:   "Lists the open questions that were asked on this host, or waits until the list is different. Those of other hosts are not listed.",
		Fails: []Failure{invalid, exhausted, noQuestions},
	}, func(ctx context.Context, l *Local, by Grant, in QuestionQuery) (QuestionList, error) {
		if l.host.Questions == nil {
			return QuestionList{}, errNoQuestions
		}
		in.Caller = by.Caller()
		return l.host.Questions.List(ctx, in)
	})

	AnswerQuestion = onServer(Operation{
		Name: "question.answer", Kind: Change, Right: Answer,
		Doc:   "Gives the person's reply to a question. The first one counts.",
		Fails: []Failure{invalid, noQuestions},
	}, func(ctx context.Context, l *Local, by Grant, in QuestionReply) (Delivery, error) {
		if l.host.Questions == nil {
			return Delivery{}, errNoQuestions
		}
		return l.host.Questions.Answer(ctx, by, in)
	})

	AskQuestion = onServer(Operation{
		Name: "question.ask", Kind: Wait, Right: Administer,
		Doc: "Asks the person for a program of this host and user, on the other hosts of the person. It ends with the outcome, which is no_human if the question reaches nobody. When the caller leaves, the question is withdrawn.",
		Fails: []Failure{
			invalid, exhausted, noQuestions,
			{Kind: fault.Precondition, When: "a secret, or a line for a program, was answered to another call with the id: nobody else gets it"},
			{Kind: fault.Gone, When: "the server is stopping: ask again under the same id when it is back"},
		},
	}, func(ctx context.Context, l *Local, _ Grant, in NewQuestion) (question.Answer, error) {
		if l.host.Questions == nil {
			return question.Answer{}, errNoQuestions
		}
		return l.host.Questions.Ask(ctx, in)
	})
)

var errNoQuestions = fault.New(fault.Precondition, "these sessions belong to a program with other tasks, which asks its questions itself")

// questionOps are the operations on questions, in the order of the reference.
var questionOps = []*Operation{&ListQuestions.Operation, &AnswerQuestion.Operation, &AskQuestion.Operation}
