package core

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/idle"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A line of a [Run] is typed only where it is read: at a prompt of a shell that is followed, whose
// editor is known to be empty, or at a program that waits for a line, as far as the system tells.

// A hindrance is why a line cannot be typed yet.
type hindrance string

const (
	unready   hindrance = ""           // nothing but a moment, or the shell prepares its prompt
	byStart   hindrance = "start"      // the shell's start-up files ask for something
	byCommand hindrance = "command"    // a command or program works
	bySecret  hindrance = "secret"     // it waits for a secret
	byScreen  hindrance = "fullscreen" // it has the whole screen
	byMore    hindrance = "more"       // an unfinished line waits for its rest
	byDraft   hindrance = "draft"      // something was typed and not entered
	byEditor  hindrance = "editor"     // the shell's editor does not answer
	forOther  hindrance = "shell"      // a command waits for a line, and this one is for the shell
	byTurn    hindrance = "turn"       // earlier runs have not ended
)

// lasts reports whether it may take long until the line can be typed.
func (h hindrance) lasts() bool {
	return h != unready && h != byEditor
}

// draftPause is how long a person must not have typed before the editor is asked what it holds: a
// key of ours must not come between theirs. It is also how long a search or menu that keys have
// opened may take to appear.
const draftPause = time.Second

// A lineAttempt is what a run remembers while its line waits to be typed.
type lineAttempt struct {
	AtPrompt bool      // it is for the shell, and not for a command
	Prompted bool      // there was a prompt
	N        uint64    // its number
	Asked    int       // how often the line was offered there
	Why      hindrance // why the line was not typed at the last look
}

// hinder says what hinders a line from being typed, and when to look again at the latest; 0 means
// never before something happens.
func (a *lineAttempt) hinder(why hindrance, again time.Duration) (bool, time.Duration, error) {
	a.Why = why
	return false, again, nil
}

// mayType reports whether a line can be typed now. Otherwise it returns when to look again.
func (s *Session) mayType(a *lineAttempt, silence time.Duration) (bool, time.Duration, error) {
	s.followExec()
	switch p := &s.Shell; p.Phase {
	case PhaseUnmarked:
		if p.Program != "" {
			return s.mayTypeAtStart(a)
		}
		return s.mayTypeToProgram(a, silence)
	case PhaseRunning:
		switch {
		case a.Prompted || a.AtPrompt && s.sys.Reads() == tty.Reads: // by a line from before, while this one is for the shell
			return a.hinder(forOther, recheck)
		case a.AtPrompt:
			return a.hinder(byCommand, recheck)
		}
		return s.mayTypeToProgram(a, silence)
	case PhaseMore:
		return a.hinder(byMore, recheck)
	}
	return s.mayTypeAtPrompt(a)
}

// mayTypeAtPrompt is mayType while the shell prompts: the editor reads, so that it will read a key
// of ours. What a person has typed there stays.
func (s *Session) mayTypeAtPrompt(a *lineAttempt) (bool, time.Duration, error) {
	p, e := &s.Shell, &s.Shell.Editor
	if s.sys.Unread() {
		return a.hinder(unready, recheck)
	}
	if !a.Prompted || a.N != p.N {
		a.Prompted, a.N, a.Asked = true, p.N, 0
	}
	if rest := p.Lines.wait(s.now); rest > 0 { // what follows an entered line may be read by its command
		return a.hinder(unready, rest)
	}
	quiet, reads := s.now.Sub(s.Idle.Last()), s.sys.Reads()
	switch {
	case s.sys.Mode() != tty.ModeKeys: // a hook works, a line was read and its command is about to begin, or there is no editor
		return a.hinder(unready, recheck)
	case p.Phase == PhaseHooks && quiet < markGrace: // else the end of the prompt is not marked
		return a.hinder(unready, markGrace-quiet)
	case e.Draft.Kind.isPerson() && e.Held:
		return a.hinder(byDraft, 0)
	case e.Draft.Kind.isPerson() && s.now.Sub(e.DraftAt) < draftPause:
		return a.hinder(byDraft, draftPause-s.now.Sub(e.DraftAt))
	case p.Program == "fish" && s.now.Sub(e.KeysAt) < draftPause:
		return a.hinder(byEditor, draftPause-s.now.Sub(e.KeysAt))
	case s.sys.Pending():
		return a.hinder(byEditor, recheck)
	case s.sys.Behind():
		return a.hinder(unready, recheck)
	case reads == tty.ReadsNot: // another program has read it or will read the next, or the machine is busy
		return a.hinder(byEditor, recheck)
	}
	return true, 0, nil
}

// maxPressed is how often a line is offered at a prompt. An editor that waits for the rest of
// another key, searches, or displays a menu may take the first for that.
const maxPressed = 3

func (s *Session) press(key func(int) string) error {
	return s.write(Write{Bytes: []byte(s.Shell.press(key, s.now))})
}

// mayTypeToProgram is mayType for a program that reads lines, such as a command, or a shell that is
// not followed. The system may tell that it waits for one. Where it cannot, silence behind text
// decides, and the outcome is never more than [Silent].
func (s *Session) mayTypeToProgram(a *lineAttempt, silence time.Duration) (bool, time.Duration, error) {
	p, mode, screen := &s.Shell, s.sys.Mode(), s.sys.Screen()
	if since := s.now.Sub(p.Signalled); since < silentGrace {
		return a.hinder(byCommand, silentGrace-since) // it may be about to die
	}
	pending, reads := s.sys.Pending(), s.sys.Reads()
	switch {
	case s.sys.Behind():
		return a.hinder(unready, recheck)
	case screen.Alternate:
		return a.hinder(byScreen, recheck)
	case mode == tty.ModeSecret:
		return a.hinder(bySecret, recheck)
	case !p.Editor.DraftAt.IsZero():
		return a.hinder(byDraft, recheck)
	case pending, reads == tty.ReadsNot, p.Phase == PhaseRunning && mode == tty.ModeKeys && s.sys.Foreground().PID == s.PID:
		return a.hinder(byCommand, recheck) // or the shell itself is about to prompt
	case reads == tty.Reads && mode == tty.ModeLines:
		return true, 0, nil
	case !screen.asks():
		return a.hinder(byCommand, recheck)
	}
	if v := s.check(idle.Wait{Timeout: silence}); !v.Quiet {
		return a.hinder(unready, v.Ask)
	}
	return true, 0, nil
}

// mayTypeAtStart is mayType before a shell that was started with our files has marked anything.
// Nothing is typed until it does: the shell and what its start-up files run may take any time. They
// may replace it by something that makes no marks.
//
// A line editor that reads, and is not of that shell, or has not marked its prompt for long enough,
// marks nothing.
func (s *Session) mayTypeAtStart(a *lineAttempt) (bool, time.Duration, error) {
	mode, reads, quiet, own := s.sys.Mode(), s.sys.Reads(), s.now.Sub(s.Idle.Last()), s.isShell()
	brackets := s.sys.Input().Modes.Has(vt.ModeBracketedPaste)
	switch {
	case s.sys.Behind():
		return a.hinder(unready, recheck)
	case own && reads == tty.Reads && mode != tty.ModeKeys && quiet >= DefaultSilence:
		a.Why = byStart
		return false, 0, s.notTyped(a)
	case mode == tty.ModeSecret, quiet < markGrace, !own && mode != tty.ModeKeys && reads != tty.Reads,
		own && (mode != tty.ModeKeys || reads == tty.ReadsNot || quiet < editorGrace || !brackets && s.now.Sub(s.Created) < startGrace):
		return a.hinder(unready, recheck)
	}
	s.Shell.Program = ""
	return a.hinder(unready, recheck)
}

// isShell reports whether the job in the foreground may be the shell that the session has started:
// start-up files can run others, and replace it.
func (s *Session) isShell() bool {
	f := s.sys.Foreground()
	return f.PID == 0 || f.PID == s.PID && (f.Name == "" || f.Name == s.Shell.Program)
}

// notTyped returns the error about a line that was not typed: what it waits for, and since when.
func (s *Session) notTyped(a *lineAttempt) error {
	return fault.With(NotTyped, fault.New(fault.Timeout, "your line was not typed into session %q: %s", s.sys.Name(), s.why(a)))
}

// why says what hinders a line, and what to do.
func (s *Session) why(a *lineAttempt) string {
	name, since := "a program", s.Idle.Last()
	if c := s.Last; s.Shell.Phase == PhaseRunning && c != nil {
		name, since = "a command", s.CommandAt
		if c.Line != "" {
			name = quoteLine(c.Line)
		}
	} else if f := s.sys.Foreground(); f.Name != "" {
		name, since = f.Name, s.Created
	}
	ran := fmt.Sprintf("%s (for %v)", name, s.now.Sub(since).Round(time.Second))
	switch a.Why {
	case byStart:
		return "the start-up files of the shell ask for something: look at the screen and answer with input"
	case bySecret:
		return ran + " waits for a secret: leave that to the person, or press C-c"
	case byScreen:
		return ran + " has the whole screen: send it keys, or end it"
	case byMore:
		return "the shell waits for the rest of an unfinished line: press C-c to drop it"
	case byDraft:
		if d := s.Shell.Editor.Draft; d.Kind != "" {
			return d.Describe() + " has typed something there that is not entered: wait until they are done"
		}
		return "something was typed there that is not entered: look at the screen"
	case byEditor:
		return "the shell's line editor does not answer: look at the screen; a menu or another editor may be open"
	case forOther:
		return ran + " waits for a line, and yours is for the shell: answer that command or press C-c, then run yours again"
	case byTurn:
		return "another call is running a command there: " + ran
	case unready:
		if p := s.Shell; p.Phase != PhaseRunning && (p.Phase != PhaseUnmarked || p.Program != "") {
			return "the shell has not prompted: look at the screen"
		}
	}
	return ran + " is running: wait, or press C-c"
}

// maxQuotedLine bounds the part of a command line that an error quotes, in bytes.
const maxQuotedLine = 60

// quoteLine quotes the start of a command line.
func quoteLine(line string) string {
	start, _, more := strings.Cut(line, "\n")
	if len(start) > maxQuotedLine {
		start, more = safetext.Cut(start, maxQuotedLine), true
	}
	if more {
		start += "…"
	}
	return strconv.Quote(start)
}
