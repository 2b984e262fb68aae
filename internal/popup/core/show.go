package core

import (
	"slices"
	"time"

	"ui-mcp/internal/popup/question"
)

// present gives the questions of a lane their turns, and tries the channels of the one whose turn
// it is: one after another, and those that are beside at the same time.
func (s *State) present(l *Lane) {
	for !s.Stopped {
		if l.Shown == nil && !s.next(l) {
			if l.Host != "" && len(l.Pending) == 0 { // hosts come and go
				s.Lanes = slices.DeleteFunc(s.Lanes, func(x *Lane) bool { return x == l })
			}
			return
		}
		sh := l.Shown
		e := s.Entries[sh.ID]
		switch {
		case e == nil || e.Seq != sh.Seq || e.Answer != nil:
			if len(sh.Active) > 0 { // until it is taken away
				sh.GiveUp = time.Time{}
				return
			}
			l.Shown = nil
			continue
		case e.Claimed:
			return
		}
		c, ok := s.choose(e, sh.Tried, sh.Other != 0 || e.Question.Channel == "terminal" && slices.ContainsFunc(sh.Active, func(c Channel) bool { return c.Kind == Terminal }))
		switch {
		case ok:
			sh.Tried, sh.Active = append(sh.Tried, c), append(sh.Active, c)
			if !c.Kind.isBeside() {
				sh.Other = c.ID
			}
			e.Opened = e.Opened || c.Kind == NewPage
			sh.GiveUp = time.Time{}
			s.emit(Show{e.ID, e.Seq, c.ID})
		case len(sh.Active) > 0:
			return
		case sh.PutAway != "":
			s.finish(e, question.Answer{Outcome: question.Dismissed, Channel: sh.PutAway})
		case e.Waits && !e.Question.IfPresent:
			e.Stuck, l.Shown = sh.Start, nil // so that what has appeared since is tried at once
			s.emit(Changed{})
		case sh.GiveUp.IsZero() && !e.Question.IfPresent:
			sh.GiveUp = s.now.Add(s.Patience)
			return
		case sh.GiveUp.After(s.now):
			return
		default:
			s.finish(e, e.Question.Expire(question.NoHuman))
		}
	}
}

// next begins the turn of the first question that may find a channel, and reports whether there is
// one. It passes over those that found none since the last appearance, so that they do not hold up
// those behind them.
func (s *State) next(l *Lane) bool {
	for _, id := range l.Pending {
		e := s.Entries[id]
		if !e.Ready || e.Claimed || e.Stuck == s.Appeared {
			continue
		}
		e.Stuck = 0
		l.Shown = &Showing{ID: e.ID, Seq: e.Seq, Start: s.Appeared}
		for _, c := range s.channels(e) {
			if slices.Contains(e.Closed, c.ID) || e.Opened && c.Kind == NewPage {
				l.Shown.Tried = append(l.Shown.Tried, c)
			}
		}
		return true
	}
	return false
}

func (in Ended) apply(s *State) error {
	for _, l := range s.Lanes {
		sh := l.Shown
		if sh == nil || sh.Seq != in.Seq {
			continue
		}
		i := slices.IndexFunc(sh.Active, func(c Channel) bool { return c.ID == in.Channel })
		if i < 0 {
			return nil
		}
		c := sh.Active[i]
		sh.Active = slices.Delete(sh.Active, i, i+1)
		if c.ID == sh.Other {
			sh.Other = 0
		}
		if e := s.open(sh.ID, sh.Seq); e != nil {
			switch in.How {
			case PutAway:
				sh.PutAway, e.Closed = c.Name, append(e.Closed, c.ID)
			case Lost:
				sh.PutAway, e.Waits = "", true
			}
		}
		s.present(l)
		return nil
	}
	return nil
}

func (in Added) apply(s *State) error {
	if in.ID == "" {
		s.Channels = append(s.Channels, in.Channels...)
		return Appeared{}.apply(s)
	}
	e, err := s.Find(in.ID)
	if err != nil || e.Answer != nil {
		return err
	}
	e.Own = slices.Concat(in.Channels, e.Own)
	return Appeared{}.apply(s)
}

func (in Removed) apply(s *State) error {
	if e := s.Entries[in.ID]; e != nil {
		e.Own = without(e.Own, in.Channels)
	} else if in.ID == "" {
		s.Channels = without(s.Channels, in.Channels)
	}
	return nil
}

func (Appeared) apply(s *State) error {
	s.Appeared++
	for _, l := range slices.Clone(s.Lanes) {
		if sh := l.Shown; sh != nil {
			e := s.open(sh.ID, sh.Seq)
			switch {
			case e == nil:
			case len(sh.Active) == 0:
				sh.Tried, sh.GiveUp = nil, time.Time{}
			default:
				// Each terminal may be another one now. A page may have come back, and can show
				// more than a terminal.
				sh.Tried = slices.DeleteFunc(sh.Tried, func(c Channel) bool {
					return (c.Kind.isBeside() || sh.Other == 0 && c.Kind != NewPage) && !slices.Contains(sh.Active, c) && !slices.Contains(e.Closed, c.ID)
				})
			}
		}
		s.present(l)
	}
	return nil
}

// choose returns the channel to be tried next. Beside a channel that shows the question already,
// only some do: see [Kind.isBeside].
func (s *State) choose(e *Entry, tried []Channel, beside bool) (c Channel, ok bool) {
	all := s.channels(e)
	for _, step := range steps(e) {
		for _, c := range all {
			if c.Kind == step.kind && !slices.Contains(tried, c) && s.isPresent(e, c, step.from) && (!beside || step.kind.isBeside()) {
				return c, true
			}
		}
	}
	return Channel{}, false
}

// isPresent reports whether a channel can show a question.
func (s *State) isPresent(e *Entry, c Channel, from Presence) bool {
	p := s.presence(c.ID)
	if c.Kind == Elsewhere {
		return e.Abroad || p&OnHosts != 0 && e.PassesTo(true) || p&OnMachine != 0 && e.PassesTo(false)
	}
	return p >= from
}

// channels returns the channels of an entry: the asker's own and those of all. A terminal of the
// asker's own replaces the others, which would show the question there once more.
func (s *State) channels(e *Entry) []Channel {
	replaced := slices.ContainsFunc(e.Own, func(c Channel) bool { return c.Kind == Terminal && s.presence(c.ID) >= Possible })
	all := slices.Clone(e.Own)
	for _, c := range s.Channels {
		if !(c.Kind == Terminal && replaced) {
			all = append(all, c)
		}
	}
	return all
}

// Reachable reports whether there is a channel that may show a question now, given the asker's own.
func (s *State) Reachable(a question.Asked, own []Channel, presence func(channel uint64) Presence) bool {
	s.presence = presence
	_, ok := s.choose(&Entry{Asked: a, Own: own}, nil, false)
	return ok
}

func without(all, gone []Channel) []Channel {
	return slices.DeleteFunc(slices.Clone(all), func(c Channel) bool {
		return slices.ContainsFunc(gone, func(g Channel) bool { return g.ID == c.ID })
	})
}
