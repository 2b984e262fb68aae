package core

import (
	"slices"
	"time"

	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/idle"
)

// A wait is a caller that waits for something, and gets an [Answer]. One of the pointers is set.
type wait struct {
	ID    uint64
	At    time.Time // when to look again even if nothing has changed; zero: never
	Still bool      // until then, only time and the end of the program can change the verdict

	Run     *runWait     `json:",omitempty"`
	Quiet   *Quiet       `json:",omitempty"`
	State   *AwaitState  `json:",omitempty"`
	Prompt  *AwaitPrompt `json:",omitempty"`
	Request *requestWait `json:",omitempty"`
	Settled *endWait     `json:",omitempty"`
}

// A Result is what a wait has found: the type that the input names which has begun it.
type Result any

// A verdict says how a wait goes on after a look that gave neither a result nor an error.
type verdict struct {
	again time.Duration // if positive, as At of wait
	still bool
}

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
			if w := s.Waits[i]; s.Exit == nil && !isDue(w.At, s.now) && (!changed || w.Still && !w.At.IsZero()) || !s.lookAt(w) {
				i++
			} else if j := slices.Index(s.Waits, w); j >= 0 {
				_ = s.end(j) // it has got its answer
			}
		}
	}
}

// lookAt answers a wait if it is over, and reports whether it is.
func (s *Session) lookAt(w *wait) bool {
	v, result, err := w.look(s)
	if result == nil && err == nil {
		w.Still, w.At = v.still, time.Time{}
		if v.again > 0 {
			w.At = s.now.Add(v.again)
		}
		return false
	}
	s.emit(Answer{w.ID, result, err})
	return true
}

func (w *wait) look(s *Session) (verdict, Result, error) {
	switch {
	case w.State != nil:
		return w.State.look(s)
	case w.Settled != nil:
		return w.Settled.look(s)
	case s.Exit != nil:
		return verdict{}, nil, s.gone()
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
	ID uint64
	idle.Wait
}

// Quieted is the answer to [Quiet].
type Quieted struct{ Since time.Duration }

func (in Quiet) apply(s *Session) error { return s.wait(&wait{ID: in.ID, Quiet: &in}) }

func (in *Quiet) look(s *Session) (verdict, Result, error) {
	v := s.check(in.Wait)
	if !v.Quiet {
		return verdict{again: v.Ask, still: true}, nil, nil
	}
	return verdict{}, Quieted{s.now.Sub(s.Idle.At)}, nil
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

func (in *AwaitState) look(s *Session) (verdict, Result, error) {
	now := s.Follower.Reported
	known := in.Known != nil && s.Idle.Count <= *in.Known
	switch {
	case !known && in.accepts(s) && !(len(in.States) == 0 && s.Requests.Asked && isRequestState(now)):
		a := Attained{State: now, Agent: s.Follower.Agent}
		if now == StatePrompt {
			a.ExitCode = s.Shell.Exit
		}
		return verdict{}, a, nil
	case s.Exit != nil:
		return verdict{}, nil, s.gone()
	}
	return verdict{}, nil, nil
}

// accepts reports whether the reported state is waited for.
func (in *AwaitState) accepts(s *Session) bool {
	if len(in.States) > 0 {
		return slices.Contains(in.States, s.Follower.Reported)
	}
	if a := s.Follower.Agent; a.Name != "" {
		return a.State != agents.Working
	}
	switch s.Follower.Reported {
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

func (in *AwaitPrompt) look(s *Session) (verdict, Result, error) {
	p := &s.Shell
	if p.Phase == PhaseUnmarked {
		switch why, again := s.hinders(false, DefaultSilence); why {
		case isRead:
			return verdict{}, Prompted{Quiet: true}, nil
		case byStart:
			return verdict{}, nil, s.notTyped(why)
		default:
			return verdict{again: again}, nil, nil
		}
	}
	if p.Phase != PhaseEditing && p.Phase != PhaseMore {
		return verdict{}, nil, nil
	}
	if rest := p.Editor.unread(s.now); rest > 0 || s.sys.Unread() {
		return verdict{again: rest}, nil, nil
	}
	if s.sys.Pending() {
		return verdict{again: recheck}, nil, nil
	}
	return verdict{}, Prompted{More: p.Phase == PhaseMore, ExitCode: p.Exit}, nil
}
