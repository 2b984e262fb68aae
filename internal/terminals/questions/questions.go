// Package questions offers the questions of a broker to the person's other hosts, whose servers
// show them there and send the replies back. It implements [terminals.Questions], and is the
// channel of those hosts for the broker.
package questions

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

const (
	// grace is how long a follower counts after its last query: the next one is on its way.
	grace = 10 * time.Second
	// maxFollowers is how many servers of one caller may follow at once: no host of a hub and no
	// token keeps the person's own servers away.
	maxFollowers = 64
	// maxList bounds the questions of a list together, in bytes.
	maxList = 2 << 20
	// defaultWait and maxWait bound how long a query waits.
	defaultWait, maxWait = 30 * time.Second, 5 * time.Minute
	// maxAccepted is how many replies are remembered that were accepted.
	maxAccepted = popup.MaxHistory
	// maxWord is the length of the longest text that a caller chooses, in bytes.
	maxWord = 128
)

// An Offer offers the questions of a broker. It is safe for concurrent use. Use [New].
type Offer struct {
	broker *popup.Broker
	id     string

	mu        sync.Mutex // guards the fields below; never held while the broker is called
	followers map[followerKey]*follower
	changed   chan struct{}                     // closed and replaced when a follower comes or leaves
	watcher   func()                            // see Watch; nil: none
	replies   map[replyKey]*reply               // those that are being delivered, and some that were accepted
	accepted  []replyKey                        // the newest last
	away      map[instance]map[followerKey]bool // the followers whose persons have put a question away
}

// A follower is a server that shows questions to the person.
type follower struct {
	waiting int         // queries
	leave   *time.Timer // unless nil, it leaves then
}

// A followerKey tells followers apart: what one caller calls itself does not concern another one's.
type followerKey struct{ caller, name string }

// An instance is a question as it was asked at a time: one that is asked again under its ID is
// another one.
type instance struct {
	id string
	at int64 // in nanoseconds of Unix time
}

func instanceOf(a popup.Asked) instance { return instance{a.ID, a.At.UnixNano()} }

// A reply is what came of a reply.
type reply struct {
	done     chan struct{}
	delivery terminals.Delivery // once done is closed
	err      error
}

type replyKey struct{ question, delivery string }

// New returns an Offer of the questions of a broker, which has no other channel for other hosts. id
// is [terminals.Host.ID].
// The Offer needs no closing: it ends with the calls of its methods and the broker.
func New(b *popup.Broker, id string) *Offer {
	o := &Offer{broker: b, id: id, followers: map[followerKey]*follower{}, changed: make(chan struct{}), replies: map[replyKey]*reply{}, away: map[instance]map[followerKey]bool{}}
	b.AddChannel(o)
	return o
}

var (
	_ terminals.Questions = (*Offer)(nil)
	_ popup.Channel       = (*Offer)(nil)
)

// List implements [terminals.Questions].
func (o *Offer) List(ctx context.Context, in terminals.QuestionQuery) (terminals.QuestionList, error) {
	if len(in.Follower) > maxWord {
		return terminals.QuestionList{}, fault.New(fault.Invalid, "follower has %d bytes: the limit is %d", len(in.Follower), maxWord)
	}
	wait := defaultWait
	if in.MaxWaitMS != nil {
		wait = time.Duration(min(*in.MaxWaitMS, uint64(maxWait.Milliseconds()))) * time.Millisecond
	}
	answered, err := o.follow(in)
	if err != nil {
		return terminals.QuestionList{}, err
	}
	defer answered()
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	changed := make(chan struct{}, 1)
	defer o.broker.Watch(func() {
		wake.Up(changed)
	})()
	for {
		list := o.list(in.Caller)
		if list.Revision != in.After {
			return list, nil
		}
		select {
		case <-changed:
		case <-timeout.C:
			return list, nil
		case <-ctx.Done():
			return terminals.QuestionList{}, context.Cause(ctx)
		}
	}
}

// list returns the open questions of this host that are for a caller.
func (o *Offer) list(caller string) terminals.QuestionList {
	list := terminals.QuestionList{Server: o.id, Questions: []terminals.OpenQuestion{}}
	sum, size := sha256.New(), 0
	pending := o.broker.Pending()
	o.keep(pending)
	for _, a := range pending {
		if a.Host != "" || !a.IsFor(caller) {
			continue
		}
		left := time.Until(a.Deadline)
		posed := a.Question.Posed(left)
		more := sizeOf(posed)
		if len(a.ID) > maxWord || len(list.Questions) == terminals.MaxQuestions || size+more > maxList {
			list.LeftOut++
			continue
		}
		size += more
		// A question never changes. One that is asked again under the same ID has another time.
		asked := a.At.UTC().Format(time.RFC3339Nano)
		sum.Write([]byte(a.ID + asked + "\n"))
		list.Questions = append(list.Questions, terminals.OpenQuestion{
			ID: a.ID, Asked: asked, Asker: a.Asker, Question: posed, LeftMS: left.Milliseconds(),
		})
	}
	list.Followed = o.IsFollowed()
	list.Revision = hex.EncodeToString(sum.Sum(nil)[:16])
	return list
}

// sizeOf is the length of a question as it crosses, in bytes.
func sizeOf(p question.Posed) int {
	return len(fault.Must(json.Marshal(p))) // texts and booleans
}

// check returns an error if no server on another host would show a question.
func check(a popup.Asked) error {
	p := a.Question.Posed(a.Question.Timeout)
	if _, err := p.Question(); err != nil {
		return err
	}
	if len(a.ID) > maxWord || sizeOf(p) > maxList {
		return fault.New(fault.Exhausted, "the question is too long for other hosts")
	}
	return nil
}

// Answer implements [terminals.Questions].
func (o *Offer) Answer(ctx context.Context, by terminals.Grant, in terminals.QuestionReply) (terminals.Delivery, error) {
	if in.Delivery == "" || len(in.Delivery) > maxWord {
		return terminals.Delivery{}, fault.New(fault.Invalid, "delivery has 1 to %d bytes", maxWord)
	}
	if isPutAway(in) || in.Reply.Action == question.Active { // as often as it is said
		return o.answer(by, in)
	}
	key := replyKey{in.ID, in.Delivery}
	o.mu.Lock()
	r, again := o.replies[key]
	if !again {
		r = &reply{done: make(chan struct{})}
		o.replies[key] = r
	}
	o.mu.Unlock()
	if again {
		select {
		case <-r.done:
			return r.delivery, r.err
		case <-ctx.Done():
			return terminals.Delivery{}, context.Cause(ctx)
		}
	}
	r.delivery, r.err = o.answer(by, in)
	o.mu.Lock()
	defer o.mu.Unlock()
	close(r.done)
	if r.delivery.Result != terminals.Accepted {
		delete(o.replies, key)
	} else if o.accepted = append(o.accepted, key); len(o.accepted) > maxAccepted {
		delete(o.replies, o.accepted[0])
		o.accepted = o.accepted[1:]
	}
	return r.delivery, r.err
}

// isPutAway reports whether a reply concerns only those whom its sender shows the question.
func isPutAway(in terminals.QuestionReply) bool {
	return in.Reply.Action == question.Dismiss && in.Follower != ""
}

// errPutAway says that a reply is no outcome.
var errPutAway = errors.New("the question was put away")

// answer gives a reply to the broker.
func (o *Offer) answer(by terminals.Grant, in terminals.QuestionReply) (terminals.Delivery, error) {
	channel := safetext.Label(cmp.Or(by.From.Peer, by.From.Name, otherHost), maxWord)
	var q instance
	a, err := o.broker.AnswerShown(in.ID, func(a popup.Asked) error {
		q = instanceOf(a)
		switch {
		case a.Host != "" || !a.IsFor(by.Caller()):
			return fault.New(fault.NotFound, "there is no question %.64q of this host", in.ID)
		case a.Question.Posed(0).Digest() != in.Digest:
			return fault.New(fault.Invalid, "the question is another one now")
		case isPutAway(in):
			return errPutAway
		}
		return nil
	}, in.Reply, channel)
	if err == errPutAway {
		if !o.putAway(q, followerKey{by.Caller(), in.Follower}) {
			return terminals.Delivery{Result: terminals.Refused, Reason: "nobody sees the question there now"}, nil
		}
		return terminals.Delivery{Result: terminals.Accepted}, nil
	}
	if err == nil {
		return terminals.Delivery{Result: terminals.Accepted, Outcome: a.Outcome, Channel: a.Channel}, nil
	}
	results := map[fault.Kind]terminals.DeliveryResult{fault.NotFound: terminals.Unknown, fault.Invalid: terminals.Refused, fault.Exists: terminals.Over}
	result, ok := results[fault.KindOf(err)]
	if !ok {
		return terminals.Delivery{}, err
	}
	return terminals.Delivery{Result: result, Reason: err.Error()}, nil
}

// Ask implements [terminals.Questions].
func (o *Offer) Ask(ctx context.Context, in terminals.NewQuestion) (question.Answer, error) {
	switch in.Asker {
	case "", question.ByAgent, question.ByApp, question.ByProgram:
	default:
		return question.Answer{}, fault.New(fault.Invalid, "asker must be agent, app or program, not %.20q", string(in.Asker))
	}
	q, err := in.Question.Question()
	if err != nil {
		return question.Answer{}, err
	}
	ask := popup.AskOptions{ID: in.ID, Asker: in.Asker, Relayed: true}
	var private question.Answer // which the broker does not keep
	if q.Secret || q.Prompt {
		ask.Deliver = func(r question.Reply) (err error) {
			private, err = q.Accept(r)
			return err
		}
	}
	a, err := o.broker.AskAndWait(ctx, q, ask, popup.WaitOptions{})
	switch {
	case err != nil || ask.Deliver == nil || a.Outcome != question.Answered:
		return a, err
	case private.Outcome == "":
		return question.Answer{}, fault.New(fault.Precondition, "the question %s was answered to another call, and the answer is not kept: ask under another id", in.ID)
	}
	a.Source, a.Value, a.Values, a.Text = private.Source, private.Value, private.Values, private.Text
	return a, nil
}
