package core

import (
	"time"

	"ui-mcp/internal/term/idle"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// judgeMarks decides by the shell's marks what has become of a line. It removes a line that the
// shell leaves in its editor.
func (s *Session) judgeMarks(r *typedLine) (RunState, idle.Verdict, error) {
	w := s.Shell.Watch
	final := idle.Verdict{Quiet: true}
	since := s.now.Sub(w.Seen)
	switch {
	case s.sys.Unread():
		return "", idle.Verdict{}, nil
	case w.Over && w.Ready:
		return Done, final, nil
	case w.Over && !w.Whole && !s.sys.Input().Modes.Has(vt.ModeBracketedPaste):
		return "", idle.Verdict{Ask: recheck}, nil // the next of several lines may follow
	case w.Over || !s.Shell.Keyed && !w.Ran && !w.Seen.IsZero() && s.Shell.Phase != PhaseMore:
		// The end of a prompt may not be marked, or slow to come. Without our marks, a prompt
		// without a command was drawn again, or the shell did not run the line.
		if since < markGrace {
			return "", idle.Verdict{Ask: markGrace - since}, nil
		}
		return Done, final, nil
	case w.More && s.Shell.Phase == PhaseMore && !w.Left && (!w.Cleared || s.Shell.Keyed && !s.Shell.Asking):
		w.Cleared = true
		if !s.Shell.Keyed {
			return "", idle.Verdict{}, s.write(Write{Bytes: []byte("\x03")})
		}
		// A shell that is about to read may miss the signal, or notice it only when it reads. The
		// answer to the key shows which.
		return "", idle.Verdict{}, s.write(Write{Bytes: []byte("\x03" + s.Shell.press())})
	case w.Refused && !w.Cleared && !w.Left:
		w.Cleared = true
		return "", idle.Verdict{}, s.pressReady()
	case !w.Ran:
		return s.judgeUnread(r)
	}
	v := s.check(idle.Wait{Timeout: r.Timeout})
	if !v.Quiet {
		return "", v, nil
	}
	switch reads := s.sys.Reads(); {
	case reads == tty.Reads:
	case reads == tty.ReadsNot, !s.sys.Screen().asks() && !s.takesKeys():
		return "", idle.Verdict{Ask: min(max(r.Timeout, recheck), awaitedTime)}, nil // it may ask later without a word
	}
	if s.sys.Behind() {
		return "", idle.Verdict{Ask: settleTime}, nil
	}
	return Waiting, v, nil
}

// judgeBegun decides whether the command of a line has begun, given the verdict about its end. A
// shell marks the beginning just before: a key for which the terminal sends a signal would reach
// only the shell until the command has the terminal, unless the shell itself carries it out. The
// job also has to be another program by then: a copy of bash that is about to become one loses
// signals.
func (s *Session) judgeBegun(r *typedLine, end idle.Verdict) idle.Verdict {
	w := s.Shell.Watch
	var rest time.Duration
	switch {
	case !w.Known && s.Shell.Phase == PhaseEditing:
		return end // the shell runs nothing, and may never get the line
	case !w.Known:
		rest = silentGrace - s.now.Sub(r.Sent) // for the program to read it
	case !w.Ran:
		return end
	default:
		rest = markGrace - s.now.Sub(w.Began)
		switch job := s.sys.Foreground(); {
		case r.Shell.PID == 0 || job.PID == 0:
		case job.PID != r.Shell.PID && job.Name != r.Shell.Name:
			rest = 0
		case rest <= 0:
			// A builtin, a subshell, or the machine is too busy to start a program.
			if reads := s.sys.Reads(); reads == tty.ReadsNot || reads == tty.ReadingUnknown && s.takesKeys() {
				rest = forkGrace - s.now.Sub(w.Began)
			}
		}
	}
	if rest <= 0 {
		return idle.Verdict{Quiet: true}
	}
	return idle.Verdict{Ask: min(rest, beginPause)}
}

// judgeUnread decides about a line that no mark has followed. The shell is about to begin it,
// however busy the machine is, or its editor holds it: it is unfinished, and not every shell marks
// that. A key that takes it out of the editor would destroy it before that.
func (s *Session) judgeUnread(r *typedLine) (RunState, idle.Verdict, error) {
	w := s.Shell.Watch
	v := s.check(idle.Wait{Timeout: max(r.Timeout, beginGrace)})
	if !v.Quiet {
		return "", v, nil
	}
	pending := s.sys.Pending()
	editing := s.takesKeys() // line editors take keys one by one, and hooks do not
	switch reads := s.sys.Reads(); {
	case s.sys.Behind():
		return "", idle.Verdict{Ask: settleTime}, nil
	case pending, reads == tty.ReadsNot: // so the machine is busy, or a hook works
		return "", idle.Verdict{Ask: recheck}, nil
	case w.Cleared, w.Left, !editing && reads == tty.Reads:
		return Waiting, v, nil
	case !editing && s.sys.Screen().asks():
		// Our marks report a prompt for the rest of the line. So a hook asks for something, or the
		// machine is busy: the echo of the line may leave the cursor as a question does.
		if rest := answerGrace - s.now.Sub(s.Idle.Last()); s.Shell.Keyed && rest > 0 {
			return "", idle.Verdict{Ask: rest}, nil
		}
		return Waiting, v, nil
	}
	if !editing {
		return "", idle.Verdict{Ask: recheck}, nil
	}
	w.Cleared = true
	switch {
	case !s.Shell.Keyed:
		return "", idle.Verdict{}, s.write(Write{Bytes: []byte("\x03")})
	case s.sys.Foreground().PID == s.PID: // its prompt for the rest of the line may lack a mark
		return "", idle.Verdict{}, s.write(Write{Bytes: []byte("\x03" + s.Shell.press())})
	}
	return "", idle.Verdict{}, s.pressReady()
}

// Check is [idle.Detector.Check], except that output waiting to be parsed is not silence.
func (s *Session) Check(w idle.Wait, sys System, now time.Time) idle.Verdict {
	defer s.given(sys, now)()
	return s.check(w)
}

func (s *Session) check(w idle.Wait) idle.Verdict {
	if s.sys.Unread() {
		return idle.Verdict{}
	}
	v := s.Idle.Check(s.now, w)
	if v.Quiet && s.sys.Behind() {
		return idle.Verdict{Ask: settleTime}
	}
	return v
}

// takesKeys reports whether the program has taken over the keyboard: whether it gets keys one by
// one or unechoed, as line editors, full-screen programs and password prompts do.
func (s *Session) takesKeys() bool {
	mode := s.sys.Mode()
	return mode == tty.ModeKeys || mode == tty.ModeSecret
}

// judgeSilence decides whether it has been quiet for long enough since something was typed. The
// program gets a moment to answer, however short the timeout. Where the system tells that it has
// not come back to read, silence does not count.
func (s *Session) judgeSilence(r *typedLine) idle.Verdict {
	v := s.check(idle.Wait{Timeout: r.Timeout})
	if rest := silentGrace - s.now.Sub(r.Sent); v.Quiet && s.Idle.Generation() == r.Before && rest > 0 {
		return idle.Verdict{Ask: rest}
	}
	if v.Quiet && r.Reads && (s.sys.Reads() == tty.ReadsNot || s.sys.Behind()) {
		return idle.Verdict{Ask: recheck}
	}
	return v
}
