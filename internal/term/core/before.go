package core

import (
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A lineAttempt is what a run remembers while its line waits to be typed.
type lineAttempt struct {
	Paste    bool      // the line must be pasted
	AtPrompt bool      // it is for the shell, and not for a command
	Prompted bool      // there was a prompt
	N        uint64    // its number
	Since    time.Time // when it came, or when a ready key was pressed
	Asked    int       // how often that was
	Unsure   bool      // it was not answered
}

// beforeTyping returns how long to wait before looking again whether a line can be typed, which it
// can if that is not positive. Between the end of a command and the next prompt, the terminal may
// echo what is typed and take several lines for several commands.
func (s *Session) beforeTyping(a *lineAttempt) (time.Duration, error) {
	s.followExec()
	p := &s.Shell
	quiet := s.now.Sub(s.Idle.Last())
	brackets := s.sys.Input().Modes.Has(vt.ModeBracketedPaste)
	switch p.Phase {
	case PhaseUnmarked:
		return s.beforeMarks()
	case PhaseRunning, PhaseMore:
		if a.Prompted || a.AtPrompt { // by a line from before, while this one is for the shell
			return recheck, nil
		}
		if !p.Signalled.IsZero() {
			return s.afterSignal(), nil
		}
		return 0, nil
	}
	if s.sys.Unread() {
		return recheck, nil
	}
	if !a.Prompted || a.N != p.N {
		a.Prompted, a.N, a.Since = true, p.N, s.now
	}
	if p.Phase == PhaseHooks {
		switch {
		case p.Keyed && s.takesKeys(), !p.Keyed && (brackets || p.Marked):
			if quiet < markGrace { // otherwise, the end of the prompt is not marked
				return markGrace - quiet, nil
			}
			if !p.Marked && p.Brackets == bracketsUsed && !brackets {
				return recheck, nil // something else takes keys
			}
			p.Unclear = p.Unclear || !p.Marked // what makes the marks may be lost
		case quiet >= beginGrace && s.sys.Screen().asks():
			a.Unsure = true
			return 0, nil
		default:
			return recheck, nil
		}
	}
	if rest := p.Lines.wait(s.now); rest > 0 && !p.Keyed { // its marks would be taken for the line's marks
		return rest, nil
	}
	if p.Unclear && p.Keyed && !a.Unsure {
		return s.askReady(a)
	}
	if brackets {
		p.Brackets = bracketsUsed
	} else if a.Paste && p.Brackets != bracketsUnused {
		// They are asked for just after the prompt.
		if rest := beginGrace - s.now.Sub(a.Since); rest > 0 {
			return rest, nil
		}
		if p.Brackets == bracketsUnknown {
			p.Brackets = bracketsUnused
		}
	}
	return 0, nil
}

// afterSignal is beforeTyping while the shell has not marked the end of a command that got a
// signal, or of an unfinished line. The shell drops input when a signal interrupts it, and what a
// dying command leaves unread runs unseen, so the line waits for the prompt, unless the command has
// survived: it still waits for input, or has run for long enough.
func (s *Session) afterSignal() time.Duration {
	since := s.now.Sub(s.Shell.Signalled)
	if s.Shell.Phase == PhaseRunning && since >= silentGrace && s.now.Sub(s.Idle.Last()) >= silentGrace {
		editor, reads := s.takesKeys(), s.sys.Reads()
		switch {
		case s.sys.Behind():
		case editor && s.sys.Foreground().PID == s.PID: // the shell's own, about to prompt
		case reads == tty.Reads, reads == tty.ReadingUnknown && editor:
			return 0
		}
	}
	return min(recheck, answerGrace-since)
}

// beforeMarks is beforeTyping while there were no marks. Nothing is typed until a program reads:
// the shell and what its start-up files run may take any time.
func (s *Session) beforeMarks() (time.Duration, error) {
	p := &s.Shell
	mode, reads, quiet := s.sys.Mode(), s.sys.Reads(), s.now.Sub(s.Idle.Last())
	if s.sys.Behind() {
		return recheck, nil
	}
	if p.Program != "" && !p.Plain {
		if reads == tty.Reads && mode != tty.ModeKeys && quiet >= DefaultSilence && s.isShell() {
			return 0, fault.With(NotTyped, fault.New(fault.Timeout,
				"the start-up files of the shell in session %q ask for something; your line was not typed: look at the screen and answer with input", s.sys.Name()))
		}
		if !s.marksNothing(mode, reads, quiet) {
			return recheck, nil
		}
		p.Plain = true
	}
	switch {
	case reads == tty.ReadsNot:
		return recheck, nil
	case reads == tty.Reads, mode == tty.ModeKeys:
		return 0, nil
	}
	rest := startGrace - s.now.Sub(s.Created)
	if s.sys.Screen().asks() {
		rest = min(rest, editorGrace-quiet)
	}
	return rest, nil
}

// marksNothing reports whether a shell that was started to mark its prompts does not: a line editor
// reads, and is not of that shell, or has not marked its prompt for long enough.
func (s *Session) marksNothing(mode tty.Mode, reads tty.Reading, quiet time.Duration) bool {
	switch {
	case mode == tty.ModeSecret, quiet < markGrace:
		return false
	case !s.isShell():
		return mode == tty.ModeKeys || reads == tty.Reads
	case mode != tty.ModeKeys || reads == tty.ReadsNot:
		return false
	case s.sys.Input().Modes.Has(vt.ModeBracketedPaste):
		return quiet >= editorGrace
	}
	return quiet >= editorGrace && s.now.Sub(s.Created) >= startGrace
}

// isShell reports whether the job in the foreground may be the shell that the session has started:
// start-up files can run others, and replace it.
func (s *Session) isShell() bool {
	f := s.sys.Foreground()
	return f.PID == 0 || f.PID == s.PID && (f.Name == "" || f.Name == s.Shell.Program)
}

// askReady presses a ready key once the line editor can read it, and waits for the answer. A
// command that has just begun may read the key instead, so it is sent again.
func (s *Session) askReady(a *lineAttempt) (time.Duration, error) {
	p := &s.Shell
	if p.PressedAt != p.N { // another program has read it, or a signal has dropped it
		p.Asking = false
	}
	switch {
	case !p.Asking && !s.takesKeys():
		if s.sys.Reads() == tty.Reads && s.now.Sub(s.Idle.Last()) >= beginGrace {
			a.Unsure = true // the shell reads without a line editor
			return 0, nil
		}
		return recheck, nil // a line has been read, and its command is about to begin
	case !p.Asking && a.Asked < 2:
		a.Asked++
		a.Since = s.now
		return answerGrace, s.pressReady()
	case p.Asking && s.now.Sub(a.Since) < answerGrace:
		return answerGrace - s.now.Sub(a.Since), nil
	case p.Asking && s.sys.Pending(): // it has not been read
		return recheck, nil
	case p.Asking && s.sys.Reads() != tty.Reads:
		p.Asking = false // another program has read it, or the machine is busy
		return recheck, nil
	case s.sys.Behind(): // the answer may be on its way
		return recheck, nil
	} // else something has read it and waits for more: it knows no such key
	a.Unsure = true
	return 0, nil
}

func (s *Session) pressReady() error {
	return s.write(Write{Bytes: []byte(s.Shell.press())})
}
