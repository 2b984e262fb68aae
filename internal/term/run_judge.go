package term

import (
	"time"

	"ui-mcp/internal/term/idle"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// judgeMarks decides by the shell's marks what has become of a line. It removes a line that the
// shell leaves in its editor.
func (s *Session) judgeMarks(st *state, r *typedLine, now time.Time) (RunState, idle.Verdict, error) {
	w := r.watch
	final := idle.Verdict{Quiet: true}
	since := now.Sub(w.seen)
	switch {
	case s.unread.Load():
		return "", idle.Verdict{}, nil
	case w.over && w.ready:
		return Done, final, nil
	case w.over && !w.whole && !st.term.Modes().Has(vt.ModeBracketedPaste):
		return "", idle.Verdict{Ask: recheck}, nil // the next of several lines may follow
	case w.over || !st.shell.keyed && !w.ran && !w.seen.IsZero() && st.shell.phase != phaseMore:
		// The end of a prompt may not be marked, or slow to come. Without our marks, a prompt
		// without a command was drawn again, or the shell did not run the line.
		if since < markGrace {
			return "", idle.Verdict{Ask: markGrace - since}, nil
		}
		return Done, final, nil
	case w.more && st.shell.phase == phaseMore && !w.left && (!w.cleared || st.shell.keyed && !st.shell.asking):
		w.cleared = true
		if !st.shell.keyed {
			return "", idle.Verdict{}, s.enqueue(st, []byte("\x03"))
		}
		// A shell that is about to read may miss the signal, or notice it only when it reads. The
		// answer to the key shows which.
		return "", idle.Verdict{}, s.enqueue(st, []byte("\x03"+st.shell.press()))
	case w.refused && !w.cleared && !w.left:
		w.cleared = true
		return "", idle.Verdict{}, s.pressReady(st)
	case !w.ran:
		return s.judgeUnread(st, r, now)
	}
	v := s.check(st, now, idle.Wait{Timeout: r.timeout})
	if !v.Quiet {
		return "", v, nil
	}
	switch reads := s.process.Reads(); {
	case reads == tty.Reads:
	case reads == tty.ReadsNot, !st.asksOnScreen() && !s.takesKeys():
		return "", idle.Verdict{Ask: min(max(r.timeout, recheck), awaitedTime)}, nil // it may ask later without a word
	}
	if s.isBehind() {
		return "", idle.Verdict{Ask: settleTime}, nil
	}
	return Waiting, v, nil
}

// judgeBegun decides whether the command of a line has begun, given the verdict about its end. A
// shell marks the beginning just before: a key for which the terminal sends a signal would reach
// only the shell until the command has the terminal, unless the shell itself carries it out. The
// job also has to be another program by then: a copy of bash that is about to become one loses
// signals.
func (s *Session) judgeBegun(st *state, r *typedLine, end idle.Verdict, now time.Time) idle.Verdict {
	w := r.watch
	var rest time.Duration
	switch {
	case !w.known && st.shell.phase == phaseEditing:
		return end // the shell runs nothing, and may never get the line
	case !w.known:
		rest = silentGrace - now.Sub(r.sent) // for the program to read it
	case !w.ran:
		return end
	default:
		rest = markGrace - now.Sub(w.began)
		switch job := s.process.Foreground(); {
		case r.shell.PID == 0 || job.PID == 0:
		case job.PID != r.shell.PID && job.Name != r.shell.Name:
			rest = 0
		case job.PID == r.shell.PID && rest <= 0:
			// A builtin, or the machine is too busy to start a program.
			if reads := s.process.Reads(); reads == tty.ReadsNot || reads == tty.ReadingUnknown && s.takesKeys() {
				rest = forkGrace - now.Sub(w.began)
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
// that.
func (s *Session) judgeUnread(st *state, r *typedLine, now time.Time) (RunState, idle.Verdict, error) {
	w := r.watch
	v := s.check(st, now, idle.Wait{Timeout: max(r.timeout, beginGrace)})
	if !v.Quiet {
		return "", v, nil
	}
	editing := s.takesKeys() // line editors take keys one by one, and hooks do not
	switch reads := s.process.Reads(); {
	case s.isBehind():
		return "", idle.Verdict{Ask: settleTime}, nil
	case reads == tty.ReadsNot: // so the machine is busy, or a hook works
		return "", idle.Verdict{Ask: recheck}, nil
	case w.cleared, w.left, !editing && reads == tty.Reads:
		return Waiting, v, nil
	case !editing && st.asksOnScreen():
		// Our marks report a prompt for the rest of the line. So a hook asks for something, or the
		// machine is busy: the echo of the line may leave the cursor as a question does.
		if rest := answerGrace - now.Sub(st.idle.Last()); st.shell.keyed && rest > 0 {
			return "", idle.Verdict{Ask: rest}, nil
		}
		return Waiting, v, nil
	}
	if !editing {
		return "", idle.Verdict{Ask: recheck}, nil
	}
	w.cleared = true
	switch {
	case !st.shell.keyed:
		return "", idle.Verdict{}, s.enqueue(st, []byte("\x03"))
	case s.process.Foreground().PID == s.pid: // its prompt for the rest of the line may lack a mark
		return "", idle.Verdict{}, s.enqueue(st, []byte("\x03"+st.shell.press()))
	}
	return "", idle.Verdict{}, s.pressReady(st)
}

// takesKeys reports whether the program has taken over the keyboard: whether it gets keys one by
// one or unechoed, as line editors, full-screen programs and password prompts do.
func (s *Session) takesKeys() bool {
	mode := s.process.Mode()
	return mode == tty.ModeKeys || mode == tty.ModeSecret
}

// asksOnScreen reports whether the screen looks as if a program waits for the person: one that
// works ends its lines.
func (st *state) asksOnScreen() bool {
	screen := st.term.Snapshot()
	return screen.AltScreen() || screen.Cursor.Col > 0
}

// judgeSilence decides whether it has been quiet for long enough since something was typed. The
// program gets a moment to answer, however short the timeout. Where the system tells that it has
// not come back to read, silence does not count.
func (s *Session) judgeSilence(st *state, r *typedLine, now time.Time) idle.Verdict {
	v := s.check(st, now, idle.Wait{Timeout: r.timeout})
	if rest := silentGrace - now.Sub(r.sent); v.Quiet && st.idle.Generation() == r.before && rest > 0 {
		return idle.Verdict{Ask: rest}
	}
	if v.Quiet && r.reads && (s.process.Reads() == tty.ReadsNot || s.isBehind()) {
		return idle.Verdict{Ask: recheck}
	}
	return v
}
