package core

import (
	"time"

	"ui-mcp/internal/fault"
)

// keyboardGrace is how long a person who has the keyboard may be gone, as when a page is loaded
// again, before programs may type again.
const keyboardGrace = 10 * time.Second

// A Keyboard says that only persons at attached terminals type into a session.
type Keyboard struct {
	By    string // who has taken it, as they call themselves
	Since time.Time
}

// Refuses returns the error of a program that types while a person has the keyboard, or nil if k is
// nil.
func (k *Keyboard) Refuses(session string) error {
	if k == nil {
		return nil
	}
	return fault.With(NotPermitted, fault.New(fault.Precondition,
		"%s has the keyboard of session %q since %s, and types there now: nothing was typed. Wait until they give it back, and then look at the screen first",
		k.By, session, k.Since.Format(time.TimeOnly)))
}

type (
	// TakeKeyboard takes the keyboard for persons, until [GiveKeyboard] or until no person has been
	// there for a while. By says who takes it.
	TakeKeyboard struct{ By string }
	// GiveKeyboard lets programs type again.
	GiveKeyboard struct{}
	// Attend says on how many attached terminals persons may type.
	Attend struct{ Persons int }
)

func (in TakeKeyboard) apply(s *Session) error {
	since := s.now
	if s.Keyboard != nil {
		since = s.Keyboard.Since
	}
	s.setKeyboard(&Keyboard{in.By, since})
	return nil
}

func (GiveKeyboard) apply(s *Session) error {
	s.setKeyboard(nil)
	return nil
}

func (in Attend) apply(s *Session) error {
	s.Persons = in.Persons
	s.awaitPersons()
	s.notify()
	return nil
}

func (s *Session) setKeyboard(k *Keyboard) {
	if k == nil && s.Keyboard == nil {
		return
	}
	s.Keyboard = k
	s.awaitPersons()
	s.notify()
	s.emit(Listed{})
}

// awaitPersons gives the keyboard back if no person comes for a while. It is called when the
// keyboard is taken, and when a person arrives or leaves. Each call ends the wait of the one
// before.
func (s *Session) awaitPersons() {
	s.Absent = time.Time{}
	if s.Keyboard != nil && s.Persons == 0 {
		s.Absent = s.now.Add(keyboardGrace)
	}
}
