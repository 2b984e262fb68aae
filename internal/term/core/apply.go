package core

import (
	"bytes"
	"strings"
	"time"

	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// An Input is something that happens to a session.
type Input interface {
	apply(s *Session) error
}

// An Action is something to be done: one of the types below, or about the size. Actions are carried
// out in order, before the next input.
type Action any

// The actions.
type (
	// Write queues input for the program, which [System.Accepts].
	Write struct {
		Bytes []byte
		Typed bool // by somebody, and not by the session itself
		// Secret says that the first line is a secret.
		Secret bool
		// Signals says that it has a key for which the terminal sends a signal.
		Signals bool
	}
	// Taken says that the shell's editor has taken the line of an offer.
	Taken struct{ N int }
	// SetTimer asks for a [Tick] at a time, instead of the one that was asked for before.
	SetTimer struct{ At time.Time }
	// Changed says that something has happened that others may wait for.
	Changed struct{}
	// Listed says that the session looks different in a list of sessions.
	Listed struct{}
	// Reported is a state that is reported.
	Reported struct{ State State }
	// Commanded says that a command has begun or ended.
	Commanded struct{ Command *Command }
	// Forget asks the terminal to take its shell's marks for text from now on.
	Forget struct{}
	// Begun says that the command of a [Run] has begun.
	Begun struct{ ID uint64 }
	// Answer ends a wait. Result is nil with an error.
	Answer struct {
		ID     uint64
		Result Result
		Err    error
	}
)

// Inputs that concern the program.
type (
	// Output is a chunk of output that is on the screen.
	Output struct{}
	// Mark is a shell's mark in output, at the moment when the terminal has read it.
	Mark struct{ vt.Mark }
	// Tick is the ringing of the timer.
	Tick struct{}
	// Follow is the beginning of a program of which nothing is known yet.
	Follow struct{}
	// End is the end of the program, after its last output.
	End struct{ Exit tty.Exit }
	// Signal is a signal to the job in the foreground that does not come from a key.
	Signal struct{}
	// Type is input for the program.
	Type struct {
		From    Sender
		Kind    InputKind
		Bytes   []byte
		Entries []Typed // of the ledger
		// Signals says that it has a key for which the terminal sends a signal.
		Signals bool
		// Passive says that the terminal of a person has sent it while the person only looks.
		Passive bool
	}
	// AgentReported says that hooks of an agent have said what it does, which [System.Agent] knows.
	AgentReported struct{}
	// Log adds entries to the ledger.
	Log struct{ Entries []Typed }
)

// Apply takes an input, given what the system tells and the time, and returns what is to be done.
// An error says why nothing was done. The actions are valid until the next call.
func (s *Session) Apply(in Input, sys System, now time.Time) ([]Action, error) {
	s.sys, s.now = sys, now
	clear(s.out)
	s.out = s.out[:0]
	if !s.Due.IsZero() && now.Sub(s.Due) >= lateTime {
		s.Idle.At = now // nobody has listened until now
	}
	var err error
	switch in.(type) {
	case Type, Signal, Reply, TakeKeyboard, GiveKeyboard, SetSize: // they need the program
		if s.Exit != nil {
			err = s.gone()
		}
	}
	if err == nil {
		err = in.apply(s)
	}
	s.look()
	s.arm()
	s.sys = nil
	return s.out, err
}

// given makes the system and the time available, until the result is called.
func (s *Session) given(sys System, now time.Time) (end func()) {
	was, then := s.sys, s.now
	s.sys, s.now = sys, now
	return func() { s.sys, s.now = was, then }
}

func (s *Session) emit(a Action) { s.out = append(s.out, a) }

// notify says that something has happened that waits may be for.
func (s *Session) notify() {
	if !s.changed {
		s.changed = true
		s.emit(Changed{})
	}
}

func (Follow) apply(s *Session) error {
	s.followIn(settleTime)
	return nil
}

func (Output) apply(s *Session) error {
	s.touch()
	return nil
}

func (s *Session) touch() {
	s.Idle = Activity{s.now, s.Idle.Count + 1}
	s.notify()
	s.stir()
}

// write sends input. It counts as activity, so that a caller that waits for silence right
// afterwards does not get the silence before.
func (s *Session) write(w Write) error {
	if err := s.sys.Accepts(w.Bytes); err != nil {
		return err
	}
	s.Inputs++
	s.emit(w)
	s.touch()
	return nil
}

func (Tick) apply(s *Session) error {
	s.Due = time.Time{}
	if isDue(s.Follower.Due, s.now) {
		s.followState()
	}
	if isDue(s.Absent, s.now) {
		s.setKeyboard(nil)
	}
	return nil
}

func isDue(at, now time.Time) bool { return !at.IsZero() && !at.After(now) }

// arm sets the timer to what is due next, unless it rings before.
func (s *Session) arm() {
	next := s.Follower.Due
	earlier := func(at time.Time) {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	earlier(s.Absent)
	for _, w := range s.Waits {
		earlier(w.At)
	}
	if !next.IsZero() && (s.Due.IsZero() || next.Before(s.Due)) {
		s.Due = next
		s.emit(SetTimer{next})
	}
}

func (in End) apply(s *Session) error {
	if s.Shell.Phase == PhaseRunning { // "exit" has no mark of its end
		s.commandOver(vt.Mark{})
	}
	s.Exit, s.Keyboard, s.Absent = &in.Exit, nil, time.Time{}
	s.State, s.Reported, s.Agent, s.Follower.Due, s.Follower.Pause = StateEnded, StateEnded, agents.Agent{}, time.Time{}, 0
	s.Reports++
	s.emit(Reported{StateEnded})
	s.notify()
	return nil
}

func (Signal) apply(s *Session) error {
	s.touch()
	return nil
}

func (in Log) apply(s *Session) error {
	s.log(in.Entries...)
	return nil
}

// log adds entries to the ledger. Terminals may display who types.
func (s *Session) log(entries ...Typed) {
	s.Ledger.add(s.now, entries...)
	s.notify()
}

func (in Type) apply(s *Session) error {
	mode, secret := s.sys.Mode(), s.secretLine()
	if err := s.write(Write{Bytes: in.Bytes, Typed: true, Secret: secret, Signals: in.Signals}); err != nil {
		return err
	}
	if from := in.From; !in.Passive {
		s.sent(from, in.Kind, "", in.Bytes, mode)
		if from.Kind.isPerson() {
			s.Paste.follow(from, in.Bytes, s.now)
		}
	}
	s.log(in.Entries...)
	return nil
}

// sent records what has just been typed in a mode of the terminal.
func (s *Session) sent(from Sender, what InputKind, line string, b []byte, mode tty.Mode) {
	p, e := &s.Shell, &s.Shell.Editor
	s.drives(from, what, line, b, p.Phase)
	enters, last := lineEnds(b)
	if enters {
		e.Entered, e.Unread = s.now, p.Phase != PhaseRunning
	}
	e.Held = false
	if bytes.ContainsFunc(b, func(c rune) bool { return c < ' ' && !strings.ContainsRune(LineKeys, c) }) {
		e.KeysAt = s.now
	}
	switch {
	case from.Kind.isPerson() && last < len(b):
		e.Draft, e.DraftAt = from, s.now
	case last == len(b):
		e.Draft, e.DraftAt = Sender{}, time.Time{}
	case !e.Draft.Kind.isPerson() && (p.Phase == PhaseUnmarked || mode != tty.ModeKeys):
		e.Draft, e.DraftAt = from, s.now
	}
	s.stir()
}
