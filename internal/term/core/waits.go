package core

import (
	"slices"
	"time"

	"ui-mcp/internal/term/agents"
)

// A wait is a caller that waits for something, and gets an [Answer]. One of the pointers is set.
type wait struct {
	ID uint64
	At time.Time // when to look again even if nothing has changed; zero: never

	Run     *runWait     `json:",omitempty"`
	Quiet   *Quiet       `json:",omitempty"`
	State   *AwaitState  `json:",omitempty"`
	Prompt  *AwaitPrompt `json:",omitempty"`
	Request *requestWait `json:",omitempty"`
	Settled *endWait     `json:",omitempty"`
}

// A Result is what a wait has found: the type that the input names which has begun it.
type Result any

// wait begins a wait. The first look is at once. It never fails.
func (s *Session) wait(w *wait) error {
	w.At = s.now
	s.Waits = append(s.Waits, w)
	return nil
}

// Cancel ends a wait without an answer. One that has ended is ignored. The error says why the line
// of a [Run] was not typed; it is nil if it was.
type Cancel struct{ ID uint64 }

func (in Cancel) apply(s *Session) (err error) {
	if i := slices.IndexFunc(s.Waits, func(w *wait) bool { return w.ID == in.ID }); i >= 0 {
		err = s.end(i)
	}
	return err
}

func (s *Session) end(i int) (err error) {
	w := s.Waits[i]
	s.Waits = slices.Delete(s.Waits, i, i+1)
	if w.Run != nil {
		err = w.Run.leave(s)
		s.changed = true // another run may be the first now
	}
	return err
}

// look answers the waits that are over. An answer and what is typed for a wait can end others.
func (s *Session) look() {
	for first := true; first || s.changed; first = false {
		changed := s.changed
		s.changed = false
		for i := 0; i < len(s.Waits); {
			if w := s.Waits[i]; s.Exit == nil && !isDue(w.At, s.now) && !changed || !s.lookAt(w) {
				i++
			} else if j := slices.Index(s.Waits, w); j >= 0 {
				_ = s.end(j) // it has got its answer
			}
		}
	}
}

// lookAt answers a wait if it is over, and reports whether it is.
func (s *Session) lookAt(w *wait) bool {
	again, result, err := w.look(s)
	if result == nil && err == nil {
		w.At = time.Time{}
		if again > 0 {
			w.At = s.now.Add(again)
		}
		return false
	}
	s.emit(Answer{w.ID, result, err})
	return true
}

// look returns a result or an error, or how long it is until the next look even if nothing has
// changed; 0: for ever.
func (w *wait) look(s *Session) (again time.Duration, _ Result, _ error) {
	switch {
	case w.State != nil:
		return w.State.look(s)
	case w.Settled != nil:
		return w.Settled.look(s)
	case s.Exit != nil:
		return 0, nil, s.gone()
	case w.Run != nil:
		return w.Run.look(s, w.ID)
	case w.Quiet != nil:
		return w.Quiet.look(s)
	case w.Prompt != nil:
		return w.Prompt.look(s)
	}
	return w.Request.look(s)
}

// Quiet waits for silence. The answer is a [Quieted].
type Quiet struct {
	ID      uint64
	Timeout time.Duration // how long the silence must last
	Since   time.Time     // earlier silence does not count
	Known   *uint64       // a generation that does not count; nil: none
}

// Quieted is the answer to [Quiet].
type Quieted struct{ Since time.Duration }

func (in Quiet) apply(s *Session) error { return s.wait(&wait{ID: in.ID, Quiet: &in}) }

func (in *Quiet) look(s *Session) (time.Duration, Result, error) {
	if quiet, again := s.check(*in); !quiet {
		return again, nil, nil
	}
	return 0, Quieted{s.now.Sub(s.Idle.At)}, nil
}

// check reports whether it has been quiet for long enough, or when that may be so even if nothing
// happens; 0: never. Output waiting to be parsed is not silence.
func (s *Session) check(q Quiet) (quiet bool, again time.Duration) {
	if s.sys.Unread() || q.Known != nil && *q.Known == s.Idle.Count {
		return false, 0
	}
	rest := q.Timeout - min(s.now.Sub(s.Idle.At), s.now.Sub(q.Since))
	if rest <= 0 && s.sys.Behind() {
		rest = settleTime
	}
	return rest <= 0, rest
}

// Check reports whether nothing has happened for a time, or when that may be so.
func (s *Session) Check(timeout time.Duration, sys System, now time.Time) (quiet bool, again time.Duration) {
	defer s.given(sys, now)()
	return s.check(Quiet{Timeout: timeout})
}

// AwaitState waits until the session is in one of the states, or without any until it needs
// somebody: see StateOptions of package term. The answer is an [Attained].
type AwaitState struct {
	ID     uint64
	States []State
	// Known, if not nil, is a generation that does not count.
	Known *uint64
}

// Attained is the answer to [AwaitState].
type Attained struct {
	State    State
	ExitCode *int         // at a prompt: of the command before, if the shell reported one
	Agent    agents.Agent // in the foreground, if there is one
}

func (in AwaitState) apply(s *Session) error {
	if s.Exit == nil {
		s.reportState()
		s.followIn(settleTime)
	}
	return s.wait(&wait{ID: in.ID, State: &in})
}

func (in *AwaitState) look(s *Session) (time.Duration, Result, error) {
	now := s.Reported
	known := in.Known != nil && s.Idle.Count <= *in.Known
	switch {
	case !known && in.accepts(s) && !(len(in.States) == 0 && s.PersonAsked && isRequestState(now)):
		a := Attained{State: now, Agent: s.Agent}
		if now == StatePrompt {
			a.ExitCode = s.Shell.Exit
		}
		return 0, a, nil
	case s.Exit != nil:
		return 0, nil, s.gone()
	}
	return 0, nil, nil
}

// accepts reports whether the reported state is waited for.
func (in *AwaitState) accepts(s *Session) bool {
	if len(in.States) > 0 {
		return slices.Contains(in.States, s.Reported)
	}
	if a := s.Agent; a.Name != "" {
		return a.State != agents.Working
	}
	switch s.Reported {
	case StateLine, StateSecret:
		return true
	case StatePrompt:
		return s.Follower.Commands > 0
	}
	return false
}

// AwaitPrompt waits until the shell prompts for a line, and has read the lines that were typed
// before. Where no shell is followed, it waits until the program seems to wait for a line: see
// [Run]. The answer is a [Prompted].
type AwaitPrompt struct{ ID uint64 }

// Prompted is the answer to [AwaitPrompt].
type Prompted struct {
	Quiet    bool // no shell is followed: the system, or silence, tells that a program waits
	More     bool // the shell asks for the rest of an unfinished line
	ExitCode *int // of the last command, if the shell reported one
}

func (in AwaitPrompt) apply(s *Session) error { return s.wait(&wait{ID: in.ID, Prompt: &in}) }

func (in *AwaitPrompt) look(s *Session) (time.Duration, Result, error) {
	p := &s.Shell
	if p.Phase == PhaseUnmarked {
		switch why, again := s.hinders(false, DefaultSilence); why {
		case isRead:
			return 0, Prompted{Quiet: true}, nil
		case byStart:
			return 0, nil, s.notTyped(why)
		default:
			return again, nil, nil
		}
	}
	if p.Phase != PhaseEditing && p.Phase != PhaseMore {
		return 0, nil, nil
	}
	if rest := p.Editor.unread(s.now); rest > 0 || s.sys.Unread() {
		return rest, nil, nil
	}
	if s.sys.Pending() {
		return recheck, nil, nil
	}
	return 0, Prompted{More: p.Phase == PhaseMore, ExitCode: p.Exit}, nil
}
