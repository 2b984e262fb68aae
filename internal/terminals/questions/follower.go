package questions

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

const (
	// grace is how long a follower counts after its stream has ended: the next one is on its way.
	grace = 10 * time.Second
	// maxVerdicts is how many verdicts a follower may leave unread. Then it is disconnected instead
	// of being kept waiting: what says that it has read more comes after its replies.
	maxVerdicts = 256
)

// A follower is a server that may show questions to the person: the asker's end of a
// [terminals.QuestionStream].
type follower struct {
	offer    *Offer
	by       terminals.Grant
	takes    func(popup.Asked) bool // whether a question is for the follower
	most     int                    // how long the open questions may be that it has, in bytes
	reach    core.Presence          // what it adds to the presence of all while it shows questions
	unwatch  func()
	changed  chan struct{} // capacity 1; a token means that other questions may be open
	verdicts chan terminals.Delivery
	closing  sync.Once
	closed   chan struct{}

	// Owned by Receive.
	offered map[string]asking // what the follower has, by ID
	news    []terminals.QuestionNews
	listed  bool

	// Guarded by offer.mu.
	shows   bool
	opens   bool            // a page first: see [terminals.FromFollower.Opens]
	awaited bool            // it has not said yet whether it shows questions, and probably does
	away    map[asking]bool // what its person has put away
}

// An asking is a question as it was asked at a time: one that is asked again under its ID is
// another one.
type asking struct {
	id string
	at int64 // in nanoseconds of Unix time
}

func askingOf(a popup.Asked) asking { return asking{a.ID, a.At.UnixNano()} }

// Follow implements [terminals.Questions].
func (o *Offer) Follow(_ context.Context, by terminals.Grant) (terminals.QuestionStream, error) {
	takes := func(a popup.Asked) bool { return a.PassesTo(true) && a.IsFor(by.Caller()) }
	return o.follow(&follower{by: by, takes: takes, most: maxList, reach: core.OnHosts}), nil
}

// follow begins a follower that says who it is.
func (o *Offer) follow(f *follower) *follower {
	f.offer, f.offered, f.away = o, map[string]asking{}, map[asking]bool{}
	f.changed, f.verdicts, f.closed = make(chan struct{}, 1), make(chan terminals.Delivery, maxVerdicts), make(chan struct{})
	o.mu.Lock()
	o.followers[f] = true
	o.mu.Unlock()
	f.unwatch = o.broker.Watch(func() { wake.Up(f.changed) })
	return f
}

// Close implements [terminals.QuestionStream].
func (f *follower) Close() {
	f.closing.Do(func() {
		f.unwatch()
		close(f.closed)
		leave := func() { f.change(func() { delete(f.offer.followers, f) }) }
		f.offer.mu.Lock()
		shows := f.shows
		f.offer.mu.Unlock()
		if !shows {
			leave()
			return
		}
		time.AfterFunc(grace, leave)
	})
}

// change changes what decides who shows what.
func (f *follower) change(change func()) {
	o := f.offer
	o.mu.Lock()
	change()
	close(o.changed)
	o.changed = make(chan struct{})
	o.mu.Unlock()
}

var errClosed = fault.New(fault.Gone, "the stream was closed")

// Receive implements [terminals.QuestionStream].
func (f *follower) Receive(ctx context.Context) (terminals.QuestionNews, error) {
	for {
		if len(f.news) == 0 {
			f.look()
		}
		if len(f.news) > 0 {
			n := f.news[0]
			f.news = f.news[1:]
			return n, nil
		}
		select {
		case d := <-f.verdicts:
			return terminals.QuestionNews{Verdict: &d}, nil
		case <-f.changed:
		case <-f.closed:
			return terminals.QuestionNews{}, errClosed
		case <-ctx.Done():
			return terminals.QuestionNews{}, context.Cause(ctx)
		}
	}
}

// look finds out what the follower must learn of the open questions of this host that are for its
// caller: at most [terminals.MaxQuestions], the oldest first.
func (f *follower) look() {
	open, size, leftOut := map[string]asking{}, 0, 0
	var asked []terminals.QuestionNews
	for _, a := range f.offer.broker.Pending() {
		if !f.takes(a) {
			continue
		}
		if len(open) == terminals.MaxQuestions {
			leftOut++
			continue
		}
		q := Open(a)
		more := sizeOf(q.Question)
		if size+more > f.most {
			leftOut++
			continue
		}
		size += more
		i := askingOf(a)
		if open[a.ID] = i; f.offered[a.ID] != i {
			asked = append(asked, terminals.QuestionNews{Asked: &q})
		}
	}
	for id, i := range f.offered {
		if open[id] != i {
			f.news = append(f.news, terminals.QuestionNews{Over: id})
		}
	}
	f.offer.mu.Lock()
	maps.DeleteFunc(f.away, func(i asking, _ bool) bool { return open[i.id] != i })
	f.offer.mu.Unlock()
	f.offered, f.news = open, slices.Concat(f.news, asked)
	if !f.listed {
		f.listed = true
		f.news = append(f.news, terminals.QuestionNews{Listed: &terminals.Listed{Server: f.offer.id, LeftOut: leftOut}})
	}
}

// Open returns a question as followers get it.
func Open(a popup.Asked) terminals.OpenQuestion {
	left := time.Until(a.Deadline)
	return terminals.OpenQuestion{
		ID: a.ID, Asked: a.At.UTC().Format(time.RFC3339Nano), Asker: a.Asker, Host: a.Host, Question: a.Question.Posed(left), LeftMS: left.Milliseconds(),
	}
}

// Send implements [terminals.QuestionStream].
func (f *follower) Send(_ context.Context, in terminals.FromFollower) error {
	switch {
	case in.Shows != nil:
		came := false
		f.change(func() {
			came = *in.Shows && (!f.shows || f.opens && !in.Opens)
			f.shows, f.opens, f.awaited = *in.Shows, in.Opens, false
		})
		if came {
			f.offer.broker.Recheck()
		}
		return nil
	case in.Answer == nil:
		return fault.New(fault.Invalid, "a follower says whether it shows questions, or answers one")
	case in.Answer.Delivery == "" || len(in.Answer.Delivery) > maxWord:
		return fault.New(fault.Invalid, "delivery has 1 to %d bytes", maxWord)
	}
	d, err := f.answer(*in.Answer)
	if err != nil || in.Answer.Reply.Action == question.Active {
		return err
	}
	d.Delivery = in.Answer.Delivery
	select {
	case f.verdicts <- d:
		return nil
	case <-f.closed:
		return errClosed
	default:
		return fault.New(fault.Exhausted, "%d verdicts wait to be read", maxVerdicts)
	}
}

// errPutAway says that a reply is no outcome.
var errPutAway = errors.New("the question was put away")

// results are what errors of the broker mean for a follower.
var results = map[fault.Kind]terminals.DeliveryResult{fault.NotFound: terminals.Unknown, fault.Invalid: terminals.Refused, fault.Exists: terminals.Over}

// answer gives a reply to the broker, which recognises one that is sent again.
func (f *follower) answer(in terminals.QuestionReply) (terminals.Delivery, error) {
	in.Reply.Delivery = in.Delivery
	channel := safetext.Label(cmp.Or(f.by.From.Peer, f.by.From.Name, otherHost), maxWord)
	var q asking
	a, err := f.offer.broker.AnswerShown(in.ID, func(a popup.Asked) error {
		q = askingOf(a)
		switch {
		case !f.takes(a):
			return fault.New(fault.NotFound, "there is no question %.64q of this host", in.ID)
		case a.Question.Posed(0).Digest() != in.Digest:
			return fault.New(fault.Invalid, "the question is another one now")
		case in.Reply.Action == question.Dismiss:
			return errPutAway
		}
		return nil
	}, in.Reply, channel)
	switch {
	case err == errPutAway:
		if !f.putAway(q) {
			return terminals.Delivery{Result: terminals.Refused, Reason: "nobody sees the question there now"}, nil
		}
		return terminals.Delivery{Result: terminals.Accepted}, nil
	case err == nil:
		return terminals.Delivery{Result: terminals.Accepted, Outcome: a.Outcome, Channel: a.Channel}, nil
	case results[fault.KindOf(err)] == "":
		return terminals.Delivery{}, err
	}
	return terminals.Delivery{Result: results[fault.KindOf(err)], Reason: err.Error()}, nil
}

// putAway takes note that the follower's person has put a question away. It reports false if the
// follower shows nothing now: it may do so later, and the question would wait for its person.
func (f *follower) putAway(q asking) (ok bool) {
	f.change(func() {
		if ok = f.shows; ok {
			f.away[q] = true
		}
	})
	return ok
}
