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

// TakeKeyboard refuses what programs want to type, signals and lines that wait for the prompt
// included, until GiveKeyboard is called or no person has been at an attached terminal for 10
// seconds: since it was taken, or since the last one has left. by says who takes it, for those who
// are refused. Taking it again changes that, and these seconds begin again.
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
	if w := st.shell.watch; k != nil && w != nil {
		w.left = true
	}
	s.awaitPersons(st)
	s.publishStatus(st)
	st.notify()
	if s.onState != nil {
		s.onState()
	}
}

// awaitPersons gives the keyboard back if nobody comes for a while. It is called when the keyboard
// is taken, and when a person arrives or leaves. Each call ends the wait of the one before.
func (s *Session) awaitPersons(st *state) {
	st.absences++
	n := st.absences
	if st.status.keyboard == nil || len(st.persons) > 0 {
		return
	}
	time.AfterFunc(keyboardGrace, func() {
		s.exec.Post(func() {
			if st.absences == n {
				s.setKeyboard(st, nil)
			}
		})
	})
}

// keyboardTaken returns the error of a program that types while a person has the keyboard, or nil.
// It may be called from anywhere. What is about to be typed asks on the executor, since a person
// may have taken the keyboard while it waited.
func (s *Session) keyboardTaken() error {
	k := s.status.Load().keyboard
	if k == nil {
		return nil
	}
	return fault.With(NotPermitted, fault.New(fault.Precondition,
		"%s has the keyboard of session %q since %s, and types there now: nothing was typed. Wait until they give it back, and then look at the screen first",
		k.By, s.Name(), k.Since.Format(time.TimeOnly)))
}
