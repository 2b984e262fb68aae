package core

import (
	"fmt"
	"strconv"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/tty"
)

// A line of a [Run] is typed only where it is read: at a prompt of a shell that is followed, whose
// editor is known to be empty, or at a program that waits for a line, as far as the system tells.

// A hindrance is why a line would not be read.
type hindrance string

const (
	isRead    hindrance = ""           // it would be
	unready   hindrance = "moment"     // nothing but a moment, or the shell prepares its prompt
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

// lasts reports whether it may take long until the line would be read.
func (h hindrance) lasts() bool { return h != unready && h != byEditor }

// draftPause is how long a person must not have typed before the editor is asked what it holds: a
// key of ours must not come between theirs. It is also how long a search or menu that keys have
// opened may take to appear.
const draftPause = time.Second

// hinders says why a line would not be read now, and when to look again at the latest: 0 means when
// something happens. A line forShell is no answer to a command.
func (s *Session) hinders(forShell bool, silence time.Duration) (h hindrance, again time.Duration) {
	s.followExec()
	defer func() {
		if h.lasts() {
			s.Unready = time.Time{}
		}
	}()
	mode, pending, reading := s.sys.Mode(), s.sys.Pending(), s.sys.Reads()
	switch p := &s.Shell; {
	case s.sys.Behind():
		return unready, s.soon()
	case p.Phase == PhaseUnmarked && p.Program != "":
		return s.hindersAtStart(mode, reading)
	case p.Phase == PhaseRunning && forShell && reading == tty.Reads:
		return forOther, recheck
	case p.Phase == PhaseRunning && forShell:
		return byCommand, recheck
	case p.Phase == PhaseMore:
		return byMore, recheck
	case p.prompts():
		return s.hindersAtPrompt(mode, pending || reading == tty.ReadsNot)
	}
	return s.hindersInProgram(silence, mode, pending, reading)
}

// hindersAtPrompt is hinders while the shell prompts: the editor reads, so that it will read a key
// of ours. What a person has typed there stays.
func (s *Session) hindersAtPrompt(mode tty.Mode, busy bool) (hindrance, time.Duration) {
	p, e := &s.Shell, &s.Shell.Editor
	typed := s.now.Sub(e.DraftAt)
	switch {
	case e.unread(s.now) > 0: // what follows an entered line may be read by its command
		return unready, e.unread(s.now)
	case mode != tty.ModeKeys: // a hook works, a line was read and its command is about to begin, or there is no editor
		return unready, s.soon()
	case e.Draft.Kind.isPerson() && e.Held:
		return byDraft, 0
	case e.Draft.Kind.isPerson() && typed < draftPause:
		return byDraft, draftPause - typed
	case p.Program == "fish" && s.now.Sub(e.KeysAt) < draftPause:
		return byEditor, draftPause - s.now.Sub(e.KeysAt)
	case busy: // another program has read it or will read the next, or the machine is busy
		return byEditor, s.soon()
	}
	return isRead, 0
}

// maxPressed is how often a line is offered to an editor that does not answer. One that waits for
// the rest of another key, searches, or displays a menu may take the first key for that.
const maxPressed = 3

func (s *Session) press(key func(int) string) error {
	return s.write(Write{Bytes: []byte(s.Shell.press(key, s.now))})
}

// hindersInProgram is hinders for a program that reads lines, such as a command, or a shell that is
// not followed. The system may tell that it waits for one. Where it cannot, silence behind text
// decides, and the outcome is never more than [Silent].
func (s *Session) hindersInProgram(silence time.Duration, mode tty.Mode, pending bool, reading tty.Reading) (hindrance, time.Duration) {
	p, screen := &s.Shell, s.sys.Screen()
	switch {
	case screen.Alternate:
		return byScreen, recheck
	case mode == tty.ModeSecret:
		return bySecret, recheck
	case !p.Editor.DraftAt.IsZero():
		return byDraft, recheck
	case pending, reading == tty.ReadsNot:
		return byCommand, recheck
	case reading == tty.Reads && mode == tty.ModeLines:
		return isRead, 0
	case !screen.asks():
		return byCommand, recheck
	}
	if quiet, again := s.check(Quiet{Timeout: silence}); !quiet {
		return unready, again
	}
	return isRead, 0
}

// hindersAtStart is hinders before a shell that was started with our files has marked anything.
// Nothing is typed until it does: the shell and what its start-up files run may take any time. They
// may replace it by something that makes no marks: what reads and is not that shell, or an editor
// that has not marked its prompt for long.
func (s *Session) hindersAtStart(mode tty.Mode, reading tty.Reading) (hindrance, time.Duration) {
	quiet, f := s.now.Sub(s.Idle.At), s.sys.Foreground()
	own := f.PID == 0 || f.PID == s.PID && (f.Name == "" || f.Name == s.Shell.Program)
	switch {
	case own && reading == tty.Reads && mode != tty.ModeKeys && quiet >= DefaultSilence:
		return byStart, 0
	case mode == tty.ModeKeys && reading != tty.ReadsNot && quiet >= editorGrace && s.now.Sub(s.Created) >= startGrace,
		!own && (mode == tty.ModeKeys || reading == tty.Reads) && quiet >= markGrace:
		s.Shell.Program = ""
	}
	return unready, recheck
}

// notTyped returns the error about a line that was not typed: what it waits for, and since when.
func (s *Session) notTyped(h hindrance) error {
	return fault.With(NotTyped, fault.New(fault.Timeout, "your line was not typed into session %q: %s", s.sys.Name(), s.why(h)))
}

// why says what hinders a line, and what to do.
func (s *Session) why(h hindrance) string {
	name, since := "a program", s.Idle.At
	if s.Shell.Phase == PhaseRunning {
		name, since = "a command", s.CommandAt
		if line := s.LastCommand.Line; line != "" {
			name = strconv.Quote(safetext.Clip(line, maxQuotedLine))
		}
	} else if f := s.sys.Foreground(); f.Name != "" {
		name, since = f.Name, s.Created
	}
	ran := fmt.Sprintf("%s (for %v)", name, s.now.Sub(since).Round(time.Second))
	switch h {
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
