package core

import (
	"time"

	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A fate is what has become of a line that was offered at a prompt of the shell, as its marks tell.
// Marks arrive in order, so those with the prompt's number, or a later one, are about the line.
type fate struct {
	N     uint64 // the number of the prompt it was taken at
	Whole bool   // it contains the ends of no other lines

	State   lineState
	Outcome outcome

	Began, Ended time.Time // the command; zero until it has
	Seen         time.Time // the newest mark
	From, To     uint64    // IDs of the first and the last mark of output; 0 before that
	Exit         *int
}

// A lineState is where a line is. With [PhaseMore], in which it waits for its rest, it decides what
// is done:
//
//	state        what is seen                         what is done
//	lineOffered  nothing                              wait; withdraw the line, and offer it again
//	lineTaken    nothing, or C of its command         wait; if there is no mark, press the ready key
//	lineCleared  our own key, nothing since           wait; drop it again if it still wants its rest
//	lineOver     D of its number, or a later one      wait for the prompt, or for the next line
//	lineReady    B of a later number, or our answer   the run is done
type lineState uint8

const (
	lineOffered lineState = iota
	lineTaken
	lineCleared
	lineOver
	lineReady
)

// An outcome is what the shell has shown of a line, which it may be before the line is over.
type outcome uint8

const (
	outcomeUnknown outcome = iota
	outcomeRan
	outcomeDropped // it has shown that it has not run it
)

// see handles a mark. Marks come in their order, and none comes again: the terminal sees to that.
func (w *fate) see(m vt.Mark, p *shell, now time.Time) {
	w.Seen = now
	_, last := p.Editor.answers(m)
	ready := last && m.Variant[:1] == variantReady
	switch {
	case w.State == lineReady:
	case w.State == lineOffered:
		switch {
		case p.Offer.isTaken(m):
			w.State, w.N = lineTaken, m.N
		case ready:
			w.State, w.Outcome = lineReady, outcomeDropped // the editor has found none
		}
	case m.Variant == variantOther && w.Outcome != outcomeRan:
		w.State, w.Outcome = lineReady, outcomeDropped
	case m.Kind == vt.MarkOutput:
		if w.State == lineOver && w.Whole {
			return // another request's
		}
		w.N, w.State, w.To = m.N, lineTaken, m.ID
		if w.From == 0 {
			w.From, w.Began, w.Outcome = m.ID, now, outcomeRan
		}
	case m.Kind == vt.MarkEnd && m.N == w.N:
		w.State = lineOver
		switch {
		case w.Outcome == outcomeRan, m.Variant == variantRan:
			w.Outcome, w.Ended = outcomeRan, now
			if m.HasExitCode {
				w.Exit = new(m.ExitCode)
			}
		case m.Variant == variantDropped:
			w.Outcome = outcomeDropped
		}
	case m.N > w.N:
		if w.State < lineOver && w.Outcome == outcomeRan { // a command whose end was not marked
			w.Ended = now
		}
		if w.State = lineOver; m.Kind == vt.MarkCommand {
			w.State = lineReady
		}
	case ready && p.Phase != PhaseMore:
		w.State, w.Outcome = lineReady, outcomeDropped // it has come back to the same prompt
	}
}

// judge decides by the shell's marks what has become of the line of a run. It removes a line that
// the shell leaves in its editor, unless a person may have typed there. One that no mark has
// followed for long is there, as far as the system tells: it is unfinished, and not every shell
// marks that. Or a hook of the shell asks for something. It returns no state until the run is over.
func (s *Session) judge(r *runWait) (_ RunState, again time.Duration, _ error) {
	w := s.Shell.Watch
	ours := !s.Shell.Editor.Draft.Kind.isPerson() && s.Keyboard == nil
	switch {
	case s.sys.Unread(), w.State == lineOffered:
		return "", 0, nil
	case w.State == lineReady:
		return Done, 0, nil
	case w.State == lineOver && !w.Whole && !s.sys.Input().Modes.Has(vt.ModeBracketedPaste):
		return "", recheck, nil // the next of several lines may follow
	case w.State == lineOver:
		if rest := markGrace - s.now.Sub(w.Seen); rest > 0 {
			return "", rest, nil // the end of a prompt may be slow to come
		}
		return Done, 0, nil
	case s.Shell.Phase == PhaseMore && ours:
		if rest := answerGrace - s.now.Sub(s.Idle.At); w.State == lineCleared && rest > 0 {
			return "", rest, nil
		}
		w.State = lineCleared
		return "", 0, s.press(dropKey)
	}
	timeout, ran := r.Timeout, w.Outcome == outcomeRan
	if !ran {
		timeout = max(timeout, beginGrace)
	}
	if quiet, again := s.check(Quiet{Timeout: timeout}); !quiet {
		return "", again, nil
	}
	reads := s.sys.Reads()
	switch {
	case s.sys.Behind():
		return "", settleTime, nil
	case reads == tty.ReadsNot, reads != tty.Reads && !s.sys.Screen().asks() && !s.takesKeys():
		return "", min(max(r.Timeout, recheck), awaitedTime), nil // it may ask later without a word
	case !ran && s.takesKeys() && ours && w.State != lineCleared: // line editors take keys one by one, and hooks do not
		w.State = lineCleared
		return "", 0, s.press(readyKey)
	}
	return Waiting, 0, nil
}

// patience returns how long to wait for the answer to the key that was pressed for an offer. If it
// is 0, the editor has read the key and has not answered.
func (s *Session) patience() time.Duration {
	if rest := editorGrace - s.now.Sub(s.Shell.Editor.PressedAt); rest > 0 {
		return rest
	}
	if pending, reads := s.sys.Pending(), s.sys.Reads(); pending || reads == tty.ReadsNot || s.sys.Behind() {
		return recheck
	}
	return 0
}

// judgeBegun decides whether the command of a line has begun, given when to look at its end. A
// shell marks the beginning just before: a key for which the terminal sends a signal would reach
// only the shell until the command has the terminal, unless the shell itself carries it out. The
// job also has to be another program by then: a copy of bash that is about to become one loses
// signals.
func (s *Session) judgeBegun(r *runWait, end time.Duration) (begun bool, again time.Duration) {
	w := s.Shell.Watch
	if w != nil && w.Outcome != outcomeRan {
		return false, end
	}
	rest := silentGrace - s.now.Sub(r.Sent) // for a program to read the line
	if w != nil {
		rest = forkGrace - s.now.Sub(w.Began) // a builtin, a subshell, or the machine is too busy to start a program
		if job := s.sys.Foreground(); r.Shell.PID != 0 && job.PID != 0 && job.PID != r.Shell.PID && job.Name != r.Shell.Name {
			rest = 0
		}
	}
	return rest <= 0, min(rest, beginPause)
}

// judgeSilence decides whether it has been quiet for long enough since something was typed. The
// program gets a moment to answer, however short the timeout. Where the system tells that it has
// not come back to read, silence does not count.
func (s *Session) judgeSilence(r *runWait) (quiet bool, again time.Duration) {
	quiet, again = s.check(Quiet{Timeout: max(r.Timeout, silentGrace)})
	if quiet && (s.sys.Reads() == tty.ReadsNot || s.sys.Behind()) {
		return false, recheck
	}
	return quiet, again
}

// takesKeys reports whether the program has taken over the keyboard: whether it gets keys one by
// one or unechoed, as line editors, full-screen programs and password prompts do.
func (s *Session) takesKeys() bool {
	mode := s.sys.Mode()
	return mode == tty.ModeKeys || mode == tty.ModeSecret
}
