package term

import (
	"context"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
)

// keyboardGrace is how long a person who has the keyboard may be gone, as when a page is loaded
// again, before programs may type again.
const keyboardGrace = 10 * time.Second

// maxKeyboardName is how long the name of a person may be, in bytes.
const maxKeyboardName = 64

// A Keyboard says that only persons at attached terminals type into a session.
type Keyboard struct {
	By    string // who has taken it, as they call themselves
	Since time.Time
}

// TakeKeyboard refuses what programs want to type, signals included, until GiveKeyboard is called
// or the last person at an attached terminal has left for some seconds. by says who takes it, for
// those who are refused. Taking it again changes only that.
func (s *Session) TakeKeyboard(ctx context.Context, by string) error {
	if len(by) > maxKeyboardName || !utf8.ValidString(by) {
		return fault.New(fault.Invalid, "who takes the keyboard is a name of at most %d bytes", maxKeyboardName)
	}
	if by == "" {
		by = "a person"
	}
	return s.doRunning(ctx, func(st *state) error {
		since := time.Now()
		if k := st.status.keyboard; k != nil {
			since = k.Since
		}
		s.setKeyboard(st, &Keyboard{by, since})
		return nil
	})
}

// GiveKeyboard lets programs type again.
func (s *Session) GiveKeyboard(ctx context.Context) error {
	return s.doRunning(ctx, func(st *state) error {
		s.setKeyboard(st, nil)
		return nil
	})
}

func (s *Session) setKeyboard(st *state, k *Keyboard) {
	if k == nil && st.status.keyboard == nil {
		return
	}
	st.status.keyboard = k
	s.publishStatus(st)
	st.notify()
	if s.onState != nil {
		s.onState()
	}
}

// personsLeft gives the keyboard back when nobody has come back after a while. It is called when
// the last person has left.
func (s *Session) personsLeft(st *state) {
	k := st.status.keyboard
	if k == nil {
		return
	}
	time.AfterFunc(keyboardGrace, func() {
		s.exec.Post(func() {
			if now := st.status.keyboard; now == k && len(st.persons) == 0 {
				s.setKeyboard(st, nil)
			}
		})
	})
}

// keyboardTaken returns the error of a program that types while a person has the keyboard, or nil.
func (s *Session) keyboardTaken() error {
	k := s.status.Load().keyboard
	if k == nil {
		return nil
	}
	return fault.With(NotPermitted, fault.New(fault.Precondition,
		"%s has the keyboard of session %q since %s, and types there now: nothing was typed. Wait until they give it back, and then look at the screen first",
		k.By, s.Name(), k.Since.Format(time.TimeOnly)))
}
