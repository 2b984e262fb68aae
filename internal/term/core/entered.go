package core

import (
	"bytes"
	"time"

	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// An enteredLine is a line that was entered for a program that reads lines. While it passes through
// this process and the system, the program seems to ask what has been answered.
type enteredLine struct {
	At     time.Time   // zero: there is none
	Cursor vt.Position // then
	Secret bool        // it was not echoed
	Read   bool        // the program has read it, or is not waiting for it
	Away   bool        // since then, the program has done something else than to read
}

// enter records a line that was sent in a mode of the terminal.
func (s *Session) enter(b []byte, mode tty.Mode) {
	if (mode == tty.ModeLines || mode == tty.ModeSecret) && bytes.ContainsAny(b, EndKeys) {
		s.Requests.Entered = enteredLine{At: s.now, Cursor: s.sys.Screen().Cursor, Secret: mode == tty.ModeSecret}
	}
}

// seen records where the cursor is after output: the echo of a line moves it to the next one, and
// without an echo only the program moves it.
func (e *enteredLine) seen(cursor vt.Position) {
	e.Read = e.Read || cursor.Line != e.Cursor.Line || e.Secret && cursor != e.Cursor
}

// waits reports whether the program may not have read the line, in a mode of the terminal.
func (e *enteredLine) waits(mode tty.Mode) bool {
	return !e.At.IsZero() && !e.Read && (mode == tty.ModeLines || mode == tty.ModeSecret) && e.Secret == (mode == tty.ModeSecret)
}

// unread returns for how long a program that seems to read may still be about to read the line that
// was entered. A program that has done something else meanwhile, or has not read the line for as
// long as a shell may take, asks for another one.
func (s *Session) unread(mode tty.Mode, reads tty.Reading) time.Duration {
	e := &s.Requests.Entered
	if !e.waits(mode) {
		return 0
	}
	rest := beginGrace - s.now.Sub(e.At)
	e.Read = rest <= 0 || e.Away && reads == tty.Reads
	if e.Read {
		return 0
	}
	return rest
}

// enteredTime is how long a program may take to read a secret that was entered. What is typed
// within that time is behind the secret, unless the program has asked again.
const enteredTime = 50 * time.Millisecond

// SecretLine reports whether the line that is typed next is a secret: the terminal does not echo
// it, the session's shell is not about to read it, and it is not behind a secret that was just
// entered.
//
// A [System] may call it.
func (s *Session) SecretLine(sys System, now time.Time) bool {
	defer s.given(sys, now)()
	return s.secretLine()
}

func (s *Session) secretLine() bool {
	switch {
	case s.sys.Mode() != tty.ModeSecret:
		return false
	case s.Shell.Phase == PhaseUnmarked && s.Shell.Program != "" && !s.Shell.Plain: // it is starting
	case s.Shell.Phase == PhaseHooks && !s.Shell.Marked && s.sys.Reads() != tty.ReadsNot: // a hook asks
	case s.shellPrompts():
		return false
	}
	screen, e := s.sys.Screen(), &s.Requests.Entered
	return !e.Secret || s.now.Sub(e.At) >= enteredTime || screen.asks() && screen.Cursor != e.Cursor
}
