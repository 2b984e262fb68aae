package terminals

import (
	"context"
	"sync/atomic"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

// Questions are what programs on this host ask its person, for those who may reply as that person:
// servers on the person's other hosts. Its methods may be called from anywhere. Callers have
// checked the right.
type Questions interface {
	// Follow begins to follow the open questions. The caller must close the stream.
	Follow(ctx context.Context, by Grant) (QuestionStream, error)
}

// MaxQuestions is how many open questions a follower has at a time.
const MaxQuestions = 20

// A QuestionStream is what a follower of questions and the program that asks them say to each
// other. One goroutine may receive; any may send.
type QuestionStream interface {
	// Receive waits for what the asker says next. The end of ctx may end the stream.
	Receive(ctx context.Context) (QuestionNews, error)
	// Send says something to the asker. An error says that it did not arrive.
	Send(ctx context.Context, in FromFollower) error
	// Close ends the stream: Receive fails.
	Close()
}

// QuestionNews is what a follower learns. It has one of these.
type QuestionNews struct {
	Asked   *OpenQuestion `json:"asked,omitempty" jsonschema:"a question that waits for a reply"`
	Over    string        `json:"over,omitempty" jsonschema:"id of a question that needs no reply any more"`
	Verdict *Delivery     `json:"verdict,omitempty" jsonschema:"what came of a reply"`
	Listed  *Listed       `json:"listed,omitempty" jsonschema:"all that was open at the beginning has been said"`
}

// Listed says that a follower has got what was open when it came.
type Listed struct {
	Server  string `json:"server_id" jsonschema:"as server.info has it"`
	LeftOut int    `json:"left_out,omitempty" jsonschema:"open questions that come later, since there are more than 20 or they are too long"`
}

// FromFollower is what a follower says. It has Shows or Answer.
type FromFollower struct {
	Shows  *bool          `json:"shows,omitempty" jsonschema:"whether the follower can put questions before the person now: then they wait for that"`
	Opens  bool           `json:"opens,omitempty" jsonschema:"with shows: it would open a page first, as it does not for a question with if_present"`
	Answer *QuestionReply `json:"answer,omitempty" jsonschema:"what the person does with a question"`
}

// An OpenQuestion is a question that waits for a reply.
type OpenQuestion struct {
	ID       string         `json:"id" jsonschema:"id of the question"`
	Asked    string         `json:"asked" jsonschema:"stands for this time that it is asked: if it is asked again under the same id, that is another one"`
	Asker    question.Asker `json:"asker" jsonschema:"what asks: agent, app or program"`
	Host     string         `json:"host,omitempty" jsonschema:"the other host on which it is asked; only from programs of this host"`
	Question question.Posed `json:"question"`
	LeftMS   int64          `json:"left_ms" jsonschema:"milliseconds until it ends without a reply"`
}

// A QuestionReply is the person's reply to a question.
type QuestionReply struct {
	ID       string         `json:"id" jsonschema:"id of the question"`
	Digest   string         `json:"digest" jsonschema:"what the person was shown: a reply to a question that differs from it is refused"`
	Delivery string         `json:"delivery" jsonschema:"unguessable text that stands for this reply: if it is repeated, since the verdict was lost, the verdict is the same"`
	Reply    question.Reply `json:"reply" jsonschema:"with dismiss, the person has put the question away: it stays for those whom others show it. active says that the person is at it, and gets no verdict"`
}

// A Delivery says what came of a reply.
type Delivery struct {
	Delivery string           `json:"delivery" jsonschema:"the reply's"`
	Result   DeliveryResult   `json:"result" jsonschema:"accepted: the asker gets it; over: the question had ended already; refused: the question does not accept it, or the follower puts away what it does not show; unknown: there is no such question, or it ended long ago"`
	Outcome  question.Outcome `json:"outcome,omitempty" jsonschema:"how the question has ended"`
	Channel  string           `json:"channel,omitempty" jsonschema:"where it was answered"`
	Reason   string           `json:"reason,omitempty" jsonschema:"why the reply did not arrive"`
}

// A DeliveryResult is the result of a [Delivery].
type DeliveryResult string

// Results.
const (
	Accepted DeliveryResult = "accepted"
	Over     DeliveryResult = "over"
	Refused  DeliveryResult = "refused"
	Unknown  DeliveryResult = "unknown"
)

var noQuestions = Failure{Kind: fault.Precondition, When: "the sessions belong to a program with other tasks"}

// FollowQuestions is a stream, whose data does not pass through the table. No tool of MCP and no
// command answers questions: that would let agents answer their own.
var FollowQuestions = stream(Operation{
	Name: "question.follow", Right: Answer,
	Doc:   "Follows the open questions that were asked on this host, and gives the person's replies. The first one counts. Questions of other hosts are not among them.",
	Fails: []Failure{exhausted, noQuestions},
}, func(ctx context.Context, l *Local, by Grant, _ None) (*delivery[QuestionNews], error) {
	if l.host.Questions == nil {
		return nil, errNoQuestions
	}
	q, err := l.host.Questions.Follow(ctx, by)
	if err != nil {
		return nil, err
	}
	return deliver(q), nil
})

var errNoQuestions = fault.New(fault.Precondition, "these sessions belong to a program with other tasks, which asks its questions itself")

var errNoTerminals = fault.With(NotAllowed, fault.New(fault.Precondition, "this connection is for one follower of questions"))

var questionOps = ops(FollowQuestions)

func deliver(q QuestionStream) *delivery[QuestionNews] {
	send := func(ctx context.Context, in any) error { return q.Send(ctx, *in.(*FromFollower)) }
	return &delivery[QuestionNews]{next: q.Receive, send: send, close: q.Close}
}

// Asking returns terminals that can do nothing but have one caller follow questions, over a stream.
func Asking(q QuestionStream) Terminals { return &asking{stream: q} }

type asking struct {
	stream QuestionStream
	opened atomic.Bool
}

// Do implements [Terminals].
func (*asking) Do(context.Context, Grant, *Operation, any, any) error { return errNoTerminals }

// Open implements [Terminals].
func (a *asking) Open(_ context.Context, _ Grant, o *Operation, _ any) (Stream, error) {
	if o != &FollowQuestions.Operation || a.opened.Swap(true) {
		return nil, errNoTerminals
	}
	return deliver(a.stream), nil
}

// OpenQuestions starts [FollowQuestions].
func OpenQuestions(ctx context.Context, t Terminals, by Grant) (QuestionStream, error) {
	p, err := FollowQuestions.Open(ctx, t, by, None{})
	if err != nil {
		return nil, err
	}
	return questionStream{p}, nil
}

type questionStream struct{ *Parts[QuestionNews] }

// Receive implements [QuestionStream].
func (q questionStream) Receive(ctx context.Context) (QuestionNews, error) { return q.Next(ctx) }

// Send implements [QuestionStream].
func (q questionStream) Send(ctx context.Context, in FromFollower) error {
	return q.Stream.Send(ctx, &in)
}
