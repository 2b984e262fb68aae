package popup

import (
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

// An entry is one question from when it is asked until it is forgotten.
type entry struct {
	Asked                 // never changes
	own     []Channel     // the asker's, beside those of the broker
	peer    *Peer         // the server at which it is asked, or nil for this one
	kept    bool          // it was asked of an earlier broker
	settled chan struct{} // closed when the answer is there, and on disk

	// Guarded by the broker's mutex.
	timer   *time.Timer
	waiting int              // how many wait for the answer
	over    bool             // it has an outcome
	answer  *question.Answer // set with over
}

// Answer gives a person's reply to a question. The first reply that fits counts; whoever comes later is told so with
// [fault.Exists]. A reply that does not fit is refused with [fault.Invalid], and the question stays open.
func (b *Broker) Answer(id string, r question.Reply, channel string) (question.Answer, error) {
	e, err := b.entry(id)
	if err != nil {
		return question.Answer{}, err
	}
	a, err := e.Question.Accept(r)
	if err != nil {
		return question.Answer{}, err
	}
	a.Channel = channel
	if !b.settle(e, a) {
		return question.Answer{}, b.tooLate(e)
	}
	return *e.answer, nil
}

// tooLate says how a question ended that somebody still wants to answer.
func (b *Broker) tooLate(e *entry) error {
	select {
	case <-e.settled:
	case <-b.stopped.Done():
		return errStopping
	}
	switch e.answer.Outcome {
	case question.Answered, question.Dismissed, question.Declined:
		return fault.New(fault.Exists, "this question has been dealt with elsewhere (%s, in %s)", e.answer.Outcome, e.answer.Channel)
	}
	return fault.New(fault.Exists, "this question is over: %s", e.answer.Outcome)
}

// Withdraw ends a question that nobody wants an answer to any more. One that is over stays as it is.
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
		return nil, fault.New(fault.NotFound, "there is no question %q, or it is long over", id)
	}
	return e, nil
}

// settle gives an entry its outcome, unless it has one, which it reports. This is the only place where that happens. The
// outcome is on disk before anybody hears of it.
func (b *Broker) settle(e *entry, a question.Answer) bool {
	b.mu.Lock()
	if e.over || b.closed {
		b.mu.Unlock()
		return false
	}
	b.work.Add(1)
	defer b.work.Done()
	a.PopupID, a.At, a.Secret, a.Reveal = e.ID, time.Now(), e.Question.Secret, e.Question.Reveal
	e.over, e.answer = true, &a
	if e.timer != nil {
		e.timer.Stop()
	}
	q := b.queueLocked(e.Workspace)
	q.pending = slices.DeleteFunc(q.pending, func(x *entry) bool { return x == e })
	q.past = append(q.past, e)
	var forgotten *entry
	if len(q.past) > MaxHistory {
		forgotten = q.past[0]
		q.past = slices.Delete(q.past, 0, 1)
		delete(b.entries, forgotten.ID)
	}
	late := e.waiting == 0
	b.mu.Unlock()

	b.save(e)
	if forgotten != nil {
		b.save(forgotten)
	}
	close(e.settled)
	b.tell()
	if late && b.opts.Late != nil {
		b.opts.Late(a.Told())
	}
	return true
}
