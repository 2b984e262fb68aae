package core

import (
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

// An Input is something that happens to questions.
type Input interface {
	apply(s *State) error
}

// An Action is something to be done. Actions are carried out in order.
type Action interface{ action() }

// The actions.
type (
	// Show puts a question before the person in a channel, until it is over. Whatever becomes of
	// that, [Ended] follows.
	Show struct {
		ID      string
		Seq     uint64
		Channel uint64
	}
	// Store keeps the present state of a question for later runs, or forgets a question that there
	// is not any more. For one that was just asked, it has Seq, and [Kept] follows.
	Store struct {
		ID  string
		Seq uint64
	}
	// Settle tells the askers of a question that it is over, after what was stored before.
	Settle struct{ ID string }
	// Deliver gives a reply to the asker. [Delivered] follows.
	Deliver struct {
		ID     string
		Seq    uint64
		Reply  question.Reply
		Answer question.Answer // that was found valid, without what was typed
	}
	// NoteActive tells the asker that the person is at the question.
	NoteActive struct{ ID string }
	// Changed says that pending or past questions have changed.
	Changed struct{}
)

func (Show) action()       {}
func (Store) action()      {}
func (Settle) action()     {}
func (Deliver) action()    {}
func (NoteActive) action() {}
func (Changed) action()    {}

// How says why a channel does not display a question any more.
type How string

// Ways to end.
const (
	NotShown How = "not shown" // or it had to be taken away
	Lost     How = "lost"      // it was displayed, and cannot be any more
	PutAway  How = "put away"  // by the person
)

// The inputs.
type (
	// Asked is a new question.
	Asked struct {
		question.Asked
		Own     []Channel
		Private bool             // the asker takes the reply
		Abroad  bool             // another program has its workspace
		Stored  bool             // it is from an earlier run
		Answer  *question.Answer // of one that is over since then; else nil
	}
	// Kept says that the store has a question that was asked, as far as it takes it.
	Kept struct {
		ID  string
		Seq uint64
	}
	// Added and Removed are of channels, for the question of an ID, or all.
	Added struct {
		ID       string
		Channels []Channel
	}
	Removed struct {
		ID       string
		Channels []Channel
	}
	// Appeared says that a channel may have become more present.
	Appeared struct{}
	// Ended says that a channel does not display a question any more.
	Ended struct {
		Seq     uint64
		Channel uint64
		How     How
	}
	// Replied is a person's reply to a question.
	Replied struct {
		ID      string
		Seq     uint64
		Reply   question.Reply
		Channel string
	}
	// Delivered says that the asker has got a reply, or why it needs none.
	Delivered struct {
		ID     string
		Seq    uint64
		Answer question.Answer // of [Deliver]
		Failed bool
	}
	// Withdrawn says that nobody needs the answer any more.
	Withdrawn struct{ ID string }
	// Tick says that it is [State.Due].
	Tick struct{}
	// Stopping ends everything but a delivery that has begun.
	Stopping struct{}
)

// Apply takes an input, given the time and how present channels are, and returns what is to be
// done. An error says why nothing was done. The actions are valid until the next call.
func (s *State) Apply(in Input, presence func(channel uint64) Presence, now time.Time) ([]Action, error) {
	s.presence, s.now, s.out = presence, now, nil
	var err error
	switch in.(type) {
	case Delivered, Replied:
		err = in.apply(s)
	default:
		if s.Stopped {
			return nil, ErrStopping
		}
		err = in.apply(s)
	}
	s.arm()
	return s.out, err
}

func (s *State) emit(a Action) { s.out = append(s.out, a) }

// open returns an entry that has no outcome and is not being given one, or nil.
func (s *State) open(id string, seq uint64) *Entry {
	if e := s.Entries[id]; e != nil && e.Seq == seq && !e.Claimed {
		return e
	}
	return nil
}

func (s *State) lane(a question.Asked) *Lane {
	for _, l := range s.Lanes {
		if l.Workspace == a.Workspace && l.Host == a.Host {
			return l
		}
	}
	l := &Lane{Workspace: a.Workspace, Host: a.Host}
	s.Lanes = append(s.Lanes, l)
	return l
}

// undecided are the outcomes after which a question can be asked again under its ID: the person has
// had no part in them.
var undecided = []question.Outcome{question.Withdrawn, question.NoHuman}

func (in Asked) apply(s *State) error {
	e := &Entry{Asked: in.Asked, Private: in.Private, Abroad: in.Abroad, Own: in.Own, Waits: in.Stored, Claimed: in.Answer != nil, Answer: in.Answer}
	if e.Claimed {
		s.enter(e)
		s.remember(e)
		return nil
	}
	old := s.Entries[in.ID]
	if old != nil && (old.Answer == nil || !slices.Contains(undecided, old.Answer.Outcome)) {
		return nil
	}
	l := s.lane(in.Asked)
	if len(l.Pending) >= MaxPending && !in.Stored {
		return fault.New(fault.Exhausted, "%d questions are pending already: wait for their answers first", MaxPending)
	}
	if old != nil {
		h := s.history(old)
		h.IDs = slices.DeleteFunc(h.IDs, func(id string) bool { return id == old.ID })
	}
	s.enter(e)
	l.Pending = append(l.Pending, e.ID)
	if in.Stored {
		return Kept{e.ID, e.Seq}.apply(s)
	}
	s.emit(Store{e.ID, e.Seq})
	return nil
}

func (s *State) enter(e *Entry) {
	s.Asked++
	e.Seq, s.Entries[e.ID] = s.Asked, e
}

func (in Kept) apply(s *State) error {
	e := s.open(in.ID, in.Seq)
	if e == nil {
		return nil
	}
	e.Ready = true
	// The clock may have been set back meanwhile.
	e.End = s.now.Add(min(e.Deadline.Sub(s.now), e.Question.Timeout))
	s.emit(Changed{})
	s.present(s.lane(e.Asked))
	return nil
}

func (in Replied) apply(s *State) error {
	e, err := s.Find(in.ID)
	switch {
	case err != nil:
		return err
	case e.Seq != in.Seq || e.Claimed: // it may be a summary
		return ErrOver
	case s.Stopped:
		return ErrStopping
	case in.Reply.Action == question.Active:
		if e.Question.Default != "" { // else nothing is decided
			e.Until = s.now.Add(Respite)
			if limit := e.Deadline.Add(MaxRespite); e.Until.After(limit) {
				e.Until = limit
			}
			s.emit(NoteActive{e.ID})
		}
		return nil
	}
	a, err := e.Question.Accept(in.Reply)
	if err != nil {
		return err
	}
	a.Channel, a.Delivery = in.Channel, in.Reply.Delivery
	if e.Private && in.Reply.Action == question.Submit {
		e.Claimed = true // nothing else ends it now
		s.emit(Deliver{e.ID, e.Seq, in.Reply, a.Delivered()})
		return nil
	}
	s.end(e, a)
	return nil
}

func (in Delivered) apply(s *State) error {
	e := s.Entries[in.ID]
	if e == nil || e.Seq != in.Seq || e.Answer != nil {
		return nil
	}
	a := in.Answer.Delivered()
	if in.Failed {
		a = question.Answer{Outcome: question.Withdrawn, Delivery: a.Delivery}
	}
	s.end(e, a)
	return nil
}

func (in Withdrawn) apply(s *State) error {
	e, err := s.Find(in.ID)
	if err == nil && !e.Claimed {
		s.end(e, question.Answer{Outcome: question.Withdrawn})
	}
	return err
}

func (Stopping) apply(s *State) error {
	s.Stopped = true
	return nil
}

func (Tick) apply(s *State) error {
	s.Due = time.Time{}
	for _, l := range slices.Clone(s.Lanes) {
		for _, id := range slices.Clone(l.Pending) {
			if e := s.Entries[id]; e.Ready && !e.Claimed && !e.EndsAt().After(s.now) {
				s.finish(e, e.Question.Expire(question.TimedOut))
			}
		}
		s.present(l)
	}
	return nil
}

// arm sets Due to what is due next, unless it is before.
func (s *State) arm() {
	var next time.Time
	earlier := func(at time.Time) {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	for _, l := range s.Lanes {
		if sh := l.Shown; sh != nil && s.open(sh.ID, sh.Seq) != nil {
			earlier(sh.GiveUp)
		}
		for _, id := range l.Pending {
			if e := s.Entries[id]; e.Ready && !e.Claimed {
				earlier(e.EndsAt())
			}
		}
	}
	if !next.IsZero() && next.Before(s.now) {
		next = s.now
	}
	if !s.Stopped && !next.IsZero() && (s.Due.IsZero() || next.Before(s.Due)) {
		s.Due = next
	}
}

// end gives a question its outcome, and the next one its turn.
func (s *State) end(e *Entry, a question.Answer) {
	l := s.lane(e.Asked)
	s.finish(e, a)
	s.present(l)
}

// finish gives a question its outcome: the first one counts. This is the only place that does so.
// The outcome is stored before its asker learns of it. A secret is kept only for an asker that is
// to get it.
func (s *State) finish(e *Entry, a question.Answer) {
	a.PopupID, a.At, a.Secret, a.Reveal = e.ID, s.now, e.Question.Secret, e.Question.Reveal
	a = a.ForAsker()
	l := s.lane(e.Asked)
	l.Pending = slices.DeleteFunc(l.Pending, func(id string) bool { return id == e.ID })
	e.Claimed, e.Answer, e.Own = true, &a, nil
	if e.Host != "" { // what another host has asked may be megabytes
		q := e.Question
		e.Question = question.Question{Title: q.Title, Severity: q.Severity, Secret: q.Secret, Reveal: q.Reveal}
	}
	s.emit(Store{ID: e.ID})
	s.remember(e)
	s.emit(Settle{e.ID})
	s.emit(Changed{})
}

func (s *State) history(e *Entry) *History {
	want := History{Workspace: e.Workspace}
	if e.Host != "" {
		want = History{Others: true}
	}
	for _, h := range s.Past {
		if h.Workspace == want.Workspace && h.Others == want.Others {
			return h
		}
	}
	s.Past = append(s.Past, &want)
	return &want
}

// remember adds a question that is over to its history, and forgets another one for that.
func (s *State) remember(e *Entry) {
	h := s.history(e)
	h.IDs = append(h.IDs, e.ID)
	ofHost := func(id string) bool { return s.Entries[id].Host == e.Host }
	first, same := 0, 0
	for _, id := range h.IDs {
		if h.Others && ofHost(id) {
			same++
		}
	}
	switch {
	case same > MaxOfHost:
		first = slices.IndexFunc(h.IDs, ofHost)
	case len(h.IDs) <= MaxHistory:
		return
	}
	forgotten := h.IDs[first]
	h.IDs = slices.Delete(h.IDs, first, first+1)
	delete(s.Entries, forgotten)
	s.emit(Store{ID: forgotten})
}
