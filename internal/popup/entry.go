package popup

import (
	"context"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/wake"
)

// An entry is a question from when it is asked until it is forgotten.
type entry struct {
	Asked   // never changes
	deliver func(question.Reply) error
	active  func()          // unless nil, called when the person is at it: its asker decides how long it stays open
	private bool            // it is not stored: there is deliver
	peer    *Peer           // the server at which it is asked, or nil for this one
	settled context.Context // ends when the answer is there, and on disk
	settle  context.CancelFunc

	// The goroutine that presents the questions of its workspace has the next three fields.
	waits  bool             // for its deadline, if there is no channel: it was displayed, or asked in an earlier run
	opened bool             // a page was opened for it
	closed map[Channel]bool // where the person has put it away

	// Guarded by the broker's mutex.
	own     []Channel // the asker's, in addition to the broker's
	timer   *time.Timer
	until   time.Time        // unless earlier than the deadline, when it ends: the person was at it
	claimed bool             // it is being settled, or is over
	over    bool             // it has an outcome
	answer  *question.Answer // set with over
	stuck   chan struct{}    // unless nil, no channel was left when Broker.appeared had this value
}

func newEntry(a Asked) *entry {
	e := &entry{Asked: a, closed: map[Channel]bool{}}
	e.settled, e.settle = context.WithCancel(context.Background())
	return e
}

// Answer applies a person's reply to a question. The first valid reply counts; later ones get
// [fault.Exists]. An invalid reply gets [fault.Invalid], and the question stays open.
func (b *Broker) Answer(id string, r question.Reply, channel string) (question.Answer, error) {
	return b.AnswerShown(id, func(Asked) error { return nil }, r, channel)
}

// AnswerShown is [Broker.Answer] for a reply to a question that may be another one now under the
// same ID: check is given the question, and its error refuses the reply.
func (b *Broker) AnswerShown(id string, check func(Asked) error, r question.Reply, channel string) (question.Answer, error) {
	e, err := b.entry(id)
	if err == nil {
		err = check(e.Asked)
	}
	if err != nil {
		return question.Answer{}, err
	}
	if b.isOver(e) { // the question may be a summary
		return question.Answer{}, b.tooLate(e)
	}
	if r.Action == question.Active {
		b.putOff(e)
		return question.Answer{}, nil
	}
	a, err := e.Question.Accept(r)
	if err != nil {
		return question.Answer{}, err
	}
	a.Channel = channel
	if e.deliver != nil && r.Action == question.Submit {
		return b.deliver(e, r, a)
	}
	if !b.settle(e, a) {
		return question.Answer{}, b.tooLate(e)
	}
	return *e.answer, nil
}

const (
	// Respite is how long after the last sign that the person is at a question its default is not
	// taken. They may be typing "no".
	Respite = 30 * time.Second
	// MaxRespite is how long after its deadline a question ends whatever the person does.
	MaxRespite = 10 * time.Minute
)

// putOff puts off the end of a question whose outcome would be a default.
func (b *Broker) putOff(e *entry) {
	b.mu.Lock()
	atStake := e.Question.Default != "" // else nothing is decided
	if atStake {
		e.until = time.Now().Add(Respite)
		if limit := e.Deadline.Add(MaxRespite); e.until.After(limit) {
			e.until = limit
		}
	}
	b.mu.Unlock()
	if atStake && e.active != nil {
		e.active()
	}
}

// endLocked returns when an entry ends.
func (e *entry) endLocked() time.Time {
	if e.until.After(e.Deadline) {
		return e.until
	}
	return e.Deadline
}

// expire ends an entry at its deadline, unless the end was put off.
func (b *Broker) expire(e *entry) {
	b.mu.Lock()
	left := time.Until(e.until)
	if left > 0 && !e.claimed && !b.closed {
		e.timer.Reset(left)
	} else {
		left = 0
	}
	b.mu.Unlock()
	if left <= 0 {
		b.settle(e, e.Question.Expire(question.TimedOut))
	}
}

// deliver gives a reply to the asker and settles the entry without it. Nothing else can settle the
// entry in between.
func (b *Broker) deliver(e *entry, r question.Reply, a question.Answer) (question.Answer, error) {
	if !b.claim(e) {
		return question.Answer{}, b.tooLate(e)
	}
	defer b.work.Done()
	if err := e.deliver(r); err != nil {
		b.finish(e, question.Answer{Outcome: question.Withdrawn})
		return question.Answer{}, fault.New(fault.Exists, "%v", err)
	}
	b.finish(e, a.Delivered())
	return *e.answer, nil
}

// tooLate returns the error for a reply to a question that is over.
func (b *Broker) tooLate(e *entry) error {
	select {
	case <-e.settled.Done():
	case <-b.stopped.Done():
		return errStopping
	}
	switch e.answer.Outcome {
	case question.Answered, question.Dismissed, question.Declined:
		return fault.New(fault.Exists, "this question was dealt with elsewhere (%s, in %s)", e.answer.Outcome, e.answer.Channel)
	}
	return fault.New(fault.Exists, "this question is over: %s", e.answer.Outcome)
}

func (b *Broker) isOver(e *entry) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return e.over
}

// Withdraw ends a question whose answer nobody needs any more. A question that is over stays as it
// is.
func (b *Broker) Withdraw(id string) error {
	e, err := b.entry(id)
	if err != nil {
		return err
	}
	b.settle(e, question.Answer{Outcome: question.Withdrawn})
	return nil
}

func (b *Broker) entry(id string) (*entry, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e, ok := b.entries[id]
	if !ok {
		return nil, fault.New(fault.NotFound, "there is no question %q, or it was over long ago", id)
	}
	return e, nil
}

// settle gives an entry its outcome and reports whether it did: the first outcome counts. This is
// the only place that does so. The outcome is on disk before its asker learns of it.
func (b *Broker) settle(e *entry, a question.Answer) bool {
	if !b.claim(e) {
		return false
	}
	defer b.work.Done()
	b.finish(e, a)
	return true
}

// claim reports whether the caller may settle an entry, which nobody else does then. The caller
// must call finish, and then Done of b.work.
func (b *Broker) claim(e *entry) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e.claimed || b.closed {
		return false
	}
	b.work.Add(1)
	e.claimed = true
	if e.timer != nil {
		e.timer.Stop()
	}
	return true
}

// finish gives a claimed entry its outcome.
func (b *Broker) finish(e *entry, a question.Answer) {
	b.mu.Lock()
	a.PopupID, a.At, a.Secret, a.Reveal = e.ID, time.Now(), e.Question.Secret, e.Question.Reveal
	e.over, e.answer = true, &a
	q := b.queueLocked(e)
	q.pending = slices.DeleteFunc(q.pending, func(x *entry) bool { return x == e })
	b.leaveLocked(q)
	kept := e.summary()
	b.entries[e.ID] = kept
	forgotten := b.rememberLocked(kept)
	wake.Up(q.changed)
	b.mu.Unlock()

	b.save(kept)
	if forgotten != nil {
		b.save(forgotten)
	}
	e.settle()
	b.notifyWatchers()
}

// summary returns what is remembered of an entry that is over: of another host's, not what it has
// asked, which may be megabytes.
func (e *entry) summary() *entry {
	if e.Host == "" {
		return e
	}
	s := &entry{Asked: e.Asked, private: e.private, peer: e.peer, settled: e.settled, settle: e.settle, claimed: true, over: true, answer: e.answer}
	s.Question = question.Question{Title: e.Question.Title, Severity: e.Question.Severity, Secret: e.Question.Secret, Reveal: e.Question.Reveal}
	return s
}

// rememberLocked adds an entry that is over to its history. It returns the one that is forgotten
// for that, or nil.
func (b *Broker) rememberLocked(e *entry) (forgotten *entry) {
	of := e.history()
	list := append(b.past[of], e)
	first, same := 0, 0
	if of.others {
		for _, x := range list {
			if x.Host == e.Host {
				same++
			}
		}
	}
	switch {
	case same > maxOfHost:
		first = slices.IndexFunc(list, func(x *entry) bool { return x.Host == e.Host })
	case len(list) <= MaxHistory:
		b.past[of] = list
		return nil
	}
	forgotten = list[first]
	b.past[of] = slices.Delete(list, first, first+1)
	delete(b.entries, forgotten.ID)
	return forgotten
}
